"""Bots by name, and decisions: legal choices are kept, others fall back on the first legal action or are an error."""

from __future__ import annotations

import pytest

from croupier.bots import bot_names, find_bot, play_out, random_bot, run_arena, simulate
from croupier.bots.choosing import bot_action, bot_stream, pick_bot_action
from croupier.bots.errors import IllegalChoice, UnknownBot
from croupier.bots.simple import first_bot
from croupier.engine import Action, act, apply_action, create_match, legal_actions, state_digest
from croupier.errors import CroupierError
from croupier.fairness import derive
from croupier.games.shut_the_box import ShutTheBox
from croupier.rng import GameRng

SEED = b"the bots' seed"


def says(answer):
    """Return a bot that always says the same."""
    return lambda view, legal, rng: answer


def test_a_games_own_bots_come_first_and_then_those_that_play_any() -> None:
    assert bot_names(ShutTheBox()) == (
        *("uniform", "fewest_tiles", "highest_tile", "optimal_score", "optimal_shut"),
        *("random", "first", "greedy", "monte_carlo", "expectimax", "tree_search"),
    )


def test_a_games_own_bot_takes_the_place_of_one_that_plays_any_game(tic_tac_toe) -> None:
    own = says(act("mark", cell=4))
    named = type("Named", (type(tic_tac_toe),), {"id": "named", "bots": {"random": own}})()

    assert find_bot(named, "random") is own
    assert bot_names(named) == ("random", "first", "greedy", "monte_carlo", "expectimax", "tree_search")
    assert find_bot(tic_tac_toe, "random") is random_bot
    assert find_bot(tic_tac_toe, "first") is first_bot


@pytest.mark.parametrize("name", ["random", "first", "greedy", "monte_carlo", "expectimax", "tree_search"])
def test_every_generic_bot_says_something_legal(keep_or_roll, name) -> None:
    match = create_match(keep_or_roll, ["p0"], seed=b"")
    match = apply_action(keep_or_roll, match, act("roll")).state
    bot = find_bot(keep_or_roll, name)

    assert bot_action(keep_or_roll, match, bot, "p0", SEED) in legal_actions(keep_or_roll, match)


def test_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(
        UnknownBot, match=r"no bot 'deep_thought'; there are uniform, .*, random, first, greedy"
    ) as caught:
        find_bot(ShutTheBox(), "deep_thought")

    assert caught.value.code == "unknown_bot"
    assert isinstance(caught.value, CroupierError)


def test_random_takes_everything_and_first_takes_the_first(tic_tac_toe) -> None:
    """Nine cells, 100 decisions: one of them stays out with a chance below 0.0001."""
    match = create_match(tic_tac_toe, ["p0", "p1"], seed=b"")

    taken = [bot_action(tic_tac_toe, match, random_bot, "p0", bytes([n])) for n in range(100)]

    assert all(Action("mark", {"cell": cell}, "p0") in taken for cell in range(9))
    assert bot_action(tic_tac_toe, match, first_bot, "p0", SEED) == Action("mark", {"cell": 0}, "p0")


def test_the_stream_of_a_decision_is_the_published_one() -> None:
    assert bot_stream(SEED, "ann", 7) == GameRng.new(derive(SEED, "bot/ann"), 0, 7)


def test_no_decision_draws_from_the_stream_of_the_match_or_of_another_decision() -> None:
    """Even where the bots were given the seed of the match by mistake."""
    seed = b"one seed for all"
    of_match = [GameRng.new(seed, session, move).state() for session in range(3) for move in range(20)]
    of_bots = [bot_stream(seed, player, version).state() for player in ("p0", "p1") for version in range(20)]

    assert len({*of_match, *of_bots}) == 100


def test_what_a_bot_says_is_passed_on_as_it_is(tic_tac_toe) -> None:
    match = create_match(tic_tac_toe, ["p0", "p1"], seed=b"")
    nonsense = act("mark", cell=77)

    assert bot_action(tic_tac_toe, match, says(nonsense), "p0", SEED) is nonsense
    assert bot_action(tic_tac_toe, match, says(None), "p0", SEED) is None


@pytest.mark.parametrize(
    "said",
    [
        None,
        "mark",
        {"type": "mark", "payload": {"cell": 4}},
        act("mark", cell=77),
        act("mark", cell=0),  # taken
        act("no_such_action"),
        act("leave"),
        Action("mark", {"cell": 4}, "p0"),  # not the one who was asked
        Action("mark", {"cell": 4}, "nobody"),
    ],
)
def test_an_illegal_choice_falls_back_on_the_first_legal_action(tic_tac_toe, said) -> None:
    match = create_match(tic_tac_toe, ["p0", "p1"], seed=b"")
    match = apply_action(tic_tac_toe, match, act("mark", cell=0)).state

    assert pick_bot_action(tic_tac_toe, match, says(said), "p1", SEED) == Action("mark", {"cell": 1}, "p1")


@pytest.mark.parametrize("said", [None, "mark", act("hodl"), act("mark", cell=77)])
def test_no_figures_are_made_of_a_bot_without_a_legal_move(tic_tac_toe, said) -> None:
    bots = {"ann": says(said), "ben": first_bot}
    for play in (
        lambda: play_out(tic_tac_toe, bots, SEED),
        lambda: simulate(tic_tac_toe, bots, 2, SEED),
        lambda: run_arena(tic_tac_toe, bots, 2, SEED),
    ):
        with pytest.raises(IllegalChoice, match="the bot of ann made no legal move but") as caught:
            play()
        assert repr(said) in str(caught.value)


def test_a_legal_choice_is_kept_even_if_it_is_not_listed(scribbles) -> None:
    """The list has 1 and 2; what the rules accept is a choice all the same. The player is filled in."""
    match = create_match(scribbles, ["p0"], seed=b"")

    chosen = pick_bot_action(scribbles, match, says(act("add", number=5)), "p0", SEED)

    assert chosen == Action("add", {"number": 5}, "p0")


def test_nothing_to_do_is_none_and_the_bot_is_not_asked(tic_tac_toe) -> None:
    def never(view, legal, rng):
        raise AssertionError("asked")

    match = create_match(tic_tac_toe, ["p0", "p1"], seed=b"")
    for cell in (0, 3, 1, 4, 2):
        assert pick_bot_action(tic_tac_toe, match, never, "p0" if match.turn.current == "p1" else "p1", SEED) is None
        match = apply_action(tic_tac_toe, match, act("mark", cell=cell)).state

    assert match.status == "finished"
    assert bot_action(tic_tac_toe, match, never, "p1", SEED) is None


def test_a_bot_acts_for_itself_where_everyone_may_act(rock_paper_scissors) -> None:
    """An action without a player is the current player's; a bot's is its own."""
    match = create_match(rock_paper_scissors, ["p0", "p1"], seed=b"")

    chosen = pick_bot_action(rock_paper_scissors, match, says(act("throw", what="paper")), "p1", SEED)

    assert chosen == Action("throw", {"what": "paper"}, "p1")


def test_a_bot_that_scribbles_changes_nothing(scribbles) -> None:
    def scribbler(view, legal, rng):
        view.game["count"] = 1_000_000
        for action in legal:
            action.payload["number"] = -1
        return legal[0]

    match = create_match(scribbles, ["p0"], seed=b"")
    before = state_digest(match)

    chosen = pick_bot_action(scribbles, match, scribbler, "p0", SEED)

    assert state_digest(match) == before
    assert chosen == Action("add", {}, "p0")  # the 1 that goes without saying
