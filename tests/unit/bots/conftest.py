"""Small games that bots are tried on, each with one thing to get wrong."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from croupier.engine import Action, Game, MatchResult, Setup, Turn, act, action, refuse, require
from croupier.house.game import HouseGame, HouseState, HouseTurn
from croupier.rng import GameRng
from tests.unit.engine.conftest import Board, TicTacToe


class OpenCells(TicTacToe):
    """No chance, no secrets: with best play nobody wins. It lists free cells alone, since searches go deep."""

    def legal(self, state: Board, turn: Turn) -> Iterator[Action]:
        return (act("mark", cell=cell) for cell in range(9) if not state.cells[cell])


class Die(Struct, frozen=True):
    face: int = 0
    rolls: int = 0


class KeepOrRoll(Game[Die]):
    """Roll a die; keep the face as the score, or roll once more. Best play is worth 17/4."""

    id, name, players = "keep-or-roll", "Keep or Roll", (1, 1)

    def setup(self, table: Setup) -> Die:
        return Die()

    @action()
    def keep(self, die: Die, turn: Turn) -> Die:
        require(die.rolls, "not_rolled", "roll first")
        turn.events.end_game(MatchResult("draw", scores={turn.actor: die.face}))
        return die

    @action()
    def roll(self, die: Die, turn: Turn) -> Die:
        require(die.rolls < 2, "no_more_rolls", "two rolls are all")
        return Die(turn.rng.roll_die(), die.rolls + 1)


class Guessing(Game[int]):
    """The first player guesses a card that only the second sees; whoever could peek would always win."""

    id, name, players = "guessing", "Guessing", (2, 2)
    cards = 10

    def setup(self, table: Setup) -> int:
        return table.rng.next_bounded(self.cards)

    @action()
    def guess(self, card: int, turn: Turn, number: Annotated[int, Meta(ge=0, le=9)]) -> int:
        turn.events.end_game(MatchResult("win", (turn.order[number != card],)))
        return card

    def view(self, card: int, viewer: str | None) -> int:
        return card if viewer == "p1" else -1

    def redeal(self, card: int, viewer: str | None, rng: GameRng) -> int:
        return card if viewer == "p1" else rng.next_bounded(self.cards)


Throw = Literal["rock", "paper", "scissors"]
THROWS = ("rock", "paper", "scissors")


class Throws(Struct, frozen=True):
    by_seat: tuple[str, ...] = ("", "")


class RockPaperScissors(Game[Throws]):
    """Both choose in secret, and may change their minds until both have chosen."""

    id, name, players = "rock-paper-scissors", "Rock, Paper, Scissors", (2, 2)

    def setup(self, table: Setup) -> Throws:
        return Throws()

    @action(by="anyone", secret=True)
    def throw(self, throws: Throws, turn: Turn, what: Throw) -> Throws:
        chosen = [*throws.by_seat]
        chosen[turn.seat] = what
        if all(chosen):
            first, second = map(THROWS.index, chosen)
            lead = (first - second) % 3
            winners = () if lead == 0 else (turn.order[lead - 1],)
            turn.events.end_game(MatchResult("win" if winners else "draw", winners))
        return Throws(tuple(chosen))

    def view(self, throws: Throws, viewer: str | None) -> Throws:
        return throws if all(throws.by_seat) else self._covered(throws, viewer, lambda: "?")

    def redeal(self, throws: Throws, viewer: str | None, rng: GameRng) -> Throws:
        is_open = all(what in THROWS for what in throws.by_seat)
        return throws if is_open else self._covered(throws, viewer, lambda: rng.pick(THROWS))

    def _covered(self, throws: Throws, viewer: str | None, cover: Callable[[], str]) -> Throws:
        """Return the throws with those of the viewer's opponents covered, where they have chosen."""
        seats = enumerate(throws.by_seat)
        return Throws(tuple(what and (what if f"p{seat}" == viewer else cover()) for seat, what in seats))


class Pack(Struct, frozen=True):
    top: int = -1


class TopCard(Game[Pack]):
    """Shuffle a whole pack, or read a raw byte: chance that cannot be listed. Or settle for a score of 10."""

    id, name, players = "top-card", "Top Card", (1, 1)

    def setup(self, table: Setup) -> Pack:
        return Pack()

    @action()
    def settle(self, pack: Pack, turn: Turn) -> Pack:
        return self._end(10, turn)

    @action()
    def shuffle(self, pack: Pack, turn: Turn) -> Pack:
        return self._end(turn.rng.create_deck()[0], turn)

    @action()
    def read(self, pack: Pack, turn: Turn) -> Pack:
        return self._end(turn.rng.fill_bytes(1)[0], turn)

    def _end(self, top: int, turn: Turn) -> Pack:
        turn.events.end_game(MatchResult("draw", scores={turn.actor: top}))
        return Pack(top)


class Scribbles(Game[dict[str, Any]]):
    """A state that could be changed in place, and a match that never ends by itself."""

    id, name, players = "scribbles", "Scribbles", (1, 3)

    def setup(self, table: Setup) -> dict[str, Any]:
        return {"count": 0, "stuck": False}

    @action()
    def add(self, state: dict[str, Any], turn: Turn, number: int = 1) -> dict[str, Any]:
        if number < 1 or state["stuck"]:
            refuse("not_positive", "add a positive number, while you can")
        turn.events.end_turn()
        return {**state, "count": state["count"] + number}

    @action()
    def stop(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        require(not state["stuck"], "stuck", "nothing goes any more")
        return {**state, "stuck": True}

    def legal(self, state: dict[str, Any], turn: Turn) -> Iterator[Action]:
        yield act("add", number=1)
        yield act("add", number=2)
        yield act("stop")


class Dare(HouseGame[HouseState]):
    """Ten chips on one die: 5 in 6 to win one chip, or 1 in 3 to win ninety."""

    id, name = "dare", "Dare"
    opens_with_stake = False

    def setup(self, table: Setup) -> HouseState:
        return HouseState()

    @action(opcode=0)
    def timid(self, state: HouseState, turn: HouseTurn) -> HouseState:
        turn.take("timid", 10, most=11)
        turn.settle("timid", 11 if turn.rng.roll_die() > 1 else 0)
        turn.finish()
        return state

    @action(opcode=1)
    def bold(self, state: HouseState, turn: HouseTurn) -> HouseState:
        turn.take("bold", 10, most=100)
        turn.settle("bold", 100 if turn.rng.roll_die() > 4 else 0)
        turn.finish()
        return state


def always(game: Any) -> Any:
    """Return a fixture that is this game."""
    return pytest.fixture(lambda: game)


dare, tic_tac_toe, keep_or_roll, guessing = map(always, (Dare(), OpenCells(), KeepOrRoll(), Guessing()))
rock_paper_scissors, top_card, scribbles = map(always, (RockPaperScissors(), TopCard(), Scribbles()))
