"""`greedy` and `expectimax`: exact where chance can be listed, sampled elsewhere, and never past their budget."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from croupier.bots import expectimax, greedy, play_out
from croupier.bots.choosing import bot_stream, pick_bot_action
from croupier.bots.search import Budget, action_values
from croupier.bots.values import score, win_share
from croupier.engine import Action, Game, Match, MatchResult, act, apply_action, create_match, legal_actions, view_for
from croupier.engine.notation import format_action
from croupier.games.shut_the_box import ShutTheBox
from croupier.rng import GameRng


def start(game: Game, players: int = 2) -> Match:
    return create_match(game, [f"p{seat}" for seat in range(players)], seed=b"the match")


def values(game: Game, match: Match, **kwargs) -> dict:
    """Return the value of everything the current player can do, by its text."""
    legal = legal_actions(game, match)
    found = action_values(game, view_for(game, match, match.turn.current), legal, GameRng.new(b"", 0, 0), **kwargs)
    return {format_action(action): value for action, value in zip(legal, found, strict=True)}


def marked(game: Game, cells: str) -> Match:
    """Return the match of tic-tac-toe in a position; X begins."""
    count = 9 - cells.count(".")
    match = start(game)
    turn = replace(match.turn, current=f"p{count % 2}", turn_number=count + 1)
    board = tuple(cell.replace(".", "") for cell in cells)
    return replace(match, game=replace(match.game, cells=board), turn=turn)


def losses_to_anyone(game: Game, me: str, opening: tuple[int, ...]) -> int:
    """Return how many lines of play, whatever the opponent does, end in a loss of a bot that searches to the end."""
    bot = expectimax(game, depth=9)

    @cache  # the position decides: the stream goes by the version
    def reply(match: Match):
        return pick_bot_action(game, match, bot, me, b"a seed of its own")

    def losses(match: Match) -> int:
        if match.result is not None:
            return match.result.winners not in ((), (me,))
        if match.turn.current == me:
            return losses(apply_action(game, match, reply(match)).state)
        return sum(losses(apply_action(game, match, action).state) for action in legal_actions(game, match))

    match = start(game)
    for cell in opening:
        match = apply_action(game, match, act("mark", cell=cell)).state
    return losses(match)


def test_expectimax_finds_that_every_opening_of_tic_tac_toe_is_a_draw(tic_tac_toe) -> None:
    assert list(values(tic_tac_toe, start(tic_tac_toe), depth=9).values()) == [Fraction(1, 2)] * 9


@pytest.mark.parametrize(("me", "opening"), [("p0", ()), ("p1", (0,)), ("p1", (1,)), ("p1", (4,))])
def test_a_player_with_expectimax_loses_to_nobody(tic_tac_toe, me, opening) -> None:
    """Counted whole: every answer of the opponent, after each opening that is not another's mirror image."""
    assert losses_to_anyone(tic_tac_toe, me, opening) == 0


def test_expectimax_draws_against_itself(tic_tac_toe) -> None:
    bot = expectimax(tic_tac_toe, depth=9)

    match = play_out(tic_tac_toe, [bot, bot], b"the match").get_state()

    assert match.result == MatchResult("draw", reason="the board is full")


def test_a_fork_is_seen_when_the_search_is_deep_enough(tic_tac_toe) -> None:
    """X has two opposite corners, O the centre. If O takes a third corner, X takes the fourth and threatens two lines.

    Corner, corner, block, line: four actions until X has won.
    """
    match = marked(tic_tac_toe, "X...O...X")

    three, four = values(tic_tac_toe, match, depth=3), values(tic_tac_toe, match, depth=4)

    even = Fraction(1, 2)
    assert list(three.values()) == [even] * 6
    assert four == {
        "mark cell=1": even,
        "mark cell=2": 0,
        "mark cell=3": even,
        "mark cell=5": even,
        "mark cell=6": 0,
        "mark cell=7": even,
    }


@pytest.mark.parametrize(
    ("face", "rolls", "expected"),
    [
        (0, 0, {"roll": Fraction(17, 4)}),  # (4 + 5 + 6) / 6 + 7/2 * 3/6
        (3, 1, {"keep": 3, "roll": Fraction(7, 2)}),
        (4, 1, {"keep": 4, "roll": Fraction(7, 2)}),
        (2, 2, {"keep": 2}),
    ],
)
def test_the_value_of_a_die_to_keep_or_roll_again_is_the_one_counted_by_hand(
    keep_or_roll, face, rolls, expected
) -> None:
    match = start(keep_or_roll, 1)
    match = replace(match, game=replace(match.game, face=face, rolls=rolls))

    assert values(keep_or_roll, match, depth=3, value=score) == expected


def test_the_chance_to_shut_a_small_box_is_the_one_counted_by_hand() -> None:
    """After 3 of 1, 2, 3: with 1 and 2 up, 3 shuts (1/6), and 1 or 2 leaves one tile (1/6 each, then 1/6)."""
    game = ShutTheBox()

    found = values(game, game.situation("1,2,3:3"), depth=5)

    assert found == {"shut tiles=3": Fraction(2, 9), "shut tiles=1,2": Fraction(1, 6)}


def test_greedy_wins_at_once_where_it_can(tic_tac_toe) -> None:
    match = marked(tic_tac_toe, "XX.OO....")
    bot = greedy(tic_tac_toe)

    chosen = [pick_bot_action(tic_tac_toe, match, bot, "p0", bytes([n])) for n in range(20)]

    assert chosen == [Action("mark", {"cell": 2}, "p0")] * 20


def test_greedy_goes_by_the_value_it_is_given(tic_tac_toe) -> None:
    def likes_the_last_cell(game, match, player_id) -> int:
        return int(match.game.cells[8] == "X")

    bot = greedy(tic_tac_toe, value=likes_the_last_cell)

    chosen = pick_bot_action(tic_tac_toe, start(tic_tac_toe), bot, "p0", b"")

    assert chosen == Action("mark", {"cell": 8}, "p0")


def test_against_the_house_the_profit_counts_and_not_the_chance_to_be_ahead(dare) -> None:
    """One chip in five cases and ten lost in the sixth: -5/6. Ninety in two cases and ten lost in four: 70/3."""
    match = start(dare, 1)

    assert values(dare, match) == {"timid": Fraction(-5, 6), "bold": Fraction(70, 3)}
    assert values(dare, match, value=win_share) == {"timid": Fraction(5, 6), "bold": Fraction(1, 3)}


def test_chance_that_is_too_large_to_list_is_sampled(top_card) -> None:
    """The top of 52 cards is worth 25.5 on average, a raw byte 127.5: means of 400, within four standard errors.

    A card has a standard deviation of 15.0, a byte of 73.9; the chance of a false alarm is below 0.0002.
    """
    found = values(top_card, start(top_card, 1), value=score, budget=Budget(outcomes=20, samples=400))

    assert found["settle"] == 10
    assert abs(found["shuffle"] - Fraction(51, 2)) < 3
    assert abs(found["read"] - Fraction(255, 2)) < 15


def test_a_search_that_outgrows_its_budget_is_made_one_action_less_deep(keep_or_roll) -> None:
    """Two actions deep there are 48 positions: 6 after the roll, 6 with that face kept, 36 with another rolled."""
    match = start(keep_or_roll, 1)

    def face(game, match, player_id):
        return match.game.face

    def worth(positions):
        return values(keep_or_roll, match, depth=2, value=face, budget=Budget(positions=positions))["roll"]

    assert worth(48) == Fraction(17, 4)  # roll, then the better of keeping and rolling
    assert worth(47) == Fraction(7, 2)  # roll


def test_an_action_the_imagined_match_refuses_has_no_value(tic_tac_toe) -> None:
    match = marked(tic_tac_toe, "X........")
    legal = (act("mark", cell=0), act("mark", cell=4))

    found = action_values(tic_tac_toe, view_for(tic_tac_toe, match, "p1"), legal, GameRng.new(b"", 0, 0))

    assert found == (None, Fraction(1, 2))


def test_what_is_hidden_is_averaged_over_deals(guessing) -> None:
    """Each of the ten guesses is right in as many of the imagined deals as its value says, and they add up to one."""
    found = values(guessing, start(guessing), budget=Budget(deals=50))

    assert sum(found.values()) == 1
    assert all(value.denominator in (1, 2, 5, 10, 25, 50) for value in found.values())


def test_the_same_view_and_stream_give_the_same_choice(guessing) -> None:
    view = view_for(guessing, start(guessing), "p0")
    legal = legal_actions(guessing, start(guessing))
    bot = expectimax(guessing)

    choices = {bot(view, legal, bot_stream(b"seed", "p0", 3)).payload["number"] for _ in range(3)}

    assert len(choices) == 1
