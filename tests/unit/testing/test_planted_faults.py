"""A game for every fault the kit looks for: each is caught under the name of its law; the sound game is not."""

import datetime
import os
import random
import socket
import sys
import time
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import Action, Game, MatchResult, MatchView, Setup, Turn, act, action, refuse
from croupier.errors import BadGame, CroupierError
from croupier.rng import GameRng
from croupier.testing import GameCheckFailed, check_game, inspect_game


class Hands(Struct, frozen=True):
    """Two hands of three cards and a deck; -1 stands for a card one may not see."""

    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    table: tuple[int, ...] = ()


class HighCard(Game[Hands]):
    """The sound one: each in turn plays a card from a hidden hand and draws one; the highest of six cards wins."""

    id, name, players = "high-card", "High Card", (2, 2)

    def setup(self, table: Setup) -> Hands:
        deck = table.rng.create_deck()
        return Hands((tuple(deck[:3]), tuple(deck[3:6])), tuple(deck[6:]))

    @action()
    def play(self, state: Hands, turn: Turn, place: Annotated[int, Meta(ge=0, le=2)]) -> Hands:
        """Play a card by its place in the hand."""
        hand = state.hands[turn.seat]
        card = hand[place]
        hand = (*hand[:place], *hand[place + 1 :], state.deck[0])
        table = (*state.table, card)
        if len(table) == 6:
            best = max(range(6), key=lambda index: table[index])
            turn.events.end_game(MatchResult("win", (turn.players[best % 2].id,)))
        turn.events.end_turn()
        hands = (hand, state.hands[1]) if turn.seat == 0 else (state.hands[0], hand)
        return Hands(hands, state.deck[1:], table)

    def view(self, state: Hands, viewer: str | None) -> Hands:
        hands = tuple(hand if viewer == f"p{seat}" else (-1,) * len(hand) for seat, hand in enumerate(state.hands))
        return Hands(hands, (-1,) * len(state.deck), state.table)

    def redeal(self, state: Hands, viewer: str | None, rng: GameRng) -> Hands:
        mine = next((hand for seat, hand in enumerate(state.hands) if viewer == f"p{seat}"), ())
        unseen = list(rng.shuffle([card for card in range(52) if card not in (*mine, *state.table)]))
        hands = tuple(
            hand if viewer == f"p{seat}" else tuple(unseen.pop() for _ in hand) for seat, hand in enumerate(state.hands)
        )
        return Hands(hands, tuple(unseen[: len(state.deck)]), state.table)


def findings(game: Game[Any], **settings: Any) -> dict[str, str]:
    return {finding.law: finding.text for finding in inspect_game(game, seeds=2, **settings).findings}


def test_a_sound_game_with_hidden_cards_passes_as_a_class_too():
    assert check_game(HighCard(), seeds=3).findings == ()
    assert check_game(HighCard, seeds=1).findings == ()  # type: ignore[arg-type]
    assert check_game(UnderTheCup(), seeds=20).findings == ()


@pytest.mark.parametrize("none", [{"seeds": 0}, {"seeds": -1}, {"options": []}, {"player_counts": []}])
def test_a_check_that_would_play_nothing_is_refused(none):
    with pytest.raises(BadGame, match="would play nothing"):
        check_game(HighCard(), **none)


def test_check_game_refuses_a_value_that_is_no_game():
    with pytest.raises(CroupierError, match="such as Pig"):
        check_game("high-card")  # type: ignore[arg-type]


# The faults.


class Tally(Game[dict[str, Any]]):
    """Counts to five in a plain dict."""

    id, name, players = "tally", "Tally", (1, 1)

    def setup(self, table: Setup) -> dict[str, Any]:
        return {"count": 0, "seen": []}

    @action()
    def step(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        return self.ended({"count": state["count"] + 1, "seen": [*state["seen"], state["count"]]}, turn)

    def ended(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        if state["count"] == 5:
            turn.events.end_game(MatchResult("draw"))
        return state


class Mutates(Tally):
    id = "mutates"

    @action()
    def step(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        state["count"] += 1
        state["seen"].append(state["count"])
        return self.ended(state, turn)


class LeaksTopCard(HighCard):
    def view(self, state: Hands, viewer: str | None) -> Hands:
        return replace(super().view(state, viewer), deck=(*state.deck[:1], *(-1,) * (len(state.deck) - 1)))


class LeaksByLength(HighCard):
    """Hides the hands, but writes a ten with more digits than a two."""

    def view(self, state: Hands, viewer: str | None) -> Hands:
        hidden = super().view(state, viewer)
        return replace(hidden, deck=tuple(-1 if card < 10 else -11 for card in state.deck))


class LeaksInLegal(HighCard):
    """Tells by what is legal whether the next card of the deck is high."""

    @action()
    def play(self, state: Hands, turn: Turn, place: Annotated[int, Meta(ge=0, le=2)]) -> Hands:
        if place == 2 and state.deck[0] > 25:
            refuse("not_now", "not now")
        return super().play(state, turn, place)


class LeaksInLog(HighCard):
    def describe(self, action: Action, before: Any, after: Any) -> str:
        return f"played; the deck is topped by {after.game.deck[0]}"


class Cup(Struct, frozen=True):
    """A die under the cup of either player: 0 before it is rolled, 7 for one that may not be seen."""

    dice: tuple[int, int] = (0, 0)


class UnderTheCup(Game[Cup]):
    """Each player rolls a die under a cup, or puts one there, and nobody but they may know it."""

    id, name, players = "under-the-cup", "Under the Cup", (2, 2)

    def setup(self, table: Setup) -> Cup:
        return Cup()

    def under(self, state: Cup, turn: Turn, die: int) -> Cup:
        turn.events.end_turn()
        if turn.seat == 1:
            turn.events.end_game(MatchResult("draw"))
        return Cup((die, state.dice[1]) if turn.seat == 0 else (state.dice[0], die))

    @action()
    def roll(self, state: Cup, turn: Turn) -> Cup:
        return self.under(state, turn, turn.rng.roll_die())

    @action(secret=True)
    def put(self, state: Cup, turn: Turn, die: Literal[5, 6]) -> Cup:
        return self.under(state, turn, die)

    def view(self, state: Cup, viewer: str | None) -> Cup:
        first, second = (die if viewer == f"p{seat}" or not die else 7 for seat, die in enumerate(state.dice))
        return Cup((first, second))

    def redeal(self, state: Cup, viewer: str | None, rng: GameRng) -> Cup:
        dice = [rng.roll_die() if die and viewer != f"p{seat}" else die for seat, die in enumerate(state.dice)]
        return Cup((dice[0], dice[1]))


class TellsTheRoll(UnderTheCup):
    def describe(self, action: Action, before: Any, after: Any) -> str:
        return f"{action.type} {after.game.dice[int(str(action.player_id)[1:])] if action.type == 'roll' else ''}"


class ForgetsSecret(UnderTheCup):
    @action()
    def put(self, state: Cup, turn: Turn, die: Literal[5, 6]) -> Cup:
        return self.under(state, turn, die)


class DrawsInValidation(HighCard):
    def validate(self, state: Hands, action: Action, turn: Turn) -> bool:
        turn.rng.roll_die()
        return True


class DrawsInLegal(HighCard):
    def legal(self, state: Hands, turn: Turn) -> Any:
        turn.rng.roll_die()
        return super().legal(state, turn)


class Forgets(HighCard):
    """Hides cards, but gives the kit nothing to change."""

    def redeal(self, state: Hands, viewer: str | None, rng: GameRng) -> Hands:
        return state


class Peeks(HighCard):
    """Re-deals the deck as it really is: in a view, where every card looks the same, most of it gets lost."""

    def redeal(self, state: Hands, viewer: str | None, rng: GameRng) -> Hands:
        return replace(state, deck=tuple(rng.shuffle(sorted(set(state.deck)))))


class NeverEnds(Tally):
    def ended(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        return {"count": 0, "seen": []}


class Stuck(Tally):
    @action()
    def step(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        if state["count"] == 3:
            refuse("no", "no")
        return super().step(state, turn)


class Omits(HighCard):
    def legal(self, state: Hands, turn: Turn) -> Any:
        yield act("play", place=0)
        yield act("play", place=1)


class DrawsThenRefuses(HighCard):
    @action()
    def play(self, state: Hands, turn: Turn, place: Annotated[int, Meta(ge=0, le=2)]) -> Hands:
        if turn.rng.roll_die() > 3:
            refuse("bad_luck", "try again")
        return super().play(state, turn, place)


class Raises(HighCard):
    @action()
    def play(self, state: Hands, turn: Turn, place: Annotated[int, Meta(ge=0, le=2)]) -> Hands:
        raise ZeroDivisionError("oh")


class RaisesInWords(HighCard):
    def describe(self, *_: Any) -> str:
        raise ZeroDivisionError("oh")


class Race(Game[dict[str, int]]):
    """Each in turn takes a step; the match ends after twenty."""

    id, name, players = "race", "Race", (2, 4)

    def setup(self, table: Setup) -> dict[str, int]:
        return {player.id: 0 for player in table.players}

    @action()
    def step(self, state: dict[str, int], turn: Turn) -> dict[str, int]:
        turn.events.end_turn()
        if sum(state.values()) >= 20:
            turn.events.end_game(MatchResult("draw"))
        return {**state, turn.actor: state[turn.actor] + 1}


class ForgetsLatecomers(Race):
    late_join = True


class ForgetsOneWhoStays(Race):
    def on_leave(self, state: dict[str, int], turn: Turn) -> dict[str, int]:
        return {player: steps for player, steps in state.items() if player != "p1"}


class BadHost(Race):
    @action(by="host")
    def close(self, state: dict[str, int], turn: Turn) -> dict[str, int]:
        return {**state, turn.actor: state[turn.actor]}


class BadBot(HighCard):
    bots: ClassVar = {"cheat": lambda view, legal, rng: act("play", place=9)}


class BadAuto(HighCard):
    def auto_action(self, state: Hands, turn: Turn) -> Action:
        return act("play", place=9)


class Silent(HighCard):
    def render(self, view: MatchView[Hands]) -> Any:
        return None


@pytest.mark.parametrize(
    ("game", "law", "advice", "others"),
    [
        (Mutates, "the input is left alone", "msgspec.structs.replace", False),
        (LeaksTopCard, "views leak nothing", '"deck":[', True),  # the place
        (LeaksByLength, "views leak nothing", "", True),
        (LeaksInLegal, "views leak nothing", "", True),
        (LeaksInLog, "the log tells no secrets", "", True),
        (TellsTheRoll, "the log tells no secrets", "describe() of roll", False),
        (ForgetsSecret, "the log tells no secrets", "secret=True", False),
        (DrawsInValidation, "looking draws nothing", "validate", False),
        (DrawsInLegal, "looking draws nothing", "legal", False),
        (Forgets, "redeal hides something", "", True),
        (Peeks, "redeal works on a view", "", False),
        (NeverEnds, "the match ends", "", False),
        (Stuck, "somebody can act", "", False),
        (Omits, "legal actions are complete", "", False),
        (DrawsThenRefuses, "no faults", "check before you draw", True),
        (Raises, "no faults", "ZeroDivisionError", True),
        (RaisesInWords, "no faults", f"{__file__}, in describe: oh", False),
        (ForgetsLatecomers, "no faults", "latecomer", False),
        (ForgetsOneWhoStays, "no faults", "KeyError", False),
        (BadHost, "no faults", "close raised KeyError", False),
        (BadBot, "bots play by the rules", "", False),
        (BadAuto, "no faults", "auto_action", True),
        (Silent, "it can be shown", "", False),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_is_caught_by_its_law(game, law, advice, others):
    """By that law alone, unless the fault breaks others too."""
    found = findings(game(), limit=50)

    assert law in found
    assert advice in found[law]
    assert others or len(found) == 1


def test_a_sound_game_with_a_plain_state_passes():
    assert findings(Tally()) == {}
    assert findings(Race()) == {}


def impure(call: Any) -> Game[Any]:
    class Impure(Tally):
        @action()
        def step(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
            call()
            return super().step(state, turn)

    return Impure()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: time.time(), "time.time"),
        (lambda: perf_counter(), "time.perf_counter"),
        (lambda: datetime.datetime.now(), "datetime.now"),
        (lambda: datetime.date.today(), "date.today"),
        (lambda: random.random(), "random.random"),
        (lambda: random.randint(1, 6), "random.getrandbits"),
        (lambda: os.urandom(1), "os.urandom"),
        (lambda: os.environ["PATH"], "os.environ"),
        (lambda: time.strftime("%H"), "time.strftime"),
        (lambda: time.clock_gettime(time.CLOCK_REALTIME), "time.clock_gettime"),
        (lambda: os.listdir(), "os.listdir"),
        (lambda: os.path.getsize(os.devnull), "os.stat"),
        (lambda: socket.gethostname(), "socket.gethostname"),
        (lambda: sys.stdout.write(""), "sys.stdout.write"),
        (lambda: open(os.devnull).close(), "open"),
        (lambda: hash("text"), "hash"),
        (lambda: id(object()), "id"),
    ],
)
def test_a_clock_or_any_other_outside_source_is_caught(call, name):
    """The clock is seen even where it changes nothing, and by whatever name it was imported."""
    assert f"no {name}" in findings(impure(call))


class ClockInAuto(Race):
    def auto_action(self, state: dict[str, int], turn: Turn) -> Action:
        time.time()
        return act("step")


class ClockInLeave(Race):
    def on_leave(self, state: dict[str, int], turn: Turn) -> dict[str, int]:
        time.time()
        return state


class ClockInDescribe(Race):
    def describe(self, action: Action, before: Any, after: Any) -> str:
        return str(time.time())


class ClockInRender(Race):
    def render(self, view: MatchView[Any]) -> str:
        return str(time.time())


class ClockInBot(Race):
    bots: ClassVar = {"clock": lambda view, legal, rng: legal[int(time.time()) % len(legal)]}


@pytest.mark.parametrize("game", [ClockInAuto, ClockInLeave, ClockInDescribe, ClockInRender, ClockInBot])
def test_a_clock_is_caught_in_whatever_a_game_writes(game):
    assert set(findings(game())) == {"no time.time"}


def test_a_state_that_depends_on_the_clock_is_caught_as_not_pure():
    class Stamped(Tally):
        @action()
        def step(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
            return {**super().step(state, turn), "at": time.perf_counter_ns()}

    assert {"same action, same state", "no time.perf_counter_ns"} <= set(findings(Stamped()))


def test_the_failure_lists_every_law_with_its_fix_and_where_to_see_it():
    with pytest.raises(GameCheckFailed) as failure:
        check_game(Mutates(), seeds=1)

    assert str(failure.value).startswith("mutates breaks 1 laws:\n  1. [the input is left alone] step changes")
    assert "(seed 0, 1 players, version 0)" in str(failure.value)
    assert failure.value.code == "game_check_failed"
