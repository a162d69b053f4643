"""The casino: sessions of one player against the house, in which every chip is accounted for.

HouseGame          a game whose actions declare money on the turn (`take`, `settle`, `finish`)
Session            one player at one game: a match of it, with stake, seed and armed modifiers
GameResult         what a move did to the money, in seven variants; GameError, why it was not made, in five
execute            one instruction in, events out, over any store with `get` and `put`
Ledger             double entry for every chip

The founding document's modules are here too: `payload`, `cards` (`croupier.kit.cards`), `super_mode` (`supermode`),
`limits` (`catalogue`), `serialization` (`croupier.engine.plain`) and `logging` (`results`: each has its `logs`). Its
generator is `croupier.GameRng`, its games are in `croupier.games`. `open_session` makes a `GameSession`; its bet is
`stake`. A class with its `init` and `process_move` becomes a game by `hosted`; `croupier.draw_list` lists each draw of
a move and what it decided. What differs on purpose, and why, is on the page Conformance of the documents.
"""

import sys
import typing

from croupier.engine import plain as serialization
from croupier.house import catalogue as limits
from croupier.house import results as logging
from croupier.house import supermode as super_mode
from croupier.house.card_game import CardGame
from croupier.house.catalogue import Table, default_catalogue, make_table
from croupier.house.execute import MemoryState, execute
from croupier.house.game import GameType, HouseGame, HouseSetup, HouseState, HouseTurn, LitKind
from croupier.house.instructions import (
    CasinoError,
    CloseSession,
    Deposit,
    Event,
    GameMove,
    GameMoved,
    Instruction,
    PlayerAction,
    Register,
    StartGame,
    Together,
)
from croupier.house.ledger import Ledger, check_ledger
from croupier.house.modifiers import Modified, Player, apply_modifiers
from croupier.house.money import CHIPS_MAX, Line, Terms
from croupier.house.odds import OddsRow
from croupier.house.payload import BetCodes, bet_type, decode_payload, encode_payload
from croupier.house.plan import Plan
from croupier.house.results import (
    Continue,
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    GameResult,
    Loss,
    LossPreDeducted,
    LossWithExtraDeduction,
    Push,
    UnsettledResult,
    Win,
    game_result_delta,
)
from croupier.house.session import CasinoSession, Session, hosted, init_game, open_session, process_game_move, settle
from croupier.house.supermode import generate_super_multipliers, get_super_mode_fee
from croupier.house.table_game import TableGame, TableState
from croupier.house.table_round import TableSteps
from croupier.kit import cards
from croupier.rng import GameRng, Seed

# The document's names, of its modules too: `from croupier.house.super_mode import get_super_mode_fee`.
GameSession, CasinoGame = Session, HouseGame
_ALSO = {"cards": cards, "limits": limits, "logging": logging, "serialization": serialization, "super_mode": super_mode}
sys.modules.update({f"{__name__}.{name}": module for name, module in _ALSO.items()})

__all__ = [
    "CHIPS_MAX",
    "BetCodes",
    "CardGame",
    "CasinoError",
    "CasinoGame",
    "CasinoSession",
    "CloseSession",
    "Continue",
    "ContinueWithUpdate",
    "Deposit",
    "ErrorKind",
    "Event",
    "GameError",
    "GameMove",
    "GameMoved",
    "GameResult",
    "GameRng",
    "GameSession",
    "GameType",
    "HouseGame",
    "HouseSetup",
    "HouseState",
    "HouseTurn",
    "Instruction",
    "Ledger",
    "Line",
    "LitKind",
    "Loss",
    "LossPreDeducted",
    "LossWithExtraDeduction",
    "MemoryState",
    "Modified",
    "OddsRow",
    "Plan",
    "Player",
    "PlayerAction",
    "Push",
    "Register",
    "Seed",
    "Session",
    "StartGame",
    "Table",
    "TableGame",
    "TableState",
    "TableSteps",
    "Terms",
    "Together",
    "UnsettledResult",
    "Win",
    "apply_modifiers",
    "bet_type",
    "check_ledger",
    "decode_payload",
    "default_catalogue",
    "encode_payload",
    "execute",
    "game_result_delta",
    "generate_super_multipliers",
    "get_super_mode_fee",
    "hosted",
    "init_game",
    "make_table",
    "open_session",
    "process_game_move",
    "settle",
]

if not typing.TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Return one of the five classes of `GameError`."""
        if issubclass(found := getattr(GameError, name, object), GameError):
            return found
        raise AttributeError(f"croupier.house has no {name!r}")
