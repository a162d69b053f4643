"""A house game for every fault that the kit looks for: each is named by its law and told how to mend it."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.draws import bounded
from croupier.engine import MatchResult, action, require
from croupier.games.roulette import Roulette
from croupier.house import BetCodes, OddsRow, TableGame, TableState, TableSteps
from croupier.house.odds import row_from_returns
from croupier.rounds import LINES, RETURNED, STAYS
from croupier.testing import check_game, inspect_game

PAYS = (1, 7, 30)  # the profit on a chip, of 2, 8 and 32 faces
FACES = (2, 8, 32)
EXACT = {
    bet: row_from_returns(bet, {1 + pays: Fraction(1, faces), 0: 1 - Fraction(1, faces)})
    for bet, pays, faces in zip(("coin", "eight", "many"), PAYS, FACES, strict=True)
}


def draw(stream: Any, find: Any, options: Any, work: Any) -> None:
    find[0] = bounded(stream, 32)


def settle(kind: int, number: int, stake: int, find: Any, options: Any) -> int:
    return stake + stake * PAYS[kind] if find[0] % FACES[kind] == 0 else 0


class Faces(TableGame[TableState]):
    """The sound one: a die of 32 faces, and three bets on what divides the face."""

    id, name = "faces", "Faces"
    codes = BetCodes({"coin": (0, 0), "eight": (1, 0), "many": (2, 0)})
    decide = "throw"
    steps = TableSteps.plain(draw, settle)


def with_sheet(**rows: OddsRow) -> Any:
    found = tuple({**EXACT, **rows}.values())
    prices = {bet: (Fraction(0), Fraction(1 + pays)) for bet, pays in zip(EXACT, PAYS, strict=True)}
    return (lambda options: found), (lambda options: ()), (lambda options: prices)


def variant(**changes: Any) -> Any:
    """Return the sound game with other attributes."""
    return type("Variant", (Faces,), changes)


def of_steps(draw: Callable[..., Any] = draw, settle: Callable[..., Any] = settle, **more: Any) -> Any:
    """Return a game of these steps, with other things besides."""
    return variant(steps=TableSteps.plain(draw, settle), **more)


def twice(self: Any, bet: str, stake: int, options: Any, super_mode: bool) -> int:
    return 2 * stake


def findings(game: Any, **settings: Any) -> dict[str, str]:
    found = inspect_game(game, **{"seeds": 2, "rounds": 800, "outcomes": 100, **settings})
    return {finding.law: finding.text for finding in found.findings}


def test_a_price_that_rounds_twice_on_the_way_is_counted_where_nothing_rounds() -> None:
    """2 to 3 less 1 % is 33 for 50 chips, but 50 chips win 33 and pay one of them: 150 is the least that fits."""
    price = Fraction(83, 50)

    def two_steps(kind: int, number: int, stake: int, find: Any, options: Any) -> int:
        won = stake * 2 // 3
        return stake + won - max(won // 100, 1) if find[0] < 16 else 0

    half = row_from_returns("coin", {price: Fraction(1, 2), Fraction(0): Fraction(1, 2)})
    sheet = (lambda options: (half,)), (lambda options: ()), (lambda options: {"coin": (Fraction(0), price)})
    laid: dict[str, Any] = {"bet_lists": lambda self, options: [{"coin": 10}], "most_returned": twice}
    game = of_steps(settle=two_steps, codes=BetCodes({"coin": (0, 0)}), sheet=sheet, **laid)

    assert findings(game) == {}


def test_a_bet_that_always_brings_the_same_agrees_with_its_simulation() -> None:
    """No chance takes it anywhere; a mean of floats is the fraction but for its last digits."""
    kept = row_from_returns("coin", {Fraction(9, 10): Fraction(1)})
    sheet = (lambda options: (kept,)), (lambda options: ()), (lambda options: {"coin": (Fraction(9, 10),)})
    always: Any = lambda kind, number, stake, find, options: stake * 9 // 10  # noqa: E731
    game = of_steps(settle=always, codes=BetCodes({"coin": (0, 0)}), sheet=sheet, most_returned=twice)

    assert findings(game) == {}


def test_a_sound_house_game_is_counted_and_simulated() -> None:
    report = check_game(Faces, seeds=1, rounds=400).house  # type: ignore[arg-type]

    assert report is not None
    assert (report.counted, report.simulated, report.unchecked) == (3, 3, ())
    assert findings(variant(sheet=with_sheet())) == {}


# Money and bytes.


class EndsTooSoon(Faces):
    """A seven ends the match, and the chips stay where they lie."""

    def drawn(self, state: TableState, turn: Any) -> TableState:
        if turn.rng.next_bounded(2) == 0:
            turn.events.end_game(MatchResult("draw"))
            return state
        return super().drawn(state, turn)


class LetsGo(Faces):
    """A player who leaves loses the chips on the table, and no line tells of it."""

    def on_leave(self, state: TableState, turn: Any) -> TableState:
        return state


class SettlesTwice(Faces):
    def drawn(self, state: TableState, turn: Any) -> TableState:
        bet = turn.stakes[0].bet
        after = super().drawn(state, turn)
        turn.settle(bet, 0)
        return after


class Uncovered(Faces):
    """Declares eight times the stake; one face in 32 pays 31."""

    def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
        return 8 * stake


class Generous(Faces):
    """Pays 3 to 1 for a coin: whoever plays wins."""

    steps = TableSteps.plain(draw, lambda *bet: 2 * settle(*bet))


class RoundsUp(Faces):
    """Pays 3 to 2 for 12 faces in 32: an edge of 1/16 where nothing is rounded, but one chip wins two."""

    codes = BetCodes({"twelve": (0, 0)})
    steps = TableSteps.plain(
        draw, lambda kind, number, stake, find, options: stake + (3 * stake + 1) // 2 if find[0] < 12 else 0
    )


class PairsOnly(RoundsUp):
    """Rounds up, but takes no stake that would be rounded."""

    def placed(self, state: TableState, turn: Any, bet: str, stake: int) -> TableState:
        require(stake % 2 == 0, "odd_stake", "chips are laid in pairs")
        return super().placed(state, turn, bet, stake)


class NoStake(Faces):
    stake_limits = (100, 1)


class SameOpcode(Faces):
    @action(phase="betting", opcode=2)
    def wait(self, state: TableState, turn: Any) -> TableState:
        """Do nothing."""
        return state


class NoWidth(Faces):
    @action(phase="betting", opcode=9)
    def wait(self, state: TableState, turn: Any, time: int = 0) -> TableState:
        """Do nothing for a while of any length."""
        require(time < 0, "too_late", "this can only have been before")
        return state


class Wide(TableGame[TableState]):
    """A batch of its bets is longer than a payload."""

    id, name, bets_max = "wide", "Wide", 32
    codes = BetCodes({f"face:{face}": (0, face) for face in range(32)})
    steps = Faces.steps


@pytest.mark.parametrize(
    ("game", "law", "advice"),
    [
        (EndsTooSoon, "chips are conserved", "settled or withdrawn once"),
        (LetsGo, "chips are conserved", "settled or withdrawn once"),
        (SettlesTwice, "chips are conserved", "there is nothing on"),
        (Uncovered, "returns are covered", "largest return under any draw"),
        (Generous, "its table can be opened", "lower what it pays"),
        (RoundsUp, "small stakes favour nobody", "1 on twelve returns 1.1250 on average; round"),
        (SameOpcode, "bytes both ways", "an opcode of its own"),
        (NoWidth, "bytes both ways", "wait.time"),
        (Wide, "bytes both ways", "a payload has at most 256"),
    ],
)
def test_chips_that_go_astray_and_actions_without_bytes_are_named(game: Any, law: str, advice: str) -> None:
    quick = {"seeds": 0, "rounds": 0, "outcomes": 1} if game is Wide else {}

    assert advice in findings(game, **quick)[law]


def test_a_stake_that_the_game_refuses_favours_nobody() -> None:
    assert "small stakes favour nobody" not in findings(PairsOnly, seeds=0, rounds=0)


def test_a_table_whose_limits_are_out_of_order_is_not_told_to_pay_less() -> None:
    assert findings(NoStake, seeds=0)["its table can be opened"].endswith("out of order")


def test_a_rare_return_that_is_not_covered_is_found_by_the_count() -> None:
    """No random player throws it in four rounds; the count plays every way a round can fall."""
    found = findings(Uncovered, seeds=0, rounds=0)

    assert set(found) == {"returns are covered"}
    assert "settled many with 78120, but at most 20160 was declared" in found["returns are covered"]


# Kernels.


def draws_more(stream: Any, *rest: Any) -> int:
    """Draw once more: it decides nothing, so chips and facts are the same, and only the bytes tell."""
    move = Faces.step(stream, *rest)
    bounded(stream, 6)
    return move


def keeps_a_chip(stream: Any, move: int, row: Any, *rest: Any) -> int:
    after = Faces.step(stream, move, row, *rest)
    if row[LINES] > 0:
        row[LINES] -= 1
        row[RETURNED] -= 1
    return after


def remembers(stream: Any, find: Any, options: Any, work: Any) -> None:
    """Go by what the last round left."""
    face = bounded(stream, 32)
    find[0] = (face + work[0]) % 32
    work[0] = face


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"step": staticmethod(draws_more)}, "bytes drawn by move {1: 2} by the kernel, {1: 1} by the engine"),
        ({"step": staticmethod(keeps_a_chip)}, "staked, returned and fees are"),
        ({"steps": TableSteps.plain(remembers, settle, pack_size=1)}, ""),
    ],
    ids=["draws more", "keeps a chip", "remembers"],
)
def test_a_kernel_that_plays_another_game_is_named(changes: dict[str, Any], difference: str) -> None:
    found = findings(variant(**changes))

    assert difference in found["kernel and engine play alike"]
    assert "bytes" not in difference or len(found) == 1


# Odds.


def test_a_row_that_is_off_by_one_outcome_and_a_variance_that_is_off_are_named() -> None:
    off = row_from_returns("eight", {8: Fraction(3, 32), 0: Fraction(29, 32)})
    spread = replace(EXACT["many"], variance=Fraction(30))

    found = findings(variant(sheet=with_sheet(eight=off)))

    assert set(found) == {"odds are what the rules pay"}
    assert "eight (-) say win 3/32" in found["odds are what the rules pay"]
    assert "gives 1/8" in found["odds are what the rules pay"]
    assert "say variance 30" in findings(variant(sheet=with_sheet(many=spread)))["odds are what the rules pay"]


def test_a_bet_without_a_row_and_a_price_that_is_never_paid_are_named() -> None:
    odds, super_odds, prices = with_sheet()
    sheet = (
        lambda options: odds(options)[1:],
        super_odds,
        lambda options: {**prices(options), "eight": (Fraction(0), Fraction(9))},
    )

    found = findings(variant(sheet=sheet))

    assert found["every bet has its odds"] == "the sheet has no row for coin"
    assert "returns 0, 9, and counted it returns 0, 8" in found["prices are what the rules pay"]


def test_odds_that_cannot_be_counted_are_measured() -> None:
    off = row_from_returns("coin", {2: Fraction(7, 10), 0: Fraction(3, 10)})

    found = findings(variant(sheet=with_sheet(coin=off)), outcomes=0)

    assert "as far as chance takes it" in found["odds agree with the simulation"]


def test_a_position_that_leaves_out_what_matters_is_named() -> None:
    """A bet that stays waits for the same face again; with every face alike the count takes another game for it."""

    def wait(kind: int, number: int, stake: int, find: Any, options: Any) -> int:
        if find[1] == 0:
            find[1] = find[0] + 1
            return STAYS
        return stake + stake * PAYS[kind] if find[0] % 2 == (find[1] - 1) % 2 == 0 else 0

    class Waits(Faces):
        staying_phase = "betting"
        bets_max = 1
        steps = TableSteps.plain(draw, wait, find_size=2)

        def most_returned(self, bet: str, stake: int, options: Any, super_mode: bool) -> int:
            return 32 * stake

    class Forgets(Waits):
        def position(self, state: TableState) -> Any:
            return ()

    assert findings(Waits, outcomes=5000).get("odds agree with the simulation") is None
    assert "it must name all" in findings(Forgets, outcomes=5000)["odds agree with the simulation"]


def test_bets_that_cannot_be_counted_at_once_are_counted_one_by_one_or_told() -> None:
    def wait(kind: int, number: int, stake: int, find: Any, options: Any) -> int:
        return settle(kind, number, stake, find, options) or (0 if find[0] > PAYS[kind] else STAYS)

    game = of_steps(settle=wait, staying_phase="betting", position=lambda self, state: ())
    told = [inspect_game(game, seeds=0, rounds=40, outcomes=ways).house for ways in (150, 20)]

    assert [(one.counted, one.simulated, len(one.unchecked)) for one in told if one] == [(3, 3, 0), (0, 0, 3)]
    assert told[1] is not None
    assert told[1].unchecked[0] == "coin: a round of Faces can fall in more than 20 ways: simulate it instead"


def test_a_draw_of_raw_bytes_is_named() -> None:
    """Its faces are not equally likely: 256 is no multiple of 54."""

    def biased(stream: Any, find: Any, options: Any, work: Any) -> None:
        find[0] = stream.next_byte() % 54

    game = of_steps(biased, most_returned=lambda self, bet, stake, options, super_mode: 32 * stake)

    assert "draw with bounded" in findings(game)["draws can be counted"]


def test_the_books_of_super_mode_are_held_to_the_laws_too() -> None:
    """A kernel that forgets the fee of super mode."""

    def step(stream: Any, move: int, row: Any, *rest: Any) -> int:
        after = Roulette.step(stream, move, row, *rest)
        row[2] = 0
        return after

    no_fee = type("NoFee", (Roulette,), {})
    no_fee.step = staticmethod(step)  # type: ignore[attr-defined]
    found = findings(no_fee, seeds=0, rounds=40, outcomes=0)

    assert "in super mode" in found["kernel and engine play alike"]


def test_what_a_game_raises_while_its_odds_are_checked_is_a_fault() -> None:
    broken = type("Broken", (Roulette,), {"usual_bets": lambda self: 1 // 0})

    assert "ZeroDivisionError" in findings(broken, seeds=0, rounds=40, outcomes=0)["no faults"]
