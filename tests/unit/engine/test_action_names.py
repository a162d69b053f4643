"""Actions that are words of Python: the method ends with an underscore, the action does not."""

from typing import Literal

from msgspec import Struct

from croupier.engine import Game, Setup, Turn, act, action, apply_action, create_match


class Bid(Struct, frozen=True):
    told: tuple[str, ...] = ()


class Auction(Game[Bid]):
    id, name, players = "test-auction", "Auction", (1, 1)

    def setup(self, table: Setup) -> Bid:
        return Bid()

    @action()
    def pass_(self, state: Bid, turn: Turn) -> Bid:
        """Say nothing."""
        return Bid((*state.told, "pass"))

    @action()
    def raise_(self, state: Bid, turn: Turn, by: Literal[1, 2, 3]) -> Bid:
        """Say more."""
        return Bid((*state.told, f"raise {by}"))

    @action()
    def look_(self, state: Bid, turn: Turn) -> Bid:
        """Keep the underscore: `look` is no word of Python."""
        return state


class Silent(Auction):
    id = "test-silent"

    pass_ = None  # type: ignore[assignment]


def test_the_underscore_is_python_s_and_not_the_action_s():
    assert list(Auction().actions) == ["pass", "raise", "look_"]
    game = Auction()
    match = create_match(game, ["ann"], seed=bytes(32))
    for asked in (act("pass"), act("raise", by=3)):
        answer = apply_action(game, match, asked)
        assert answer.ok
        match = answer.state

    assert match.game.told == ("pass", "raise 3")
    assert not apply_action(game, match, act("pass_")).ok


def test_a_subclass_takes_such_an_action_away_like_any_other():
    assert list(Silent().actions) == ["raise", "look_"]
