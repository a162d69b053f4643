"""Shut the Box as a match: its scenes, options, refusals and legal actions."""

from __future__ import annotations

import json
from ast import literal_eval
from itertools import product
from typing import Any

import pytest
from msgspec.structs import astuple

from croupier.engine import (
    Accepted,
    Action,
    MatchClient,
    MatchResult,
    Player,
    act,
    apply_action,
    chance_outcomes,
    create_match,
    deserialize_match,
    legal_actions,
    make_record,
    serialize_match,
    state_digest,
    verify,
    write_record,
)
from croupier.engine.chance import ScriptedRng
from croupier.errors import BadOptions, CroupierError, InvalidState
from croupier.games.shut_the_box.game import Box, _lowered
from tests.games.scenes import grouped, look_at, play, scenes
from tests.games.shut_the_box.matches import GAME, SCORE_33, SCORE_34, SHUT_ALL, at, begin, boards, do, no, subsets

# Scenes: the players, options or tiles of a match, what they roll and shut, and what is then so.


class Board:
    """A match that reads steps in words: `34` rolls a 3 and a 4, `shut 2 5`, `dice 1 3` chooses one die, `bob leave`.

    `score33`, `score34` and `shut_all` are whole rounds.
    """

    def __init__(self, head: str) -> None:
        words = head.split()
        options = {name: literal_eval(value) for name, value in (word.split("=") for word in words if "=" in word)}
        players, first = [word for word in words if "=" not in word], options.pop("first", None)
        self.match: Any = at(options.pop("up"), **options) if "up" in options else begin(players, first, **options)
        self.error = self.told = ""

    def take(self, words: list[str]) -> None:
        rounds: dict[str, Any] = {"score33": SCORE_33, "score34": SCORE_34, "shut_all": SHUT_ALL}
        for step in rounds.get(words[0], (words,)):
            action, faces = self.read(words) if step is words else self.read_step(step)
            before = self.match
            answer = apply_action(GAME, before, action, rng=ScriptedRng.of_dice(*faces) if faces else None)
            assert isinstance(answer, Accepted), (step, answer)
            self.match, self.told = answer.state, GAME.describe(answer.action, before, answer.state)

    def refusal(self, words: list[str]) -> str:
        code, self.error = no(self.match, self.read(words)[0])
        return code

    def look(self, path: str) -> Any:
        if path in ("error", "told"):
            return getattr(self, path)
        listed = legal_actions(GAME, self.match)
        asked: dict[str, Any] = {"payloads": [one.payload for one in listed], "set_count": len(listed)}
        asked |= {"types": [(one.type, one.payload, one.player_id) for one in listed]}
        if path in asked:
            return asked[path]
        if path == "sets":
            return [tuple(one.payload["tiles"]) for one in listed]
        found = look_at(self.match, path.replace("box", "game.boxes.0", 1) if path.startswith("box") else path)
        return astuple(found) if isinstance(found, Box | MatchResult) else found

    @staticmethod
    def read_step(step: Any) -> tuple[Action, tuple[int, ...]]:
        return (act("shut", tiles=step), ()) if isinstance(step, list) else (act("roll"), step)

    @staticmethod
    def read(words: list[str]) -> tuple[Action, tuple[int, ...]]:
        """Return an action in words, and the faces that its dice show."""
        player = words.pop(0) if words[0] in ("ann", "bob", "cid") else None
        name, *rest = words
        if name.isdigit():
            return Action("roll", {}, player), tuple(map(int, name))
        if name == "dice":
            return act("roll", dice=literal_eval(rest[0])), tuple(int(face) for word in rest[1:] for face in word)
        payload: dict[str, Any] = {
            "shut": {"tiles": [int(tile) for tile in rest]},
            "flip": {"tile": 7},
            "join": {"id": "cid"},
        }
        return Action(name, payload.get(name, {}), player), tuple(int(face) for face in rest if name == "time_out")


SCENES = scenes("""
# a match begins with every tile up and the first player to roll | ann bob
? box ((1, 2, 3, 4, 5, 6, 7, 8, 9), 45, False, 0, 0); ? game.boxes.1 ((1, 2, 3, 4, 5, 6, 7, 8, 9), 45, False, 0, 0)
? game.current_sum 0; ? game.dice (0, 0); ? game.round 1; ? turn.current 'ann'; ? turn.phase 'roll'
? types [('roll', {}, 'ann')]
# a roll that can be made is shut by the same player | ann bob
34; ? game.current_sum 7; ? game.dice (3, 4); ? turn.current 'ann'; ? turn.phase 'shut'; ? turn.turn_number 1
? sets [(1, 2, 4), (1, 6), (2, 5), (3, 4), (7,)]
# shutting lowers the tiles and leaves the dice in sight | ann
34; shut 2 5; ? box ((1, 3, 4, 6, 7, 8, 9), 38, False, 0, 0); ? game.current_sum 0; ? game.dice (3, 4)
? turn.phase 'roll'
# a roll that cannot be made ends the round in the same action | ann bob
score33; ? box ((3, 4, 5, 6, 7, 8), 33, True, 1, 33); ? game.boxes.1 ((1, 2, 3, 4, 5, 6, 7, 8, 9), 45, False, 0, 0)
? game.current_sum 0; ? game.dice (1, 1)
? turn.current 'bob'; ? turn.phase 'roll'; ? turn.turn_number 2; ? status 'active'
# shutting the last tile ends the round with nothing | ann bob
shut_all; ? box ((), 0, True, 1, 0); ? turn.current 'bob'; ? turn.phase 'roll'
# one die is forced once the high tiles are down | ann
45; shut 9; 35; shut 8; 34; shut 7; ? box.tiles (1, 2, 3, 4, 5, 6); 6; ? game.dice (6, 0)
# a solo match is won by shutting the box | ann
shut_all; ? status 'finished'; ? result ('win', ('ann',), 'the box is shut', {'ann': 0})
# a solo match that is not shut is a draw that gives the score | ann
score33; ? result ('draw', (), 'the score is 33', {'ann': 33})
# the lowest total wins | ann bob cid
score34; score33; score34; ? result ('win', ('bob',), 'the lowest total is 33', {'ann': 34, 'bob': 33, 'cid': 34})
# equal lowest totals are shared winners | ann bob cid
score33; score34; score33
? result ('win', ('ann', 'cid'), 'the lowest total is 33', {'ann': 33, 'bob': 34, 'cid': 33})
# where all tie it is a draw | ann bob
score33; score33; ? result ('draw', (), 'all have 33', {'ann': 33, 'bob': 33})
# without the option a shut box does not end the match | ann bob
shut_all; ? status 'active'; score33; ? result ('win', ('ann',), 'the lowest total is 0', {'ann': 0, 'bob': 33})
# without the option all may shut it | ann bob
shut_all; shut_all; ? result ('draw', (), 'all have 0', {'ann': 0, 'bob': 0})
# with shut_wins the first to shut wins at once | ann bob shut_wins=True
shut_all; ? status 'finished'; ? result.status 'win'; ? result.winners ('ann',); ? result.scores.ann 0
# with shut_wins a match that nobody shuts goes by totals | ann bob shut_wins=True
score33; score34; ? result ('win', ('ann',), 'the lowest total is 33', {'ann': 33, 'bob': 34})
# with shut_wins a later round can still be won at once | ann bob shut_wins=True rounds=3
score33; score34; score33; shut_all; ? result.winners ('bob',)
# rounds are played in turn with fresh tiles and totals that add up | ann bob rounds=2
? game.round 1; score33; ? game.round 1; score34; ? game.round 2; score34; ? game.round 2; ? turn.current 'bob'
? box ((3, 4, 5, 6, 7, 9), 34, True, 2, 67); ? game.boxes.1 ((1, 2, 3, 4, 5, 6, 7, 8, 9), 45, False, 1, 34)
score34; ? result ('win', ('ann',), 'the lowest total is 67', {'ann': 67, 'bob': 68})
# the starting player begins every round | ann bob first='bob' rounds=2
? turn.current 'bob'; score33; ? turn.current 'ann'; score33; ? turn.current 'bob'; score33; ? turn.current 'ann'
score33; ? status 'finished'
# alone one plays round after round | ann rounds=2
score33; ? turn.current 'ann'; ? turn.turn_number 2; ? box ((1, 2, 3, 4, 5, 6, 7, 8, 9), 45, False, 1, 33)
shut_all; ? result ('draw', (), 'the score is 33', {'ann': 33})
# alone one wins by shutting the box in every round | ann rounds=2
shut_all; shut_all; ? result ('win', ('ann',), 'the box is shut', {'ann': 0})
# a box has nine tiles | ann
## The published table for these three: sets of a total of 12 with everything up.
? box ((1, 2, 3, 4, 5, 6, 7, 8, 9), 45, False, 0, 0); 66; ? set_count 12
# a box has ten tiles | ann tile_count=10
? box ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 55, False, 0, 0); 66; ? set_count 13
# a box has twelve tiles | ann tile_count=12
? box ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 78, False, 0, 0); 66; ? set_count 15
# scoring by digits reads the tiles as one number | ann scoring='digits'
? box.score 123456789; score33; ? result ('draw', (), 'the score is 345678', {'ann': 345678})
# scoring by digits of a shut box is nothing | ann scoring='digits'
shut_all; ? result.scores {'ann': 0}
# scoring by digits of twelve tiles | ann scoring='digits' tile_count=12
? box.score 123456789101112
# scoring by digits of one five nine is 159 | ann scoring='digits'
66; shut 4 8; 54; shut 2 7; 45; shut 3 6; ? box.tiles (1, 5, 9); ? box.score 159
# one die when the tiles add up to six | ann up=(1,2,4) die_rule='sum_at_most_six'
## The tiles 1, 2 and 4 are low but add up to 7; 1, 2, 3 add up to 6.
22; ? game.dice (2, 2)
# one die when three tiles add up to six | ann up=(1,2,3) die_rule='sum_at_most_six'
3; ? game.dice (3, 0)
# one die for a lone six | ann up=(6,) die_rule='sum_at_most_six'
6; ? game.dice (6, 0)
# the standard rule asks for low tiles alone | ann up=(1,2,4)
4; ? game.dice (4, 0)
# always two dice | ann up=(1,2) die_rule='always_two'
11; ? game.dice (1, 1)
# always two dice leave no choice | ann up=(1,2) die_rule='always_two' die_choice=True
dice 1 -> no_dice_choice
# with a choice one die is allowed rather than forced | ann up=(1,2,3) die_choice=True
? payloads [{'dice': 1}, {'dice': 2}]; roll -> choose_dice; dice 1 3; ? game.dice (3, 0)
# with a choice two dice are allowed | ann up=(1,2,3) die_choice=True
dice 2 12; ? game.dice (1, 2)
# a number of dice is one or two | ann up=(1,2,3) die_choice=True
dice 0 -> bad_payload; dice 3 -> bad_payload; dice True -> bad_payload; dice 1.0 -> bad_payload
dice '1' -> bad_payload; dice [1] -> bad_payload
# a refusal names the rule and both numbers | ann bob
34; shut 1 2 -> wrong_sum; ? error '1, 2 adds up to 3, the roll was 7'
# a tile that is down cannot be shut again | ann
34; shut 7; 61; shut 7 -> tile_down; ? error 'tile 7 is down; up are 1, 2, 3, 4, 5, 6, 8, 9'
# a tile of a larger box is none of this one | ann
55; shut 10 -> no_such_tile; ? error 'there is no tile 10; this box has tiles 1 to 9'
# a tile of a larger box is one of that | ann tile_count=10
55; shut 10; ? box.tiles (1, 2, 3, 4, 5, 6, 7, 8, 9)
# repeats are refused even where they add up | ann
## Published case 5: with a total of 6, 3 and 3 is not a move.
24; shut 3 3 -> tile_twice; ? error '3, 3 names a tile twice'
# what belongs to another phase player or game is refused | ann bob
shut 7 -> wrong_phase; bob roll -> not_your_turn; cid roll -> unknown_player; flip -> unknown_action
ROLL -> unknown_action; pass -> unknown_action; join -> no_late_join
## Rolling again with a total pending.
34; roll -> wrong_phase; bob shut 7 -> not_your_turn
# nothing is rolled when it is over | ann
score33; roll -> finished
# when the player who has the dice leaves the next one rolls | ann bob cid
34; ann leave; ? turn.current 'bob'; ? turn.phase 'roll'; ? turn.order ('bob', 'cid'); ? game.current_sum 0
score34; score33; ? result ('win', ('cid',), 'the lowest total is 33', {'bob': 34, 'cid': 33})
# when all who stay have played the match is over | ann bob cid
score33; score34; 34; cid leave; ? result ('win', ('ann',), 'the lowest total is 33', {'ann': 33, 'bob': 34})
# the last one who stays plays on and wins | ann bob
ann leave; ? status 'active'; ? turn.current 'bob'
score33; ? result ('win', ('bob',), 'the lowest total is 33', {'bob': 33})
# those who stay may tie | ann bob cid
cid leave; score33; score33; ? result ('draw', (), 'all have 33', {'ann': 33, 'bob': 33})
# leaving alone is a draw without winners | ann
34; ann leave; ? status 'finished'; ? result.status 'draw'; ? result.winners ()
# one who waits may leave without disturbing the one who plays | ann bob cid
34; bob leave; ? turn.current 'ann'; ? turn.phase 'shut'; ? game.current_sum 7
shut 7; 11; shut 2; 11; ? turn.current 'cid'
# one who dawdles shuts the first set | ann
34; time_out; ? box.tiles (3, 5, 6, 7, 8, 9)
# the log tells what was rolled | ann bob
34; ? told 'ann rolled 3 and 4'; shut 3 4; ? told 'ann shut 3, 4'
# the log tells that a roll ends a round | ann bob
score33; ? told 'ann rolled 1 and 1: 3, 4, 5, 6, 7, 8 cannot make 2, the score is 33'
# the log tells that the box is shut | ann bob
45; shut 9; 35; shut 8; 34; shut 7; 6; ? told 'ann rolled 6'
shut 6; 5; shut 5; 4; shut 4; 3; shut 3; 2; shut 2; 1; shut 1; ? told 'ann shut 1: the box is shut!'
# the log tells who left | ann bob
bob leave; ? told 'bob left the table'
# the log tells what one who dawdles rolled | ann bob
time_out 3 4; ? told 'ann rolled 3 and 4'
# the log tells of a shut box also where a fresh round follows at once | ann rounds=2
## Alone, one's own box is set up again in the very action that ends the round.
shut_all; ? told 'ann shut 1: the box is shut!'
# the log tells of a dead roll also where a fresh round follows at once | ann rounds=2
score33; ? told 'ann rolled 1 and 1: 3, 4, 5, 6, 7, 8 cannot make 2, the score is 33'
""")


@pytest.mark.parametrize(("head", "scene"), SCENES)
def test_a_match_goes_as_written(head, scene):
    play(Board(head), scene)


def test_two_dice_are_rolled_on_the_full_box_also_by_a_time_out():
    with pytest.raises(CroupierError, match="the script ran out"):
        do(begin(), (6,))
    assert 0 not in do(begin(["ann", "bob"]), act("time_out")).game.dice


def test_the_log_calls_players_by_their_names():
    match = create_match(GAME, [Player("ann", "Ann"), Player("bob", "bob")], seed=b"")

    assert GAME.describe(Action("roll", {}, "ann"), match, do(match, (3, 4))) == "Ann rolled 3 and 4"


# Options.


@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize(
    "match",
    [begin(), begin(die_choice=True), at((1, 2, 3)), at((1, 2, 4), die_rule="sum_at_most_six", die_choice=True)],
)
def test_where_there_is_no_choice_none_may_be_made(match, dice):
    code, sentence = no(match, act("roll", dice=dice))

    assert code == "no_dice_choice"
    assert "must be rolled" in sentence
    assert [chosen.payload for chosen in legal_actions(GAME, match)] == [{}]


NO_OPTIONS: dict[str, list[Any]] = {
    "$.tile_count": [{"tile_count": value} for value in (8, 11, True, 9.0, "9")],
    "$.die_rule": [{"die_rule": "never"}, {"die_rule": 1}],
    "$.die_choice": [{"die_choice": 1}, {"die_choice": None}],
    "$.scoring": [{"scoring": "Sum"}],
    "$.rounds": [{"rounds": value} for value in (0, 101, 10**30, True)],
    "$.shut_wins": [{"shut_wins": "yes"}],
    "$": [{"tiles": 9}],
}


@pytest.mark.parametrize(("options", "path"), grouped(NO_OPTIONS))
def test_an_option_that_no_game_has_names_its_path(options, path):
    with pytest.raises(BadOptions) as caught:
        begin(**options)

    assert caught.value.path == path


DIE_RULES = ("high_tiles_down", "sum_at_most_six", "always_two")
VARIANTS = [*product((9, 10, 12), DIE_RULES, (True, False), ("sum", "digits"), ((1, False), (3, True)))]


@pytest.mark.parametrize(("tile_count", "die_rule", "die_choice", "scoring", "length"), VARIANTS)
def test_every_variant_plays_to_an_end_and_its_record_verifies(tile_count, die_rule, die_choice, scoring, length):
    """In all 72 variants: the last action that is listed, until the end; then save, load, verify."""
    options = {"tile_count": tile_count, "die_rule": die_rule, "die_choice": die_choice, "scoring": scoring}
    options["rounds"], options["shut_wins"] = rounds, _ = length
    client = MatchClient(GAME, create_match(GAME, ["ann", "bob"], seed=b"variants", options=options))
    while client.get_state().status == "active":
        assert len(client.get_log()) < 2 * rounds * (2 * tile_count + 1)
        match = client.get_state()
        assert deserialize_match(serialize_match(match), GAME) == match
        choices = legal_actions(GAME, match)
        assert choices
        client.dispatch(choices[-1])
    record = write_record(make_record(GAME, client.base, client.get_log()))

    assert verify(record, game=GAME).ok
    result = client.get_state().result
    assert result is not None
    assert set(result.winners) <= {"ann", "bob"}


# Refusals.


NO_SHUTS: dict[str, list[Any]] = {
    "wrong_sum": [[8], [1, 2], []],
    "no_such_tile": [[0], [0, 7], [10], [-1, 8], [2**63 - 1]],
    "tile_twice": [[3, 3, 1], [1, 1, 5]],
    "not_ascending": [[4, 3], [4, 2, 1]],
    "bad_payload": [[True, 6], [7.0], ["7"], [None], [[7]], [2**63], [10**30], 7, "7", None, {"7": 7}, {7}],
}


@pytest.mark.parametrize(("tiles", "code"), grouped(NO_SHUTS))
def test_tiles_that_do_not_make_the_total_are_refused_with_their_code(tiles, code):
    match = do(begin(), (3, 4))
    before = state_digest(match)

    assert no(match, act("shut", tiles=tiles))[0] == code
    assert state_digest(match) == before


def test_a_refused_set_is_not_remembered():
    """The longest that a request can hold: what is remembered of refusals would fill a server's memory."""
    match = do(begin(), (3, 4))
    before = _lowered.cache_info().currsize

    assert no(match, act("shut", tiles=[0] * 32_000))[0] == "no_such_tile"
    assert _lowered.cache_info().currsize == before


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"boxes": []}, "0 boxes"),
        ({"dice": [9, 9]}, "dice that show"),
        ({"current_sum": 40}, "no box can make 40"),
        ({"tiles": [1, 2, 3, 10]}, "tile 10"),
        ({"tiles": [1, 2, 4, 3]}, "out of order"),
        ({"tiles": [1, 2, 3], "score": 7}, "not worth 7"),
    ],
)
def test_a_saved_table_that_no_play_leads_to_is_refused(changes, words):
    saved = json.loads(serialize_match(do(begin(), (3, 4))))
    table = saved["state"]["game"]
    for name, value in changes.items():
        (table if name in table else table["boxes"][0])[name] = value

    with pytest.raises(InvalidState, match=words):
        deserialize_match(json.dumps(saved), GAME)


# Legal actions, counted whole.


def test_legal_sets_of_every_board_are_those_of_brute_force():
    """Every board of nine tiles with every total its own dice can give: 3888 playable pairs, 1418 dead (published)."""
    playable = dead = 0
    for up in boards(9):
        for total in range(2, 13) if max(up) > 6 else range(1, 7):
            expected = subsets(up, total)
            if not expected:
                dead += 1
                continue
            playable += 1
            listed = legal_actions(GAME, at(up, total))
            assert [tuple(chosen.payload["tiles"]) for chosen in listed] == expected
    assert (playable, dead) == (3888, 1418)


def test_a_roll_ends_the_round_exactly_where_no_set_makes_it():
    """All outcomes of the roll on boards of all sizes: what is dead by brute force is over, the rest is not."""
    for up in list(boards(9))[::7]:
        chances: Any = chance_outcomes(GAME, at(up), act("roll"))
        assert sum(outcome.chance for outcome in chances) == 1
        assert len(chances) == (36 if max(up) > 6 else 6)
        for outcome in chances:
            total = sum(draw + 1 for draw in outcome.draws)
            assert (outcome.state.status == "finished") == (not subsets(up, total))
            if outcome.state.status == "finished":
                assert outcome.state.result.scores == {"ann": sum(up)}
