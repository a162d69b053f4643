"""Merkle roots and proofs: a compact tree of sixteen branches over keys, and a tree over the list of a block's events.

    empty       32 zero bytes
    leaf        SHA-256(00 ‖ SHA-256(key) ‖ SHA-256(value)), at the first depth where no other leaf shares its path
    inner       SHA-256(01 ‖ the hashes of its sixteen branches); the hex digits of SHA-256(key) are the path
    event       SHA-256(02 ‖ event)
    pair        SHA-256(03 ‖ left ‖ right), level by level; one left over goes up as it is
    list        SHA-256(04 ‖ count, eight bytes ‖ top)

Trees are values: an update shares what it does not change, so a block that is not committed costs nothing to forget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from croupier.chain.errors import BadProof
from croupier.chain.limits import EVENT_PROOF_DEPTH_MAX, PROOF_BYTES_MAX, STATE_PROOF_DEPTH_MAX
from croupier.fairness.seeds import u64

EMPTY = bytes(32)


class Leaf(Struct, frozen=True, gc=False):
    """A key and its value, both as hashes."""

    hash: bytes
    key: bytes
    value: bytes


class Inner(Struct, frozen=True, gc=False):
    """Sixteen branches, and their hashes in one piece."""

    hash: bytes
    hashes: bytes
    branches: tuple[Node, ...]


Node = Leaf | Inner | None
Change = tuple[bytes, bytes]

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Hex480 = Annotated[str, Meta(pattern="^[0-9a-f]{960}$")]


class StateProof(Struct, frozen=True, forbid_unknown_fields=True):
    """Fifteen siblings for each depth from the root down; for a key that is not there, the leaf on its path, if any."""

    siblings: Annotated[tuple[Hex480, ...], Meta(max_length=STATE_PROOF_DEPTH_MAX)]
    other: tuple[Hex32, Hex32] | None = None


class EventProof(Struct, frozen=True, forbid_unknown_fields=True):
    """The place of an event in its block, how many there are, and the siblings from the event up."""

    index: Annotated[int, Meta(ge=0)]
    count: Annotated[int, Meta(ge=1, le=2**EVENT_PROOF_DEPTH_MAX)]
    siblings: Annotated[tuple[Hex32, ...], Meta(max_length=EVENT_PROOF_DEPTH_MAX)]


Proof = TypeVar("Proof", StateProof, EventProof)


def root_of(tree: Node) -> bytes:
    """Return the root of a tree."""
    return EMPTY if tree is None else tree.hash


def update(tree: Node, values: Mapping[str, bytes]) -> Node:
    """Return the tree with values, given by their SHA-256, under their keys. Nothing is ever taken out."""
    changes = [(sha256(key.encode()).digest(), value) for key, value in values.items()]
    return _update(tree, 0, changes) if changes else tree


def _update(node: Node, depth: int, changes: list[Change]) -> Leaf | Inner:
    if type(node) is Inner:
        hashes, branches = node.hashes, [*node.branches]
    else:
        if type(node) is Leaf and all(node.key != key for key, _ in changes):
            changes = [*changes, (node.key, node.value)]
        if len(changes) == 1:
            key, value = changes[0]
            return Leaf(sha256(b"\x00" + key + value).digest(), key, value)
        hashes, branches = 16 * EMPTY, [None] * 16
    byte, shift = depth >> 1, 0 if depth & 1 else 4
    parts: dict[int, list[Change]] = {}
    for change in changes:
        parts.setdefault(change[0][byte] >> shift & 15, []).append(change)
    for digit, part in parts.items():
        made = branches[digit] = _update(branches[digit], depth + 1, part)
        hashes = hashes[: 32 * digit] + made.hash + hashes[32 * digit + 32 :]
    return Inner(sha256(b"\x01" + hashes).digest(), hashes, tuple(branches))


def prove(tree: Node, key: str) -> StateProof:
    """Return the proof for the value under a key, or that there is none."""
    path = sha256(key.encode())
    siblings: list[str] = []
    for digit in path.hexdigest():
        if not isinstance(tree, Inner):
            break
        at = 32 * int(digit, 16)
        siblings.append((tree.hashes[:at] + tree.hashes[at + 32 :]).hex())
        tree = tree.branches[at // 32]
    other = (tree.key.hex(), tree.value.hex()) if isinstance(tree, Leaf) and tree.key != path.digest() else None
    return StateProof(tuple(siblings), other)


def verify_value(root: bytes, key: str, value: bytes | None, proof: StateProof) -> bool:
    """Tell whether a value stands under a key in the tree of a root; None asks whether nothing does."""
    path, depth, leaf = sha256(key.encode()).hexdigest(), len(proof.siblings), proof.other
    if value is not None:
        if leaf is not None:
            return False
        leaf = (path, sha256(value).hexdigest())
    elif leaf is not None and (leaf[0] == path or leaf[0][:depth] != path[:depth]):
        return False
    found = EMPTY if leaf is None else sha256(b"\x00" + bytes.fromhex(leaf[0] + leaf[1])).digest()
    for digit, siblings in zip(reversed(path[:depth]), reversed(proof.siblings), strict=True):
        at, beside = 32 * int(digit, 16), bytes.fromhex(siblings)
        found = sha256(b"\x01" + beside[:at] + found + beside[at:]).digest()
    return found == root


def events_root(events: Sequence[bytes]) -> bytes:
    """Return the root of a list."""
    levels = _levels(events)
    return sha256(b"\x04" + u64(len(events)) + levels[-1][0]).digest()


def event_proof(events: Sequence[bytes], index: int) -> EventProof:
    """Return the proof that an event stands at a place of a list."""
    siblings = []
    place = index
    for level in _levels(events)[:-1]:
        if place ^ 1 < len(level):
            siblings.append(level[place ^ 1].hex())
        place >>= 1
    return EventProof(index, len(events), tuple(siblings))


def verify_event(root: bytes, event: bytes, proof: EventProof) -> bool:
    """Tell whether an event stands at its place in the list of a root."""
    if proof.index >= proof.count:
        return False
    found, place, size = sha256(b"\x02" + event).digest(), proof.index, proof.count
    siblings = [bytes.fromhex(sibling) for sibling in proof.siblings]
    while size > 1:
        if place ^ 1 < size:
            if not siblings:
                return False
            sibling = siblings.pop(0)
            found = sha256(b"\x03" + (sibling + found if place & 1 else found + sibling)).digest()
        place, size = place >> 1, (size + 1) >> 1
    return not siblings and sha256(b"\x04" + u64(proof.count) + found).digest() == root


def _levels(events: Iterable[bytes]) -> list[list[bytes]]:
    levels = [[sha256(b"\x02" + event).digest() for event in events] or [EMPTY]]
    while len(levels[-1]) > 1:
        last = levels[-1]
        above = [sha256(b"\x03" + last[i] + last[i + 1]).digest() for i in range(0, len(last) - 1, 2)]
        levels.append([*above, last[-1]] if len(last) % 2 else above)
    return levels


def read_proof(data: bytes, kind: type[Proof]) -> Proof:
    """Return a proof from its JSON, or raise `BadProof`; every bound is checked here."""
    if len(data) > PROOF_BYTES_MAX:
        raise BadProof(f"a proof of {len(data)} bytes; at most {PROOF_BYTES_MAX} are read")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadProof(f"this is no proof: {error}") from None
