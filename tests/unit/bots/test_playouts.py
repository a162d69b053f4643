"""`monte_carlo` and `tree_search`: they play well, compare fairly, and have nothing to peek at."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from croupier.bots import Thinking, expectimax, greedy, monte_carlo, simulate, tree_search
from croupier.bots.choosing import bot_action, bot_stream
from croupier.bots.playouts import playout_values
from croupier.engine import MatchView, act, apply_action, canonical, create_match, legal_actions, view_for
from croupier.rng import GameRng

SEED = b"bots keep a seed of their own"


def values(game, legal=None, match=None, player="p0", rng=None, value=None, **thinking):
    """Return the values of actions, all that are legal unless named, from one player's view of a new match."""
    match = match or create_match(game, ["p0", "p1"][: game.players[1]], seed=b"")
    legal = legal or legal_actions(game, match, player)
    rng = rng or GameRng.new(b"", 0, 0)
    return playout_values(game, view_for(game, match, player), legal, rng, thinking=Thinking(**thinking), value=value)


def test_monte_carlo_beats_random_at_tic_tac_toe(tic_tac_toe) -> None:
    """30 matches, seats alternating. Were it no better than random it would win at most half of them.

    23 or more of 30 would then come up with a chance below 0.003; the seed is fixed.
    """
    summary = simulate(
        tic_tac_toe, [monte_carlo(tic_tac_toe, thinking=Thinking(playouts=6)), "random"], 30, b"arena", rotate=True
    )

    assert summary.bots[0].name == "monte_carlo"
    assert summary.bots[0].wins >= 23


def test_the_choice_is_the_same_whatever_is_hidden(guessing) -> None:
    """Ten matches that differ only in the card: were it to shine through anywhere, some choice would follow it."""
    match = create_match(guessing, ["p0", "p1"], seed=b"a match")
    for bot in (
        monte_carlo(guessing, thinking=Thinking(playouts=20)),
        tree_search(guessing, thinking=Thinking(playouts=40)),
        greedy(guessing),
        expectimax(guessing),
    ):
        choices = [bot_action(guessing, replace(match, game=card), bot, "p0", SEED) for card in range(10)]

        assert choices == [choices[0]] * 10


def test_whatever_a_bot_is_given_is_the_same_whatever_is_hidden(guessing) -> None:
    """The choice could be the same by luck: here are all the bytes a bot gets, and all it ever imagines."""
    match = create_match(guessing, ["p0", "p1"], seed=b"a match")
    seen: list[list[bytes]] = []

    def noted(game, imagined, player_id) -> Fraction:
        seen[-1].append(canonical(imagined))
        return Fraction(0)

    thinking = monte_carlo(guessing, thinking=Thinking(playouts=20), value=noted)

    def bot(view, legal, rng):
        seen[-1].append(canonical((view, legal, rng.state().hex(), rng.index)))
        return thinking(view, legal, rng)

    for card in range(10):
        seen.append([])
        bot_action(guessing, replace(match, game=card), bot, "p0", SEED)

    assert len(seen[0]) == 201  # what it was given, and 20 playouts of 10 actions
    assert seen == [seen[0]] * 10
    assert b"a match".hex().encode() not in b"".join(seen[0])
    assert "rng_state" not in MatchView.__struct_fields__


def test_the_one_who_sees_the_card_may_use_it(guessing) -> None:
    """The law above is not empty: the second player's view differs from card to card."""
    match = create_match(guessing, ["p0", "p1"], seed=b"a match")

    assert {view_for(guessing, replace(match, game=card), "p1").game for card in range(10)} == set(range(10))


def test_all_actions_are_tried_with_the_same_luck(keep_or_roll) -> None:
    """Two names for one action get the same playouts, roll for roll."""
    faces: list[int] = []

    def noted(game, imagined, player_id):
        faces.append(imagined.game.face)
        return imagined.game.face

    found = values(keep_or_roll, (act("roll"), act("roll")), value=noted, playouts=20)

    assert found[0] == found[1]
    assert faces[0::2] == faces[1::2]
    assert len(set(faces)) > 1


def test_a_playout_stops_after_its_length_and_counts_as_it_stands(scribbles) -> None:
    """A game that never ends: the count says how many actions were taken."""
    counts = []

    def noted(game, imagined, player_id) -> int:
        counts.append(imagined.version)
        return 0

    values(scribbles, (act("add"),), value=noted, playouts=3, length=1)

    assert counts == [1, 1, 1]


def test_an_action_no_imagined_match_allows_has_no_value(tic_tac_toe) -> None:
    impossible, possible = values(tic_tac_toe, (act("mark", cell=9), act("mark", cell=4)), playouts=4)

    assert impossible is None
    assert possible is not None


def test_monte_carlo_sees_that_its_secret_throw_meets_any_other(rock_paper_scissors) -> None:
    """The second to choose sees that the first has chosen, not what: over the re-dealt throws nothing is much better.

    Each value is the mean of 300 playouts with a standard deviation of 0.41; 0.1 is four standard errors.
    """
    game = rock_paper_scissors
    match = create_match(game, ["p0", "p1"], seed=b"")
    match = replace(match, game=replace(match.game, by_seat=("rock", "")))

    found = values(game, None, match, "p1", bot_stream(SEED, "p1", 1), playouts=300, tries=10**6)

    assert view_for(game, match, "p1").game.by_seat == ("?", "")
    assert len(found) == 3
    assert all(value is not None and abs(float(value) - 0.5) < 0.1 for value in found)


# How long it thinks.


def test_a_budget_of_actions_bounds_a_decision_whatever_the_game(tic_tac_toe) -> None:
    """Counted by the rules of tic-tac-toe: nine openings, playouts of eight actions at most with eight to list."""
    for playouts, tries, most in ((50, 1, 1), (3, 10**9, 3)):
        told: list[float] = []
        values(tic_tac_toe, playouts=playouts, tries=tries, on_progress=told.append)
        assert len(told) == most
        assert told[-1] == 1.0
        assert told == sorted(told)


@pytest.mark.parametrize("make", [monte_carlo, tree_search])
def test_a_hosts_clock_ends_a_decision_and_without_one_there_is_none(tic_tac_toe, make) -> None:
    """A clock that goes a second on whenever it is asked: three questions after the first are three seconds."""
    match = create_match(tic_tac_toe, ["a", "b"], seed=SEED)
    view, legal = view_for(tic_tac_toe, match, "a"), legal_actions(tic_tac_toe, match, "a")
    asked: list[int] = []

    def clock() -> float:
        asked.append(1)
        return float(len(asked))

    thinking = Thinking(playouts=1_000, tries=10**9, seconds=3, clock=clock)
    assert make(tic_tac_toe, thinking=thinking)(view, legal, GameRng.new(b"", 0, 0)) in legal
    assert len(asked) == 4
    asked.clear()
    make(tic_tac_toe, thinking=replace(thinking, playouts=5, seconds=0))(view, legal, GameRng.new(b"", 0, 0))
    assert len(asked) == 1


def test_a_tree_search_finds_the_only_move_that_does_not_lose(tic_tac_toe) -> None:
    """The first player has two in a row: whoever does not take the third cell loses at once."""
    match = create_match(tic_tac_toe, ["a", "b"], seed=SEED)
    for cell in (0, 3, 1):
        match = apply_action(tic_tac_toe, match, act("mark", cell=cell)).state
    view, legal = view_for(tic_tac_toe, match, "b"), legal_actions(tic_tac_toe, match, "b")

    for seed in range(5):
        chosen = tree_search(tic_tac_toe, thinking=Thinking(playouts=150))(view, legal, GameRng.new(b"t", seed, 0))
        assert chosen.payload["cell"] == 2


def test_a_tree_search_beats_random_and_gives_the_same_from_the_same_stream(tic_tac_toe) -> None:
    """Eight matches; a player no better than random has seven or more of eight shares once in thirty seeds."""
    bot = tree_search(tic_tac_toe, thinking=Thinking(playouts=25))
    summary = simulate(tic_tac_toe, [bot, "random"], 8, b"tree", rotate=True)
    match = create_match(tic_tac_toe, ["a", "b"], seed=SEED)
    view, legal = view_for(tic_tac_toe, match, "a"), legal_actions(tic_tac_toe, match, "a")

    assert summary.bots[0].share >= Fraction(7, 8)
    assert len({canonical(bot(view, legal, GameRng.new(b"same", 0, 0))) for _ in range(2)}) == 1
