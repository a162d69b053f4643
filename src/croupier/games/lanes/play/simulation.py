"""`GameState`: a whole game between two decks, moved on step by step.

>>> from croupier.games.lanes.cards.card_set import own_cards, own_decks
>>> light, ruin = (deck.cards for deck in own_decks()[:2])
>>> state = GameState.new(light, ruin, cards=own_cards(), seed=1)
>>> state.turn, state.side_to_act, len(state.player_hand), state.player_deck.cards_remaining()
(1, 'Y', 5, 10)

A state is a thin shell around one value that cannot change: `clone` copies a reference, and whatever a step does, it
puts another value in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from hashlib import sha256
from typing import Any

from msgspec import Struct, json, to_builtins
from msgspec.structs import replace

from croupier.engine.plain import canonical, shown
from croupier.errors import BadOptions
from croupier.fairness import derive
from croupier.games.lanes.cards.card_set import CardHydrator, CardSet, own_cards
from croupier.games.lanes.cards.decks import Deck, DeckValue, Hand, read_ids, read_seed, read_slots, stream_of
from croupier.games.lanes.cards.types import Card
from croupier.games.lanes.errors import (
    DeckError,
    GameOverError,
    HandIndexError,
    IllegalPlacement,
    PhaseError,
    WrongSide,
)
from croupier.games.lanes.play.board import BoardState
from croupier.games.lanes.play.legality import list_moves, placement_problem, read_tile_number
from croupier.games.lanes.play.position import (
    SIDES,
    Side,
    deck_of,
    empty_cells,
    hand_of,
    put_deck,
    put_hand,
    rules_of,
    side_number,
)
from croupier.games.lanes.play.profiles import Rules
from croupier.games.lanes.play.public_events import Noted, read_event, recorded
from croupier.games.lanes.play.scores import MatchScore, score_of
from croupier.games.lanes.rules import layout
from croupier.games.lanes.rules.playouts import PASS_MOVE
from croupier.games.lanes.rules.turns import begin_turn, draw, end_turn, mulligan, pass_turn, play
from croupier.rng import StreamRandom


class Move(Struct, frozen=True, order=True):
    """A card of the hand on a tile, all counted from 0; or `PASS`, for which `pass_turn` is called."""

    hand_index: int
    lane: int
    col: int

    @property
    def is_pass(self) -> bool:
        """Whether it is to pass."""
        return self.hand_index < 0

    @property
    def number(self) -> int:
        """The move as `rules.playouts` counts it."""
        return PASS_MOVE if self.is_pass else 16 * self.hand_index + layout.COLUMN_COUNT * self.lane + self.col

    @classmethod
    def of(cls, number: int) -> Move:
        """Return the move that has this number."""
        return PASS if number == PASS_MOVE else cls(number >> 4, *divmod(number & 15, layout.COLUMN_COUNT))


PASS = Move(-1, -1, -1)


def deck_seed(seed: bytes, side: Side) -> int:
    """Return the seed of a side's deck in a game that is dealt from these bytes: 256 bits."""
    return int.from_bytes(derive(seed, f"deck/{side}"), "big")


class _Value(Struct, frozen=True):
    """All that a game is. The cells hold the board, hands, decks and turn; the rest is what they cannot."""

    cells: tuple[int, ...]
    decks: tuple[tuple[tuple[str, ...], int], tuple[tuple[str, ...], int]]
    """The list and the seed of each deck."""
    seed: int
    events: tuple[tuple[int, int, Noted | dict[str, Any]], ...]
    """Turn, side, and what happened: as the rules noted it, or in words."""


class GameState:
    """A game in progress. Everything that can be asked of it is checked first, and an error changes nothing."""

    def __init__(
        self,
        player_deck: Deck,
        enemy_deck: Deck,
        hydrator: CardHydrator | None = None,
        *,
        rules: Rules | None = None,
        seed: int | bytes | str | None = None,
        player_hand: Hand | Sequence[str] | None = None,
        enemy_hand: Hand | Sequence[str] | None = None,
        board: BoardState | None = None,
        first_side: Side = "Y",
    ) -> None:
        """Begin a game: both sides draw five cards, or get the hands given, which are taken out of their decks.

        The decks are copied. One that was made without a seed gets its order from the game's seed.
        """
        self.hydrator = CardHydrator() if hydrator is None else hydrator
        self.cards: CardSet = self.hydrator.cards
        self._has_passed = False  # whether the last thing done was to pass, which has ended its turn
        first = side_number(first_side)
        cells = self._begin(rules, board, first)
        number = read_seed(seed)
        own = [deck_seed(str(number).encode(), side) >> 192 for side in SIDES]
        decks = [
            deck.value if deck.is_seeded else Deck(deck.card_ids, own[side]).value
            for side, deck in enumerate((player_deck, enemy_deck))
        ]
        for side, (deck, hand) in enumerate(zip(decks, (player_hand, enemy_hand), strict=True)):
            self._deal(cells, side, deck, hand.as_card_ids() if isinstance(hand, Hand) else hand)
        self._rng = stream_of(number, "game")
        start = {"type": "start", "first_side": first_side, "seed": number, "rules": to_builtins(rules_of(cells))}
        self._value = _Value(
            cells=tuple(cells),
            decks=((decks[0].card_ids, decks[0].seed), (decks[1].card_ids, decks[1].seed)),
            seed=number,
            events=((1, first, start),),
        )

    @classmethod
    def new(
        cls,
        player_ids: Sequence[str],
        enemy_ids: Sequence[str],
        *,
        cards: CardSet | None = None,
        rules: Rules | None = None,
        seed: int | bytes | str | None = None,
        first_side: Side = "Y",
    ) -> GameState:
        """Return a new game between two lists of fifteen cards. Both orders follow from the seed.

        The decks get seeds of 64 bits, enough for a simulation. Where a hidden deal must not be guessed, as in a match,
        give decks the whole of `deck_seed`.
        """
        hydrator = CardHydrator(own_cards() if cards is None else cards)
        return cls(Deck(player_ids), Deck(enemy_ids), hydrator, rules=rules, seed=seed, first_side=first_side)

    def _begin(self, rules: Rules | None, board: BoardState | None, first_side: int) -> list[int]:
        if board is None:
            return empty_cells(rules or Rules.seed(), first_side)
        if board.cards is not self.cards:
            raise BadOptions("the board is set up with another card set than the hands")
        if rules not in (None, board.rules):
            raise BadOptions("the board is set up under other rules than the game")
        given = board.cells
        cells = empty_cells(board.rules, first_side)
        cells[layout.NEXT_UID] = given[layout.NEXT_UID]
        cells[layout.UNSETTLED : layout.HAND_COUNT] = given[layout.UNSETTLED : layout.HAND_COUNT]
        cells[layout.TILES : layout.DECKS] = given[layout.TILES : layout.DECKS]
        if cells[layout.CARDS_OF] | cells[layout.CARDS_OF + 1] == layout.ALL_TILES:
            cells[layout.OVER] = layout.BOARD_FULL
        return cells

    def _deal(self, cells: list[int], side: int, deck: DeckValue, hand_ids: Sequence[str] | None) -> None:
        left = list(deck.left)
        hand = [] if hand_ids is None else list(read_ids(hand_ids))
        for card_id in hand:
            if card_id not in left:
                raise DeckError(f"{shown(card_id)} is not in the deck of {SIDES[side]}, or not so often")
            left.remove(card_id)
        put_deck(cells, self.cards, side, left)
        put_hand(cells, self.cards, side, [2 * self.cards.number(card_id) for card_id in hand])
        if hand_ids is None:
            for _ in range(layout.OPENING_HAND):
                draw(cells, None, side)

    # Looking.

    @property
    def cells(self) -> list[int]:
        """The row that the rules work on, as a list of its own."""
        return list(self._value.cells)

    @property
    def board(self) -> BoardState:
        """The board of this game. What is done to it is done to the game."""
        return _GameBoard(self)

    @property
    def player_hand(self) -> Hand:
        """The hand of Y in this game."""
        return _GameHand(self, 0)

    @property
    def enemy_hand(self) -> Hand:
        """The hand of E in this game."""
        return _GameHand(self, 1)

    @property
    def player_deck(self) -> Deck:
        """The deck of Y in this game."""
        return _GameDeck(self, 0)

    @property
    def enemy_deck(self) -> Deck:
        """The deck of E in this game."""
        return _GameDeck(self, 1)

    @property
    def turn(self) -> int:
        """Which turn it is: each side's turn counts, from 1."""
        return self._value.cells[layout.TURN]

    @property
    def side_to_act(self) -> Side:
        """The side whose turn it is."""
        return SIDES[self._value.cells[layout.SIDE]]

    @property
    def consecutive_passes(self) -> int:
        """Count of passes in a row."""
        return self._value.cells[layout.PASSES]

    @property
    def seed(self) -> int:
        """Seed that this game follows from, besides what the sides do and the seeds of decks that had their own."""
        return self._value.seed

    @property
    def rng(self) -> StreamRandom:
        """The game's own stream as a `random.Random`, for whoever adds something to it. No rule draws from it."""
        return self._rng.as_random()

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return rules_of(self._value.cells)

    @property
    def events(self) -> list[dict[str, Any]]:
        """Events so far, in order, as dicts of their own."""
        return [
            {"n": n, "turn": turn, "side": SIDES[side]}
            | (deepcopy(event) if isinstance(event, dict) else read_event(event, self.cards))
            for n, (turn, side, event) in enumerate(self._value.events, 1)
        ]

    def is_game_over(self) -> bool:
        """Tell whether two passes in a row or a full board have ended the game."""
        return self._value.cells[layout.OVER] != layout.NOT_OVER

    def score(self) -> MatchScore:
        """Return how the game stands, over or not."""
        return score_of(self._value.cells, self.cards.tables)

    def legal_moves(self, side: Side | None = None) -> list[Move]:
        """Return every move of a side (of whose turn it is, unless named): by hand, then by tile, passing last.

        There are none when the game is over or the side whose turn it is has acted.
        """
        cells = self.cells
        number = cells[layout.SIDE] if side is None else side_number(side)
        if cells[layout.OVER] or (number == cells[layout.SIDE] and cells[layout.ACTED]):
            return []
        return [Move.of(move) for move in list_moves(cells, self.cards.tables, number)]

    def state_hash(self) -> str:
        """Return the SHA-256 of everything that decides how the game goes on, in hex."""
        value, cells = self._value, self._value.cells
        facts = {
            "board": [to_builtins(tile) for tile in self.board.tiles()],
            "hands": [self.player_hand.as_card_ids(), self.enemy_hand.as_card_ids()],
            "decks": [to_builtins(self.player_deck.value), to_builtins(self.enemy_deck.value)],
            "turn": [cells[layout.TURN], SIDES[cells[layout.SIDE]], cells[layout.DREW], cells[layout.ACTED]],
            "passes": cells[layout.PASSES],
            "over": cells[layout.OVER],
            "mulligans": cells[layout.MULLIGANED],
            "next_uid": cells[layout.NEXT_UID],
            "rng": [self._rng.state().hex(), self._rng.index],
            "seed": str(value.seed),
            "rules": to_builtins(self.rules),
        }
        return sha256(canonical(facts)).hexdigest()

    def clone(self) -> GameState:
        """Return a game of its own that stands where this one does. The value cannot change, so both may hold it."""
        twin = GameState.__new__(GameState)
        twin.hydrator = self.hydrator
        twin.cards = self.cards
        twin._rng = self._rng.copy()
        twin._has_passed = self._has_passed
        twin._value = self._value
        return twin

    __copy__ = clone
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Tell whether both go on alike."""
        return isinstance(other, GameState) and self.state_hash() == other.state_hash()

    def __deepcopy__(self, memo: dict[int, Any]) -> GameState:
        return self.clone()

    # Acting.

    def mulligan(self, side: Side, indices_to_replace: Sequence[int]) -> None:
        """Replace cards of a side's opening hand, once, before the side has drawn or acted."""
        number = side_number(side)
        cells = self.cells
        self._check_on(cells)
        if cells[layout.MULLIGANED] >> number & 1:
            raise PhaseError(f"{side} has had its mulligan, or has begun to play")
        slots = read_slots(indices_to_replace, cells[layout.HAND_COUNT + number])
        mulligan(cells, stream_of(self._value.decks[number][1], "mulligan"), number, slots, [0] * layout.DECK_SIZE)
        self._keep(cells, [{"type": "mulligan", "owner": side, "indices": sorted(indices_to_replace)}])

    def draw_start_of_turn(self) -> Card | None:
        """Make the draw that begins a turn and return the card; None in a side's first turn, or from an empty deck."""
        cells = self._value.cells
        self._check_on(cells)
        if cells[layout.DREW] or cells[layout.ACTED]:
            raise PhaseError("the draw of this turn is over")
        side = cells[layout.SIDE]
        before = len(hand_of(cells, side))
        self._step(begin_turn)
        hand = hand_of(self._value.cells, side)
        return self.cards.cards[hand[-1] >> 1] if len(hand) > before else None

    def play_card_from_hand(self, side: Side, hand_index: int, lane: int, col: int) -> None:
        """Play a card from the hand on a tile, counted from 0, drawn before or not. The turn ends with `end_turn`."""
        number = side_number(side)
        cells = self.cells
        self._check_on(cells)
        self._check_action(cells, number)
        hand = hand_of(cells, number)
        if type(hand_index) is not int or not 0 <= hand_index < len(hand):
            told = "; pass_turn() passes" if hand_index == PASS.hand_index else ""
            raise HandIndexError(f"the hand has no card at place {shown(hand_index)}; it has {len(hand)}, from 0{told}")
        tile = read_tile_number(lane, col)
        problem = placement_problem(cells, self.cards, number, hand[hand_index] >> 1, tile)
        if problem is not None:
            raise IllegalPlacement(problem)
        self._step(lambda after, log: play(after, self.cards.tables, log, number, hand_index, tile))

    def pass_turn(self) -> None:
        """Pass, which ends the turn; the second time in a row it ends the game."""
        cells = self._value.cells
        self._check_on(cells)
        self._check_action(cells, cells[layout.SIDE])
        self.board.validate()
        self._step(pass_turn)
        self._has_passed = True

    def end_turn(self) -> None:
        """Clean up, which raises `BoardError` for a board that contradicts itself, and hand over to the other side.

        A turn that ends without a play is a pass. A pass has ended its turn already: `end_turn` right after `pass_turn`
        would pass for the other side as well, and is an error.
        """
        cells = self._value.cells
        if not cells[layout.ACTED]:  # a play that filled the board leaves its turn to be closed
            self._check_on(cells)
            if self._has_passed and not cells[layout.DREW]:
                raise PhaseError(f"the pass has ended the turn, and it is {self.side_to_act}'s: pass_turn passes again")
        self.board.validate()
        self._step(end_turn if cells[layout.ACTED] else pass_turn)

    def skip_turn(self) -> None:
        """Hand over to the other side without a play, a pass or a clean-up; for what-if analysis, not for play."""
        self._step(end_turn)

    def _check_on(self, cells: Sequence[int]) -> None:
        if cells[layout.OVER]:
            raise GameOverError("the game is over")

    def _check_action(self, cells: Sequence[int], side: int) -> None:
        if side != cells[layout.SIDE]:
            raise WrongSide(f"it is the turn of {SIDES[cells[layout.SIDE]]}, not of {SIDES[side]}")
        if cells[layout.ACTED]:
            raise PhaseError("a card has been played in this turn; end it")

    def _step(self, step: Callable[[list[int], list[int]], object]) -> None:
        self._has_passed = False
        cells, noted = recorded(self._value.cells, step)
        events: list[Noted | dict[str, Any]] = list(noted)
        if noted and noted[-1][0] == layout.EVENT_OVER:
            score = json.decode(json.encode(score_of(cells, self.cards.tables)))
            events[-1] = {**read_event(noted[-1], self.cards), "score": score}
        self._keep(cells, events)

    def _keep(self, cells: Iterable[int], noted: Iterable[Noted | dict[str, Any]]) -> None:
        value = self._value
        turn, side = value.cells[layout.TURN], value.cells[layout.SIDE]
        events = (*value.events, *((turn, side, event) for event in noted))
        self._value = replace(value, cells=tuple(cells), events=events)

    def _set_cells(self, cells: Iterable[int]) -> None:
        self._value = replace(self._value, cells=tuple(cells))


# --- The parts of a game, which are kept in it ------------------------------------------------------------------------


class _GameBoard(BoardState):
    """The board of a game."""

    def __init__(self, game: GameState) -> None:
        self.cards = game.cards
        self._game = game

    @property
    def _cells(self) -> tuple[int, ...]:
        return self._game._value.cells

    @_cells.setter
    def _cells(self, cells: tuple[int, ...]) -> None:
        self._game._set_cells(cells)


class _GameHand(Hand):
    """A hand of a game. A card that stays in it keeps whether everybody knows of it."""

    def __init__(self, game: GameState, side: int) -> None:
        self.hydrator = game.hydrator
        self._game = game
        self._side = side

    @property
    def _ids(self) -> tuple[str, ...]:
        cards = self._game.cards.cards
        return tuple(cards[card >> 1].id for card in hand_of(self._game._value.cells, self._side))

    @_ids.setter
    def _ids(self, ids: tuple[str, ...]) -> None:
        game = self._game
        cells = game.cells
        known = [card for card in hand_of(cells, self._side) if card & 1]
        hand = []
        for card_id in ids:
            card = 2 * game.cards.number(card_id)
            if card + 1 in known:
                card += 1
                known.remove(card)
            hand.append(card)
        put_hand(cells, game.cards, self._side, hand)
        game._set_cells(cells)


class _GameDeck(Deck):
    """A deck of a game."""

    def __init__(self, game: GameState, side: int) -> None:
        self._game = game
        self._side = side

    @property
    def _value(self) -> DeckValue:
        cards = self._game.cards.cards
        left = tuple(cards[card >> 1].id for card in deck_of(self._game._value.cells, self._side))
        return DeckValue(*self._game._value.decks[self._side], left)

    @_value.setter
    def _value(self, value: DeckValue) -> None:
        cells = self._game.cells
        put_deck(cells, self._game.cards, self._side, value.left)
        self._game._set_cells(cells)
