"""Fixtures of the engine: small games, one for each thing that a game may do or do wrong."""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import (
    Accepted,
    Action,
    Game,
    Match,
    MatchResult,
    Range,
    Refused,
    Setup,
    Turn,
    act,
    action,
    apply_action,
    create_match,
    refuse,
    register_game,
    require,
)
from croupier.engine.registry import unregister_game
from croupier.rng import GameRng

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Board(Struct, frozen=True):
    cells: tuple[str, ...] = ("",) * 9


class TicTacToe(Game[Board]):
    """No chance, no secrets, every payload listed by the engine itself."""

    id, name, players = "tic-tac-toe", "Tic-tac-toe", (2, 2)
    category = "board"

    def setup(self, table: Setup) -> Board:
        return Board()

    @action()
    def mark(self, state: Board, turn: Turn, cell: Annotated[int, Meta(ge=0, le=8)]) -> Board:
        """Mark a free cell."""
        require(not state.cells[cell], "taken", f"cell {cell} is taken")
        cells = list(state.cells)
        cells[cell] = "XO"[turn.seat]
        turn.events.end_turn()
        return Board(tuple(cells))

    def end_if(self, state: Board, turn: Turn) -> MatchResult | None:
        for a, b, c in LINES:
            if state.cells[a] and state.cells[a] == state.cells[b] == state.cells[c]:
                return MatchResult("win", (turn.actor,), "three in a row")
        return MatchResult("draw", reason="the board is full") if all(state.cells) else None


class PigOptions(Struct, frozen=True, forbid_unknown_fields=True):
    goal: Annotated[int, Meta(ge=1, le=1000)] = 20
    dice: Literal[1, 2] = 1


class PigTable(Struct, frozen=True):
    scores: tuple[int, ...]
    pot: int = 0
    dice: tuple[int, ...] = ()
    begun_by: str = ""


class Pig(Game[PigTable]):
    """Dice, options, a turn of several actions, `on_turn_begin` and `end_if`. The example package has the id `pig`."""

    id, name, players = "small-pig", "Pig", (1, 4)
    category = "dice"
    Options = PigOptions

    def setup(self, table: Setup) -> PigTable:
        return PigTable((0,) * len(table.players))

    @action()
    def roll(self, state: PigTable, turn: Turn) -> PigTable:
        """Roll: a 1 loses the pot and the turn, anything else adds to the pot."""
        dice = turn.rng.dice(6, turn.options.dice)
        if 1 in dice:
            turn.events.end_turn()
            return replace(state, pot=0, dice=dice)
        return replace(state, pot=state.pot + sum(dice), dice=dice)

    @action()
    def hold(self, state: PigTable, turn: Turn) -> PigTable:
        """Keep the pot and pass the dice on."""
        require(state.pot, "nothing_to_hold", "roll first: there is nothing to hold")
        scores = list(state.scores)
        scores[turn.seat] += state.pot
        turn.events.end_turn()
        return replace(state, scores=tuple(scores), pot=0)

    def on_turn_begin(self, state: PigTable, turn: Turn) -> PigTable:
        return replace(state, pot=0, begun_by=turn.actor)

    def end_if(self, state: PigTable, turn: Turn) -> MatchResult | None:
        if state.scores[turn.seat] < turn.options.goal:
            return None
        scores: dict[str, int | str] = {player.id: state.scores[player.seat] for player in turn.players}
        return MatchResult("win", (turn.actor,), f"{turn.options.goal} reached", scores)


class Hands(Struct, frozen=True):
    """Cards are 0 to 11; -1 stands for a card that the viewer cannot see."""

    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    buried: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...] = ()


class HiddenHands(Game[Hands]):
    """Secrets: the others' hands, the deck, and what others bury with a secret action."""

    id, name, players = "hidden-hands", "Hidden Hands", (2, 3)
    category = "card"

    def setup(self, table: Setup) -> Hands:
        cards = tuple(table.rng.shuffle(tuple(range(12))))
        count = len(table.players)
        hands = tuple(cards[3 * seat : 3 * seat + 3] for seat in range(count))
        return Hands(hands, cards[3 * count :], ((),) * count)

    def legal(self, state: Hands, turn: Turn) -> Iterator[Action]:
        for card in state.hands[turn.seat]:
            yield act("play", card=card)
            yield act("bury", card=card)
        yield act("take")

    @action()
    def play(self, state: Hands, turn: Turn, card: int) -> Hands:
        """Put a card on the pile for all to see."""
        hands = self._without(state, turn, card)
        turn.events.end_turn()
        return replace(state, hands=hands, pile=(*state.pile, card))

    @action(secret=True)
    def bury(self, state: Hands, turn: Turn, card: int) -> Hands:
        """Put a card away face down."""
        hands = self._without(state, turn, card)
        buried = tuple((*own, card) if seat == turn.seat else own for seat, own in enumerate(state.buried))
        turn.events.end_turn()
        return replace(state, hands=hands, buried=buried)

    @action()
    def take(self, state: Hands, turn: Turn) -> Hands:
        """Take the top card of the deck: nothing is drawn from the stream, and yet it shows something."""
        require(state.deck, "no_cards", "the deck is empty")
        hands = tuple((*hand, state.deck[0]) if seat == turn.seat else hand for seat, hand in enumerate(state.hands))
        turn.events.end_turn()
        return replace(state, hands=hands, deck=state.deck[1:])

    def _without(self, state: Hands, turn: Turn, card: int) -> tuple[tuple[int, ...], ...]:
        require(card in state.hands[turn.seat], "not_in_hand", f"{card} is not in your hand")
        return tuple(
            tuple(kept for kept in hand if kept != card) if seat == turn.seat else hand
            for seat, hand in enumerate(state.hands)
        )

    def end_if(self, state: Hands, turn: Turn) -> MatchResult | None:
        return None if state.deck else MatchResult("draw", reason="the deck is empty")

    def view(self, state: Hands, viewer: str | None) -> Hands:
        return self._covered(state, self._seat(viewer))

    def redeal(self, state: Hands, viewer: str | None, rng: GameRng) -> Hands:
        seen = self._covered(state, self._seat(viewer))
        known = {card for place in (*seen.hands, seen.deck, *seen.buried, seen.pile) for card in place if card >= 0}
        rest = list(rng.shuffle([card for card in range(12) if card not in known]))
        return Hands(
            tuple(self._filled(hand, rest) for hand in seen.hands),
            self._filled(seen.deck, rest),
            tuple(self._filled(own, rest) for own in seen.buried),
            seen.pile,
        )

    def _seat(self, viewer: str | None) -> int:
        return -1 if viewer is None else "abc".index(viewer)

    def _covered(self, state: Hands, viewer: int) -> Hands:
        def cover(places: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
            return tuple(own if seat == viewer else (-1,) * len(own) for seat, own in enumerate(places))

        return Hands(cover(state.hands), (-1,) * len(state.deck), cover(state.buried), state.pile)

    def _filled(self, cards: tuple[int, ...], rest: list[int]) -> tuple[int, ...]:
        return tuple(rest.pop() if card < 0 else card for card in cards)


class Throws(Struct, frozen=True):
    thrown: tuple[str, ...]


BEATS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


class RockPaperScissors(Game[Throws]):
    """Simultaneous choices: anyone may act, nobody sees what the others chose until all have."""

    id, name, players = "rock-paper-scissors", "Rock, paper, scissors", (2, 2)

    def setup(self, table: Setup) -> Throws:
        return Throws(("",) * len(table.players))

    @action(by="anyone", secret=True)
    def throw(self, state: Throws, turn: Turn, hand: Literal["rock", "paper", "scissors"]) -> Throws:
        """Choose in secret."""
        require(not state.thrown[turn.seat], "already_thrown", "you have chosen already")
        thrown = tuple(hand if seat == turn.seat else old for seat, old in enumerate(state.thrown))
        if all(thrown):
            turn.events.end_game(self._result(thrown, turn))
        return Throws(thrown)

    def _result(self, thrown: tuple[str, ...], turn: Turn) -> MatchResult:
        for one, other in ((0, 1), (1, 0)):
            if (thrown[one], thrown[other]) in BEATS:
                return MatchResult("win", (turn.players[one].id,), f"{thrown[one]} beats {thrown[other]}")
        return MatchResult("draw", reason=f"both threw {thrown[0]}")

    def view(self, state: Throws, viewer: str | None) -> Throws:
        if all(state.thrown):
            return state
        seat = -1 if viewer is None else "ab".index(viewer)
        return Throws(tuple(hand if own == seat or not hand else "?" for own, hand in enumerate(state.thrown)))

    def redeal(self, state: Throws, viewer: str | None, rng: GameRng) -> Throws:
        covered = self.view(state, viewer).thrown
        return Throws(tuple(rng.pick(("rock", "paper", "scissors")) if hand == "?" else hand for hand in covered))


class Careless(Game[dict[str, Any]]):
    """A plain dict for a state, and every hook changes what it is handed in place."""

    id, name, players = "careless", "Careless", (1, 3)

    def setup(self, table: Setup) -> dict[str, Any]:
        return {"pile": [3, 1, 2], "taken": {player.id: [] for player in table.players}, "begun": 0}

    def validate(self, state: dict[str, Any], action: Action, turn: Turn) -> Any:
        state["pile"].clear()
        turn.events.end_turn()
        turn.events.end_game(MatchResult("draw"))
        return True

    def legal(self, state: dict[str, Any], turn: Turn) -> list[Action]:
        state["pile"].clear()
        return [act("take"), act("take_and_refuse")]

    @action()
    def take(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        require(state["pile"], "empty", "the pile is empty")
        state["taken"][turn.actor].append(state["pile"].pop())
        turn.events.end_turn()
        return state

    @action()
    def take_and_crash(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        state["taken"][turn.actor].append(state["pile"].pop())
        raise ZeroDivisionError("half-way")

    @action()
    def take_and_refuse(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        state["taken"][turn.actor].append(state["pile"].pop())
        refuse("second_thoughts", "better not")

    def on_turn_begin(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        state["begun"] += 1
        return state

    def end_if(self, state: dict[str, Any], turn: Turn) -> MatchResult | None:
        is_over = not state["pile"]
        state.clear()
        return MatchResult("draw", reason="nothing left") if is_over else None


class Cups(Struct, frozen=True):
    sips: tuple[int, ...]
    gone: tuple[str, ...] = ()


class Cafe(Game[Cups]):
    """Players come and go, and a game that says what happens to those who dawdle."""

    id, name, players = "cafe", "Café", (2, 4)
    late_join = True

    def setup(self, table: Setup) -> Cups:
        return Cups((0,) * len(table.players))

    @action()
    def sip(self, state: Cups, turn: Turn) -> Cups:
        sips = tuple(count + (seat == turn.seat) * turn.rng.roll_die() for seat, count in enumerate(state.sips))
        turn.events.end_turn()
        return replace(state, sips=sips)

    @action()
    def wait(self, state: Cups, turn: Turn) -> Cups:
        turn.events.end_turn()
        return state

    def on_join(self, state: Cups, turn: Turn) -> Cups:
        return replace(state, sips=(*state.sips, 0))

    def on_leave(self, state: Cups, turn: Turn) -> Cups:
        return replace(state, gone=(*state.gone, turn.actor))

    def auto_action(self, state: Cups, turn: Turn) -> Action | None:
        return act("wait")

    def end_if(self, state: Cups, turn: Turn) -> MatchResult | None:
        return MatchResult("win", (turn.actor,)) if state.sips[turn.seat] >= 30 else None


class Suit(Enum):
    CUPS = "cups"
    COINS = "coins"


class Bids(Struct, frozen=True):
    highest: int = 0


class Auction(Game[Bids]):
    """Stakes without end: representative values and a range; and every kind of payload the engine can list."""

    id, name, players = "auction", "Auction", (1, 3)

    def setup(self, table: Setup) -> Bids:
        return Bids()

    @action()
    def bid(self, state: Bids, turn: Turn, stake: Annotated[int, Meta(ge=1, le=10_000)]) -> Bids:
        require(stake > state.highest, "too_low", f"{stake} does not beat {state.highest}")
        turn.events.end_turn()
        return Bids(stake)

    @action(by="anyone")
    def show(self, state: Bids, turn: Turn, suit: Suit, loud: bool, times: Literal[1, 2] | None = None) -> Bids:
        require(suit is Suit.CUPS or not loud, "too_loud", "coins are shown quietly")
        return state

    @action()
    def note(self, state: Bids, turn: Turn, text: str = "", tags: tuple[str, ...] = ()) -> Bids:
        return state

    def legal(self, state: Bids, turn: Turn) -> Iterator[Action]:
        for stake in (1, state.highest, state.highest + 1, state.highest + 1, 10_000, 10_001):
            yield act("bid", stake=stake)
        for payload in self.actions["show"].candidates() or ():
            yield Action("show", payload)

    def ranges(self, state: Bids, turn: Turn) -> dict[str, dict[str, Range]]:
        return {"bid": {"stake": Range(state.highest + 1, 10_000)}}


GAMES: tuple[Game[Any], ...] = (TicTacToe(), Pig(), HiddenHands(), RockPaperScissors(), Careless(), Cafe(), Auction())


def always(game: Game[Any]) -> Any:
    """Return a fixture that is this game."""
    return pytest.fixture(scope="session")(lambda: game)


tictactoe, pig, hands, rps, careless, cafe, auction = map(always, GAMES)


@pytest.fixture(scope="session", params=GAMES, ids=lambda game: game.id)
def any_game(request: pytest.FixtureRequest) -> Game[Any]:
    """Return each of the games in turn."""
    game: Game[Any] = request.param
    return game


@pytest.fixture
def registered_pig(pig: Pig) -> Iterator[Pig]:
    register_game(pig)
    yield pig
    unregister_game(pig.id)


@pytest.fixture(scope="session")
def start() -> Callable[..., Match[Any]]:
    """Return a function that begins a match of two, a and b, on a seed of 32 zero bytes."""

    def begin(game: Game[Any], players: Any = ("a", "b"), *, seed: bytes = bytes(32), **more: Any) -> Match[Any]:
        return create_match(game, players, seed=seed, **more)

    return begin


@pytest.fixture(scope="session")
def accept() -> Callable[..., Match[Any]]:
    """Return a function that applies actions one after the other, each of which must be accepted."""

    def apply(game: Game[Any], match: Match[Any], *actions: Any, **more: Any) -> Match[Any]:
        for asked in actions:
            answer = apply_action(game, match, asked, **more)
            assert isinstance(answer, Accepted), answer
            match = answer.state
        return match

    return apply


@pytest.fixture(scope="session")
def no() -> Callable[..., str]:
    """Return a function that gives the code of a refusal, which must hold the very match and a sentence."""

    def code(game: Game[Any], match: Any, asked: Any, **more: Any) -> str:
        answer = apply_action(game, match, asked, **more)
        assert isinstance(answer, Refused), answer
        assert answer.ok is False
        assert answer.state is match
        assert answer.error.strip()
        return answer.code

    return code
