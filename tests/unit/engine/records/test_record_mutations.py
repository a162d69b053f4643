"""Ten thousand damaged record files: `verify` never raises, and says yes to the original bytes alone."""

import json
from random import Random
from typing import Any

import pytest

from croupier.engine import Action, MatchClient, act, create_match, make_record, verify, write_record
from croupier.fairness import SeedPair
from tests.unit.engine.counting import written

PART = 1_000  # mutations a test, five tests a record


@pytest.fixture(scope="session")
def files(pig, cafe) -> dict[str, tuple[Any, bytes]]:
    """Return two record files: one with a committed seed, one with seeds of the host and players who come and go."""
    pair = SeedPair.of(bytes(range(32)), b"lucky" * 5, 3)
    dice = MatchClient(pig, create_match(pig, ["a", "b"], seed=pair.match_seed(3), session_id=3))
    for _ in range(4):
        dice.dispatch(act("roll"))
    guests = MatchClient(cafe, create_match(cafe, ["a", "b"], seed=b"\x01\x02"))
    for asked, seed in (
        (act("sip"), b"\xaa"),
        (act("join", id="c", name="Cé"), None),
        (act("time_out"), None),
        (Action("leave", {}, "a"), None),
    ):
        assert guests.dispatch(asked, seed=seed).ok
    return {
        "dice": (pig, write_record(make_record(pig, dice.base, dice.get_log(), commitments=pair))),
        "guests": (cafe, write_record(make_record(cafe, guests.base, guests.get_log()))),
    }


def flip(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << random.randrange(8))]) + data[place + 1 :]


def replace(data: bytes, random: Random) -> bytes:
    """Put another byte of the file's own alphabet in the place of one: what still looks like a record."""
    place = random.randrange(len(data))
    return data[:place] + bytes([random.choice(data)]) + data[place + 1 :]


def delete(data: bytes, random: Random) -> bytes:
    start = random.randrange(len(data))
    return data[:start] + data[start + random.choice((1, 1, 1, 2, 5, 64)) :]


def insert(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    extra = random.choice(
        (b" ", b"\n", b"0", b"9", b'"', b",", b"[", b"]", b"{", b"}", b"\\", b"\x00", b"\xff", b"null")
    )
    return data[:place] + extra * random.choice((1, 1, 2)) + data[place:]


def swap(data: bytes, random: Random) -> bytes:
    one, other = sorted(random.sample(range(len(data)), 2))
    return data[:one] + data[other : other + 1] + data[one + 1 : other] + data[one : one + 1] + data[other + 1 :]


def move(data: bytes, random: Random) -> bytes:
    """Copy a piece of the file over another place: digests, names and actions in each other's stead."""
    length = random.choice((1, 4, 16, 66))
    source, target = (random.randrange(len(data) - length) for _ in range(2))
    return data[:target] + data[source : source + length] + data[target + length :]


def truncate(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data))] + random.choice((b"", b"", b"}", b'"}', b"]}"))


JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 2**63, 10**30, 0.5, "", "a", "b", "00", "roll", "hold", "\x00", "é", [], {}, [[]]
)  # fmt: skip


def edit(data: bytes, random: Random) -> bytes:
    """Change the document and write it in canonical form again: nothing but its content can give it away."""
    document = json.loads(data)
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = random.choice(keys)
        if isinstance(place[key], (dict, list)) and place[key] and random.random() < 0.8:
            place = place[key]
            continue
        break
    kind = random.random()
    if kind < 0.2:
        del place[key]
    elif kind < 0.3 and isinstance(place, dict):
        place[random.choice(("x", "seed", "seeds", "id", "payload", ""))] = random.choice(JUNK)
    elif kind < 0.4 and isinstance(place, list):
        place.insert(key, place[key])
    elif kind < 0.5 and isinstance(place[key], str):
        place[key] = random.choice((place[key].swapcase(), place[key][::-1], place[key][:-1]))
    elif kind < 0.6 and type(place[key]) is int:
        place[key] += random.choice((-1, 1, 2**32))
    else:
        place[key] = random.choice(JUNK)
    return written(document).encode()


MUTATIONS = (flip, replace, delete, insert, swap, move, truncate, edit, edit, edit)


@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("name", ["dice", "guests"])
def test_a_damaged_record_never_verifies_and_never_raises(files, name, part):
    game, original = files[name]
    random = Random(f"{name} {part}")
    assert verify(original, game=game).ok
    for number in range(PART):
        data = MUTATIONS[number % len(MUTATIONS)](original, random)
        if random.random() < 0.2:
            data = random.choice(MUTATIONS[:7])(data or b"{}", random) if len(data) > 80 else data

        outcome = verify(data, game=game)

        assert outcome.ok == (data == original), data
        assert bool(outcome.problem) != outcome.ok
