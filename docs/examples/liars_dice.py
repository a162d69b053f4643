"""Liar's dice: everybody rolls under a cup, bids on all dice on the table, and doubts. Who has no dice left is out."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier import Game, MatchResult, Setup, Turn, action, require
from croupier.rng import GameRng

HIDDEN = 0


class Cup(Struct, frozen=True):
    player: str
    dice: tuple[int, ...]  # none left: out

    def rolled(self, rng: GameRng, count: int) -> "Cup":
        return Cup(self.player, tuple(rng.roll_die() for _ in range(count)))


class Table(Struct, frozen=True):
    cups: tuple[Cup, ...]
    bid: tuple[int, int] = (0, 0)  # so many dice, of that face
    bidder: str = ""
    shown: tuple[Cup, ...] = ()  # what the last doubt turned up


class LiarsDice(Game[Table]):
    """Bid that there are so many dice of a face under all cups, higher each time, or doubt the bid before you."""

    id, name, players = "liars-dice", "Liar's Dice", (2, 4)

    def setup(self, table: Setup) -> Table:
        return Table(tuple(Cup(player.id, ()).rolled(table.rng, 3) for player in table.players))

    @action()
    def bid(
        self, state: Table, turn: Turn, count: Annotated[int, Meta(ge=1, le=12)], face: Annotated[int, Meta(ge=1, le=6)]
    ) -> Table:
        """Say that there are at least so many dice of a face."""
        require((count, face) > state.bid, "too_low", f"bid more dice than {state.bid[0]}, or a higher face")
        require(count <= sum(len(cup.dice) for cup in state.cups), "too_many", "there are not as many dice as that")
        self.pass_on(state.cups, turn, turn.actor)
        return replace(state, bid=(count, face), bidder=turn.actor)

    @action()
    def doubt(self, state: Table, turn: Turn) -> Table:
        """Lift all cups. Whoever was wrong loses a die, and everybody rolls anew."""
        require(state.bidder, "no_bid", "there is no bid to doubt")
        found = sum(cup.dice.count(state.bid[1]) for cup in state.cups)
        loser = turn.actor if found >= state.bid[0] else state.bidder
        cups = tuple(cup.rolled(turn.rng, len(cup.dice) - (cup.player == loser)) for cup in state.cups)
        self.pass_on(cups, turn, loser, begins=True)
        return Table(cups, shown=state.cups)

    def pass_on(self, cups: tuple[Cup, ...], turn: Turn, player: str, begins: bool = False) -> None:
        """Give the turn to the next player who has dice, after this one or with it; end the match with the last."""
        place = turn.order.index(player) + (not begins)
        playing = {cup.player for cup in cups if cup.dice}
        still = [each for each in (*turn.order[place:], *turn.order[:place]) if each in playing]
        if len(still) == 1:
            turn.events.end_game(MatchResult("win", (still[0],)))
        else:
            turn.events.end_turn(next=still[0])

    def on_leave(self, state: Table, turn: Turn) -> Table:
        """Take the dice of a player who leaves; a bid of theirs is void."""
        cups = tuple(Cup(cup.player, ()) if cup.player == turn.actor else cup for cup in state.cups)
        if turn.current == turn.actor or sum(bool(cup.dice) for cup in cups) == 1:
            self.pass_on(cups, turn, turn.actor)
        return Table(cups) if state.bidder == turn.actor else replace(state, cups=cups)

    def view(self, state: Table, viewer: str | None) -> Table:
        """Show players their own dice, and of the others' how many there are."""
        hidden = (cup if cup.player == viewer else Cup(cup.player, (HIDDEN,) * len(cup.dice)) for cup in state.cups)
        return replace(state, cups=tuple(hidden))

    def redeal(self, state: Table, viewer: str | None, rng: GameRng) -> Table:
        """Roll the dice that the viewer does not see; how many there are is known."""
        cups = (cup if cup.player == viewer else cup.rolled(rng, len(cup.dice)) for cup in state.cups)
        return replace(state, cups=tuple(cups))
