"""A game for every fault the kit looks for: each is caught under the name of its law; the sound game is not."""

import datetime
import os
import random
import time
from time import perf_counter
from typing import Annotated, Any, ClassVar

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.engine import Action, Game, MatchResult, MatchView, Setup, Turn, act, action, refuse
from croupier.errors import CroupierError
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


def laws(game: Game[Any], **settings: Any) -> set[str]:
    return {finding.law for finding in inspect_game(game, seeds=2, **settings).findings}


def text(game: Game[Any], law: str, **settings: Any) -> str:
    return next(finding.text for finding in inspect_game(game, seeds=2, **settings).findings if finding.law == law)


def test_a_sound_game_with_hidden_cards_passes():
    assert check_game(HighCard(), seeds=3).findings == ()


def test_a_game_class_is_as_good_as_an_instance():
    assert check_game(HighCard, seeds=1).findings == ()  # type: ignore[arg-type]


def test_check_game_refuses_a_value_that_is_no_game():
    with pytest.raises(CroupierError, match="such as Pig"):
        check_game("high-card")  # type: ignore[arg-type]


# The four that must never slip through.


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


def test_a_reducer_that_mutates_its_input_is_caught():
    assert laws(Tally()) == set()
    assert laws(Mutates()) == {"the input is left alone"}
    assert "msgspec.structs.replace" in text(Mutates(), "the input is left alone")


class LeaksTopCard(HighCard):
    id = "leaks-top-card"

    def view(self, state: Hands, viewer: str | None) -> Hands:
        return replace(super().view(state, viewer), deck=(*state.deck[:1], *(-1,) * (len(state.deck) - 1)))


class LeaksByLength(HighCard):
    """Hides the hands, but writes a ten with more digits than a two."""

    id = "leaks-by-length"

    def view(self, state: Hands, viewer: str | None) -> Hands:
        hidden = super().view(state, viewer)
        return replace(hidden, deck=tuple(-1 if card < 10 else -11 for card in state.deck))


class LeaksInLegal(HighCard):
    """Tells by what is legal whether the next card of the deck is high."""

    id = "leaks-in-legal"

    @action()
    def play(self, state: Hands, turn: Turn, place: Annotated[int, Meta(ge=0, le=2)]) -> Hands:
        if place == 2 and state.deck[0] > 25:
            refuse("not_now", "not now")
        return super().play(state, turn, place)


class LeaksInLog(HighCard):
    id = "leaks-in-log"

    def describe(self, action: Action, before: Any, after: Any) -> str:
        return f"played; the deck is topped by {after.game.deck[0]}"


@pytest.mark.parametrize("game", [LeaksTopCard(), LeaksByLength(), LeaksInLegal()])
def test_a_view_that_leaks_a_hidden_card_is_caught(game):
    assert "views leak nothing" in laws(game)


def test_the_finding_about_a_leak_shows_the_place():
    assert '"deck":[' in text(LeaksTopCard(), "views leak nothing")


def test_a_log_line_that_tells_a_secret_is_caught():
    assert "the log tells no secrets" in laws(LeaksInLog())


class DrawsInValidation(HighCard):
    id = "draws-in-validation"

    def validate(self, state: Hands, action: Action, turn: Turn) -> bool:
        turn.rng.roll_die()
        return True


class DrawsInLegal(HighCard):
    id = "draws-in-legal"

    def legal(self, state: Hands, turn: Turn) -> Any:
        turn.rng.roll_die()
        return super().legal(state, turn)


@pytest.mark.parametrize(("game", "name"), [(DrawsInValidation(), "validate"), (DrawsInLegal(), "legal")])
def test_drawing_where_one_only_looks_is_caught(game, name):
    assert laws(game) == {"looking draws nothing"}
    assert name in text(game, "looking draws nothing")


def impure(call: Any) -> Game[Any]:
    class Impure(Tally):
        id = "impure"

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
        (lambda: open(os.devnull).close(), "open"),
        (lambda: hash("text"), "hash"),
        (lambda: id(object()), "id"),
    ],
)
def test_a_clock_or_any_other_outside_source_is_caught(call, name):
    """The clock is seen even where it changes nothing, and by whatever name it was imported."""
    assert f"no {name}" in laws(impure(call))


def test_a_state_that_depends_on_the_clock_is_caught_as_not_pure():
    class Stamped(Tally):
        id = "stamped"

        @action()
        def step(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
            return {**super().step(state, turn), "at": time.perf_counter_ns()}

    assert {"same action, same state", "no time.perf_counter_ns"} <= laws(Stamped())


# The others.


class Forgets(HighCard):
    """Hides cards, but gives the kit nothing to change."""

    id = "forgets"

    def redeal(self, state: Hands, viewer: str | None, rng: GameRng) -> Hands:
        return state


def test_a_redeal_that_changes_nothing_is_caught():
    assert "redeal hides something" in laws(Forgets())


class Peeks(HighCard):
    """Re-deals the deck as it really is: in a view, where every card looks the same, most of it gets lost."""

    id = "peeks"

    def redeal(self, state: Hands, viewer: str | None, rng: GameRng) -> Hands:
        return replace(state, deck=tuple(rng.shuffle(sorted(set(state.deck)))))


def test_a_redeal_that_needs_more_than_the_view_is_caught():
    assert laws(Peeks()) == {"redeal works on a view"}


class NeverEnds(Tally):
    id = "never-ends"

    def ended(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        return {"count": 0, "seen": []}


def test_a_match_that_does_not_end_is_caught():
    assert laws(NeverEnds(), limit=50) == {"the match ends"}


class Stuck(Tally):
    id = "stuck"

    @action()
    def step(self, state: dict[str, Any], turn: Turn) -> dict[str, Any]:
        if state["count"] == 3:
            refuse("no", "no")
        return super().step(state, turn)


def test_a_match_in_which_nobody_can_act_is_caught():
    assert laws(Stuck()) == {"somebody can act"}


class Omits(HighCard):
    id = "omits"

    def legal(self, state: Hands, turn: Turn) -> Any:
        yield act("play", place=0)
        yield act("play", place=1)


def test_a_legal_action_that_is_left_out_is_caught():
    assert laws(Omits()) == {"legal actions are complete"}


class DrawsThenRefuses(HighCard):
    id = "draws-then-refuses"

    @action()
    def play(self, state: Hands, turn: Turn, place: Annotated[int, Meta(ge=0, le=2)]) -> Hands:
        if turn.rng.roll_die() > 3:
            refuse("bad_luck", "try again")
        return super().play(state, turn, place)


def test_a_refusal_after_a_draw_is_caught():
    assert "check before you draw" in text(DrawsThenRefuses(), "no faults")


class Raises(HighCard):
    id = "raises"

    @action()
    def play(self, state: Hands, turn: Turn, place: Annotated[int, Meta(ge=0, le=2)]) -> Hands:
        raise ZeroDivisionError("oh")


def test_a_game_that_raises_is_caught_with_the_exception_named():
    assert "ZeroDivisionError" in text(Raises(), "no faults")


class BadBot(HighCard):
    id = "bad-bot"
    bots: ClassVar = {"cheat": lambda view, legal, rng: act("play", place=9)}


def test_a_bot_that_plays_what_is_illegal_is_caught():
    assert laws(BadBot()) == {"bots play by the rules"}


class BadAuto(HighCard):
    id = "bad-auto"

    def auto_action(self, state: Hands, turn: Turn) -> Action:
        return act("play", place=9)


def test_an_auto_action_that_is_illegal_is_caught():
    assert "auto_action" in text(BadAuto(), "no faults")


class Silent(HighCard):
    id = "silent"

    def render(self, view: MatchView[Hands]) -> Any:
        return None


def test_a_game_that_cannot_be_shown_is_caught():
    assert laws(Silent()) == {"it can be shown"}


def test_the_failure_lists_every_law_with_its_fix_and_where_to_see_it():
    with pytest.raises(GameCheckFailed) as failure:
        check_game(Mutates(), seeds=1)

    assert str(failure.value).startswith("mutates breaks 1 laws:\n  1. [the input is left alone] step changes")
    assert "(seed 0, 1 players, version 0)" in str(failure.value)
    assert failure.value.code == "game_check_failed"
