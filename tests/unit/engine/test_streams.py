"""Streams of a match: a fresh one for each move, numbered without gaps, and nobody else's."""

import random
from typing import Any, ClassVar

import pytest
from msgspec import Struct

from croupier.engine import Action, Game, act, action, apply_action, canonical, create_match, legal_actions, require
from croupier.engine.legal import legal_ranges
from croupier.errors import BadSeed, CroupierError
from croupier.rng import GameRng
from tests.unit.test_rng_oracle import Tape, filled

ZEROS = bytes(32)


class Drawn(Struct, frozen=True):
    bytes: str = ""
    setup: str = ""


class Tap(Game[Drawn]):
    """Shows the bytes of its streams."""

    id, name, players = "tap", "Tap", (1, 2)

    def setup(self, table):
        return Drawn(setup=table.rng.fill_bytes(32).hex())

    @action()
    def draw(self, state, turn):
        turn.events.end_turn()
        return Drawn(turn.rng.fill_bytes(32).hex(), state.setup)

    @action()
    def rest(self, state, turn):
        return state

    @action()
    def refuse(self, state, turn):
        require(False, "never", "never")
        return state


TAP = Tap()


def oracle_block(*move: Any) -> str:
    """Return the first 32 bytes of a stream, in hex, from its seed, session and move."""
    return filled(Tape.of(*move), 0, 32)[0].hex()


def test_set_up_is_move_0_and_accepted_actions_are_1_2_3(accept):
    """The blocks of session 1 are published vectors (V1): moves 0 and 1 of the seed of 32 zero bytes."""
    match = create_match(TAP, ["a"], seed=ZEROS, session_id=1)
    assert match.game.setup == "5430dfc9c0a729db4f9409f336f5398b88bac9fe70f1d82890ecde22eac0e97a"

    match = accept(TAP, match, act("draw"))
    assert match.game.bytes == "c108d12a67676a712ddcf6afbd147e0792cfc62caa28e632f1de2637244be8c3"


def test_the_dice_of_a_match_are_those_of_the_published_stream(pig, accept):
    """Move 1 of session 1: c1 08 d1 2a 67 67; 0xc1 = 193 is fair and 193 mod 6 + 1 = 2, 0x08 gives 3."""
    match = create_match(pig, ["a"], seed=ZEROS, session_id=1, options={"dice": 2})

    assert accept(pig, match, act("roll")).game.dice == (2, 3)


def test_move_3_of_session_42_is_the_published_block(accept):
    seed = bytes(range(48))
    match = create_match(TAP, ["a"], seed=seed, session_id=42)
    assert match.game.setup == "26afdfbb418c138d22b639150160b512925779cb1ccc369c841c7d6b55a5481a"

    third = accept(TAP, match, act("draw"), act("rest"), act("draw"))

    assert third.game.bytes == "54f3e731862298ba65dedc3ccdf5098337cd7a7384cb49d4b1e309b55e8c0d94"


def test_every_move_has_a_stream_of_its_own_whether_or_not_it_draws(accept):
    match = create_match(TAP, ["a", "b"], seed=b"x", session_id=9)
    for move in range(1, 12):
        if move % 3 == 0:
            match = accept(TAP, match, act("rest"))
            continue
        match = accept(TAP, match, act("draw"))
        assert match.game.bytes == oracle_block(b"x", 9, move)


def test_a_refused_action_consumes_nothing(accept, no):
    match = create_match(TAP, ["a", "b"], seed=b"x")
    plain = accept(TAP, match, act("draw"))

    for asked in (act("refuse"), act("fly"), Action("draw", {}, "b"), act("draw", count=3), 5):
        no(TAP, match, asked)

    assert accept(TAP, match, act("draw")) == plain


def test_an_answer_says_whether_the_stream_was_drawn_from():
    match = create_match(TAP, ["a"], seed=b"")

    drawn: Any = apply_action(TAP, match, act("draw"))
    rested: Any = apply_action(TAP, match, act("rest"))
    assert (drawn.drew, rested.drew) == (True, False)


def test_a_host_may_bring_a_seed_of_its_own_for_a_move(accept):
    match = create_match(TAP, ["a"], seed=b"x", session_id=4)

    hosted = accept(TAP, match, act("draw"), seed=b"beacon")

    assert hosted.game.bytes == oracle_block(b"beacon", 4, 1)
    # The seed of the match stays, and the next move draws from it again.
    assert hosted.rng_state.seed == b"x".hex()
    assert accept(TAP, hosted, act("draw")).game.bytes == oracle_block(b"x", 4, 2)


@pytest.mark.parametrize("seed", ["text", 5, bytearray(b"x"), [1], b"x" * 1025, b""], ids=repr)
@pytest.mark.parametrize("name", ["draw", "rest"])
def test_an_invalid_seed_of_the_host_is_its_mistake_not_the_games(name, seed):
    """It is told before the game runs, whether or not the move would have drawn.

    On record an empty text means "the seed of the match": a move drawn from b"" would be taken for one.
    """
    match = create_match(TAP, ["a"], seed=b"x")

    with pytest.raises(BadSeed):
        apply_action(TAP, match, act(name), seed=seed)


def test_a_stream_may_be_replaced_for_what_if_analysis(accept):
    match = create_match(TAP, ["a"], seed=b"x")

    forced = accept(TAP, match, act("draw"), rng=GameRng.from_state(bytes(range(32))))

    assert forced.game.bytes == bytes(range(32)).hex()


class Peeker(Game[Drawn]):
    """Tries to learn the next roll: in validation, in its list of legal actions, in its ranges, when time runs out."""

    id, name, players = "peeker", "Peeker", (1, 1)
    seen: ClassVar[list[tuple[str, bytes]]] = []

    def setup(self, table):
        return Drawn()

    def _peek(self, where: str, turn: Any) -> None:
        Peeker.seen.append((where, turn.rng.fill_bytes(32)))

    def validate(self, state, action, turn):
        self._peek("validate", turn)
        return True

    def legal(self, state, turn):
        self._peek("legal", turn)
        yield act("draw")

    def ranges(self, state, turn):
        self._peek("ranges", turn)
        return {}

    def auto_action(self, state, turn):
        self._peek("auto_action", turn)

    @action()
    def draw(self, state, turn):
        drawn = turn.rng.fill_bytes(32)
        Peeker.seen.append(("draw", drawn))
        return Drawn(drawn.hex())


def peek(seed: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """Return the bytes of the real move, and all that the game saw before it."""
    game = Peeker()
    match = create_match(game, ["a"], seed=seed)
    Peeker.seen = []
    legal_actions(game, match)
    legal_ranges(game, match)
    apply_action(game, match, act("draw"))
    answer = apply_action(game, match, act("time_out"))
    assert answer.ok
    return answer.state.game.bytes, list(Peeker.seen)


def test_draws_in_trials_shift_nothing_and_never_see_the_real_stream():
    real, seen = peek(b"one")
    other_real, other_seen = peek(b"two")

    assert real == oracle_block(b"one", 0, 1)
    assert {where for where, _ in seen} == {"validate", "legal", "ranges", "auto_action", "draw"}
    before_a_real_draw = {drawn for where, drawn in seen if where != "draw"}
    assert bytes.fromhex(real) not in before_a_real_draw
    # What a trial sees does not depend on the seed, so it cannot tell anything about it.
    assert before_a_real_draw == {drawn for where, drawn in other_seen if where != "draw"}
    assert real != other_real


def test_listing_what_is_legal_tries_actions_on_a_throw_away_stream():
    """The actions themselves run when they are listed; what they draw there is not what they will draw."""
    game = Peeker()
    match = create_match(game, ["a"], seed=b"one")
    Peeker.seen = []

    legal_actions(game, match)

    assert {where for where, _ in Peeker.seen} == {"legal", "validate", "draw"}
    assert oracle_block(b"one", 0, 1) not in {drawn.hex() for _, drawn in Peeker.seen}


def test_what_is_legal_does_not_depend_on_the_seed(pig):
    lists = {canonical(legal_actions(pig, create_match(pig, ["a"], seed=bytes([number])))) for number in range(50)}

    assert lists == {b'[{"payload":{},"player_id":"a","type":"roll"}]'}


def test_rules_draw_no_entropy_from_anywhere_else(pig, accept, monkeypatch):
    """Same seed, same actions: the same match, whatever the process has drawn in between."""
    first = accept(pig, create_match(pig, ["a", "b"], seed=b"s"), *[act("roll")] * 5)
    random.seed(1)
    random.random()
    monkeypatch.setattr("os.urandom", lambda count: pytest.fail("entropy was asked for"))

    assert accept(pig, create_match(pig, ["a", "b"], seed=b"s"), *[act("roll")] * 5) == first


def test_a_seed_never_shows_in_an_answer_or_an_error(pig, start, accept):
    match = start(pig, seed=b"very secret seed")
    several: list[Any] = [act("roll"), act("fly"), act("hold"), {}]
    for asked in several:
        answer = apply_action(pig, match, asked)
        text = repr(answer.action) if answer.ok else answer.error
        assert b"very secret seed".hex() not in text
    with pytest.raises(CroupierError) as caught:
        apply_action(pig, match, act("roll"), seed="very secret seed")  # type: ignore[arg-type]
    assert "very secret" not in str(caught.value)
