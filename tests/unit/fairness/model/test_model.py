"""Model checking of every scheme: coalitions find all the old holes, and in the new schemes what the pages admit.

Values are exact. A chance of 1/4 is fair for matches and rooms, and 0 chips for shared dice. `search` says what the
adversary may do and what is granted; `hashing` what the toy hash is.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256

import pytest

from tests.unit.fairness.model.dice import PROTOCOL_1, PROTOCOL_2, hand, shared_dice
from tests.unit.fairness.model.hashing import Hash, Message, Table
from tests.unit.fairness.model.match import ALL_CHECKS, OLD_CHECKS, SCHEME_1, SCHEME_2, Scheme, match, predictions
from tests.unit.fairness.model.rooms import room_1, room_2
from tests.unit.fairness.model.search import FOUR_FACES, ONE_IN_SIX, Game, value

FAIR = Fraction(1, 4)
BEST_OF_2, BEST_OF_3, BEST_OF_4 = Fraction(7, 16), Fraction(37, 64), Fraction(175, 256)


# The search itself: it sees what can be worked out, and nothing else.


@pytest.mark.parametrize(("is_first_open", "chance"), [(True, BEST_OF_3), (False, FAIR)])
def test_the_last_speaker_chooses_only_if_it_knows_what_the_others_said(is_first_open, chance):
    def play(game: Game) -> int:
        ann, bob = game.secret("ann", "secret"), game.secret("bob", "secret")
        if is_first_open:
            game.publish(ann)
        return game.dice(game.digest((*ann, *game.choose("bob", [bob, (0,), (1,)])))) == 0

    assert value(play, "bob") == chance


@pytest.mark.parametrize(("is_keyed", "chance"), [(False, 1), (True, FAIR)])
def test_a_hash_can_be_extended_from_its_digest_and_an_hmac_cannot(is_keyed, chance):
    def play(game: Game) -> int:
        secret = game.secret("ann", "secret")
        make = (lambda text: game.hmac(secret, text)) if is_keyed else (lambda text: game.digest(secret + text))
        game.publish(make(()))
        text = game.choose("bob", [(0, 0, 0, 0), (2, 0, 1, 0)])
        guess = game.choose("bob", range(4))
        return game.dice(make(text)) == guess

    assert value(play, "bob", dice=FOUR_FACES) == chance


# Matches: the player.


@pytest.mark.parametrize(("scheme", "chance"), [(SCHEME_1, 1), (SCHEME_2, FAIR)], ids=["scheme 1", "scheme 2"])
def test_under_scheme_1_a_player_knows_every_draw_and_under_scheme_2_none(scheme, chance):
    assert value(match(scheme), "player", dice=FOUR_FACES) == chance


def test_scheme_1_falls_to_two_client_seeds_the_padding_and_the_padding_less_its_last_byte():
    """The byte between client seed and label is zero, and so is the last byte of the padding: it may be left out."""
    right = predictions(SCHEME_1, Table())

    assert [client for client, chance in right.items() if chance == 1] == [(2, 0, 1), (2, 0, 1, 0)]
    assert sorted(right.values())[-3] == Fraction(91, 256)


def test_scheme_2_tells_no_more_than_seeds_that_have_nothing_to_do_with_the_commitment():
    """In so small a world the best guess is right more than one time in four, even about an unrelated seed."""

    def unrelated(h: Hash, server: Message, client: Message, session: int, table: int) -> Message:
        return (sha256(f"{server} {client}".encode()).digest()[0] % 4,)

    assert max(predictions(Scheme(SCHEME_1.commitment, unrelated), Table()).values()) == Fraction(93, 256)
    assert max(predictions(SCHEME_2, Table()).values()) == Fraction(11, 32)


# Matches: the host.


@pytest.mark.parametrize(
    ("more", "chance"),
    [
        pytest.param({}, FAIR, id="a record that is checked whole leaves a fair chance"),
        pytest.param({"checks": OLD_CHECKS}, 1, id="under the old checks every draw is as the host likes"),
        pytest.param({"client_is_empty": True}, BEST_OF_2, id="of a guessed client seed the host knows its own seeds"),
        pytest.param({"client_first": True}, BEST_OF_2, id="a client seed named before the commitment is no better"),
    ],
)
@pytest.mark.parametrize("scheme", [SCHEME_1, SCHEME_2], ids=["scheme 1", "scheme 2"])
def test_a_host_gains_where_a_check_or_a_client_seed_is_missing_and_nowhere_else(scheme, more, chance):
    assert value(match(scheme, **more), "host") == chance


@pytest.mark.parametrize(
    ("left_out", "gain"),
    [
        ("present", 1),  # a record without commitments
        ("no seeds", 1),  # seeds of single moves beside the commitment
        ("client seed", Fraction(781, 1024)),  # another client seed: two for each of two server seeds, and the real one
        ("mine", BEST_OF_2),  # another commitment
        ("opened", BEST_OF_2),  # another server seed
        ("asked", BEST_OF_2),  # another table
    ],
)
def test_whichever_check_is_left_out_a_host_gains(left_out, gain):
    assert value(match(SCHEME_2, ALL_CHECKS - {left_out}), "host") == gain


# Rooms.


@pytest.mark.parametrize(
    ("room", "names", "chance"),
    [
        # A host knows the seed of a room's maker before it commits.
        (room_1(1, bots=1), "host", BEST_OF_3),
        (room_1(1, bots=1, maker_first=False), "host", FAIR),
        # Neither seats nor a host alone gain among two.
        (room_1(2), "host", FAIR),
        (room_1(2), "seat 0", FAIR),
        (room_1(2), "seat 1", FAIR),
        (room_1(2), "seat 0, seat 1", FAIR),
        # A host with the last seat chooses among all it tries: here two server seeds times two client seeds.
        (room_1(2, maker_first=False), "host, seat 1", BEST_OF_3),
        (room_1(2, tries=2), "host, seat 1", BEST_OF_4),
        # A host shows another client seed to a seat that does not compare.
        (room_1(2, checks=()), "host", BEST_OF_4),
    ],
)
def test_under_scheme_1_a_host_gains_in_a_room_by_what_it_knows_and_by_a_seat(room, names, chance):
    assert value(room, *names.split(", ")) == chance


@pytest.mark.parametrize(
    ("room", "names", "chance"),
    [
        # A host has the choice between two seeds and no more, by a start that is void because an opening did not come,
        # or is said not to have: the record tells of it. With seats of its own it has no more.
        (room_2(3), "seat 1", FAIR),
        (room_2(3), "seat 1, seat 2", FAIR),
        (room_2(3), "host", BEST_OF_2),
        (room_2(3), "host, seat 1", BEST_OF_2),
        pytest.param(room_2(3), "host, seat 1, seat 2", BEST_OF_2, marks=pytest.mark.soak),  # twenty seconds
        # Seats gain nothing by not opening where the host loses nothing.
        (room_2(3, host_loses=False), "seat 1, seat 2", FAIR),
        (room_2(3, host_loses=False), "host", FAIR),
        (room_2(3, host_loses=False), "host, seat 1", BEST_OF_2),
        # Of two, a player who does not open, or is said not to have opened, has lost, and nothing is played.
        (room_2(2, tries=2, beneficiary="seat 1"), "host", FAIR),
        (room_2(2, tries=2, beneficiary="seat 1"), "seat 0", FAIR),
        (room_2(2, tries=2, beneficiary="seat 1"), "seat 1", FAIR),
        (room_2(2, tries=2, beneficiary="seat 1"), "host, seat 1", FAIR),
        # More secrets to begin with are of no use; it takes half a minute to see.
        pytest.param(room_2(3, tries=2, beneficiary="seat 1"), "host, seat 1", BEST_OF_2, marks=pytest.mark.soak),
        # If the others played on, a host could throw seats away until it likes the seed. So any opening that is missing
        # makes the start void: else there is a seed more for every seat, in two starts.
        (room_2(3, is_strict=False), "host", 1 - Fraction(3, 4) ** 8),
        (room_2(4, is_strict=False), "host", 1 - Fraction(3, 4) ** 10),
    ],
)
def test_under_scheme_2_a_host_has_the_choice_between_two_seeds_in_a_room_and_no_more(room, names, chance):
    assert value(room, *names.split(", ")) == chance


@pytest.mark.parametrize(
    ("checks", "chance"),
    [({"secret", "digest"}, FAIR), ({"digest"}, FAIR), ({"secret"}, BEST_OF_2), (set(), Fraction(3367, 4096))],
)
def test_in_a_room_it_is_not_enough_to_find_ones_own_secret_in_the_record(checks, chance):
    """The digest of all commitments must be the one that was kept, or else a friend's secret is changed afterwards."""
    room = room_2(2, checks=checks, tries=2, beneficiary="seat 1")

    assert value(room, "host", "seat 1") == chance


# Shared dice.


@pytest.mark.parametrize(
    ("rounds", "gain"),
    [(1, Fraction(5, 6)), (2, Fraction(35, 36)), pytest.param(3, Fraction(215, 216), marks=pytest.mark.soak)],
)
def test_in_protocol_1_a_table_with_one_seat_rolls_again_for_free(rounds, gain):
    """The seat's commitment is overlooked, and it objects after the others have opened what the table does not like."""
    rules = PROTOCOL_1._replace(bets_need_commitments=True)  # without the next test's way

    assert chips(shared_dice(rules, rounds=rounds), "table, seat 1") == gain


@pytest.mark.parametrize(
    ("rules", "gain"),
    [(PROTOCOL_1, Fraction(215, 216)), (PROTOCOL_2._replace(bets_need_commitments=False), Fraction(35, 36))],
)
def test_a_table_with_one_seat_rolls_alone_where_a_bet_does_not_need_its_owners_commitment(rules, gain):
    """The bettor's commitment is overlooked, and the round goes on before the objection is heard."""
    assert chips(shared_dice(rules, rounds=1, tries=2), "table, seat 1") == gain


@pytest.mark.parametrize("names", ["table", "seat 0", "seat 1", "seat 0, seat 1"])
def test_in_protocol_1_nobody_else_gains(names):
    assert chips(shared_dice(PROTOCOL_1, rounds=2), names) == 0


@pytest.mark.parametrize("names", ["table", "seat 0", "seat 1", "seat 0, seat 1", "table, seat 1"])
def test_in_protocol_2_nobody_gains(names):
    assert chips(shared_dice(PROTOCOL_2), names) == 0
    assert chips(shared_dice(PROTOCOL_2, rounds=1, tries=2), names) == 0


@pytest.mark.parametrize("rounds", [1, pytest.param(2, marks=pytest.mark.soak)])
@pytest.mark.parametrize("names", ["seat 0, seat 2", "seat 1, seat 2", "table, seat 2", "table, seat 1, seat 2"])
def test_in_protocol_2_nobody_gains_among_three(names, rounds):
    assert chips(shared_dice(PROTOCOL_2, seats=3, rounds=rounds), names) == 0


@pytest.mark.parametrize("fee", [1, 3])
def test_a_fee_that_goes_to_other_seats_pays_a_table_for_losing_openings(fee):
    """When the roll is bad the table says that an opening never came, and its friend has the honest seat's fee."""
    rules = PROTOCOL_2._replace(fee_to_others=True, fee=fee)

    assert chips(shared_dice(rules), "table") == 0
    assert chips(shared_dice(rules), "table, seat 1") == Fraction(fee, 6)


def test_a_table_that_loses_nothing_by_a_missing_opening_loses_openings():
    assert chips(shared_dice(PROTOCOL_2._replace(table_pays=False), rounds=1), "table") == Fraction(5, 6)


MOST = 100  # more than anybody can win


def chips(play, names: str) -> Fraction:
    return value(play, *names.split(", "), dice=ONE_IN_SIX, most=MOST)


# A table that closes while bets are undecided.


@pytest.mark.parametrize(
    ("bet", "closing", "names", "gain"),
    [
        ("pass", "face", "seat 0, seat 1", Fraction(1, 9)),
        ("pass", "value", "seat 0, seat 1", Fraction(-7, 495)),
        ("dont_pass", "face", "table", Fraction(5, 36)),
        ("dont_pass", "value", "table", Fraction(3, 220)),
    ],
)
def test_closing_is_worth_something_only_where_bets_go_back_at_face_value(bet, closing, names, gain):
    """-7/495 and 3/220 are what the bets cost at any table: the right to close adds nothing to them."""
    assert chips(hand(bet, closing), names) == gain


# The chain. Its scheme joins here when it is built: a protocol in `chain.py` beside the others, whose parties are
# validators and players, whose shares are secrets, and whose proposers and message delays are choices.
