"""Scripted streams and chance outcomes: forced draws, loud when they do not fit; all outcomes with exact chances."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations, product
from operator import methodcaller
from typing import Any

import pytest
from msgspec import Struct

from croupier import draws
from croupier.engine import Action, Game, act, action, apply_action, chance_outcomes, create_match, state_digest
from croupier.engine.chance import ScriptedRng
from croupier.errors import CroupierError, DrawError
from croupier.rng import GameRng
from tests.unit.test_rng_oracle import Tape, rolled

# Forced draws.


@pytest.mark.parametrize(
    ("script", "draw", "value", "bounds"),
    [
        ([4], lambda rng: rng.next_bounded(6), 4, [6]),
        ([254], lambda rng: rng.next_bounded(255), 254, [255]),
        ([0], lambda rng: rng.next_bounded(1), 0, [1]),
        ([999], lambda rng: rng.next_bounded_u32(1000), 999, [1000]),
        ([2**32 - 2], lambda rng: rng.next_bounded_u32(2**32 - 1), 2**32 - 2, [2**32 - 1]),
        ([300], lambda rng: rng.next_bounded_usize(301), 300, [301]),
        ([5], lambda rng: rng.next_bounded_usize(6), 5, [6]),
        ([5], lambda rng: rng.roll_die(), 6, [6]),
        ([36], lambda rng: rng.spin_roulette(), 36, [37]),
        ([0], lambda rng: rng.spin_roulette(), 0, [37]),
        ([2], lambda rng: rng.pick("abc"), "c", [3]),
        ([299], lambda rng: rng.pick(range(300)), 299, [300]),
        ([0, 5, 2], lambda rng: rng.dice(6, 3), (1, 6, 3), [6, 6, 6]),
        ([255], lambda rng: rng.dice(256), (256,), [256]),
        ([19], lambda rng: rng.dice(20), (20,), [20]),
        ([10], lambda rng: rng.int(-5, 5), 5, [11]),
        ([0], lambda rng: rng.int(7, 7), 7, [1]),
        ([70_000], lambda rng: rng.int(0, 100_000), 70_000, [100_001]),
        ([0], lambda rng: rng.bool(), True, [2]),
        ([1], lambda rng: rng.bool(), False, [2]),
        ([2], lambda rng: rng.bool(3, 7), True, [7]),
        ([3], lambda rng: rng.bool(3, 7), False, [7]),
        ([499], lambda rng: rng.bool(500, 1000), True, [1000]),
        ([], lambda rng: rng.next_bounded(0), 0, []),
    ],
)
def test_every_bounded_draw_gives_what_the_script_says(script, draw, value, bounds):
    rng = ScriptedRng(script)

    assert draw(rng) == value
    assert rng.bounds == bounds


def test_a_shuffle_takes_one_entry_a_step_from_the_top_down():
    rng = ScriptedRng([0, 0, 0])

    # 3 with 0, then 2 with 0, then 1 with 0.
    assert rng.shuffle(["a", "b", "c", "d"]) == ["b", "c", "d", "a"]
    assert rng.bounds == [4, 3, 2]
    assert ScriptedRng([3, 2, 1]).shuffle([0, 1, 2, 3]) == [0, 1, 2, 3]
    assert ScriptedRng(range(51, 0, -1)).create_deck() == list(range(52))


def test_a_long_shuffle_uses_draws_of_four_bytes_first():
    rng = ScriptedRng(range(299, 0, -1))

    assert rng.shuffle(list(range(300))) == list(range(300))
    assert rng.bounds == list(range(300, 1, -1))
    # 300 down to 256 take four bytes each, 255 down to 2 one each.
    assert rng.bytes_used == 45 * 4 + 254


def test_cards_are_drawn_from_where_the_script_says_and_the_last_fills_the_place():
    rng = ScriptedRng([1, 0, 1, 0])
    deck = [10, 11, 12, 13]

    assert [rng.draw_card(deck) for _ in range(4)] == [11, 10, 13, 12]
    assert rng.bounds == [4, 3, 2, 1]
    assert rng.draw_card(deck) is None
    assert rng.create_deck(shuffled=False) == list(range(52))


def test_the_draw_functions_of_the_numeric_subset_are_forced_as_well():
    rng = ScriptedRng([3, 200, 1])

    assert draws.bounded(rng, 6) == 3
    assert draws.bounded_u32(rng, 300) == 200
    assert draws.roll_die(rng) == 2


def test_dice_can_be_named_by_their_faces():
    assert ScriptedRng.of_dice(3, 6, 1).dice(6, 3) == (3, 6, 1)
    for face in (7, 0):
        with pytest.raises(DrawError):
            ScriptedRng.of_dice(face).roll_die()


def test_it_goes_on_after_a_whole_block_of_bytes():
    rng = ScriptedRng([5] * 100)

    assert rng.dice(6, 100) == (6,) * 100
    assert rng.bytes_used == 100


RUN_OUT, NO_FIT = "the script ran out: it has 0 entries", "entry 0 of the script"
RAW = "a scripted stream has bounded draws only"


@pytest.mark.parametrize(
    ("script", "draw", "words"),
    [
        ([], lambda rng: rng.roll_die(), RUN_OUT),
        ([], lambda rng: rng.shuffle([1, 2]), RUN_OUT),
        ([], lambda rng: rng.pick("ab"), RUN_OUT),
        ([], lambda rng: rng.next_bounded_u32(500), RUN_OUT),
        ([], lambda rng: rng.draw_card([1]), RUN_OUT),
        ([0], lambda rng: rng.dice(6, 2), "the script ran out: it has 1 entries"),
        *(([value], lambda rng: rng.roll_die(), NO_FIT) for value in (6, -1, 1.0, True, "1", None)),
        ([2], lambda rng: rng.bool(), NO_FIT),
        ([37], lambda rng: rng.spin_roulette(), NO_FIT),
        ([1000], lambda rng: rng.next_bounded_u32(1000), NO_FIT),
        ([10**30], lambda rng: rng.next_bounded_usize(300), NO_FIT),
        # A raw byte has no outcomes that can be listed: a coin made of one would silently always fall the same way.
        *(([0] * 8, methodcaller(f"next_{name}"), RAW) for name in ("byte", "u8", "u32", "u64", "f32")),
        ([0] * 8, lambda rng: rng.fill_bytes(4), RAW),
        ([0] * 8, lambda rng: rng.as_random().random(), RAW),
        ([0] * 8, lambda rng: draws.next_byte(rng) >= 128 or rng.roll_die(), RAW),
        ([0] * 8, lambda rng: draws.next_byte(rng) == 0, RAW),
        ([0] * 8, lambda rng: draws.next_byte(rng) % 6, RAW),
        ([0] * 8, lambda rng: draws.next_u32(rng) % 6, RAW),
    ],
)
def test_a_draw_that_the_script_cannot_give_is_loud(script, draw, words):
    with pytest.raises(DrawError, match=words):
        draw(ScriptedRng(script))


@pytest.mark.parametrize(
    "draw", [lambda rng: rng.next_bounded(256), lambda rng: rng.next_bounded_u32(2**32), lambda rng: rng.pick([])]
)
def test_what_a_real_stream_refuses_a_scripted_one_refuses_too(draw):
    for rng in (GameRng.new(b"", 0, 0), ScriptedRng([0])):
        with pytest.raises(DrawError):
            draw(rng)


def test_a_script_forces_the_dice_of_an_action(pig, start):
    answer: Any = apply_action(pig, start(pig), act("roll"), rng=ScriptedRng.of_dice(6))

    assert answer.state.game.dice == (6,)
    assert answer.drew is True


def test_a_script_that_runs_out_in_an_action_is_loud_and_changes_nothing(pig, start):
    match = start(pig, options={"dice": 2})
    before = state_digest(match)

    with pytest.raises(CroupierError, match="the script ran out"):
        apply_action(pig, match, act("roll"), rng=ScriptedRng.of_dice(6))

    assert state_digest(match) == before


def test_the_same_forced_draws_give_the_same_match_as_the_real_stream_that_gives_them(pig, start):
    match = start(pig, seed=b"real", options={"dice": 2})
    faces, _ = rolled(Tape.of(b"real", 0, 1), 0, 6, 2)

    real = apply_action(pig, match, act("roll")).state
    forced = apply_action(pig, match, act("roll"), rng=ScriptedRng.of_dice(*faces)).state

    assert forced == real


# All outcomes.


class Result(Struct, frozen=True):
    value: tuple[int, ...] = ()


class Chances(Game[Result]):
    """Every shape that chance can have in one action."""

    id, name, players = "chances", "Chances", (1, 1)

    def setup(self, table):
        return Result()

    @action()
    def two_dice(self, state, turn):
        return Result(turn.rng.dice(6, 2))

    @action()
    def nothing(self, state, turn):
        return state

    @action()
    def until_tails(self, state, turn):
        """Three coins at most, and none after the first that falls tails: branches of different length."""
        count = 0
        while count < 3 and turn.rng.bool(2, 3):
            count += 1
        return Result((count,))

    @action()
    def shuffled(self, state, turn):
        return Result(tuple(turn.rng.shuffle([1, 2, 3, 4])))

    @action()
    def two_cards(self, state, turn):
        deck = [1, 1, 2, 3]
        return Result((turn.rng.draw_card(deck), turn.rng.draw_card(deck)))

    @action()
    def wide(self, state, turn):
        return Result((turn.rng.int(1, 1500),))

    @action()
    def coin_of_a_byte(self, state, turn):
        return Result((int(draws.next_byte(turn.rng) >= 128),))

    @action()
    def until_heads(self, state, turn):
        while not turn.rng.bool():
            pass
        return state

    @action()
    def until_six(self, state, turn):
        tries = 1
        while turn.rng.roll_die() != 6:
            tries += 1
            if tries > 10_000:
                pytest.fail("no end in sight")
        return Result((tries,))


@pytest.fixture
def chances() -> Any:
    return Chances(), create_match(Chances(), ["a"], seed=b"")


def outcomes_of(chances: Any, name: str, **more: Any) -> Any:
    game, match = chances
    return chance_outcomes(game, match, act(name), **more)


def totals(outcomes):
    """Return the chance of every value."""
    found: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for outcome in outcomes:
        found[outcome.state.game.value] += outcome.chance
    return found


def test_two_dice_fall_in_36_ways_equally_likely_and_in_the_order_of_the_draws(chances):
    outcomes = outcomes_of(chances, "two_dice")

    assert [outcome.state.game.value for outcome in outcomes] == list(product(range(1, 7), repeat=2))
    assert [outcome.draws for outcome in outcomes] == list(product(range(6), repeat=2))
    assert {outcome.chance for outcome in outcomes} == {Fraction(1, 36)}
    assert sum(outcome.chance for outcome in outcomes) == 1
    sums = Counter(sum(outcome.state.game.value) for outcome in outcomes)
    assert [sums[total] for total in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("name", "chances_of"),
    [
        # 2/3 a coin, by hand; branches of different length still add up to one.
        ("until_tails", {(0,): Fraction(1, 3), (1,): Fraction(2, 9), (2,): Fraction(4, 27), (3,): Fraction(8, 27)}),
        ("shuffled", dict.fromkeys(permutations((1, 2, 3, 4)), Fraction(1, 24))),
        # Two of 1, 1, 2, 3 without putting back: over the twelve ordered pairs of places.
        ("two_cards", {pair: Fraction(n, 12) for pair, n in Counter(permutations((1, 1, 2, 3), 2)).items()}),
        ("wide", {(value,): Fraction(1, 1500) for value in range(1, 1501)}),  # a draw of four bytes
    ],
)
def test_every_outcome_has_its_exact_chance(chances, name, chances_of):
    assert totals(outcomes_of(chances, name)) == chances_of


def test_an_action_without_chance_has_one_outcome(chances):
    (outcome,) = outcomes_of(chances, "nothing")

    assert (outcome.chance, outcome.draws) == (1, ())


def test_outcomes_are_matches_one_version_on_and_the_given_one_stays(chances):
    game, match = chances
    before = state_digest(match)

    for outcome in chance_outcomes(game, match, act("two_dice")):
        assert outcome.state.version == 1
        assert outcome.state.rng_state.move_number == 2
        forced = apply_action(game, match, act("two_dice"), rng=ScriptedRng(outcome.draws))
        assert forced.state == outcome.state
    assert state_digest(match) == before


def test_more_outcomes_than_the_limit_is_an_error_and_exactly_as_many_is_not(chances):
    assert len(outcomes_of(chances, "two_dice", limit=36)) == 36
    with pytest.raises(DrawError, match="more than 35 outcomes"):
        outcomes_of(chances, "two_dice", limit=35)


@pytest.mark.parametrize("name", ["until_heads", "until_six"])
def test_chance_without_end_is_stopped_by_the_limit(chances, name):
    """One of them has a short first branch and then longer ones; of the other, already the first has no end."""
    with pytest.raises(CroupierError, match="more than 50"):
        outcomes_of(chances, name, limit=50)


def test_illegal_actions_and_chance_made_of_raw_bytes_have_no_outcomes(chances):
    with pytest.raises(DrawError, match="fly is not legal here"):
        outcomes_of(chances, "fly")
    with pytest.raises(CroupierError):
        outcomes_of(chances, "coin_of_a_byte")


def test_chance_of_a_whole_turn_of_a_game(pig, start):
    """One die at Pig: a 1 passes the turn with chance 1/6, the rest goes into the pot."""
    outcomes = chance_outcomes(pig, start(pig), act("roll"))

    assert [(outcome.state.turn.current, outcome.state.game.pot) for outcome in outcomes] == [
        ("b", 0), ("a", 2), ("a", 3), ("a", 4), ("a", 5), ("a", 6)
    ]  # fmt: skip
    assert {outcome.chance for outcome in outcomes} == {Fraction(1, 6)}


def test_host_actions_have_chance_outcomes_too(pig, start):
    assert len(chance_outcomes(pig, start(pig), act("time_out"))) == 6
    assert len(chance_outcomes(pig, start(pig), Action("leave", {}, "b"))) == 1
