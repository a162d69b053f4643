"""Exact odds compared with simulated rounds: two ways to the same figure, and how far they are apart.

A `Trial` is one simulation that bears on several rows of an odds sheet: bets that are laid together have lines of their
own. `trials` lists those of a game under given options, `published_trials` all that the documentation publishes, and
`run_trial` plays one and returns a `Comparison` for each row. `croupier odds --check` and the statistical tests both
call these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from math import erfc, inf, sqrt
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.draws import Stream, bounded
from croupier.engine import get_game, list_games
from croupier.games.blackjack import kernel as blackjack
from croupier.games.craps.bets import IDS, read_name
from croupier.games.craps.house import kernel as craps_kernel
from croupier.games.craps.paytables import book_of
from croupier.games.craps.rules import ids, table
from croupier.games.hi_lo import rules as hi_lo
from croupier.games.hi_lo.bets import BETS as GUESSES
from croupier.games.shut_the_box import ShutTheBox
from croupier.games.shut_the_box.policies import PolicyRow, policy_rows
from croupier.house import HouseGame, OddsRow, Plan, Terms
from croupier.house.card_round import option_numbers
from croupier.house.odds import SUPER_FEE
from croupier.house.table_game import TableGame
from croupier.kit.rows import tail
from croupier.rounds import DONE, FACTS, LINES, RETURNED, STAKED
from croupier.sim.results import Simulation, simulation_of
from croupier.sim.simulate import CHUNK, tally_rounds
from croupier.sim.stream import hash_path
from croupier.sim.tally import Tally

SIGMAS = 4.5
SEED = b"croupier odds --check"
ROUNDS, ROUNDS_SLOW = 10**8, 10**7
LINES_AT_ONCE = 20

OPTION_SETS: dict[str, tuple[dict[str, Any], ...]] = {
    "baccarat": ({"tie_pays": 8}, {"pair_pays": 11}),
    "blackjack": (
        {"hit_soft_17": False},
        {"six_to_five": True},
        {"surrender": True},
        {"peek": True},
        {"hit_split_aces": False},
        {"double_after_split": False},
        {"resplit_aces": False},
        {"decks": 6},
        {"decks": 1},
    ),
    "casino-war": ({"tie_pays": 11}, {"second_tie_bonus": False}),
    "craps": (
        {"pay_table": "nullspace"},
        {"pay_table": "bitcraps"},
        {"field_triple": True},
        {"fire": "fire-b"},
        {"fire": "fire-c"},
        {"fire": "fire-d"},
        *({"ride": f"ride-{number}"} for number in range(2, 8)),
        {"hot_roller": "ways"},
        {"hot_roller": "rolls"},
        {"bonus": "bonus-classic"},
        {"repeater": "repeater-for-one"},
        {"vig": "upfront"},
        {"odds_plan": "single"},
        {"odds_plan": "double"},
        {"odds_plan": "10x"},
    ),
    "hi-lo": ({"tie_pushes": False}, {"same_anywhere": True}),
    "shut-the-box": (
        {"tile_count": 10},
        {"tile_count": 12},
        {"die_choice": True},
        {"die_rule": "sum_at_most_six"},
        {"die_rule": "always_two"},
    ),
    "roulette": tuple({"zero_rule": rule} for rule in ("la_partage", "en_prison", "en_prison_repeat", "double_zero")),
    "sic-bo": ({"pay_table": "atlantic_city"},),
    "three-card-poker": ({"qualifier": "q64"},),
    "ultimate-texas-holdem": ({"play_4x": False}, {"dealer_qualifies": "always"}),
    "video-poker": tuple({"pay_table": name} for name in ("jacks_8_5", "bonus_8_5", "double_bonus_9_7", "deuces_wild")),
}
"""The options that the documentation publishes figures for, besides the usual ones."""

SLOW = ("ultimate-texas-holdem", "video-poker")
"""Games whose rounds take many times as long as the others': hands are ranked and holds compared.

Craps is slow where bets take more than one roll: a session goes on until the last of up to twenty is decided. Shut the
Box is many decisions a match. Blackjack is slow under other than the usual options: there are close to fifty
simulations of them, a minute each.
"""
SLOW_WITH_OPTIONS = ("blackjack",)

# Stakes on which every price comes out whole, or which are so large that a chip rounded down does not show; and small
# enough that the largest results can be squared and added up.
STAKES = {"craps": 132_000, "hi-lo": 1_000_000}
STAKE = 10_000
PATIENT_STAKE = 1_000  # of hi-lo's best play in super mode, which wins a hundred thousand times the stake now and then
PROGRESSIVE = "progressive"  # has one stake, a chip

# Limits of a craps table that the bets above would break; they change no odds.
NO_LIMITS = dict.fromkeys(("table_max", "prop_max", "side_max", "max_profit", "player_max"), 10**12) | {"max_bets": 128}


class Trial(Struct, frozen=True):
    """One simulation, and the rows of an odds sheet that it bears on."""

    game_id: str
    options: str
    """As on the command line: `zero_rule=la_partage`; nothing for the usual ones."""
    super_mode: bool
    rows: tuple[OddsRow, ...] | tuple[PolicyRow]
    make_plan: Callable[[], Plan]
    by_line: bool
    """Whether each row is a line of the round. If not there is one row, and the whole round is what it is about."""
    is_slow: bool

    @property
    def name(self) -> str:
        """Name of the trial, unlike any other's; its seed is made from the name."""
        first = self.rows[0]
        bet = first.bet if isinstance(first, OddsRow) else "score"
        return f"{self.game_id} {self.options} {'super' if self.super_mode else ''} {bet} {first.policy}"

    @property
    def usual_rounds(self) -> int:
        """Default count of rounds: fewer of slow ones."""
        return ROUNDS_SLOW if self.is_slow else ROUNDS


class Comparison(Struct, frozen=True):
    """An exact figure beside a simulated one: the edge of a bet; of Shut the Box the score, and the chance to shut."""

    game: str
    options: str
    super: bool
    bet: str
    policy: str
    exact: Fraction
    """Of a bounded edge, the bound that is nearer to what was simulated, or that itself where it lies between them."""
    simulated: float
    stderr: float
    z: float
    rounds: int
    seed: str
    """Of the simulation, in hex: round n is session n of it."""

    @property
    def agrees(self) -> bool:
        """Whether the two are not more than 4.5 standard errors apart."""
        return abs(self.z) <= SIGMAS


def false_alarm(rows: int) -> float:
    """Return the chance, at most, that one or more of so many right figures would be told wrong.

    It is that of a normal distribution for one row, times the rows.

    >>> f"{false_alarm(1):.2g}, {false_alarm(1000):.2g}"
    '6.8e-06, 0.0068'
    """
    return min(1.0, rows * erfc(SIGMAS / sqrt(2)))


# Which simulations there are.


def published_trials(game_ids: Iterable[str] | None = None) -> list[Trial]:
    """Return the simulations that bear on every figure that is published: every bet and policy, plain and super.

    Under other than the usual options those rows are taken that differ from what they usually are.
    """
    found = []
    for game_id in list_games() if game_ids is None else game_ids:
        game = get_game(game_id)
        if isinstance(game, ShutTheBox):
            for options in ({}, *OPTION_SETS[game_id]):
                found += box_trials(game, options)
        if not isinstance(game, HouseGame):
            continue
        for super_mode in (False, True):
            usual = set(_sheet(game, {}, super_mode))
            found += trials(game, {}, super_mode)
            for options in OPTION_SETS.get(game_id, ()):
                found += trials(game, options, super_mode, without=usual)
    return found


def trials(
    game: HouseGame[Any], options: Mapping[str, Any], super_mode: bool, *, without: Iterable[OddsRow] = ()
) -> list[Trial]:
    """Return the simulations that bear on every row of a sheet, but rows that are the same in `without`.

    A bet that the table refuses has no figure to compare.
    """
    known = set(without)
    rows = [row for row in _sheet(game, options, super_mode) if row not in known and not row.refused]
    makers = {"craps": _craps_trials, "hi-lo": _hi_lo_trials, "blackjack": _blackjack_trials}
    usual = _table_trials if isinstance(game, TableGame) else _round_trials
    return list(makers.get(game.id, usual)(_Sheet(game, options, super_mode), rows))


class _Sheet(Struct, frozen=True):
    """An odds sheet: of one game, under given options, plain or super."""

    game: HouseGame[Any]
    options: Mapping[str, Any]
    super_mode: bool

    @property
    def stake(self) -> int:
        return STAKES.get(self.game.id, STAKE)

    def trial(
        self, plan: Callable[[], Plan], rows: Sequence[OddsRow], by_line: bool = True, slow: bool = False
    ) -> Trial:
        """Return the trial of some of its rows."""
        is_slow = slow or self.game.id in SLOW or (self.game.id in SLOW_WITH_OPTIONS and bool(self.options))
        return Trial(self.game.id, _told(self.options), self.super_mode, tuple(rows), plan, by_line, is_slow)

    def planned(self, bets: dict[str, int], policy: str = "") -> Callable[[], Plan]:
        """Return what makes the plan of a round with these bets."""
        limits = NO_LIMITS if self.game.id == "craps" else {}
        return partial(self.game.plan, bets, policy, {**self.options, **limits}, self.super_mode)


def _sheet(game: HouseGame[Any], options: Mapping[str, Any], super_mode: bool) -> tuple[OddsRow, ...]:
    chosen = game.read_options(dict(options))
    return game.super_odds(chosen) if super_mode else game.odds(chosen)


def _told(options: Mapping[str, Any]) -> str:
    """Return options as the command line takes them."""
    words = {name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()}
    return ",".join(f"{name}={value}" for name, value in words.items())


def _table_trials(sheet: _Sheet, rows: Sequence[OddsRow]) -> Iterator[Trial]:
    """One draw decides all bets, so as many are laid at once as a round has lines for."""
    most = min(LINES_AT_ONCE, sheet.game.bets_max) if isinstance(sheet.game, TableGame) else LINES_AT_ONCE
    for part in _parts(rows, most):
        yield sheet.trial(sheet.planned({row.bet: sheet.stake for row in part}), part)


def _round_trials(sheet: _Sheet, rows: Sequence[OddsRow]) -> Iterator[Trial]:
    """A round under each policy; bets that do not depend on it are laid beside the main bet in another."""
    stake, game = sheet.stake, sheet.game
    main = next(iter(game.usual_bets()))
    for row in rows:
        if row.policy != "-":
            assert row.bet == main, f"{game.id}: {row.bet} depends on the policy, but is not the main bet"
            yield sheet.trial(sheet.planned({main: stake}, row.policy), [row], False)
    sides = [row for row in rows if row.policy == "-"]
    if sides:
        bets = {main: stake} | {row.bet: 1 if row.bet == PROGRESSIVE else stake for row in sides}
        yield sheet.trial(sheet.planned(bets, CHEAP_POLICIES.get(game.id, "")), sides)


# Whatever the policy, side bets are decided alike; these take the least time.
CHEAP_POLICIES = {
    "blackjack": "mimic_dealer",
    "casino-war": "always_surrender",
    "three-card-poker": "always_play",
    "ultimate-texas-holdem": "simple",
}


def _blackjack_trials(sheet: _Sheet, rows: Sequence[OddsRow]) -> Iterator[Trial]:
    yield from _round_trials(sheet, [row for row in rows if row.bet != "insurance"])
    chosen = sheet.game.read_options(dict(sheet.options))
    for row in rows:
        if row.bet == "insurance":
            yield sheet.trial(partial(_insurance_plan, (row.bet,), STAKE, chosen), [row])


def _hi_lo_trials(sheet: _Sheet, rows: Sequence[OddsRow]) -> Iterator[Trial]:
    chosen = sheet.game.read_options(dict(sheet.options))
    for part in _parts([row for row in rows if row.bet in GUESSES], LINES_AT_ONCE):
        names = tuple(row.bet for row in part)
        guesses = [GUESSES[name] for name in names]
        yield sheet.trial(partial(_guess_plan, names, guesses, sheet.stake, chosen), part)
    for row in rows:
        if row.bet not in GUESSES:
            stake = PATIENT_STAKE if sheet.super_mode and row.policy == "best" else sheet.stake
            yield sheet.trial(sheet.planned({row.bet: stake}, row.policy), [row], False)


def _craps_trials(sheet: _Sheet, rows: Sequence[OddsRow]) -> Iterator[Trial]:
    """Bets that end after about as many rolls are laid together: a session lasts until all are decided."""
    stake = sheet.stake
    book = book_of(sheet.game.read_options({**sheet.options, **NO_LIMITS}))
    late = [row for row in rows if row.bet in LATE]
    for part in _parts(late, LINES_AT_ONCE):
        names = tuple(row.bet if row.policy == "-" else f"{row.bet} {row.policy}" for row in part)
        yield sheet.trial(partial(_craps_plan, names, stake, book), part, slow=True)
    groups: dict[str, list[OddsRow]] = {}
    for row in rows:
        if row.policy != "-" and row.bet not in LATE:
            yield sheet.trial(sheet.planned({row.bet: stake}, row.policy), [row], False, slow=True)
        elif row.bet not in LATE:
            groups.setdefault(_length(row.bet), []).append(row)
    for length, group in groups.items():
        for part in _parts(group, LINES_AT_ONCE):
            plan = sheet.planned({row.bet: stake for row in part})
            yield sheet.trial(plan, part, slow=length != "one roll")


def _length(bet: str) -> str:
    name = read_name(bet)
    assert name is not None
    if ids.needs_trackers(name.id):
        return "many rolls"
    return "one roll" if bet.partition(":")[0] in ONE_ROLL else "a few rolls"


ONE_ROLL = ("field", "next", "hop", "any_craps", "horn", "world", "c_and_e")


def _parts(rows: Sequence[OddsRow], most: int) -> Iterator[Sequence[OddsRow]]:
    return (rows[first : first + most] for first in range(0, len(rows), most))


def box_trials(game: ShutTheBox, options: Mapping[str, Any]) -> list[Trial]:
    """Return the simulations of one round of Shut the Box, a policy each; one that draws has no kernel."""
    chosen = game.read_options({**options, "rounds": 1, "shut_wins": False})
    return [
        Trial(game.id, _told(options), False, (row,), partial(game.plan, {}, row.policy, dict(options)), False, True)
        for row in policy_rows(chosen.settings)
        if row.policy != "uniform"
    ]


# Playing one.


def run_trial(
    trial: Trial,
    rounds: int | None = None,
    seed: bytes = SEED,
    *,
    threads: int = 1,
    on_progress: Callable[[int], object] | None = None,
) -> list[Comparison]:
    """Return how each row compares with so many rounds; the same seed gives the same, whatever the threads.

    Every trial has a seed of its own, made from `seed` and what it is about, so that no two share their cards.
    """
    plan = trial.make_plan()
    own_seed = seed + trial.name.encode()
    result = _simulated(plan, rounds or trial.usual_rounds, own_seed, threads, on_progress)
    compare = partial(_comparison, trial, own_seed.hex(), result.rounds)
    if isinstance(trial.rows[0], PolicyRow):
        return _compared_box(trial.rows[0], result, compare)
    return [_compared(trial, row, result, compare) for row in trial.rows if isinstance(row, OddsRow)]


def _simulated(
    plan: Plan, rounds: int, seed: bytes, threads: int, on_progress: Callable[[int], object] | None
) -> Simulation:
    def chunk(start: int) -> Tally:
        return tally_rounds(plan, seed, start, min(CHUNK, rounds - start))

    with ThreadPoolExecutor(threads) as pool:
        total = Tally()
        for part in pool.map(chunk, range(0, rounds, CHUNK)):
            total.add(part)
            if on_progress is not None:
                on_progress(total.rounds)
    told: dict[str, Any] = {"game_id": "", "policy": "", "super_mode": False, "seed": "", "first_session": 0}
    return simulation_of(total, plan.bets, hash_path=hash_path(), **told)


def _compared(trial: Trial, row: OddsRow, result: Simulation, compare: Callable[..., Comparison]) -> Comparison:
    if trial.by_line:
        named = row.bet if row.policy == "-" or row.bet in GUESSES else f"{row.bet} {row.policy}"
        (line,) = [line for line in result.lines if line.bet == named]
        fee = SUPER_FEE if trial.super_mode else 0  # lines do not know of it
        edge, stderr = line.edge + fee, line.stderr
    else:
        edge, stderr = result.edge, result.stderr
    if row.variance is not None:  # rounds know little of a jackpot that none of them won
        stderr = sqrt(row.variance / result.rounds)
    low, high = (row.edge if bound is None else bound for bound in (row.low, row.high))
    return compare(row.bet, row.policy, min(max(edge, low), high), edge, stderr)


def _compared_box(row: PolicyRow, result: Simulation, compare: Callable[..., Comparison]) -> list[Comparison]:
    """The score is what a round returned, and a score of nothing is a shut box."""
    score = Fraction(result.returned, result.rounds)
    shut = Fraction(dict(result.distribution).get(0, 0), result.rounds)
    return [
        compare("score", row.policy, row.score, score, sqrt(result.variance / result.rounds)),
        compare("shut", row.policy, row.shut, shut, sqrt(row.shut * (1 - row.shut) / result.rounds)),
    ]


def _comparison(
    trial: Trial, seed: str, rounds: int, bet: str, policy: str, exact: Fraction, simulated: Fraction, stderr: float
) -> Comparison:
    apart = float(simulated - exact)
    z = 0.0 if apart == 0 else apart / stderr if stderr else inf
    told = (trial.game_id, trial.options, trial.super_mode, bet, policy)
    return Comparison(*told, exact, float(simulated), stderr, z, rounds, seed)


# Bets that no session opens with: come bets, odds on a number, one guess at a rank, insurance. Their rounds begin where
# such a bet is laid.

LATE = {IDS[bet]: bet for bet in range(ids.BET_COUNT) if ids.is_odds(bet) or bet in (ids.COME, ids.DONT_COME)}
"""The bets of craps that are laid with a point up."""


def _craps_plan(bets: tuple[str, ...], stake: int, book: Any) -> Plan:
    """Return a round of come bets and odds, each named as its row is: `come`, `odds_come`, `odds_come on_4`.

    Odds on no number in particular are laid on the first number that is thrown.
    """
    names = [bet.partition(" on_") for bet in bets]
    kinds = tuple(LATE[bet] for bet, _, _ in names)
    numbers = tuple(int(number or 0) for _, _, number in names)
    return _late_plan(craps_kernel.late_step, bets, kinds, numbers, stake, tuple(book.prices), table.TABLE_SIZE)


def _guess_plan(bets: tuple[str, ...], guesses: Sequence[tuple[int, int]], stake: int, options: Any) -> Plan:
    """Return a round of guesses, each (which, rank on show), all about the same next card; then a cash-out."""
    kinds, numbers = (tuple(column) for column in zip(*guesses, strict=True))
    return _late_plan(guess_step, bets, kinds, numbers, stake, option_numbers(options), 1)


def guess_step(
    stream: Stream, move: int, row: Any, kinds: Any, numbers: Any, stakes: Any, options: Any, *rest: Any
) -> int:
    """Turn one card up for guesses with any card on show, and cash out; the options are those of the rules."""
    card, hand = bounded(stream, 52), tail(row, FACTS)
    for i in range(len(kinds)):
        hi_lo.show(numbers[i] - 1, hand)
        hi_lo.turn_up(kinds[i], card, hand, options)
        row[STAKED] += stakes[i]
        row[LINES + i] = hi_lo.settle(0, 0, stakes[i], hand, options)
        row[RETURNED] += row[LINES + i]
    return DONE


def _insurance_plan(bets: tuple[str, ...], stake: int, options: Any) -> Plan:
    """Return a round that begins with an ace up and nothing else seen."""
    plan = _late_plan(blackjack.insurance_step, bets, (0,), (0,), stake, options.numbers, blackjack.WORK_SIZE)
    return replace(plan, row_size=blackjack.ROW_SIZE)


def _late_plan(
    step: Callable[..., int],
    bets: tuple[str, ...],
    kinds: tuple[int, ...],
    numbers: tuple[int, ...],
    stake: int,
    options: tuple[int, ...],
    work_size: int,
) -> Plan:
    return Plan(
        step=step,
        first_move=1,
        bets=bets,
        kinds=kinds,
        numbers=numbers,
        stakes=(stake,) * len(bets),
        options=options,
        work_size=work_size,
        terms=Terms(),
        policy=_nobody,
        facts=_none,
    )


def _nobody(view: Any, legal: Any, rng: Any) -> Any:
    raise AssertionError("the engine has no session that begins in the middle")


def _none(state: Any) -> tuple[int, ...]:
    return ()
