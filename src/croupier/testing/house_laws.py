"""The laws of house games in `check_game`: chips, bytes, kernel against engine, odds against count and simulation.

A `Trial` is a round that bears on some rows of the odds: its bets, its policy, and the rows. Every trial is counted
through the engine where that is short, played by kernel and engine side by side, and simulated from the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, log, sqrt
from traceback import extract_tb
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.engine import Action, Match, act, apply_action
from croupier.engine.notation import format_action
from croupier.errors import BadGame, BadOptions, CroupierError, DrawError
from croupier.house import HouseGame, OddsRow, Plan, TableGame, decode_payload, encode_payload, make_table
from croupier.house.catalogue import CODES
from croupier.house.counting import Ending, TooManyOutcomes, count_round, row_of_sums, sums_of
from croupier.house.money import MoneyFault, NotCovered
from croupier.house.odds import SUPER_FEE, per_chip
from croupier.house.payload import codecs_of
from croupier.house.table_game import first_finds
from croupier.rng import SUPER_MOVE, GameRng
from croupier.rounds import FEES, LINES, LINES_MAX, NOT_LAID, RETURNED, STAKED, STAYS, SUPER_FEE_DIVISOR
from croupier.testing.house import HouseKit, place, round_difference

ENGINE_SHARE = 20
"""One simulated round in so many is played by the engine as well."""
SMALL_STAKES = 20
"""So many stakes, from the smallest that a table takes, are worked out one by one."""
FALSE_ALARM = 1e-7
"""The chance, at most, that a right row is told wrong by its simulation."""
FLOATS = 1e-12
"""The largest difference between a mean of floats and the fraction that it stands for."""
FIGURES = ("win", "push", "lose", "edge", "edge_per_chip", "variance")
ADVICE = {
    "chips are conserved": "every bet that is taken is settled or withdrawn once, before turn.finish()",
    "draws can be counted": "draw with bounded, roll_die, shuffle and draw_card alone: they are fair, and listed",
    "returns are covered": "most_returned(), or most= of turn.take(), is the largest return under any draw and options",
}

Found = Callable[[str, str], None]


def law_of(error: Exception) -> tuple[str, str]:
    """Return the law that an error breaks, and what to tell the author."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, MoneyFault | DrawError):
        cause = cause.__cause__
    if cause is None:
        frame = extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} at line {frame.lineno} of {frame.filename}, in {frame.name}: "
        return "no faults", str(error) if isinstance(error, CroupierError) else place + str(error)
    law = "chips are conserved" if isinstance(cause, MoneyFault) else "draws can be counted"
    law = "returns are covered" if isinstance(cause, NotCovered) else law
    return law, f"{error}; {ADVICE[law]}"


class Trial(Struct, frozen=True):
    """A round that bears on rows of the odds: on each by its own line, or on one by the round as a whole."""

    bets: Mapping[str, int]
    policy: str
    rows: tuple[OddsRow, ...]
    by_line: bool


def _outlays(plan: Plan) -> dict[str, int]:
    """Return the chips that each bet costs: its stake, with a commission that is paid up front."""
    return {bet: plan.stakes[place] for place, bet in enumerate(plan.bets)}


class HouseReport(Struct):
    """Report on house laws: how much of the odds was reached, by which means."""

    rounds: int = 0
    counted: int = 0
    simulated: int = 0
    unchecked: tuple[str, ...] = ()


class _Streams(dict[int, GameRng]):
    """The streams of a session by move number, kept so that it can be told how much was drawn from each."""

    def __init__(self, seed: bytes, session_id: int) -> None:
        super().__init__()
        self.key = seed, session_id
        self[0] = self[0]

    def __missing__(self, move: int) -> GameRng:
        self[move] = stream = GameRng.new(*self.key, move)
        return stream

    def used(self) -> dict[int, int]:
        """Return how many bytes were taken from the stream of each move; what is lit has a stream of its own."""
        return {move: rng.bytes_used for move, rng in self.items() if rng.bytes_used and move != SUPER_MOVE}


class HouseLaws:
    """One run of the laws over one house game."""

    def __init__(self, game: HouseGame[Any], found: Found, rounds: int, outcomes: int) -> None:
        self.game = game
        self.found = found
        self.rounds = rounds
        self.outcomes = outcomes
        self.report = HouseReport()

    # While random players play.

    def seen(self, match: Match[Any]) -> None:
        """Every chip that was staked is open or on a line, and none is left open at the end."""
        money = match.game.money
        staked = sum(bet.stake for bet in (*money.open, *money.lines))
        returned = sum(line.returned for line in money.lines)
        if match.status == "finished" and money.open:
            left = ", ".join(f"{bet.stake} on {bet.bet}" for bet in money.open)
            self.found("chips are conserved", f"the match is over with {left}; {ADVICE['chips are conserved']}")
        elif (staked, returned) != (money.staked, money.returned):
            self.found(
                "chips are conserved",
                f"{money.staked} staked and {money.returned} returned, but the bets say {staked} and {returned}; "
                "declare money on the turn and leave state.money alone",
            )

    def sent(self, action: Action) -> None:
        """An action becomes bytes and the same action again."""
        try:
            data = encode_payload(self.game, action)
            read = decode_payload(self.game, data)
        except CroupierError as error:
            self.found("bytes both ways", f"{format_action(action)} has no bytes: {error}")
        else:
            if (read.type, read.payload) != (action.type, action.payload):
                self.found("bytes both ways", f"{format_action(action)} is read back as {format_action(read)}")

    # Under one set of options.

    def check(self, options: Any) -> None:
        """Hold the bets, the kernel and the odds to their laws under these options."""
        self.codes()
        if options is None:
            self.table()
        chosen = self.game.read_options(options)
        sheet = self.game.sheet
        plain = () if sheet is None else sheet[0](chosen)
        self.trials(tuple(self.rounds_of(chosen, plain, False)), chosen, False)
        boosted = self.game.super_odds(chosen)
        if boosted:
            self.trials(tuple(self.rounds_of(chosen, boosted, True)), chosen, True)

    def codes(self) -> None:
        """Every action and every bet has its bytes, and so has the largest batch."""
        try:
            self.game.opcode_table()
            for spec in self.game.actions.values():
                codecs_of(spec)
        except BadGame as error:
            self.found("bytes both ways", f"{error}")
        if isinstance(self.game, TableGame) and "batch" in self.game.actions:
            names = list(self.game.codes.codes)
            for first in range(0, len(names), self.game.bets_max):
                part = names[first : first + self.game.bets_max]
                self.sent(act("batch", bets=[{"bet": bet, "stake": 1} for bet in part]))

    def table(self) -> None:
        """The usual table of the game can be opened, and the player has no edge at its smallest stakes."""
        advice = ""
        try:
            make_table(CODES, self.game, allow_overpay=True)
            advice = ": players would win in the long run, and no server opens such a table; lower what it pays"
            make_table(CODES, self.game)
            self.small_stakes()
        except BadOptions as error:
            self.found("its table can be opened", f"{error}{advice}")
        except CroupierError as error:
            self.found(*law_of(error))

    def small_stakes(self) -> None:
        """No bet that one draw decides returns more than its stake on average where rounding weighs most."""
        game, options = self.game, self.game.read_options(None)
        if not isinstance(game, TableGame) or game.steps is None:
            return
        numbers, settle = game.kernel_options(options), game.steps.settle
        try:
            finds = first_finds(game.steps, numbers)
        except CroupierError:  # too many, or they cannot be counted, which is a law of its own
            return
        if len(finds) > self.outcomes:
            return
        whole = lcm(*(chance.denominator for chance in finds.values()))
        weights = [(find, int(chance * whole)) for find, chance in finds.items()]
        smallest, largest = game.stake_limits
        stakes = range(smallest, min(smallest + SMALL_STAKES, largest + 1))
        for (bet, code), stake in product(game.codes.codes.items(), stakes):
            if game.bet_problem(bet, options) is not None:
                continue
            returns = [(settle(*code, stake, find, numbers), weight) for find, weight in weights]
            mean = Fraction(sum(chips * weight for chips, weight in returns), whole)
            if mean > stake and all(chips != STAYS for chips, _ in returns) and self.takes(place(bet, stake)):
                self.found(
                    "small stakes favour nobody",
                    f"{stake} on {bet} returns {float(mean):.4f} on average; round what it pays down",
                )
                return

    def takes(self, action: Action) -> bool:
        """Tell whether the game takes an action at the beginning of a session."""
        return apply_action(self.game, HouseKit(self.game).start(self.game.sample_terms().stake), action).ok

    def trials(self, trials: Sequence[Trial], options: Any, super_mode: bool) -> None:
        """Hold every trial to the laws."""
        for trial in trials:
            share = max(self.rounds // len(trials), 1)
            named = "" if trial.policy in ("", "-") else f" by {trial.policy}"
            what = f"{', '.join(list(trial.bets)[:3])}{named}{' in super mode' if super_mode else ''}"
            try:
                plan = self.game.plan(trial.bets, trial.policy, options, super_mode)
                rows = trial.rows if super_mode else self.counted(trial, plan, options)
                if self.rounds and plan.has_kernel:
                    self.same_rounds(plan, options, share // ENGINE_SHARE + 1, what)
                self.simulated(replace(trial, rows=rows), plan, options, super_mode, share)
            except BadOptions as error:
                self.report.unchecked += (f"{what}: {error}",)
            except CroupierError as error:
                law, text = law_of(error)
                self.found(law, f"a round of {what}: {text}")

    # Which rounds there are.

    def rounds_of(self, options: Any, sheet: tuple[OddsRow, ...], super_mode: bool) -> Iterator[Trial]:
        """Yield the rounds that bear on the rows of the odds."""
        game = self.game
        rows = {(row.bet, row.policy): row for row in sheet if not row.refused}
        prices = {} if game.sheet is None else game.prices(options)
        unit = SUPER_FEE_DIVISOR if super_mode else 1

        def stake(bet: str, laid: int) -> int:
            """Return so many chips, or more of them, so that no price of the bet rounds.

            A price may come of two steps (2 to 3, and 1 % of that is kept) and have a factor less than either: 6 more.
            Prices are per chip that a bet costs, which is more than its stake where a commission is paid up front.
            """
            known = prices.get(bet) or [price for found in prices.values() for price in found]
            parts = lcm(*(price.denominator for price in known))
            whole = lcm(unit, laid, parts if parts == 1 else 6 * parts)
            if not isinstance(game, TableGame) or outlay(bet, laid) in (laid, None):
                return whole
            some = lcm(laid, 20)  # a commission is so many percent, often five
            for chips in range(some, game.stake_limits[1] + 1, some):
                cost = outlay(bet, chips) or 0
                if cost % parts == 0 and all(outlay(bet, n * chips) in (n * cost, None) for n in range(2, 11)):
                    return chips
            return whole

        def outlay(bet: str, chips: int) -> int | None:
            try:
                return _outlays(game.plan({bet: chips}, game.usual_policy, options))[bet]
            except BadOptions:  # the table does not take so many
                return None

        if isinstance(game, TableGame) or game.sheet is None:
            for listed in game.bet_lists(options):
                missing = {bet for bet in listed if not any(bet == row.bet for row in sheet)}
                if missing and game.sheet is not None and not super_mode:
                    self.found("every bet has its odds", f"the sheet has no row for {', '.join(sorted(missing)[:3])}")
                bets = {bet: stake(bet, laid) for bet, laid in listed.items() if not super_mode or bet not in missing}
                found = [rows.pop((bet, policy), None) for bet in bets for policy in ("-", game.usual_policy)]
                if bets:
                    by_line = len(listed) > 1 or isinstance(game, TableGame)
                    yield Trial(bets, game.usual_policy, tuple(filter(None, found)), by_line)
        smallest = game.stake_limits[0]
        main, *_ = [*game.usual_bets(), ""]
        for row in rows.values():
            if row.policy == "-" and main and not isinstance(game, TableGame):
                bets = {main: stake(main, smallest), row.bet: stake(row.bet, smallest)}
                yield Trial(bets, game.usual_policy, (row,), True)
            elif row.bet == main:
                yield Trial({main: stake(main, game.usual_bets()[main])}, row.policy, (row,), False)
            else:
                self.report.unchecked += (f"{row.bet} ({row.policy}): no round opens with it",)

    # Odds and count.

    def counted(self, trial: Trial, plan: Plan, options: Any) -> tuple[OddsRow, ...]:
        """Return the rows of a trial, counted where it is short enough; the sheet's are compared with them."""
        try:
            endings = count_round(self.game, plan, options, limit=self.outcomes)
        except TooManyOutcomes as error:
            if len(trial.bets) == 1 or not isinstance(self.game, TableGame) or self.outcomes == 0:
                if self.game.sheet is None:
                    self.report.unchecked += (f"{', '.join(trial.bets)}: {error}",)
                return trial.rows
            rows: tuple[OddsRow, ...] = ()
            for bet, laid in trial.bets.items():  # one by one
                alone = replace(trial, bets={bet: laid}, rows=tuple(row for row in trial.rows if row.bet == bet))
                rows += self.counted(alone, self.game.plan(alone.bets, trial.policy, options), options)
            return trial.rows or rows
        rows = tuple(self._counted_rows(trial, plan, endings))
        self.report.counted += len(rows)
        by_name = {(row.bet, row.policy): row for row in trial.rows}
        for row in rows:
            printed = by_name.get((row.bet, row.policy))
            if printed is not None:
                self._compare(printed, row)
        if trial.by_line and self.game.sheet is not None:
            self._compare_prices(trial, plan, endings, options)
        return rows

    def _counted_rows(self, trial: Trial, plan: Plan, endings: Mapping[Ending, Fraction]) -> Iterator[OddsRow]:
        names = list(trial.bets) if trial.by_line and not trial.rows else [row.bet for row in trial.rows]
        policies = {row.bet: row.policy for row in trial.rows}
        for bet in names or trial.bets:
            sums = sums_of(endings, bet if trial.by_line else None)
            opening = _outlays(plan)[bet] if trial.by_line else plan.opening
            yield row_of_sums(bet, policies.get(bet, trial.policy or "-"), opening, sums)

    def _compare(self, printed: OddsRow, row: OddsRow) -> None:
        for name in FIGURES:
            told, counted = getattr(printed, name), getattr(row, name)
            is_told = told is not None and printed.method == "exact"
            if is_told and told != counted:
                self.found(
                    "odds are what the rules pay",
                    f"the odds of {row.bet} ({row.policy}) say {name} {told}, and every way a round can fall, counted "
                    f"through the rules, gives {counted}; correct the sheet if the rules are meant",
                )
                return

    def _compare_prices(self, trial: Trial, plan: Plan, endings: Mapping[Ending, Fraction], options: Any) -> None:
        told = self.game.prices(options)
        for row in trial.rows:
            paid = per_chip(
                _outlays(plan)[row.bet], (end[2] for ending in endings for end in ending if end[0] == row.bet)
            )
            if tuple(told.get(row.bet, ())) != paid:
                shown = [", ".join(map(str, prices)) for prices in (told.get(row.bet, ()), paid)]
                self.found(
                    "prices are what the rules pay",
                    f"prices() says that a chip on {row.bet} returns {shown[0] or 'nothing'}, and counted it returns "
                    f"{shown[1]}; correct the prices of the sheet",
                )

    # Kernel and engine.

    def same_rounds(self, plan: Plan, options: Any, count: int, what: str) -> None:
        """Kernel and engine play the same rounds, to the last chip, fact and byte drawn."""
        kit = HouseKit(self.game, keeps_scratch=True)
        for session_id in range(count):
            by_kernel, by_engine = _Streams(kit.seed, session_id), _Streams(kit.seed, session_id)
            row = kit.by_kernel(plan, session_id, by_kernel)
            match = kit.by_engine(plan, session_id, options, by_engine)
            problem = round_difference(plan, row, match.game)
            if problem is None and by_kernel.used() != by_engine.used():
                problem = f"bytes drawn by move {by_kernel.used()} by the kernel, {by_engine.used()} by the engine"
            if problem is not None:
                self.found(
                    "kernel and engine play alike",
                    f"session {session_id} with {what}: {problem}; both must take the same steps from the rules",
                )
                return

    # Odds and simulation.

    def simulated(self, trial: Trial, plan: Plan, options: Any, super_mode: bool, count: int) -> None:
        """The edge of rounds that are played is that of the odds, within a bound that chance passes almost never."""
        if not trial.rows or not self.rounds:
            return
        kit = HouseKit(self.game, keeps_scratch=True)
        count = count if plan.has_kernel else count // ENGINE_SHARE + 1
        places = {bet: (LINES + place, plan.stakes[place]) for place, bet in enumerate(plan.bets)}
        worths: dict[str, list[float]] = {row.bet: [] for row in trial.rows}
        for session_id in range(count):
            row = kit.by_kernel(plan, session_id) if plan.has_kernel else self._row(kit, plan, session_id, options)
            for bet, found in worths.items():
                line, stake = places[bet]
                if not trial.by_line:
                    found.append((row[RETURNED] - row[STAKED] - row[FEES]) / plan.opening)
                elif row[line] != NOT_LAID:
                    found.append(row[line] / stake - 1 - (float(SUPER_FEE) if super_mode else 0))
        self.report.rounds += count
        prices = {} if self.game.sheet is None else self.game.prices(options)
        for odds in trial.rows:
            self.report.simulated += 1
            self._compare_mean(odds, worths[odds.bet], prices.get(odds.bet, ()))

    def _row(self, kit: HouseKit, plan: Plan, session_id: int, options: Any) -> list[int]:
        """Return a round of the engine as a kernel would tell it: the accounts and the lines."""
        money = kit.by_engine(plan, session_id, options).game.money
        returned = [NOT_LAID] * LINES_MAX
        for line in money.lines:
            place = plan.bets.index(plan.bet_of(line.bet)) if plan.bet_of(line.bet) in plan.bets else -1
            if place >= 0:
                returned[place] = max(returned[place], 0) + line.returned
        return [money.staked, money.returned, money.fees, *returned]

    def _compare_mean(self, odds: OddsRow, worths: Sequence[float], prices: Sequence[Fraction]) -> None:
        """Compare by Bernstein's inequality: it holds for rare large wins, where standard errors mislead."""
        count = len(worths)
        if count < 2:
            return
        mean = sum(worths) / count
        spread = sum((worth - mean) ** 2 for worth in worths) / count
        if odds.variance is not None:
            spread = float(odds.variance)
        elif prices:
            spread = max(spread, float(prices[-1]) * (1 - float(odds.edge)))
        largest = max(abs(worth - mean) for worth in worths)
        rare = log(2 / FALSE_ALARM)
        bound = sqrt(2 * spread * rare / count) + 2 * largest * rare / (3 * count)
        bound += 5 * float(odds.stderr or 0) + FLOATS
        low, high = (float(odds.edge if edge is None else edge) for edge in (odds.low, odds.high))
        if not low - bound <= -mean <= high + bound:
            self.found(
                "odds agree with the simulation",
                f"the edge of {odds.bet} ({odds.policy}) is {float(odds.edge):.4%} by the odds, and {-mean:.4%} in "
                f"{count:,} rounds, where {bound:.4%} is as far as chance takes it; correct the sheet, or position() "
                "if the odds are counted: it must name all that decides how play goes on",
            )
