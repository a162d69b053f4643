"""The genesis document of a chain: who validates, the beacon's public keys, the operators, the first constants.

It is the `app_state` of CometBFT's genesis file. The constants are also kept in the state, where an upgrade replaces
them as a whole; most describe the software, and a node whose software differs does not take part.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from croupier.chain import limits
from croupier.chain.beacon import BeaconKeys, check_keys, deal, threshold_of
from croupier.chain.errors import BadGenesis, BadShare, ChainFault
from croupier.chain.transactions import Sender
from croupier.engine import get_game
from croupier.engine.plain import canonical
from croupier.errors import BadOptions, UnknownGame
from croupier.fairness.seeds import join
from croupier.house import HouseGame, Table, default_catalogue, get_super_mode_fee, make_table
from croupier.house.execute import DEPOSIT_MAX
from croupier.house.modifiers import CHIPS_AT_FIRST, DOUBLES_AT_FIRST, SHIELDS_AT_FIRST

Key32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Key96 = Annotated[str, Meta(pattern="^[0-9a-f]{192}$")]
Count = Annotated[int, Meta(ge=0, le=2**53)]
CHOSEN = {"tables", "transactions_max", "transactions_per_account_max"}
"""The constants that operators choose; the others describe the software."""


class TableTerms(Struct, frozen=True, forbid_unknown_fields=True):
    """One table of the catalogue, its options as plain JSON."""

    id: Annotated[int, Meta(ge=0, le=65535)]
    game_id: Annotated[str, Meta(min_length=1, max_length=64)]
    options: Any
    stake_min: Count
    stake_max: Count
    exposure_max: Count
    super_allowed: bool
    abandoned_ms: Count


class Params(Struct, frozen=True, forbid_unknown_fields=True):
    """The protocol's constants. They change at an upgrade height and at no other time."""

    tables: Annotated[tuple[TableTerms, ...], Meta(max_length=limits.TABLES_MAX)]
    rules_versions: Annotated[dict[str, Count], Meta(max_length=limits.TABLES_MAX)]
    super_fee_percent: Count
    chips_at_first: Count
    shields_at_first: Count
    doubles_at_first: Count
    deposit_max: Count
    transactions_max: Annotated[int, Meta(ge=2, le=limits.TRANSACTIONS_MAX)]
    transactions_per_account_max: Annotated[int, Meta(ge=1, le=limits.TRANSACTIONS_PER_ACCOUNT_MAX)]


def address_of(key: bytes) -> bytes:
    """Return how CometBFT names a key: the first 20 bytes of its SHA-256."""
    return sha256(key).digest()[:20]


class ValidatorKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """A validator's public keys: for votes, and for its share of the beacon."""

    vote_key: Key32
    share_key: Key96

    @property
    def address(self) -> bytes:
        """Address by which consensus names the validator."""
        return address_of(bytes.fromhex(self.vote_key))


class Genesis(Struct, frozen=True, forbid_unknown_fields=True):
    """Genesis document: what a chain begins with."""

    group_key: Key96
    validators: Annotated[tuple[ValidatorKeys, ...], Meta(min_length=1, max_length=limits.VALIDATORS_MAX)]
    set_digest: Key32
    operators: Annotated[tuple[Key32, ...], Meta(max_length=limits.OPERATORS_MAX)]
    quorum: Annotated[int, Meta(ge=1, le=limits.OPERATORS_MAX)]
    params: Params

    @property
    def keys(self) -> BeaconKeys:
        """The beacon's public keys."""
        shares = tuple(bytes.fromhex(validator.share_key) for validator in self.validators)
        return BeaconKeys(bytes.fromhex(self.group_key), shares)


def set_digest(group_key: str, validators: tuple[ValidatorKeys, ...]) -> str:
    """Return the digest of a set of validators and the beacon's keys."""
    parts = [bytes.fromhex(key) for each in validators for key in (each.vote_key, each.share_key)]
    return sha256(join(b"croupier/validators/1", bytes.fromhex(group_key), *parts)).hexdigest()


def make_genesis(
    keys: BeaconKeys, vote_keys: tuple[bytes, ...], operators: tuple[str, ...], quorum: int, params: Params
) -> Genesis:
    """Return a genesis document, its digest worked out."""
    pairs = zip(vote_keys, keys.shares, strict=True)
    validators = tuple(ValidatorKeys(vote.hex(), share.hex()) for vote, share in pairs)
    group = keys.group.hex()
    return Genesis(group, validators, set_digest(group, validators), operators, quorum, params)


class NetworkKeys(Struct, frozen=True):
    """The keys of a whole network, made by a dealer: for simulation and demonstration."""

    chain_id: str
    genesis: Genesis
    shares: tuple[bytes, ...]
    votes: tuple[bytes, ...]
    operator: bytes


def make_network_keys(chain_id: str, count: int, entropy: bytes) -> NetworkKeys:
    """Return keys for so many validators and one operator, all from one secret."""
    if not 1 <= count <= limits.VALIDATORS_MAX:
        raise BadGenesis(f"a network has 1 to {limits.VALIDATORS_MAX} validators, not {count}")

    def derive(*what: object) -> bytes:
        return sha256(entropy + canonical([str(each) for each in what])).digest()

    keys, shares = deal([derive("coefficient", i) for i in range(threshold_of(count))], count)
    votes = tuple(derive("vote", i) for i in range(count))
    operator = derive("operator")
    publics = tuple(Sender(vote).public for vote in votes)
    genesis = make_genesis(keys, publics, (Sender(operator).id,), 1, default_params())
    return NetworkKeys(chain_id, genesis, shares, votes, operator)


@lru_cache(maxsize=4)
def read_genesis(data: bytes, chain_id: str) -> Genesis:
    """Return the genesis document in these bytes, checked, or raise `BadGenesis`."""
    if not 1 <= len(chain_id.encode()) <= limits.CHAIN_ID_BYTES_MAX:
        raise BadGenesis(f"a chain id has 1 to {limits.CHAIN_ID_BYTES_MAX} bytes")
    if len(data) > limits.GENESIS_BYTES_MAX:
        raise BadGenesis(f"a genesis document of {len(data)} bytes; at most {limits.GENESIS_BYTES_MAX}")
    try:
        genesis = msgspec.json.decode(data, type=Genesis)
        check_keys(genesis.keys)
    except (msgspec.MsgspecError, ValueError, RecursionError, BadShare) as error:
        raise BadGenesis(f"this is no genesis document: {error}") from None
    if genesis.set_digest != set_digest(genesis.group_key, genesis.validators):
        raise BadGenesis("the digest is not that of the validators")
    for what, keys in (
        ("validator", [each.vote_key for each in genesis.validators]),
        ("share", [each.share_key for each in genesis.validators]),
        ("operator", list(genesis.operators)),
    ):
        if len(set(keys)) != len(keys):
            raise BadGenesis(f"one {what} key stands twice")
    if genesis.operators and genesis.quorum > len(genesis.operators):
        raise BadGenesis(f"a quorum of {genesis.quorum} among {len(genesis.operators)} operators")
    read_params(canonical(genesis.params))
    return genesis


def read_params(data: bytes) -> Params:
    """Return constants from their canonical JSON, or raise `BadGenesis`."""
    if len(data) > limits.UPGRADE_BYTES_MAX:
        raise BadGenesis(f"constants of {len(data)} bytes; at most {limits.UPGRADE_BYTES_MAX}")
    try:
        params = msgspec.json.decode(data, type=Params)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadGenesis(f"these are no constants: {error}") from None
    if canonical(params) != data:
        raise BadGenesis("constants are written as canonical JSON")
    ids = [table.id for table in params.tables]
    if len(set(ids)) != len(ids):
        raise BadGenesis("two tables have one id")
    return params


def default_params() -> Params:
    """Return the constants of this software with the usual catalogue."""
    tables = tuple(_terms(table) for _, table in sorted(default_catalogue(trusts_own=True).items()))
    return _params_of(tables)


def _params_of(tables: tuple[TableTerms, ...]) -> Params:
    return Params(
        tables=tables,
        rules_versions={game: get_game(game).rules_version for game in sorted({table.game_id for table in tables})},
        super_fee_percent=get_super_mode_fee(100),
        chips_at_first=CHIPS_AT_FIRST,
        shields_at_first=SHIELDS_AT_FIRST,
        doubles_at_first=DOUBLES_AT_FIRST,
        deposit_max=DEPOSIT_MAX,
        transactions_max=limits.TRANSACTIONS_MAX,
        transactions_per_account_max=limits.TRANSACTIONS_PER_ACCOUNT_MAX,
    )


def _terms(table: Table) -> TableTerms:
    values = {name: getattr(table, name) for name in TableTerms.__struct_fields__}
    return TableTerms(**{**values, "options": msgspec.to_builtins(table.options)})


def check_software(params: Params) -> None:
    """Raise `ChainFault` unless this software is what the constants describe."""
    try:
        own = _params_of(params.tables)
    except UnknownGame as error:
        raise ChainFault(f"the chain plays a game that is not installed here: {error}") from None
    for name in Params.__struct_fields__:
        if name not in CHOSEN and getattr(own, name) != getattr(params, name):
            text = f"the chain has {name} {getattr(params, name)}, this software {getattr(own, name)}"
            raise ChainFault(f"{text}: install the release that the chain runs")


def catalogue_of(params: Params) -> Mapping[int, Table]:
    """Return the tables of the constants, or raise `BadGenesis` where a game does not take its options."""
    return _catalogue(canonical(params.tables))


@lru_cache(maxsize=8)
def _catalogue(tables: bytes) -> Mapping[int, Table]:
    made = {}
    for terms in msgspec.json.decode(tables, type=tuple[TableTerms, ...]):
        names = ("stake_min", "stake_max", "exposure_max", "super_allowed", "abandoned_ms")
        bounds = {name: getattr(terms, name) for name in names}
        try:
            game = get_game(terms.game_id)
            if not isinstance(game, HouseGame):
                raise BadGenesis(f"{terms.game_id} is not a house game")
            # The operators answer for an overpaying table; counting every edge here would take seconds.
            made[terms.id] = make_table(terms.id, game, terms.options, allow_overpay=True, **bounds)
        except (BadOptions, UnknownGame) as error:
            raise BadGenesis(f"table {terms.id}: {error}") from None
    return made
