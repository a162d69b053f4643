"""Shut the Box as a match: section 4 of its sheet, and two whole matches worked out again from hashlib alone."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from croupier.engine import (
    Accepted,
    Action,
    Match,
    MatchClient,
    MatchResult,
    Player,
    Refused,
    act,
    apply_action,
    canonical,
    chance_outcomes,
    create_match,
    deserialize_match,
    legal_actions,
    make_record,
    serialize_match,
    state_digest,
    verify,
    view_for,
    write_record,
)
from croupier.engine.chance import ScriptedRng
from croupier.errors import BadOptions, CroupierError
from croupier.games.shut_the_box import ShutTheBox, odds
from croupier.games.shut_the_box.game import Box, BoxTable
from croupier.rng import GameRng
from tests.games.scenes import look_at, play, scenes

GAME = ShutTheBox()
NINE = tuple(range(1, 10))


def begin(players: Any = ("ann",), first: str | None = None, **options: Any) -> Any:
    return create_match(GAME, players, seed=bytes(32), starting_player=first, options=options)


def do(match: Match[BoxTable], *steps: Any) -> Any:
    """Play rolls, given as tuples of faces, and shuts, given as lists of tiles."""
    for step in steps:
        if isinstance(step, list):
            answer = apply_action(GAME, match, act("shut", tiles=step))
        elif isinstance(step, tuple):
            answer = apply_action(GAME, match, act("roll"), rng=ScriptedRng.of_dice(*step))
        else:
            answer = apply_action(GAME, match, step)
        assert isinstance(answer, Accepted), (step, answer)
        match = answer.state
    return match


def no(match: Match[BoxTable], asked: Any) -> tuple[str, str]:
    """Return code and sentence of a refusal that hands the very match back."""
    answer = apply_action(GAME, match, asked)
    assert isinstance(answer, Refused), answer
    assert answer.state is match
    return answer.code, answer.error


def at(up: tuple[int, ...], total: int = 0, **options: Any) -> Any:
    """Return a match of one with these tiles up, rolled or about to roll."""
    match = begin(**options)
    box = replace(match.game.boxes[0], tiles=up, score=sum(up))
    phase = "shut" if total else "roll"
    return replace(match, game=BoxTable((box,), total), turn=replace(match.turn, phase=phase))


# Three ways to end a round quickly. With 9, 2, 1 down, or 8, 2, 1, two ones cannot be made.
SCORE_33 = ((6, 6), [1, 2, 9], (1, 1))
SCORE_34 = ((5, 6), [1, 2, 8], (1, 1))
SHUT_ALL = ((4, 5), [9], (3, 5), [8], (3, 4), [7], (6,), [6], (5,), [5], (4,), [4], (3,), [3], (2,), [2], (1,), [1])


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
## The sheet's table for these three: sets of a total of 12 with everything up.
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
## Case 5 of the sheet: with a total of 6, 3 and 3 is not a move.
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


def test_two_dice_are_rolled_on_the_full_box():
    with pytest.raises(CroupierError, match="the script ran out"):
        do(begin(), (6,))


def test_the_log_calls_players_by_their_names():
    match = create_match(GAME, [Player("ann", "Ann"), Player("bob", "bob")], seed=b"")

    assert GAME.describe(Action("roll", {}, "ann"), match, do(match, (3, 4))) == "Ann rolled 3 and 4"


def test_one_who_dawdles_rolls():
    assert do(begin(["ann", "bob"]), act("time_out")).game.dice != (0, 0)


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


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"tile_count": 8}, "$.tile_count"),
        ({"tile_count": 11}, "$.tile_count"),
        ({"tile_count": True}, "$.tile_count"),
        ({"tile_count": 9.0}, "$.tile_count"),
        ({"tile_count": "9"}, "$.tile_count"),
        ({"die_rule": "never"}, "$.die_rule"),
        ({"die_rule": 1}, "$.die_rule"),
        ({"die_choice": 1}, "$.die_choice"),
        ({"die_choice": None}, "$.die_choice"),
        ({"scoring": "Sum"}, "$.scoring"),
        ({"rounds": 0}, "$.rounds"),
        ({"rounds": 101}, "$.rounds"),
        ({"rounds": 10**30}, "$.rounds"),
        ({"rounds": True}, "$.rounds"),
        ({"shut_wins": "yes"}, "$.shut_wins"),
        ({"tiles": 9}, "$"),
    ],
)
def test_an_option_that_no_game_has_names_its_path(options, path):
    with pytest.raises(BadOptions) as caught:
        begin(**options)

    assert caught.value.path == path


@pytest.mark.parametrize("tile_count", [9, 10, 12])
@pytest.mark.parametrize("die_rule", ["high_tiles_down", "sum_at_most_six", "always_two"])
@pytest.mark.parametrize("die_choice", [True, False])
@pytest.mark.parametrize("scoring", ["sum", "digits"])
@pytest.mark.parametrize(("rounds", "shut_wins"), [(1, False), (3, True)])
def test_every_variant_plays_to_an_end_and_its_record_verifies(
    tile_count, die_rule, die_choice, scoring, rounds, shut_wins
):
    """In all 72 variants: the last action that is listed, until the end; then save, load, verify."""
    options = {
        "tile_count": tile_count,
        "die_rule": die_rule,
        "die_choice": die_choice,
        "scoring": scoring,
        "rounds": rounds,
        "shut_wins": shut_wins,
    }
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


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        ([8], "wrong_sum"),
        ([1, 2], "wrong_sum"),
        ([], "wrong_sum"),
        ([0], "no_such_tile"),
        ([0, 7], "no_such_tile"),
        ([10], "no_such_tile"),
        ([-1, 8], "no_such_tile"),
        ([2**63 - 1], "no_such_tile"),
        ([3, 3, 1], "tile_twice"),
        ([1, 1, 5], "tile_twice"),
        ([4, 3], "not_ascending"),
        ([4, 2, 1], "not_ascending"),
        ([True, 6], "bad_payload"),
        ([7.0], "bad_payload"),
        (["7"], "bad_payload"),
        ([None], "bad_payload"),
        ([[7]], "bad_payload"),
        ([2**63], "bad_payload"),
        ([10**30], "bad_payload"),
        (7, "bad_payload"),
        ("7", "bad_payload"),
        (None, "bad_payload"),
        ({"7": 7}, "bad_payload"),
        ({7}, "bad_payload"),
    ],
)
def test_tiles_that_do_not_make_the_total_are_refused_with_their_code(tiles, code):
    match = do(begin(), (3, 4))
    before = state_digest(match)

    assert no(match, act("shut", tiles=tiles))[0] == code
    assert state_digest(match) == before


# Legal actions, counted whole.


def subsets(up: tuple[int, ...], total: int) -> list[tuple[int, ...]]:
    """Return every set of tiles that makes the total, in lexicographic order, by brute force."""
    return sorted(tiles for size in range(1, len(up) + 1) for tiles in combinations(up, size) if sum(tiles) == total)


def boards(count: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, count + 1):
        yield from combinations(range(1, count + 1), size)


def test_legal_sets_of_every_board_are_those_of_brute_force():
    """Every board of nine tiles with every total its own dice can give: 3888 playable pairs, 1418 dead (the sheet)."""
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


# Bots.


@pytest.mark.parametrize("name", ["uniform", "fewest_tiles", "highest_tile", "optimal_score", "optimal_shut"])
def test_a_bot_chooses_one_of_the_legal_actions_everywhere(name):
    bot = GAME.bots[name]
    rng = GameRng.new(b"bot", 0, 0)
    assert bot.__doc__
    for number, up in enumerate(boards(9)):
        total = number % 11 + 2 if max(up) > 6 else number % 6 + 1
        for match in (at(up, die_choice=True), at(up), at(up, total)):
            legal = legal_actions(GAME, match)
            if not legal:
                continue
            choice = bot(view_for(GAME, match, "ann"), legal, rng)
            assert canonical((choice.type, choice.payload)) in {
                canonical((listed.type, listed.payload)) for listed in legal
            }
            assert apply_action(GAME, match, choice).ok


@pytest.mark.parametrize("name", ["uniform", "fewest_tiles", "highest_tile", "optimal_score", "optimal_shut"])
def test_a_bot_plays_a_match_of_several_variants_to_the_end(name):
    for options in (
        {"tile_count": 10, "die_choice": True},
        {"die_rule": "always_two", "scoring": "digits", "rounds": 2},
    ):
        match = create_match(GAME, ["ann", "bob"], seed=b"bots", options=options)
        rng = GameRng.new(name.encode(), 0, 0)
        while match.status == "active":
            view = view_for(GAME, match, match.turn.current)
            answer = apply_action(GAME, match, GAME.bots[name](view, legal_actions(GAME, match), rng))
            assert answer.ok
            match = answer.state
        assert match.result is not None


def test_the_simple_bots_choose_what_their_names_say():
    match = at((1, 2, 4, 8, 9), 12)
    legal = legal_actions(GAME, match)
    view = view_for(GAME, match, "ann")
    rng = GameRng.new(b"", 0, 0)

    assert list(GAME.bots["fewest_tiles"](view, legal, rng).payload["tiles"]) == [4, 8]
    assert list(GAME.bots["highest_tile"](view, legal, rng).payload["tiles"]) == [1, 2, 9]


# The coach.


@pytest.mark.parametrize("objective", ["score", "shut"])
@pytest.mark.parametrize(
    ("up", "total", "options"),
    [
        (NINE, 7, {}),
        (NINE, 12, {}),
        ((1, 2, 3), 3, {}),
        ((3, 4, 7), 7, {}),
        ((1, 2, 3, 4), 5, {"die_rule": "always_two"}),
        ((1, 2, 3, 4, 5, 6), 6, {"die_choice": True}),
        ((1, 5, 9), 9, {"scoring": "digits"}),
        (tuple(range(1, 11)), 10, {"tile_count": 10}),
    ],
)
def test_the_advice_on_tiles_is_the_exact_analysis(up, total, options, objective):
    match = at(up, total, **options)

    advice = GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match), objective)

    exact = odds.analyse(up, total, objective, **options)
    assert [(tuple(one.action.payload["tiles"]), one.value) for one in advice] == [
        (choice.tiles, choice.value) for choice in exact
    ]
    assert len(advice) > 0
    assert all("expected score" in one.text and "chance to shut" in one.text for one in advice)


@pytest.mark.parametrize("objective", ["score", "shut"])
@pytest.mark.parametrize("up", [(1,), (1, 2, 4), (1, 2, 3, 4, 5, 6)])
def test_the_advice_on_dice_is_the_exact_analysis(up, objective):
    match = at(up, die_choice=True)

    advice = GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match), objective)

    exact = odds.analyse(up, None, objective, die_choice=True)
    assert [(one.action.payload["dice"], one.value) for one in advice] == [
        (choice.dice, choice.value) for choice in exact
    ]


def test_the_first_objective_is_the_one_that_goes_without_saying():
    match = at((3, 4, 7), 7)
    view, legal = view_for(GAME, match, "ann"), legal_actions(GAME, match)

    assert GAME.advise(view, legal) == GAME.advise(view, legal, "score")
    assert GAME.advise(view, legal)[0].action.payload["tiles"] == [7]
    assert GAME.advise(view, legal, "shut")[0].action.payload["tiles"] == [3, 4]
    with pytest.raises(BadOptions, match="score or shut"):
        GAME.advise(view, legal, "glory")


def test_there_is_nothing_to_advise_when_it_is_over():
    over = do(begin(), *SCORE_33)

    assert GAME.advise(view_for(GAME, over, "ann"), legal_actions(GAME, over)) == ()


def test_the_coach_speaks_to_whoever_has_the_dice():
    match = do(begin(["ann", "bob"]), *SCORE_33, (3, 4))

    advice = GAME.advise(view_for(GAME, match, "ann"), legal_actions(GAME, match))

    assert {one.action.player_id for one in advice} == {"bob"}
    assert [one.value for one in advice] == [choice.value for choice in odds.analyse(NINE, 7)]


# Situations.


@pytest.mark.parametrize(
    ("text", "up", "total"),
    [
        ("1,2,3,7,8", (1, 2, 3, 7, 8), 0),
        ("1,2,3,7,8:10", (1, 2, 3, 7, 8), 10),
        ("8 7 1", (1, 7, 8), 0),
        ("9:9", (9,), 9),
        (" 1, 2 : 3 ", (1, 2), 3),
    ],
)
def test_a_situation_can_be_described_in_a_word(text, up, total):
    match = GAME.situation(text)

    assert match.game.boxes[0].tiles == up
    assert match.game.boxes[0].score == sum(up)
    assert match.game.current_sum == total
    assert match.turn.phase == ("shut" if total else "roll")
    assert legal_actions(GAME, match)


def test_a_situation_knows_the_options():
    match = GAME.situation("10,12", {"tile_count": 12, "scoring": "digits"})

    assert match.game.boxes[0] == Box((10, 12), 1012)
    assert match.options.tile_count == 12


NO_SITUATIONS = ": 0 10 1,1 one 1,2:x 1,2: 1,2:9 9:2 9:0 9:-1 9:13 1;2 1.5 :7 1:1:1 -1"


@pytest.mark.parametrize("text", ["", "\ud800", "1" * 5_000, *NO_SITUATIONS.split()], ids=lambda text: ascii(text)[:20])
def test_a_situation_that_cannot_be_is_refused_with_help(text):
    with pytest.raises(BadOptions) as caught:
        GAME.situation(text)

    assert str(caught.value)


def test_a_situation_of_impossible_options_is_refused():
    with pytest.raises(BadOptions):
        GAME.situation("1,2", {"tile_count": 11})


# Words.


def test_a_position_is_drawn_exactly_like_this():
    match = do(at((1, 2, 9)), (4, 5))

    assert GAME.render(view_for(GAME, match, "ann")) == "\n".join(
        [
            "[bold]ann[/bold]  score 12",
            "╭────╮╭────╮                                    ╭────╮",
            "│ [bold yellow] 1[/bold yellow] ││ [bold yellow] 2[/bold yellow] │                                    "
            "│ [bold yellow] 9[/bold yellow] │",
            "╰────╯╰────╯" + "[dim]▁▁▁▁▁▁[/dim]" * 6 + "╰────╯",
            "╭───────╮ ╭───────╮",
            "│ ●   ● │ │ ●   ● │",
            "│       │ │   ●   │   = [bold cyan]9[/bold cyan] to shut",
            "│ ●   ● │ │ ●   ● │",
            "╰───────╯ ╰───────╯",
        ]
    )


def test_the_others_are_drawn_on_a_line_each():
    match = do(begin(["ann", "bob", "cid"], rounds=2), *SHUT_ALL, Action("leave", {}, "cid"))

    blocks = GAME.render(view_for(GAME, match)).split("\n\n")

    assert blocks[0] == "[dim]ann[/dim]  score 0  total 0 after 1 of 2  [dim]up:[/dim] [green]shut![/green]"
    assert blocks[1].startswith("[bold]bob[/bold]  score 45  total 0 after 0 of 2\n╭────╮")
    assert blocks[2] == "[dim]cid (left)[/dim]  score 45  total 0 after 0 of 2  [dim]up:[/dim] 1 2 3 4 5 6 7 8 9"


@pytest.mark.parametrize("count", [9, 10, 12])
def test_every_position_can_be_drawn(count):
    text = pytest.importorskip("rich.text")
    match = create_match(GAME, ["ann", "bob"], seed=b"draw", options={"tile_count": count, "rounds": 2})
    while match.status == "active":
        shown = text.Text.from_markup(GAME.render(view_for(GAME, match))).plain
        assert "ann" in shown
        assert "bob" in shown
        match = apply_action(GAME, match, legal_actions(GAME, match)[0]).state
    assert text.Text.from_markup(GAME.render(view_for(GAME, match))).plain


@pytest.mark.parametrize("name", ["[/]", "[/red]", "[bold]x", "a[b]c", "\\[x]", "\\"])
def test_a_players_name_is_text_not_markup(name):
    """Names come from strangers: one in square brackets must neither vanish nor break the page."""
    text = pytest.importorskip("rich.text")
    match = create_match(GAME, [Player("ann", name), Player("bob", name)], seed=b"")

    shown = text.Text.from_markup(GAME.render(view_for(GAME, match))).plain

    assert shown.count(name) == 2


def test_nothing_is_secret_but_the_seed():
    match = do(begin(["ann", "bob"]), (3, 4))

    for viewer in ("ann", "bob", None):
        view = view_for(GAME, match, viewer)
        assert view.game == match.game
        assert match.rng_state.seed.encode() not in canonical(view)


# Whole matches, worked out again: the stream from hashlib, the sets by brute force, the rules from the sheet.


def faces_of(seed: bytes, session_id: int, move_number: int, count: int) -> tuple[int, ...]:
    block = sha256(seed + session_id.to_bytes(8, "big") + move_number.to_bytes(4, "big")).digest()
    fair = [byte % 6 + 1 for byte in block if byte < 252]
    return tuple(fair[:count])


def oracle_match(seed: bytes, session_id: int, count: int, rounds: int, tiles: int) -> tuple[list[Any], list[int]]:
    """Return every roll and shut of a match in which all take the first set, and the totals, by the sheet alone."""
    moves: list[Any] = []
    totals = [0] * count
    for _ in range(rounds):
        for player in range(count):
            up = tuple(range(1, tiles + 1))
            while up:
                dice = faces_of(seed, session_id, len(moves) + 1, 2 if max(up) > 6 else 1)
                moves.append(dice)
                sets = subsets(up, sum(dice))
                if not sets:
                    break
                moves.append(list(sets[0]))
                up = tuple(tile for tile in up if tile not in sets[0])
            totals[player] += sum(up)
    return moves, totals


# Dice in brackets, tiles in square ones.
SECOND_MATCH: list[Any] = [
    *((5, 3), [1, 2, 5], (3, 4), [3, 4], (2, 6), [8], (2, 5), [7], (1, 5), [6], (4, 6), [10], (6, 2)),
    *((1, 2), [1, 2], (2, 6), [3, 5], (2, 3)),
    *((6, 6), [1, 2, 3, 6], (2, 2), [4], (4, 2)),
    *((1, 5), [1, 2, 3], (6, 1), [7], (1, 6)),
]


@pytest.mark.parametrize(
    ("seed", "session_id", "players", "rounds", "tiles", "moves", "totals"),
    [
        (bytes(32), 1, ["ann"], 1, 9, [(2, 3), [1, 4], (4, 3), [2, 5], (2, 6), [8], (5, 2), [7], (1, 6)], [18]),
        (b"second match", 77, ["ann", "bob"], 2, 12, SECOND_MATCH, [94, 132]),
    ],
)
def test_a_whole_match_is_the_one_worked_out_by_hand(seed, session_id, players, rounds, tiles, moves, totals):
    assert oracle_match(seed, session_id, len(players), rounds, tiles) == (moves, totals)

    options = {"rounds": rounds, "tile_count": tiles}
    match: Any = create_match(GAME, players, seed=seed, session_id=session_id, options=options)
    for number, move in enumerate(moves, 1):
        if isinstance(move, tuple):
            match = do(match, act("roll"))
            assert match.game.dice == (*move, 0)[:2], number
        else:
            assert match.turn.phase == "shut"
            match = do(match, act("shut", tiles=move))
        assert match.version == number

    assert match.status == "finished"
    assert [box.total for box in match.game.boxes] == totals
    assert match.result.scores == dict(zip(players, totals, strict=True))


@settings(max_examples=40)
@given(seed=st.binary(max_size=8), session=st.integers(0, 2**64 - 1), count=st.integers(1, 3), rounds=st.integers(1, 2))
def test_any_match_is_the_one_worked_out_again(seed, session, count, rounds):
    moves, totals = oracle_match(seed, session, count, rounds, 9)
    players = ["ann", "bob", "cid"][:count]
    match: Any = create_match(GAME, players, seed=seed, session_id=session, options={"rounds": rounds})
    for move in moves:
        assert match.status == "active"
        match = do(match, act("roll") if isinstance(move, tuple) else act("shut", tiles=move))
        if isinstance(move, tuple):
            assert match.game.dice == (*move, 0)[:2]

    assert match.status == "finished"
    assert match.result.scores == dict(zip(players, totals, strict=True))
    lowest = [player for player, total in zip(players, totals, strict=True) if total == min(totals)]
    if count == 1:
        assert match.result.winners == (tuple(players) if totals == [0] else ())
    else:
        assert match.result.winners == (() if len(lowest) == count else tuple(lowest))
