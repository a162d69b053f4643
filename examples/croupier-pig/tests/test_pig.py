"""Pig keeps the laws of the engine, and its own rules."""

from fractions import Fraction

from croupier import Match, act, apply_action, create_match, view_for
from croupier.engine import chance_outcomes
from croupier.rng import GameRng
from croupier.testing import ScriptedRng, check_game

from croupier_pig import Pig, PigState, hold_at_20

GAME = Pig()


def start(**options: int) -> Match[PigState]:
    return create_match(GAME, ["ann", "bob"], seed=bytes(32), options=options)


def play(match: Match[PigState], *steps: int | str) -> Match[PigState]:
    """Return the match after rolls of these faces, and holds."""
    for step in steps:
        action, script = (act(step), []) if isinstance(step, str) else (act("roll"), [step - 1])
        answer = apply_action(GAME, match, action, rng=ScriptedRng(script))
        assert answer.ok
        match = answer.state
    return match


def test_pig_conforms() -> None:
    check_game(GAME, seeds=3, options=[None, {"target": 20}])


def test_a_one_loses_the_points_of_the_turn_and_no_others() -> None:
    match = play(start(), 6, "hold", 2, "hold", 5, 4, 1)

    assert match.game.held == (6, 2)
    assert (match.turn.current, match.game.at_risk) == ("bob", 0)


def test_there_is_nothing_to_hold_before_the_first_roll() -> None:
    match = start()

    answer = apply_action(GAME, match, act("hold"))

    assert not answer.ok
    assert answer.code == "nothing_at_risk"
    assert answer.state is match


def test_the_first_to_hold_the_target_wins() -> None:
    match = play(start(target=10), 5, 5, "hold")

    assert match.status == "finished"
    assert match.result is not None
    assert (match.result.winners, match.result.scores) == (("ann",), {"ann": 10, "bob": 0})


def test_who_leaves_in_the_middle_of_a_turn_leaves_nothing_at_risk() -> None:
    three = create_match(GAME, ["ann", "bob", "cat"], seed=bytes(32))

    match = apply_action(GAME, play(three, 6), {"type": "leave", "player_id": "ann"}).state

    assert (match.turn.current, match.game.at_risk) == ("bob", 0)


def test_a_turn_of_hold_at_20_keeps_what_rules_md_says() -> None:
    """Two ways to the same figures: through the engine, and with a table of chances that knows no game."""
    engine = {points: Fraction(0) for points in (0, *range(20, 26))}
    waiting = [(Fraction(1), start())]
    while waiting:
        chance, match = waiting.pop()
        view = view_for(GAME, match, "ann")
        if match.turn.current == "bob":
            engine[0] += chance
        elif hold_at_20(view, (), GameRng.new(b"", 0, 0)).type == "hold":
            engine[match.game.at_risk] += chance
        else:
            waiting += [(chance * after.chance, after.state) for after in chance_outcomes(GAME, match, act("roll"))]

    table = [Fraction(1)] + [Fraction(0)] * 25
    for points in range(20):
        for face in range(2, 7):
            table[points + face] += table[points] / 6
    held = table[20:]

    assert [engine[points] for points in range(20, 26)] == held
    assert engine[0] == 1 - sum(held) == Fraction(9440899, 15116544)
    assert round(float(engine[0]), 4) == 0.6245
    assert round(float(sum(points * chance for points, chance in engine.items())), 4) == 8.1418
