"""The casino's founding document: every type of game through the dispatch, impossible states, empty decks.

What else it says is tested in `tests/unit/house`; `conformance.toml` says where.
"""

from __future__ import annotations

import pickle
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import croupier.house
from croupier import GameRng, Match, MatchState, act, action, get_game, list_games
from croupier.engine import deserialize_match, serialize_match
from croupier.engine.legal import legal_actions
from croupier.errors import BadGame, InvalidState
from croupier.games.blackjack.game import BlackjackState, Hand
from croupier.games.roulette import Roulette
from croupier.house import (
    CasinoError,
    ErrorKind,
    GameError,
    GameMove,
    GameMoved,
    GameResult,
    GameSession,
    GameType,
    HouseGame,
    HouseSetup,
    HouseState,
    HouseTurn,
    Instruction,
    Ledger,
    MemoryState,
    Player,
    Register,
    Seed,
    Session,
    StartGame,
    apply_modifiers,
    check_ledger,
    encode_payload,
    execute,
    game_result_delta,
    generate_super_multipliers,
    get_super_mode_fee,
    init_game,
    open_session,
    process_game_move,
    settle,
)
from croupier.house.instructions import GameCompleted, GameStarted
from croupier.rng import SUPER_MOVE

SEED = bytes(32)
GAMES = {
    game.game_type: game
    for game in map(get_game, list_games())
    if isinstance(game, HouseGame) and type(game).__module__.startswith("croupier.games.")
}


def begun(game: HouseGame[Any], session_id: int = 1, options: Any = None) -> Session:
    stake = 100 if game.opens_with_stake else 0
    session = open_session(game, player="ann", session_id=session_id, stake=stake, seed=SEED, options=options)
    session, result = init_game(session, GameRng.new(SEED, session_id, 0))
    return settle(session, result)


@pytest.mark.parametrize("game_type", GameType)
def test_every_type_of_game_is_wired_and_plays_to_its_end(game_type: GameType) -> None:
    """The document's exhaustive match: a type without a game of its own fails here."""
    game = GAMES[game_type]
    session = begun(game)
    assert len(GAMES) == len(GameType) == 10
    assert (session.game_id, session.move_count, session.is_complete) == (game.id, 0, False)
    assert (session.id, session.player) == (1, "ann")

    for move in range(1, 400):
        assert session.match is not None
        if not game.opens_with_stake and move == 1:
            chosen = next(action for action in legal_actions(game, session.match) if action.type == "place")
        else:
            chosen = act("time_out")
        session, result = process_game_move(session, chosen)
        session = settle(session, result)
        if session.is_complete:
            break

    assert session.is_complete
    assert session.move_count == move
    with pytest.raises(GameError) as error:
        process_game_move(session, act("time_out"))
    assert error.value.kind is ErrorKind.GAME_ALREADY_COMPLETE


def with_state(session: Session, **changes: Any) -> Session:
    assert session.match is not None
    return replace(session, match=replace(session.match, game=replace(session.match.game, **changes)))


def dealt_blackjack(options: Any = None) -> Session:
    session = begun(GAMES[GameType.BLACKJACK], 3, options)
    session, result = process_game_move(session, act("deal"))
    session = settle(session, result)
    assert session.match is not None
    assert session.match.turn.phase == "play"
    return session


IMPOSSIBLE: dict[GameType, list[dict[str, Any]]] = {
    GameType.BLACKJACK: [{"dealer": (99,)}, {"dealer": (-1,)}, {"hands": (Hand(1, (0,) * 12),)}],
    GameType.BACCARAT: [{"player": (0,) * 5, "banker": (0,) * 4}, {"player": (52, 0)}],
    GameType.CASINO_WAR: [{"player": (3,) * 4, "dealer": (3,) * 3}],
    GameType.HI_LO: [{"cards": (52,)}],
    GameType.VIDEO_POKER: [{"dealt": (1, 1, 2, 3, 4)}, {"cards": (7, 7, 2, 3, 4)}],
    GameType.THREE_CARD: [{"player": (5, 6, 7), "dealer": (7, 8, 9)}],
    GameType.ULTIMATE_HOLDEM: [{"hole": (5, 6), "board": (6, 7, 8)}],
}


@pytest.mark.parametrize(
    ("game_type", "changes"), [(game_type, changes) for game_type, rows in IMPOSSIBLE.items() for changes in rows]
)
def test_cards_that_cannot_lie_there_are_an_invalid_state(game_type: GameType, changes: dict[str, Any]) -> None:
    game = GAMES[game_type]
    session = dealt_blackjack() if game_type is GameType.BLACKJACK else begun(game)
    broken = with_state(session, **changes)
    assert broken.match is not None

    with pytest.raises(GameError) as error:
        process_game_move(broken, act("time_out"))
    assert error.value.kind is ErrorKind.INVALID_STATE

    with pytest.raises(InvalidState, match="no play leads to this state"):
        deserialize_match(serialize_match(broken.match))


def test_every_card_game_says_where_its_cards_are() -> None:
    """A card game that is added without `card_fields` would be read with any cards at all."""
    with_cards = {game_type for game_type, game in GAMES.items() if game.category == "card"}

    assert with_cards == {game_type for game_type, game in GAMES.items() if game.card_fields} == set(IMPOSSIBLE)


def test_chips_from_nowhere_are_an_invalid_state() -> None:
    match = begun(GAMES[GameType.HI_LO]).match
    assert match is not None
    forged = replace(match, game=replace(match.game, money=replace(match.game.money, staked=7)))

    with pytest.raises(InvalidState, match="staked 7"):
        deserialize_match(serialize_match(forged))


def test_eight_aces_of_spades_can_lie_there_with_eight_decks() -> None:
    session = with_state(dealt_blackjack(), hands=(Hand(1, (0,) * 8),))
    assert session.match is not None

    assert deserialize_match(serialize_match(session.match)) == session.match


@pytest.mark.parametrize("left", [0, 1])
def test_a_shoe_wholly_in_hand_is_deck_exhausted(left: int) -> None:
    """One deck, whose cards are all on the table but for none or one: a split needs two."""
    session = dealt_blackjack({"decks": 1})
    assert session.match is not None
    rest = tuple(card for card in range(52) if card not in (0, 13))
    hands = (Hand(1, (0, 13)), Hand(2, rest[: 49 - left], "standing"))
    session = with_state(session, hands=hands, dealer=rest[49:], first=(0, 13))
    before = msgspec.json.encode(session.match)

    with pytest.raises(GameError) as error:
        process_game_move(session, act("split"))

    assert (error.value.kind, error.value.reason) == (ErrorKind.DECK_EXHAUSTED, "deck_exhausted")
    assert msgspec.json.encode(session.match) == before


def test_a_shoe_of_eight_decks_in_one_hand_is_deck_exhausted() -> None:
    shoe = tuple(card for card in range(52) for _ in range(8))
    session = with_state(dealt_blackjack(), hands=(Hand(1, shoe[1:]),), dealer=shoe[:1])

    with pytest.raises(GameError) as error:
        process_game_move(session, act("hit"))

    assert error.value.kind is ErrorKind.DECK_EXHAUSTED


class LastCards(HouseGame[HouseState]):
    """A game of an author's own that draws from a deck of two cards until none is left."""

    id, name = "last-cards", "Last Cards"
    game_type = GameType.HI_LO

    def setup(self, table: object) -> HouseState:
        assert isinstance(table, HouseSetup)
        table.take("main", table.stake, most=table.stake)
        return HouseState()

    @action(opcode=0)
    def draw(self, state: HouseState, turn: HouseTurn) -> HouseState:
        """Draw three cards."""
        deck = [4, 17]
        assert sorted((turn.draw_card(deck), turn.draw_card(deck))) == [4, 17]
        turn.draw_card(deck)
        return state


def test_an_empty_deck_of_an_author_is_deck_exhausted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.house.session.get_game", lambda game_id: LastCards())

    with pytest.raises(GameError) as error:
        process_game_move(begun(LastCards()), act("draw"))

    assert error.value.kind is ErrorKind.DECK_EXHAUSTED


@pytest.mark.parametrize(
    "name", ["InvalidPayload", "InvalidMove", "GameAlreadyComplete", "InvalidState", "DeckExhausted"]
)
def test_a_move_not_made_is_an_error_of_its_own_class(name: str) -> None:
    found = getattr(croupier.house, name)
    kind = ErrorKind[re.sub("(?<=[a-z])(?=[A-Z])", "_", name).upper()]
    error = pickle.loads(pickle.dumps(found("not now")))

    assert found is getattr(GameError, name)
    assert (type(error), error.kind, str(error), error.reason) == (found, kind, "not now", kind.name.lower())
    assert type(GameError(kind, "not now", "why")) is found
    assert GameError(kind, "not now", "why").reason == "why"
    with pytest.raises(AttributeError):
        getattr(croupier.house, "NoSuchThing")  # noqa: B009


def test_a_game_is_named_by_its_type_or_id_and_its_class_has_the_trait() -> None:
    for kind in GameType:
        session = open_session(kind, player="ann", session_id=7, seed=1)
        assert (session.game_type, session.session_id, session.state_blob) == (kind, 7, b"null")
        assert generate_super_multipliers(kind, bytes(32), 7) == generate_super_multipliers(
            GAMES[kind], GameRng.new(bytes(32), 7, SUPER_MOVE)
        )
    opened = open_session("roulette", player="ann", session_id=7, seed=1)
    session, result = Roulette.init(opened, GameRng.new(SEED, 7, 0))
    session, result = Roulette.process_move(settle(session, result), act("place", bet="red", stake=10))
    assert result == GameResult.ContinueWithUpdate(-10, ("ann: place bet=red stake=10",))  # type: ignore[attr-defined]
    assert b'"red"' in session.state_blob
    assert init_game(opened)[0].match == init_game(opened, GameRng.new(bytes.fromhex(opened.seed), 7, 0))[0].match
    assert open_session("three_card", player="ann", session_id=7, seed=1).game_id == "three-card-poker"
    with pytest.raises(BadGame):
        open_session("shut-the-box", player="ann", session_id=7, seed=1)
    with pytest.raises(BadGame, match="hosted"):
        type("Coin", (HouseGame,), {"process_move": None})
    with pytest.raises(TypeError):
        game_result_delta(None)  # type: ignore[arg-type]


def test_modifiers_are_told_as_a_pair_too() -> None:
    player, payout = apply_modifiers(Player("ann", active_double=True), payout=50)

    assert (player.doubles, payout, get_super_mode_fee(bet=100)) == (2, 100, 20)
    assert [get_super_mode_fee(bet) for bet in (5, 104)] == [1, 20]


def test_the_types_of_the_document_have_its_names() -> None:
    rng = GameRng.new(Seed(32), 1, 0)
    twin = rng.clone()
    buffer = bytearray(5)
    twin.fill_bytes(buffer)

    assert bytes(buffer) == rng.fill_bytes(5)
    assert rng == twin
    assert (GameSession, MatchState) == (Session, Match)
    assert HouseTurn.draw_card is HouseSetup.draw_card
    assert BlackjackState().seen == ()


def test_instructions_start_a_session_move_it_book_its_result_and_are_told_as_events() -> None:
    state, roulette = MemoryState(), GAMES[GameType.ROULETTE]
    red = encode_payload(roulette, act("place", bet="red", stake=100))
    spin = encode_payload(roulette, act("spin"))

    def ask(body: Any) -> list[Any]:
        events = list(execute(state, Instruction("ann", body), SEED, 0))
        check_ledger(state, thorough=True)
        return events

    ask(Register("Ann"))
    (started, *_) = ask(StartGame(int(GameType.ROULETTE), 0, 1))
    (moved, *_) = ask(GameMove(1, red))
    (spun, *_, completed) = ask(GameMove(1, spin))
    (refused,) = ask(GameMove(1, spin))

    kinds = [GameStarted, GameMoved, GameMoved, GameCompleted, CasinoError]
    assert [type(event) for event in (started, moved, spun, completed, refused)] == kinds
    assert spun.logs[0].startswith("the ball falls into")
    assert spun.view.game.pockets == (GameRng.new(SEED, 1, 2).spin_roulette(),)
    assert moved.balances.chips == 900
    assert completed.balances.chips == 1000 + completed.net == Ledger(state).balance("player/ann")
    assert refused.error_code == ErrorKind.GAME_ALREADY_COMPLETE.value
