"""Observation: the enemy's cards that a side has seen. Facts only, from events that everybody saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import BadOptions
from croupier.games.lanes.play.position import SIDES, Side, side_number, tile_name, tile_number
from croupier.games.lanes.play.simulation import GameState


class Seen(Struct, frozen=True):
    """One card of the enemy that came to the board."""

    card_id: str
    tile: str
    turn: int
    uid: int
    is_token: bool = False
    """Whether an ability put it there, and no hand."""
    was_given: bool = False
    """Whether it was played from the hand, but an ability had put it there and no deck."""
    destroyed_turn: int | None = None


class EnemyObservation:
    """Knowledge of `side` about the cards of the other side; `deck_ids` is the enemy's list, where it is known."""

    def __init__(self, side: Side = "Y", deck_ids: Sequence[str] | None = None) -> None:
        self.side: Side = side
        self.enemy: Side = SIDES[1 - side_number(side)]
        self.deck_ids = None if deck_ids is None else tuple(deck_ids)
        self.seen: tuple[Seen, ...] = ()
        """Every card of the enemy that came to the board, in order."""
        self.hand_size = 0
        self._given: Counter[str] = Counter()  # in the enemy's hand because an ability put them there
        self._events_read = 0

    def register_enemy_play(
        self, card_id: str, lane: int, col: int, turn: int, *, uid: int = 0, is_token: bool = False
    ) -> None:
        """Note a card that the enemy put on the board; for those who follow a game that is played elsewhere."""
        if not 0 <= lane < 3 or not 0 <= col < 5:
            raise BadOptions(f"there is no lane {lane} with a column {col}; both count from 0")
        was_given = not is_token and self._given[card_id] > 0
        if was_given:
            self._given[card_id] -= 1
        seen = Seen(card_id, tile_name(5 * lane + col), turn, uid, is_token, was_given)
        self.seen = (*self.seen, seen)

    def register_gift(self, card_id: str) -> None:
        """Note a card that an ability put into the enemy's hand, where everybody saw it go."""
        self._given[card_id] += 1

    def register_destroyed(self, tile: str, turn: int) -> None:
        """Note that the enemy's card on a tile is gone."""
        for place in range(len(self.seen) - 1, -1, -1):
            if self.seen[place].tile == tile and self.seen[place].destroyed_turn is None:
                gone = replace(self.seen[place], destroyed_turn=turn)
                self.seen = (*self.seen[:place], gone, *self.seen[place + 1 :])
                return
        raise BadOptions(f"no card of {self.enemy} is known to stand on {tile}")

    def update_from_game_state(self, state: GameState) -> None:
        """Read the events since the last time, and how many cards the enemy holds. What is hidden is not looked at."""
        for event in state.events[self._events_read :]:
            self._events_read = event["n"]
            if event.get("owner") != self.enemy:
                continue
            if event["type"] in ("play", "spawned"):
                lane, col = divmod(tile_number(event["tile"]), 5)
                is_token = event["type"] == "spawned"
                self.register_enemy_play(event["card"], lane, col, event["turn"], uid=event["uid"], is_token=is_token)
            elif event["type"] == "hand_add":
                self.register_gift(event["card"])
            elif event["type"] == "destroyed":
                self.register_destroyed(event["tile"], event["turn"])
        self.hand_size = len(state.enemy_hand if self.enemy == "E" else state.player_hand)

    @property
    def played_from_deck(self) -> Counter[str]:
        """Count of plays of each card of the enemy's deck."""
        return Counter(seen.card_id for seen in self.seen if not seen.is_token and not seen.was_given)

    @property
    def given(self) -> Counter[str]:
        """The cards that are known to be in the enemy's hand, because an ability put them there."""
        return +self._given

    def get_known_enemy_deck_remaining_ids(self) -> list[str]:
        """Return, sorted, what is left of the enemy's list: the cards in the deck, and those drawn and not yet played.

        It is empty where the list is not known. A play that the list does not have is an error.
        """
        if self.deck_ids is None:
            return []
        left = Counter(self.deck_ids)
        left.subtract(self.played_from_deck)
        wrong = sorted(card_id for card_id, count in left.items() if count < 0)
        if wrong:
            raise BadOptions(f"{self.enemy} played {', '.join(wrong)} more often than its deck has")
        return sorted(left.elements())
