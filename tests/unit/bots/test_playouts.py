"""Monte Carlo: it plays well, compares fairly, and has nothing to peek at."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from croupier.bots import expectimax, greedy, monte_carlo, simulate
from croupier.bots.choosing import bot_action, bot_stream
from croupier.bots.playouts import playout_values
from croupier.engine import MatchView, act, canonical, create_match, legal_actions, view_for
from croupier.rng import GameRng

SEED = b"bots keep a seed of their own"


def test_monte_carlo_beats_random_at_tic_tac_toe(tic_tac_toe) -> None:
    """30 matches, seats alternating. Were it no better than random it would win at most half of them.

    23 or more of 30 would then come up with a chance below 0.003; the seed is fixed.
    """
    summary = simulate(tic_tac_toe, [monte_carlo(tic_tac_toe, playouts=6), "random"], 30, b"arena", rotate=True)

    assert summary.bots[0].name == "monte_carlo"
    assert summary.bots[0].wins >= 23


def test_the_choice_is_the_same_whatever_is_hidden(guessing) -> None:
    """Ten matches that differ only in the card: were it to shine through anywhere, some choice would follow it."""
    match = create_match(guessing, ["p0", "p1"], seed=b"a match")
    for bot in (monte_carlo(guessing, playouts=20), greedy(guessing), expectimax(guessing)):
        choices = [bot_action(guessing, replace(match, game=card), bot, "p0", SEED) for card in range(10)]

        assert choices == [choices[0]] * 10


def test_whatever_a_bot_is_given_is_the_same_whatever_is_hidden(guessing) -> None:
    """The choice could be the same by luck: here are all the bytes a bot gets, and all it ever imagines."""
    match = create_match(guessing, ["p0", "p1"], seed=b"a match")
    seen: list[list[bytes]] = []

    def noted(game, imagined, player_id) -> Fraction:
        seen[-1].append(canonical(imagined))
        return Fraction(0)

    thinking = monte_carlo(guessing, playouts=20, value=noted)

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
    match = create_match(keep_or_roll, ["p0"], seed=b"")
    view = view_for(keep_or_roll, match, "p0")
    faces: list[int] = []

    def noted(game, imagined, player_id):
        faces.append(imagined.game.face)
        return imagined.game.face

    roll = legal_actions(keep_or_roll, match)[0]
    found = playout_values(keep_or_roll, view, (roll, roll), GameRng.new(b"", 0, 0), playouts=20, value=noted)

    assert found[0] == found[1]
    assert faces[0::2] == faces[1::2]
    assert len(set(faces)) > 1


def test_a_playout_stops_after_its_length_and_counts_as_it_stands(scribbles) -> None:
    """A game that never ends: the count says how many actions were taken."""
    match = create_match(scribbles, ["p0"], seed=b"")
    counts = []

    def noted(game, imagined, player_id) -> int:
        counts.append(imagined.version)
        return 0

    playout_values(
        scribbles,
        view_for(scribbles, match, "p0"),
        (act("add"),),
        GameRng.new(b"", 0, 1),
        playouts=3,
        length=1,
        value=noted,
    )

    assert counts == [1, 1, 1]


def test_an_action_no_imagined_match_allows_has_no_value(tic_tac_toe) -> None:
    match = create_match(tic_tac_toe, ["p0", "p1"], seed=b"")
    legal = (act("mark", cell=9), act("mark", cell=4))

    found = playout_values(tic_tac_toe, view_for(tic_tac_toe, match, "p0"), legal, GameRng.new(b"", 0, 0), playouts=4)

    assert found[0] is None
    assert found[1] is not None


def test_monte_carlo_sees_that_its_secret_throw_meets_any_other(rock_paper_scissors) -> None:
    """The second to choose sees that the first has chosen, not what: over the re-dealt throws nothing is much better.

    Each value is the mean of 300 playouts with a standard deviation of 0.41; 0.1 is four standard errors.
    """
    game = rock_paper_scissors
    match = create_match(game, ["p0", "p1"], seed=b"")
    match = replace(match, game=replace(match.game, by_seat=("rock", "")))
    view = view_for(game, match, "p1")

    found = playout_values(game, view, legal_actions(game, match, "p1"), bot_stream(SEED, "p1", 1), playouts=300)

    assert view.game.by_seat == ("?", "")
    assert len(found) == 3
    assert all(value is not None and abs(float(value) - 0.5) < 0.1 for value in found)
