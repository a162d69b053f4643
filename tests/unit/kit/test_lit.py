"""`kit.lit`: ids not lit yet are drawn from raw bytes, and found again where they stand."""

from croupier.kit.lit import draw_unlit, lit_place
from croupier.rng import GameRng


def stream_of(*first: int) -> GameRng:
    return GameRng.from_state(bytes(first).ljust(32, b"\0"))


def test_an_id_is_the_remainder_of_a_raw_byte_counted_from_the_first():
    assert draw_unlit(stream_of(200), 0, 52, [], 0) == 200 % 52
    assert draw_unlit(stream_of(200), 4, 14, [], 0) == 4 + 200 % 14


def test_what_is_lit_already_is_drawn_again_and_costs_a_byte():
    stream = stream_of(5, 57, 109, 6)  # 5, 57 and 109 are all 5 modulo 52

    assert draw_unlit(stream, 0, 52, [5, 9], 2) == 6
    assert stream.bytes_used == 4


def test_only_the_first_places_count():
    assert draw_unlit(stream_of(9), 0, 52, [5, 9], 1) == 9
    assert [lit_place(wanted, [5, 9, 5], 2) for wanted in (5, 9, 7)] == [0, 1, -1]
