"""Shut the Box as a match: section 4 of its sheet, and two whole matches worked out again from hashlib alone."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.engine import (
    Accepted,
    Action,
    Match,
    MatchClient,
    MatchResult,
    Player,
    Refused,
    ScriptedRng,
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
from croupier.errors import BadOptions, CroupierError
from croupier.games.shut_the_box import ShutTheBox, odds
from croupier.games.shut_the_box.game import Box, BoxTable
from croupier.rng import GameRng

GAME = ShutTheBox()
NINE = tuple(range(1, 10))


def begin(players: Any = ("ann",), **options: Any) -> Any:
    return create_match(GAME, players, seed=bytes(32), options=options)


def do(match: Match[BoxTable], *steps: Any) -> Any:
    """Play rolls, given as tuples of faces or as (dice, faces …) in a dict, and shuts, given as lists of tiles."""
    for step in steps:
        if isinstance(step, list):
            answer = apply_action(GAME, match, act("shut", tiles=step))
        elif isinstance(step, dict):
            ((dice, faces),) = step.items()
            answer = apply_action(GAME, match, act("roll", dice=dice), rng=ScriptedRng.of_dice(*faces))
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


# The course of a match.


def test_a_match_begins_with_every_tile_up_and_the_first_player_to_roll():
    match = begin(["ann", "bob"])

    assert match.game == BoxTable((Box(NINE, 45), Box(NINE, 45)), 0, (0, 0), 1)
    assert (match.turn.current, match.turn.phase) == ("ann", "roll")
    assert legal_actions(GAME, match) == (Action("roll", {}, "ann"),)


def test_a_roll_that_can_be_made_is_shut_by_the_same_player():
    rolled = do(begin(["ann", "bob"]), (3, 4))

    assert (rolled.game.current_sum, rolled.game.dice) == (7, (3, 4))
    assert (rolled.turn.current, rolled.turn.phase, rolled.turn.turn_number) == ("ann", "shut", 1)
    sets = [tuple(chosen.payload["tiles"]) for chosen in legal_actions(GAME, rolled)]
    assert sets == [(1, 2, 4), (1, 6), (2, 5), (3, 4), (7,)]


def test_shutting_lowers_the_tiles_and_leaves_the_dice_in_sight():
    match = do(begin(), (3, 4), [2, 5])

    assert match.game.boxes[0] == Box((1, 3, 4, 6, 7, 8, 9), 38)
    assert (match.game.current_sum, match.game.dice) == (0, (3, 4))
    assert match.turn.phase == "roll"


def test_a_roll_that_cannot_be_made_ends_the_round_in_the_same_action():
    match = do(begin(["ann", "bob"]), *SCORE_33)

    assert match.game.boxes[0] == Box((3, 4, 5, 6, 7, 8), 33, True, 1, 33)
    assert match.game.boxes[1] == Box(NINE, 45)
    assert (match.game.current_sum, match.game.dice) == (0, (1, 1))
    assert (match.turn.current, match.turn.phase, match.turn.turn_number) == ("bob", "roll", 2)
    assert match.status == "active"


def test_shutting_the_last_tile_ends_the_round_with_nothing():
    match = do(begin(["ann", "bob"]), *SHUT_ALL)

    assert match.game.boxes[0] == Box((), 0, True, 1, 0)
    assert (match.turn.current, match.turn.phase) == ("bob", "roll")


def test_one_die_is_forced_once_the_high_tiles_are_down():
    match = do(begin(), *SHUT_ALL[:6])

    assert match.game.boxes[0].tiles == (1, 2, 3, 4, 5, 6)
    assert do(match, (6,)).game.dice == (6, 0)
    with pytest.raises(CroupierError, match="the script ran out"):
        do(begin(), (6,))  # two dice on the full box


# Results.


def test_a_solo_match_is_won_by_shutting_the_box():
    over = do(begin(), *SHUT_ALL)

    assert over.status == "finished"
    assert over.result == MatchResult("win", ("ann",), "the box is shut", {"ann": 0})


def test_a_solo_match_that_is_not_shut_is_a_draw_that_gives_the_score():
    over = do(begin(), *SCORE_33)

    assert over.result == MatchResult("draw", (), "the score is 33", {"ann": 33})


def test_the_lowest_total_wins():
    over = do(begin(["ann", "bob", "cid"]), *SCORE_34, *SCORE_33, *SCORE_34)

    assert over.result == MatchResult("win", ("bob",), "the lowest total is 33", {"ann": 34, "bob": 33, "cid": 34})


def test_equal_lowest_totals_are_shared_winners():
    over = do(begin(["ann", "bob", "cid"]), *SCORE_33, *SCORE_34, *SCORE_33)

    assert over.result == MatchResult(
        "win", ("ann", "cid"), "the lowest total is 33", {"ann": 33, "bob": 34, "cid": 33}
    )


def test_where_all_tie_it_is_a_draw():
    over = do(begin(["ann", "bob"]), *SCORE_33, *SCORE_33)

    assert over.result == MatchResult("draw", (), "all have 33", {"ann": 33, "bob": 33})


def test_without_the_option_a_shut_box_does_not_end_the_match():
    match = do(begin(["ann", "bob"]), *SHUT_ALL)
    assert match.status == "active"

    assert do(match, *SCORE_33).result == MatchResult("win", ("ann",), "the lowest total is 0", {"ann": 0, "bob": 33})
    assert do(match, *SHUT_ALL).result == MatchResult("draw", (), "all have 0", {"ann": 0, "bob": 0})


def test_with_shut_wins_the_first_to_shut_wins_at_once():
    over = do(begin(["ann", "bob"], shut_wins=True), *SHUT_ALL)

    assert (over.status, over.result.status, over.result.winners) == ("finished", "win", ("ann",))
    assert over.result.scores["ann"] == 0


def test_with_shut_wins_a_match_that_nobody_shuts_goes_by_totals():
    over = do(begin(["ann", "bob"], shut_wins=True), *SCORE_33, *SCORE_34)

    assert over.result == MatchResult("win", ("ann",), "the lowest total is 33", {"ann": 33, "bob": 34})


def test_with_shut_wins_a_later_round_can_still_be_won_at_once():
    over = do(begin(["ann", "bob"], shut_wins=True, rounds=3), *SCORE_33, *SCORE_34, *SCORE_33, *SHUT_ALL)

    assert over.result.winners == ("bob",)


# Rounds.


def test_rounds_are_played_in_turn_with_fresh_tiles_and_totals_that_add_up():
    match = begin(["ann", "bob"], rounds=2)
    rounds = [match.game.round]
    for steps in (SCORE_33, SCORE_34, SCORE_34):
        match = do(match, *steps)
        rounds.append(match.game.round)

    assert rounds == [1, 1, 2, 2]
    assert match.turn.current == "bob"
    assert match.game.boxes == (Box((3, 4, 5, 6, 7, 9), 34, True, 2, 67), Box(NINE, 45, False, 1, 34))
    over = do(match, *SCORE_34)
    assert over.result == MatchResult("win", ("ann",), "the lowest total is 67", {"ann": 67, "bob": 68})


def test_the_starting_player_begins_every_round():
    match = create_match(GAME, ["ann", "bob"], seed=b"", starting_player="bob", options={"rounds": 2})
    seen = []
    for _ in range(4):
        seen.append(match.turn.current)
        match = do(match, *SCORE_33)

    assert seen == ["bob", "ann", "bob", "ann"]
    assert match.status == "finished"


def test_alone_one_plays_round_after_round():
    match = do(begin(rounds=2), *SCORE_33)

    assert match.turn.current == "ann"
    assert match.turn.turn_number == 2
    assert match.game.boxes[0] == Box(NINE, 45, False, 1, 33)
    assert do(match, *SHUT_ALL).result == MatchResult("draw", (), "the score is 33", {"ann": 33})
    shut_twice = do(begin(rounds=2), *SHUT_ALL, *SHUT_ALL)
    assert shut_twice.result == MatchResult("win", ("ann",), "the box is shut", {"ann": 0})


# Options.


@pytest.mark.parametrize(("count", "score"), [(9, 45), (10, 55), (12, 78)])
def test_a_box_has_nine_ten_or_twelve_tiles(count, score):
    box = begin(tile_count=count).game.boxes[0]

    assert box == Box(tuple(range(1, count + 1)), score)


@pytest.mark.parametrize(
    ("count", "sets"), [(9, 12), (10, 13), (12, 15)]
)  # the sheet's table: sets of a total of 12 with everything up
def test_a_larger_box_has_more_sets(count, sets):
    assert len(legal_actions(GAME, do(begin(tile_count=count), (6, 6)))) == sets


def test_scoring_by_digits_reads_the_tiles_as_one_number():
    match = do(begin(scoring="digits"), *SCORE_33)

    assert begin(scoring="digits").game.boxes[0].score == 123456789
    assert match.result == MatchResult("draw", (), "the score is 345678", {"ann": 345678})
    assert begin(scoring="digits", tile_count=12).game.boxes[0].score == 123456789101112
    assert do(begin(scoring="digits"), *SHUT_ALL).result.scores == {"ann": 0}


def test_scoring_by_digits_of_one_five_nine_is_159():
    match = do(begin(scoring="digits"), (6, 6), [4, 8], (5, 4), [2, 7], (4, 5), [3, 6])

    assert match.game.boxes[0].tiles == (1, 5, 9)
    assert match.game.boxes[0].score == 159


def test_one_die_when_the_tiles_add_up_to_six():
    """The tiles 1, 2 and 4 are low but add up to 7; 1, 2, 3 add up to 6."""
    options: Any = {"die_rule": "sum_at_most_six"}
    assert do(at((1, 2, 4), **options), (2, 2)).game.dice == (2, 2)
    assert do(at((1, 2, 3), **options), (3,)).game.dice == (3, 0)
    assert do(at((6,), **options), (6,)).game.dice == (6, 0)
    assert do(at((1, 2, 4)), (4,)).game.dice == (4, 0)  # the standard rule asks for low tiles alone


def test_always_two_dice():
    match = do(at((1, 2), die_rule="always_two"), (1, 1))

    assert match.game.dice == (1, 1)
    assert no(at((1, 2), die_rule="always_two", die_choice=True), act("roll", dice=1))[0] == "no_dice_choice"


def test_with_a_choice_one_die_is_allowed_rather_than_forced():
    match = at((1, 2, 3), die_choice=True)

    assert [chosen.payload for chosen in legal_actions(GAME, match)] == [{"dice": 1}, {"dice": 2}]
    assert do(match, {1: (3,)}).game.dice == (3, 0)
    assert do(match, {2: (1, 2)}).game.dice == (1, 2)
    assert no(match, act("roll"))[0] == "choose_dice"


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
    ids=str,
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


def test_a_refusal_names_the_rule_and_both_numbers():
    match = do(begin(["ann", "bob"]), (3, 4))

    assert no(match, act("shut", tiles=[1, 2])) == ("wrong_sum", "1, 2 adds up to 3, the roll was 7")


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
    ids=repr,
)
def test_tiles_that_do_not_make_the_total_are_refused_with_their_code(tiles, code):
    match = do(begin(), (3, 4))
    before = state_digest(match)

    assert no(match, act("shut", tiles=tiles))[0] == code
    assert state_digest(match) == before


def test_a_tile_that_is_down_cannot_be_shut_again():
    match = do(begin(), (3, 4), [7], (6, 1))

    assert no(match, act("shut", tiles=[7])) == ("tile_down", "tile 7 is down; up are 1, 2, 3, 4, 5, 6, 8, 9")


def test_a_tile_of_a_larger_box_is_none_of_this_one():
    assert no(do(begin(), (5, 5)), act("shut", tiles=[10]))[1] == "there is no tile 10; this box has tiles 1 to 9"
    assert do(begin(tile_count=10), (5, 5), [10]).game.boxes[0].tiles == NINE


def test_repeats_are_refused_even_where_they_add_up():
    """Case 5 of the sheet: with a total of 6, 3 and 3 is not a move."""
    assert no(do(begin(), (2, 4)), act("shut", tiles=[3, 3])) == ("tile_twice", "3, 3 names a tile twice")


def test_what_belongs_to_another_phase_player_or_game_is_refused():
    match = begin(["ann", "bob"])
    rolled = do(match, (3, 4))
    over = do(begin(), *SCORE_33)

    assert no(match, act("shut", tiles=[7]))[0] == "wrong_phase"
    assert no(rolled, act("roll"))[0] == "wrong_phase"  # rolling again with a total pending
    assert no(match, Action("roll", {}, "bob"))[0] == "not_your_turn"
    assert no(rolled, Action("shut", {"tiles": [7]}, "bob"))[0] == "not_your_turn"
    assert no(match, Action("roll", {}, "cid"))[0] == "unknown_player"
    assert no(match, act("flip", tile=7))[0] == "unknown_action"
    assert no(match, act("ROLL"))[0] == "unknown_action"
    assert no(match, act("pass"))[0] == "unknown_action"
    assert no(match, act("join", id="cid"))[0] == "no_late_join"
    assert no(over, act("roll"))[0] == "finished"


@pytest.mark.parametrize("dice", [0, 3, True, 1.0, "1", [1]])
def test_a_number_of_dice_is_one_or_two(dice):
    assert no(at((1, 2, 3), die_choice=True), act("roll", dice=dice))[0] == "bad_payload"


# Leaving.


def test_when_the_player_who_has_the_dice_leaves_the_next_one_rolls():
    match = do(begin(["ann", "bob", "cid"]), (3, 4), Action("leave", {}, "ann"))

    assert (match.turn.current, match.turn.phase, match.turn.order) == ("bob", "roll", ("bob", "cid"))
    assert match.game.current_sum == 0
    over = do(match, *SCORE_34, *SCORE_33)
    assert over.result == MatchResult("win", ("cid",), "the lowest total is 33", {"bob": 34, "cid": 33})


def test_when_all_who_stay_have_played_the_match_is_over():
    match = do(begin(["ann", "bob", "cid"]), *SCORE_33, *SCORE_34, (3, 4), Action("leave", {}, "cid"))

    assert match.result == MatchResult("win", ("ann",), "the lowest total is 33", {"ann": 33, "bob": 34})


def test_the_last_one_who_stays_plays_on_and_wins():
    match = do(begin(["ann", "bob"]), Action("leave", {}, "ann"))
    assert (match.status, match.turn.current) == ("active", "bob")

    assert do(match, *SCORE_33).result == MatchResult("win", ("bob",), "the lowest total is 33", {"bob": 33})


def test_those_who_stay_may_tie():
    match = do(begin(["ann", "bob", "cid"]), Action("leave", {}, "cid"), *SCORE_33, *SCORE_33)

    assert match.result == MatchResult("draw", (), "all have 33", {"ann": 33, "bob": 33})


def test_leaving_alone_is_a_draw_without_winners():
    match = do(begin(), (3, 4), Action("leave", {}, "ann"))

    assert (match.status, match.result.status, match.result.winners) == ("finished", "draw", ())


def test_one_who_waits_may_leave_without_disturbing_the_one_who_plays():
    match = do(begin(["ann", "bob", "cid"]), (3, 4), Action("leave", {}, "bob"))

    assert (match.turn.current, match.turn.phase, match.game.current_sum) == ("ann", "shut", 7)
    assert do(match, [7], (1, 1), [2], (1, 1)).turn.current == "cid"


def test_one_who_dawdles_rolls_or_shuts_the_first_set():
    match = do(begin(["ann", "bob"]), act("time_out"))
    assert match.game.dice != (0, 0)
    rolled = do(begin(), (3, 4))

    assert do(rolled, act("time_out")).game.boxes[0].tiles == (3, 5, 6, 7, 8, 9)  # 1, 2, 4


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


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "0",
        "10",
        "1,1",
        "one",
        "1,2:x",
        "1,2:",
        "1,2:9",
        "9:2",
        "9:0",
        "9:-1",
        "9:13",
        "1;2",
        "1.5",
        ":7",
        "1:1:1",
        "\ud800",
        "1" * 5_000,
        "-1",
    ],
    ids=lambda text: ascii(text)[:20],
)
def test_a_situation_that_cannot_be_is_refused_with_help(text):
    with pytest.raises(BadOptions) as caught:
        GAME.situation(text)

    assert str(caught.value)


def test_a_situation_of_impossible_options_is_refused():
    with pytest.raises(BadOptions):
        GAME.situation("1,2", {"tile_count": 11})


# Words.


def test_the_log_tells_what_happened():
    named: Any = [{"id": "ann", "name": "Ann"}, "bob"]
    client = MatchClient(GAME, create_match(GAME, named, seed=b""))

    def line(match: Match[BoxTable], asked: Action, *faces: int) -> str:
        answer = apply_action(GAME, match, asked, rng=ScriptedRng.of_dice(*faces))
        assert isinstance(answer, Accepted)
        return GAME.describe(answer.action, match, answer.state)

    match = client.get_state()
    assert line(match, act("roll"), 3, 4) == "Ann rolled 3 and 4"
    assert line(do(match, (3, 4)), act("shut", tiles=[3, 4])) == "Ann shut 3, 4"
    assert line(do(match, *SCORE_33[:2]), act("roll"), 1, 1) == (
        "Ann rolled 1 and 1: 3, 4, 5, 6, 7, 8 cannot make 2, the score is 33"
    )
    assert line(do(match, *SHUT_ALL[:-1]), act("shut", tiles=[1])) == "Ann shut 1: the box is shut!"
    assert line(do(match, *SHUT_ALL[:6]), act("roll"), 6) == "Ann rolled 6"
    assert line(match, Action("leave", {}, "bob")) == "bob left the table"
    assert line(match, act("time_out"), 3, 4) == "Ann rolled 3 and 4"


def test_the_log_tells_what_happened_also_where_a_fresh_round_follows_at_once():
    """Alone, one's own box is set up again in the very action that ends the round."""
    shut = do(begin(rounds=2), *SHUT_ALL[:-1])
    answer: Any = apply_action(GAME, shut, act("shut", tiles=[1]))
    assert GAME.describe(answer.action, shut, answer.state) == "ann shut 1: the box is shut!"

    dead = do(begin(rounds=2), *SCORE_33[:2])
    answer = apply_action(GAME, dead, act("roll"), rng=ScriptedRng.of_dice(1, 1))
    line = GAME.describe(answer.action, dead, answer.state)
    assert line == "ann rolled 1 and 1: 3, 4, 5, 6, 7, 8 cannot make 2, the score is 33"


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


@pytest.mark.parametrize(
    ("seed", "session_id", "players", "rounds", "tiles", "moves", "totals"),
    [
        (bytes(32), 1, ["ann"], 1, 9, [(2, 3), [1, 4], (4, 3), [2, 5], (2, 6), [8], (5, 2), [7], (1, 6)], [18]),
        (
            b"second match",
            77,
            ["ann", "bob"],
            2,
            12,
            [
                (5, 3),
                [1, 2, 5],
                (3, 4),
                [3, 4],
                (2, 6),
                [8],
                (2, 5),
                [7],
                (1, 5),
                [6],
                (4, 6),
                [10],
                (6, 2),
                (1, 2),
                [1, 2],
                (2, 6),
                [3, 5],
                (2, 3),
                (6, 6),
                [1, 2, 3, 6],
                (2, 2),
                [4],
                (4, 2),
                (1, 5),
                [1, 2, 3],
                (6, 1),
                [7],
                (1, 6),
            ],
            [94, 132],
        ),
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
