"""Many rolls with an adversary at the table, and the chips it went home with.

One side bets a chip on seven, which pays 5 to 1: a fair bet, worth nothing to anybody who cannot steer. A bet stands
until it is decided, so a roll that comes to nothing is followed by another. What the adversary's side wins beyond its
sixth, and what it forfeits, is on the tally. Whoever sits out the hand is bought out: for a fair bet, with its stake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from croupier.fairness.dice import (
    Contributor,
    DiceHost,
    Ed25519Signer,
    Ed25519Verifier,
    Event,
    HashChain,
    Stakes,
    Terms,
)
from croupier.fairness.dice.answers import Dropped, Movement, Step
from croupier.fairness.dice.contributor import Kept
from croupier.fairness.dice.encoding import live_bet
from croupier.fairness.dice.machine import step
from croupier.fairness.dice.messages import Position
from croupier.fairness.dice.table import VOIDS_MAX, DiceTable, Round
from croupier.fairness.seeds import derive
from croupier.fairness.signing import Signer, Verifier
from tools.adversaries import roles
from tools.adversaries.mac import MacSigner, MacVerifier
from tools.adversaries.network import Network, Player

STAKE, WIN = 1, 5
ANY_SEVEN = 48  # the bet's id at a craps table
REMEMBERED_MAX = 256
ATTEMPTS_MAX = VOIDS_MAX + 1


class Scenario(Struct, frozen=True):
    """A cast and what it is up to. Seats are named by their place in `cast`; the table is `table`."""

    name: str
    about: str
    cast: tuple[type[roles.Role], ...]
    side: frozenset[int | str]
    """Who works together."""
    bettor: int
    """Who bets on seven."""
    against: int | str = "table"
    """Who pays if it falls."""
    host: type[DiceHost] = DiceHost
    terms: Mapping[str, Any] = {}
    bond: int = 1000
    """What each player locks."""
    is_covered: bool = True
    """Whether bonds must cover the bets; without it the table is a naive one."""
    knows_chain: bool = False
    """Whether the side knows the bank's chain."""
    rolls_per_table: int = 40


class Tally(Struct):
    """Totals of many rolls. Chips are the adversary's side's; `net` is all it gained."""

    rolls: int = 0
    wins: int = 0
    """Rolls that decided the bet as the side wanted it."""
    profit: int = 0
    bought_count: int = 0
    """Bets that were bought out because their owner sat out: for what they were worth, which is their stake."""
    forfeited: int = 0
    """Chips lost to others from bonds and stakes, less what came from them."""
    void_count: int = 0
    closed_count: int = 0
    complaints: dict[str, int] = {}
    """What honest players complained of, by code."""
    dropped: dict[str, int] = {}

    @property
    def net(self) -> int:
        """Chips gained in all."""
        return self.profit - self.forfeited


class Remembered:
    """The machine, asked once: everybody at a table puts the same question, and it has one answer."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[DiceTable, Event, Step | Dropped]] = {}

    def __call__(self, table: DiceTable, event: Event, verifier: Verifier) -> Step | Dropped:
        """Return what `step` returns."""
        known = self._known.get((id(table), id(event)))
        if known is not None:  # it holds both, so that their ids cannot pass to others
            return known[2]
        if len(self._known) >= REMEMBERED_MAX:
            del self._known[next(iter(self._known))]
        answer = step(table, event, verifier)
        self._known[id(table), id(event)] = table, event, answer
        return answer


class Stage:
    """One table of a scenario, with everyone in place."""

    def __init__(self, scenario: Scenario, seed: bytes, scheme: str) -> None:
        self.scenario = scenario
        self.holding: dict[str, Kept] = {}
        self._seed = seed
        signer, verifier = self._signer("table", scheme)
        banked = scenario.terms.get("banked", True)
        chain = HashChain.make(derive(seed, "chain"), scenario.rolls_per_table * ATTEMPTS_MAX) if banked else None
        settings = {"fee": 1, "table_bond": 1000, **scenario.terms}
        settings.pop("banked", None)
        self.terms = Terms(
            name=seed.hex(),
            table_key=signer.key,
            chain_end=chain.end if chain else "",
            rounds_max=scenario.rolls_per_table * ATTEMPTS_MAX,
            scheme=scheme,  # type: ignore[arg-type]
            **settings,
        )
        machine = Remembered()
        self.host = scenario.host(self.terms, signer, verifier, chain, machine=machine)
        self.host.stage = self  # type: ignore[attr-defined]
        self.network = Network(self.host)
        self.players: list[Player] = []
        self.side: set[str] = {signer.key} if "table" in scenario.side else set()
        for place, role in enumerate(scenario.cast):
            signer, verifier = self._signer(f"player/{place}", scheme)
            contributor = Contributor(self.terms, signer, verifier, self._entropy(place), machine=machine)
            player = role(contributor, self)
            self.players.append(player)
            if place in scenario.side:
                self.side.add(player.key)
            self.network.seat(player, scenario.bond)

    def _signer(self, name: str, scheme: str) -> tuple[Signer, Verifier]:
        if scheme == "test-mac":
            return MacSigner(f"{self._seed.hex()}/{name}"), MacVerifier()
        return Ed25519Signer(derive(self._seed, f"key/{name}")), Ed25519Verifier()

    def _entropy(self, place: int) -> Callable[[int], bytes]:
        used = iter(range(2**32))
        return lambda size: derive(self._seed, f"secret/{place}/{next(used)}")[:size]

    def wants(self, faces: tuple[int, ...]) -> bool:
        """Tell whether a roll suits the side."""
        return (sum(faces) == 7) == (self.bettor in self.side)

    @property
    def bettor(self) -> str:
        """The key of whoever bets on seven."""
        return self.players[self.scenario.bettor].key

    def leaked(self, on: Round) -> dict[str, bytes]:
        """Return the bank's secret, if the side has it."""
        chain = self.host.chain
        if chain is None or not self.scenario.knows_chain:
            return {}
        return {self.terms.table_key: chain.value(on.lock.round)}

    def sits_out(self, number: int) -> bool:
        """Tell whether whoever bets may not add to the dice that would decide the bet."""
        seat = self.host.table.seats[self.bettor]
        return bool(self.host.table.bank) and seat.status in ("in", "out") and seat.barred == number

    def stakes(self, number: int) -> Stakes:
        """Return the bet on seven, and who covers it; nothing, if the bet was bought out."""
        if self.sits_out(number):
            return Stakes(number + 1, hand=number)
        scenario = self.scenario
        positions = [Position(self.bettor, STAKE, WIN)]
        if isinstance(scenario.against, int):
            positions.append(Position(self.players[scenario.against].key, WIN, STAKE))
        bet = live_bet(self.bettor, ANY_SEVEN, 0, STAKE).hex()
        told = tuple(positions) if scenario.is_covered else ()
        return Stakes(number + 1, (bet,), hand=number, positions=told)

    def lost(self, movements: tuple[Movement, ...]) -> int:
        """Return the chips that left the side, less those that came to it from others."""
        total = 0
        for one in movements:
            source, target = (account.partition(":")[2] for account in (one.source, one.target))
            if (target and source != target) or one.target == "unclaimed":
                total += one.chips * ((source in self.side) - (target in self.side))
        return total


def simulate(scenario: Scenario, rolls: int, *, seed: bytes = bytes(32), scheme: str = "test-mac") -> Tally:
    """Return what an adversary makes of that many bets; the same seed gives the same tally."""
    tally = Tally()
    stage: Stage | None = None
    opened = 0
    for number in range(rolls):
        if stage is None or number % scenario.rolls_per_table == 0:
            _count(tally, stage)
            opened += 1
            stage = Stage(scenario, derive(seed, f"{scenario.name}/{opened}"), scheme)
        if not _play(stage, number, tally):
            _count(tally, stage)
            stage = None
    _count(tally, stage)
    return tally


def _play(stage: Stage, number: int, tally: Tally) -> bool:
    """Play one bet until the dice fall and return True, or False if the table closed and handed back the stakes."""
    is_up = True
    while True:
        outcome = stage.network.play(stage.stakes(number))
        tally.forfeited += stage.lost(outcome.movements)
        if is_up and stage.sits_out(number):
            is_up = False
            tally.bought_count += 1
        if outcome.closed:
            tally.closed_count += 1
            return False
        if outcome.rolled is not None:
            if is_up:
                _settle(stage, outcome.rolled.faces, tally)
            return True
        tally.void_count += 1


def _settle(stage: Stage, faces: tuple[int, ...], tally: Tally) -> None:
    scenario = stage.scenario
    against = stage.terms.table_key if scenario.against == "table" else stage.players[int(scenario.against)].key
    won = WIN if sum(faces) == 7 else -STAKE
    tally.rolls += 1
    tally.wins += stage.wants(faces)
    tally.profit += won * ((stage.bettor in stage.side) - (against in stage.side))


def _count(tally: Tally, stage: Stage | None) -> None:
    """Take down what the players complained of and the host dropped."""
    if stage is None:
        return
    honest = [player for player in stage.players if player.key not in stage.side]
    for code in [code for player in honest for code in player.complaints]:
        tally.complaints[code] = tally.complaints.get(code, 0) + 1
    for code, count in stage.network.dropped.items():
        tally.dropped[code] = tally.dropped.get(code, 0) + count


# Who tries what.

_LAST, _WITH_TABLE = frozenset({1}), frozenset({"table"})
_BOTH: frozenset[int | str] = frozenset({1, "table"})
_NO_BANK: Mapping[str, Any] = {"banked": False, "table_bond": 0}


def _player(name: str, role: type[roles.Role], about: str, rolls_per_table: int = 40) -> Scenario:
    return Scenario(name, about, (roles.Role, role), _LAST, 1, rolls_per_table=rolls_per_table)


def _table(name: str, host: type[DiceHost], about: str) -> Scenario:
    return Scenario(name, about, (roles.Role, roles.Role), _WITH_TABLE, 0, host=host, terms={"table_bond": WIN})


def _colluder(name: str, about: str, **terms: Any) -> Scenario:
    cast = (roles.Role, roles.LastToOpen)
    return Scenario(name, about, cast, _BOTH, 0, terms=terms, knows_chain=True, rolls_per_table=1)


_TRIED = (
    _player("honest", roles.Role, "nobody cheats"),
    _player("withholder", roles.LastToOpen, "opens last, and only what looks good without the bank's secret"),
    _player("late-opener", roles.LateOpener, "opens after the deadline what does not look good"),
    _player("latecomer", roles.Latecomer, "commits after the deadline"),
    _player("equivocator", roles.Equivocator, "signs two commitments", rolls_per_table=1),
    _player("replayer", roles.Replayer, "sends old messages again"),
    Scenario("early-opener", "shows its secret before CLOSE", (roles.EarlyOpener, roles.Role), frozenset({0}), 0),
    _player("copier", roles.Copier, "copies a commitment and echoes the secret"),
    _player("forger", roles.Forger, "sends messages in the name of others"),
    _table("dropping-table", roles.DroppingTable, "the table drops the commitment of the player it plays against"),
    Scenario("objector", "objects to every round", (roles.Role, roles.Objector), _LAST, 1),
    Scenario(
        "overlooking-table",
        "the table overlooks a partner, who objects when the openings show what they do not like",
        (roles.Role, roles.Role),
        _BOTH,
        0,
        host=roles.OverlookingTable,
        terms={"table_bond": WIN},
        rolls_per_table=1,
    ),
    Scenario(
        "censoring-table",
        "the table hears nothing of the player who bets, and a partner makes the dice alone",
        (roles.Role, roles.Grinder),
        _BOTH,
        0,
        host=roles.CensoringTable,
        terms={"table_bond": WIN},
        rolls_per_table=1,
    ),
    Scenario(
        "hidden-bank",
        "with hidden cards, the bank keeps back a roll that it does not like",
        (roles.Role, roles.Role),
        _WITH_TABLE,
        0,
        host=roles.HiddenBank,
        terms={"table_bond": WIN, "hidden": True},
    ),
    _table("silent-bank", roles.SilentBank, "the bank does not open what it does not like"),
    _table("two-faced-table", roles.TwoFacedTable, "the table sends a second CLOSE when it does not like the roll"),
    Scenario(
        "framing-table",
        "the table overlooks an opening and blames the player",
        (roles.Role, roles.Role),
        _WITH_TABLE,
        0,
        host=roles.FramingTable,
        rolls_per_table=1,
    ),
    Scenario(
        "framing-partners",
        "the table overlooks the bettor's opening, and a seat of its own would like the fee",
        (roles.Role, roles.Role),
        frozenset({0, "table"}),
        1,
        host=roles.FramingTable,
        terms={"fee": 3},
        rolls_per_table=1,
    ),
    _colluder("colluder", "a player in league with the bank withholds what the bank does not like"),
    _colluder("colluder-fixed-fee", "the same where a missing opening costs the table nothing", table_pays=False),
    Scenario(
        "bank-first",
        "the bank opens before the players, and refusing costs nothing: the last of them knows the roll",
        (roles.Role, roles.LastToOpen),
        _LAST,
        1,
        terms={"fee": 0},
        knows_chain=True,
    ),
    Scenario(
        "naive",
        "no bank and no bonds: a partner withholds for the player who bets",
        (roles.Role, roles.Role, roles.LastToOpen),
        frozenset({1, 2}),
        1,
        0,
        terms=_NO_BANK,
        bond=0,
        is_covered=False,
        rolls_per_table=1,
    ),
    Scenario(
        "naive-two-partners",
        "no bank and no bonds, and two partners who can each withhold once",
        (roles.Role, roles.Role, roles.LastToOpen, roles.LastToOpen),
        frozenset({1, 2, 3}),
        1,
        0,
        terms=_NO_BANK,
        bond=0,
        is_covered=False,
        rolls_per_table=1,
    ),
    Scenario(
        "bonds-alone",
        "no bank, but bonds that cover the round: a partner withholds all the same",
        (roles.Role, roles.Role, roles.LastToOpen),
        frozenset({1, 2}),
        1,
        0,
        terms=_NO_BANK,
        bond=2 * (STAKE + WIN),
        rolls_per_table=1,
    ),
)
SCENARIOS: Mapping[str, Scenario] = MappingProxyType({scenario.name: scenario for scenario in _TRIED})
"""What was tried, by name."""
