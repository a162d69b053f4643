"""The catalogue of tables: the options and limits an operator may offer, and the default one."""

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta, Struct

from croupier.engine import NoOptions, action, get_game, list_games
from croupier.errors import BadOptions, CroupierError
from croupier.house import (
    CHIPS_MAX,
    GameType,
    HouseGame,
    HouseTurn,
    Instruction,
    MemoryState,
    OddsRow,
    Register,
    StartGame,
    Table,
    check_ledger,
    default_catalogue,
    execute,
    make_table,
)
from croupier.house.catalogue import EXPOSURE_MAX
from croupier.house.instructions import PlayerRegistered
from croupier.house.odds import row_from_returns
from tests.unit.house.probes import Blank, Probe


class Pays(Struct, frozen=True, forbid_unknown_fields=True):
    pays: Annotated[int, Meta(ge=1, le=100)] = 35
    super_pays: int = 30


def row(bet: str, pays: int) -> OddsRow:
    return row_from_returns(bet, {1 + pays: Fraction(1, 37), 0: Fraction(36, 37)})


class Plain(Probe[Blank]):
    """A game without options and without a code."""

    id, name = "probe-plain", "Plain"

    @action(opcode=0)
    def go(self, state: Blank, turn: HouseTurn) -> Blank:
        return state


class Wheel(Plain):
    """Fair at 36 to 1; generous beyond."""

    id, name = "probe-pays", "Pays"
    game_type = GameType.ROULETTE
    stake_limits = (2, 300)
    Options = Pays

    def odds(self, options: Any = None) -> tuple[OddsRow, ...]:
        return (row("zero", 10), row("straight", options.pays))

    def super_odds(self, options: Any = None) -> tuple[OddsRow, ...]:
        return (row("straight", options.super_pays),)


GAME = Wheel()


@pytest.fixture(autouse=True)
def _fresh_catalogue() -> Iterator[None]:
    """Keep what these tests register out of the catalogue that others see."""
    default_catalogue.cache_clear()
    yield
    default_catalogue.cache_clear()


def test_a_table_has_the_limits_of_its_game_unless_it_says_otherwise():
    assert make_table(3, GAME) == Table(3, "probe-pays", Pays(), 2, 300, EXPOSURE_MAX, True)
    assert make_table(3, GAME, {"pays": 7}, stake_max=5, exposure_max=6, super_allowed=False) == Table(
        3, "probe-pays", Pays(7), 2, 5, 6, False
    )
    assert make_table(0, GAME, Pays(9)).options == Pays(9)


def test_a_table_id_is_a_number_of_16_bits():
    for table_id in (0, 1, 65535):
        assert make_table(table_id, GAME).id == table_id
    for table_id in (-1, 65536, 2**64):
        with pytest.raises(BadOptions, match="65535"):
            make_table(table_id, GAME)


@pytest.mark.parametrize(
    "limits",
    [
        {"stake_min": 0},
        {"stake_min": -5},
        {"stake_min": 301},
        {"stake_max": 1},
        {"stake_max": 0},
        {"stake_min": 5, "stake_max": 4},
        {"exposure_max": 299},
        {"exposure_max": 0},
        {"exposure_max": -1},
        {"stake_max": 501, "exposure_max": 500},
        {"stake_max": CHIPS_MAX + 1, "exposure_max": CHIPS_MAX + 1},
        {"exposure_max": CHIPS_MAX + 1},
        {"exposure_max": 2**80},
        {"abandoned_ms": -1},
    ],
    ids=str,
)
def test_limits_out_of_order_or_beyond_the_chip_bound_are_refused(limits):
    with pytest.raises(BadOptions):
        make_table(0, GAME, **limits)


@pytest.mark.parametrize(
    "limits",
    [{"stake_min": 1, "stake_max": 1, "exposure_max": 1}, {"stake_max": CHIPS_MAX, "exposure_max": CHIPS_MAX}],
    ids=str,
)
def test_limits_may_meet_each_other_and_the_chip_bound(limits):
    assert make_table(0, GAME, **limits).stake_max == limits["stake_max"]


WRONG_OPTIONS: list[Any] = [{"pay": 3}, {"pays": 0}, {"pays": 101}, {"pays": "35"}, {"pays": True}, 5, "x", []]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *((GAME, wrong) for wrong in WRONG_OPTIONS),
        (Plain(), {"decks": 8}),
    ],
)
def test_options_that_the_game_does_not_take_are_refused(game, options):
    for allow_overpay in (False, True):
        with pytest.raises(BadOptions):
            make_table(0, game, options, allow_overpay=allow_overpay)
    assert make_table(0, Plain()).options == NoOptions()


@pytest.mark.parametrize("options", [{"pays": 37}, {"pays": 100}, {"super_pays": 37}, {"pays": 37, "super_pays": 37}])
def test_a_table_that_overpays_is_refused_unless_the_operator_insists(options):
    with pytest.raises(BadOptions, match="straight"):
        make_table(0, GAME, options)
    assert make_table(0, GAME, options, allow_overpay=True).options == msgspec.convert(options, Pays)


def test_an_edge_of_nothing_is_allowed():
    """Fair is not overpaid: 36 to 1 on one of 37."""
    assert row("straight", 36).edge == 0
    assert make_table(0, GAME, {"pays": 36, "super_pays": 36}).options == Pays(36, 36)


# The default catalogue.


def house_games():
    games = [get_game(game_id) for game_id in list_games()]
    return {game.id: game for game in games if isinstance(game, HouseGame)}


def test_the_default_catalogue_has_one_table_a_house_game_under_its_code():
    catalogue = default_catalogue()
    games = house_games()
    assert {table.game_id for table in catalogue.values()} == set(games)
    for table_id, table in catalogue.items():
        game = games[table.game_id]
        assert table_id == table.id == int(game.game_type)
        assert (table.stake_min, table.stake_max) == game.stake_limits
        assert table.options == game.read_options(None)
    with pytest.raises(TypeError):
        catalogue[0] = None  # type: ignore[index]


def test_a_new_game_gets_a_table_in_the_default_catalogue(registered):
    """A package's game has a code of its own: our ten have all those of `GameType`."""
    assert {int(game.game_type) for game in house_games().values()} <= {int(code) for code in GameType}

    class Newcomer(Wheel):
        id, game_type = "probe-newcomer", 99  # type: ignore[assignment]

    registered(Newcomer())

    assert default_catalogue()[99] == make_table(99, Newcomer())


def at_table_6():
    """Return the game at the table with the code of roulette, None, or that the catalogue was refused."""
    default_catalogue.cache_clear()
    try:
        table = default_catalogue().get(6)
    except CroupierError as error:
        return f"refused: {error}"
    return table and table.game_id


def test_no_game_takes_the_table_of_another_silently(registered):
    """Two games with one code: the first keeps its table, or the operator hears of it."""

    class First(Wheel):
        id = "zz-first"

    class Second(Wheel):
        id = "zz-second"

    owner = at_table_6()
    registered(First())
    assert at_table_6() == (owner or "zz-first") or "zz-first" in str(at_table_6())
    owner = owner or "zz-first"
    registered(Second())
    assert at_table_6() == owner or str(at_table_6()).startswith("refused")


def test_a_house_game_without_a_code_has_the_table_that_its_name_hashes_to(registered):
    """SHA-256 of "croupier table of probe-plain", its first eight bytes in 256 to 65535; the others stay theirs."""
    before = dict(default_catalogue())
    default_catalogue.cache_clear()
    registered(Plain())
    number = 256 + int.from_bytes(sha256(b"croupier table of probe-plain").digest()[:8], "big") % (65536 - 256)
    found = dict(default_catalogue())
    assert found.pop(number).game_id == "probe-plain"
    assert found == before


def test_the_default_catalogue_is_used_where_none_is_given():
    state = MemoryState()
    assert execute(state, Instruction("ann", Register("Ann")), b"", 0)[0] == PlayerRegistered("ann", "Ann")
    (error,) = execute(state, Instruction("ann", StartGame(60_000, 0, 1)), b"", 0)
    assert getattr(error, "error_code", None) == 19
    check_ledger(state, thorough=True)
