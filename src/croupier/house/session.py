"""Sessions: one player, one game, one match of it; bytes in, a result out.

session = open_session(game, player="ann", session_id=7, stake=100, seed=seed)
session, result = init_game(session, GameRng.new(seed, 7, 0))
session = settle(session, result)
session, result = process_game_move(session, payload, GameRng.new(seed, 7, 1))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import astuple, replace

from croupier.engine import Action, Match, Setup, Turn, act, action, apply_action, create_match, get_game, refuse
from croupier.engine.plain import canonical
from croupier.engine.turn import Refusal
from croupier.errors import DeckExhausted, GameFault
from croupier.house.game import GameType, HouseGame, HouseSetup, HouseState, HouseTurn, house_game
from croupier.house.money import Cover, Money, Terms
from croupier.house.payload import decode_payload
from croupier.house.results import (
    AnyResult,
    Continue,
    ContinueWithUpdate,
    ErrorKind,
    GameError,
    GameResult,
    Push,
    UnsettledResult,
    Win,
    game_result_delta,
    result_of,
)
from croupier.rng import GameRng, seed_bytes


class Session(Struct, frozen=True):
    """A session: who plays what for how much, and its match once `init_game` has dealt it. `open_session` makes one."""

    id: int
    player: str
    game_id: str
    stake: int
    seed: str
    options: Any = None
    super_mode: bool = False
    shield: bool = False
    """Whether a shield was armed for it when it started."""
    double: bool = False
    match: Match[Any] | None = None
    unsettled: AnyResult | None = None
    started_at: int = 0
    table: int = 0
    reserved: bool = False
    """Whether its shield and double were taken out of the player's pools until it ends; older sessions took none."""

    @property
    def is_complete(self) -> bool:
        """Whether it is over."""
        return self.match is not None and self.match.status == "finished"

    @property
    def move_count(self) -> int:
        """Count of accepted moves."""
        return 0 if self.match is None else self.match.version

    session_id = property(lambda session: session.id, doc="Its number.")
    game_type = property(lambda session: game_of(session).game_type, doc="Which of the ten games; None for another.")
    state_blob = property(lambda session: canonical(session.match and session.match.game), doc="Its state as bytes.")

    @property
    def money(self) -> Money:
        """Its accounts so far."""
        return Money() if self.match is None else self.match.game.money


def game_of(session: Session) -> HouseGame[Any]:
    """Return the game a session is a session of."""
    game = get_game(session.game_id)
    return game if isinstance(game, HouseGame) else house_game(session.game_id)


def open_session(
    game: HouseGame[Any] | GameType | str,
    *,
    player: str,
    session_id: int,
    stake: int = 0,
    seed: bytes | int | str,
    options: Any = None,
    super_mode: bool = False,
) -> Session:
    """Return a session that has not been dealt yet; the game may be given by its type or its id."""
    game = house_game(game)
    return Session(session_id, player, game.id, stake, seed_bytes(seed).hex(), game.read_options(options), super_mode)


def init_game(session: Session, rng: GameRng | None = None, cover: Cover | None = None) -> tuple[Session, GameResult]:
    """Return the session with its match begun, and the result of that. Raises `GameError` where it cannot begin.

    Without a stream it is that of move 0 under the session's own seed.
    """
    dealt, result = deal(session, rng, cover)
    return replace(dealt, unsettled=result), result


def deal(session: Session, rng: GameRng | None, cover: Cover | None = None) -> tuple[Session, GameResult]:
    """Return what `init_game` returns, for a caller that settles the result at once."""
    game = game_of(session)
    if session.match is not None:
        raise GameError(ErrorKind.INVALID_MOVE, f"session {session.id} has begun already")
    try:
        match = create_match(
            game,
            [session.player],
            seed=bytes.fromhex(session.seed),
            session_id=session.id,
            options=session.options,
            rng=rng,
            host=Terms(session.stake, session.super_mode, cover),
        )
    except Refusal as no:
        raise GameError.of_code(no.code, no.sentence) from None
    except GameFault as fault:
        raise _broken(fault) from fault
    money, logs = match.game.money, getattr(match.game, "logs", ())
    result = result_of(Money(opening=money.opening, staked=money.opening), money, logs)
    return replace(session, match=match), result


def process_game_move(
    session: Session,
    payload: bytes | Action,
    rng: GameRng | None = None,
    *,
    seed: bytes | None = None,
    cover: Cover | None = None,
    now: int | None = None,
) -> tuple[Session, GameResult]:
    """Return the session after a move, and what the move did to the money. Raises `GameError`; then nothing changed.

    The payload is the bytes of the move, or the action itself. The stream is the given one, else that of the move
    number under `seed` or the session's own seed.
    """
    if session.unsettled is not None:
        raise UnsettledResult(f"settle {session.unsettled} of session {session.id} before the next move")
    action = decode_payload(game_of(session), payload) if isinstance(payload, bytes) else payload
    moved, result, _ = make_move(session, action, rng, seed=seed, cover=cover, now=now)
    return replace(moved, unsettled=result), result


def make_move(
    session: Session,
    action: Action,
    rng: GameRng | None = None,
    *,
    seed: bytes | None = None,
    cover: Cover | None = None,
    now: int | None = None,
) -> tuple[Session, GameResult, Action]:
    """Return the session after an action, its result, which the caller settles at once, and the action as logged."""
    game = game_of(session)
    if session.match is None:
        raise GameError(ErrorKind.INVALID_STATE, f"session {session.id} has not begun")
    if problem := game.card_problem(session.match.game, session.match.options):
        raise GameError(ErrorKind.INVALID_STATE, f"no play leads to this state of {game.id}: {problem}")
    before = session.money
    try:
        answer = apply_action(game, session.match, action, rng=rng, seed=seed, now=now, host=cover)
    except GameFault as fault:
        raise _broken(fault) from fault
    if not answer.ok:
        raise GameError.of(answer)
    after = answer.state.game.money
    if answer.state.status == "finished":
        if after.open:
            text = f"{game.id}: the session ended with chips on {[stake.bet for stake in after.open]}"
            raise GameError(ErrorKind.INVALID_STATE, text, GameFault.code)
        after = replace(after, finished=True)  # also where the player left
    # A hosted class tells what it did; any other game is told by its words for the action.
    logs = getattr(answer.state.game, "logs", ()) or (game.describe(answer.action, session.match, answer.state),)
    result = result_of(before, after, logs)
    return replace(session, match=answer.state), result, answer.action


def _broken(fault: GameFault) -> GameError:
    """Return the error for a move that broke off: the cards ran out, or else the state is not one to play on."""
    if isinstance(fault.__cause__, DeckExhausted):
        return GameError(ErrorKind.DECK_EXHAUSTED, str(fault.__cause__))
    return GameError(ErrorKind.INVALID_STATE, str(fault), fault.code)


def settle(session: Session, result: GameResult) -> Session:
    """Return the session with its result dealt with: the chips it speaks of have moved."""
    if session.unsettled is None or session.unsettled != result:
        raise UnsettledResult(f"session {session.id} has no such result to settle: {result}")
    return replace(session, unsettled=None)


# Hosting a class that has the founding document's trait: `init` and `process_move` over a session that they change.

Payload = Annotated[tuple[Annotated[int, Meta(ge=0, le=255)], ...], Meta(max_length=250)]


class CasinoSession(Struct):
    """The session that `init` and `process_move` see, and whose `state_blob` they change."""

    bet: int
    state_blob: bytes
    session_id: int
    move_count: int


class _HostedState(HouseState, frozen=True):
    blob: str = ""
    logs: tuple[str, ...] = ()


class _Hosted(HouseGame[_HostedState]):
    trait: ClassVar[Any]
    most: ClassVar[int]

    def setup(self, table: HouseSetup) -> _HostedState:  # type: ignore[override]
        table.take("main", table.stake, most=self.most * table.stake)
        result, state = self._ask("init", table, _HostedState(stake=table.stake), table.rng)
        assert isinstance(result, Continue), "init decides nothing: return Continue, and decide in the first move"
        return state

    @action(opcode=0)
    def move(self, state: _HostedState, turn: HouseTurn, payload: Payload) -> _HostedState:
        """Send the bytes of a move."""
        if more := self._ask("stake_of", turn, state, bytes(payload))[0] or 0:
            turn.take(f"move:{turn._rng_state.move_number}", more, most=self.most * more)
        result, state = self._ask("process_move", turn, state, bytes(payload), turn.rng)
        over, won = not isinstance(result, Continue | ContinueWithUpdate), isinstance(result, Win | Push)
        if (returned := game_result_delta(result) + more) < 0 or (returned and (not turn.stakes or over != won)):
            why = "hands back chips that stake_of named" if over != won else "pays, but no bet is open"
            raise GameFault(f"{result} {why if returned > 0 else 'takes chips that stake_of did not name first'}")
        for laid in turn.stakes if over else turn.stakes[:1] if returned else ():
            turn.settle(laid.bet, part := returned if laid == turn.stakes[-1] or not over else min(returned, laid.most))
            returned -= part
        if over:
            turn.finish()
        return state

    def legal(self, state: _HostedState, turn: Turn) -> Iterator[Action]:
        return (act("move", payload=list(data)) for data in self._ask("moves", turn, state)[0])

    def _ask(self, name: str, at: Setup | Turn, state: _HostedState, *given: Any) -> tuple[Any, _HostedState]:
        session = CasinoSession(state.stake, bytes.fromhex(state.blob), *astuple(at._rng_state)[1:])
        try:
            answer = getattr(self.trait, name, lambda *_: ())(session, *given)
        except GameError as error:
            refuse(error.kind.name.lower().replace("game_already_complete", "finished"), str(error))
        return answer, replace(state, blob=session.state_blob.hex(), logs=tuple(getattr(answer, "logs", ())))


def hosted(trait: Any, **about: Any) -> HouseGame[Any]:
    """Return a class with `init` and `process_move` as a game with this `id`, `name`, and `most` that a chip returns.

    Its `moves(session)` lists payloads for bots, `stake_of(session, payload)` tells before the draw what a move adds
    to the bet. Refusals are raised, as `GameError`. Once `croupier.engine.register_game` knows the game, sessions open.
    """
    return type(trait.__name__, (_Hosted,), {"trait": trait, "raw_action": "move", **about})()  # type: ignore[no-any-return]
