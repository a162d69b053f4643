"""Merkle roots and proofs: a compact binary tree over keys, and a tree over the list of a block's events.

    empty       32 zero bytes
    leaf        SHA-256(00 ‖ SHA-256(key) ‖ SHA-256(value)), at the first depth where no other leaf shares its path
    inner       SHA-256(01 ‖ left ‖ right); the bits of SHA-256(key) are the path, 0 is left
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
    """Two subtrees."""

    hash: bytes
    left: Leaf | Inner | None
    right: Leaf | Inner | None


Node = Leaf | Inner | None
Change = tuple[bytes, bytes]

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class StateProof(Struct, frozen=True, forbid_unknown_fields=True):
    """The siblings from the root down; and for a key that is not there, the leaf that stands on its path, if any."""

    siblings: Annotated[tuple[Hex32, ...], Meta(max_length=STATE_PROOF_DEPTH_MAX)]
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
    changes = sorted([(sha256(key.encode()).digest(), value) for key, value in values.items()])
    return _update(tree, 0, changes) if changes else tree


def _update(node: Node, depth: int, changes: list[Change]) -> Leaf | Inner:
    if len(changes) == 1:
        return _put(node, depth, *changes[0])
    left: Node = None
    right: Node = None
    if type(node) is Inner:
        left, right = node.left, node.right
    elif type(node) is Leaf and all(node.key != change[0] for change in changes):
        changes = sorted([*changes, (node.key, node.value)])
    byte, mask = depth >> 3, 128 >> (depth & 7)
    split = 0
    for key, _ in changes:
        if key[byte] & mask:
            break
        split += 1
    if split:
        left = _update(left, depth + 1, changes[:split])
    if split < len(changes):
        right = _update(right, depth + 1, changes[split:])
    joined = b"\x01" + (EMPTY if left is None else left.hash) + (EMPTY if right is None else right.hash)
    return Inner(sha256(joined).digest(), left, right)


def _put(node: Node, depth: int, key: bytes, value: bytes) -> Leaf | Inner:
    """Return a subtree with one value put in: down to where it belongs, and back up."""
    path: list[tuple[Node, bool]] = []
    while type(node) is Inner:
        if key[depth >> 3] & 128 >> (depth & 7):
            path.append((node.left, True))
            node = node.right
        else:
            path.append((node.right, False))
            node = node.left
        depth += 1
    made: Leaf | Inner
    if type(node) is Leaf and node.key != key:
        made = _update(None, depth, sorted([(node.key, node.value), (key, value)]))
    else:
        made = Leaf(sha256(b"\x00" + key + value).digest(), key, value)
    for sibling, is_right in reversed(path):
        beside = EMPTY if sibling is None else sibling.hash
        if is_right:
            made = Inner(sha256(b"\x01" + beside + made.hash).digest(), sibling, made)
        else:
            made = Inner(sha256(b"\x01" + made.hash + beside).digest(), made, sibling)
    return made


def prove(tree: Node, key: str) -> StateProof:
    """Return the proof for the value under a key, or that there is none."""
    path = sha256(key.encode()).digest()
    siblings: list[str] = []
    while isinstance(tree, Inner):
        depth = len(siblings)
        is_right = path[depth >> 3] & 128 >> (depth & 7)
        siblings.append(root_of(tree.left if is_right else tree.right).hex())
        tree = tree.right if is_right else tree.left
    other = None if tree is None or tree.key == path else (tree.key.hex(), tree.value.hex())
    return StateProof(tuple(siblings), other)


def verify_value(root: bytes, key: str, value: bytes | None, proof: StateProof) -> bool:
    """Tell whether a value stands under a key in the tree of a root; None asks whether nothing does."""
    path = sha256(key.encode()).digest()
    if value is not None:
        if proof.other is not None:
            return False
        found = sha256(b"\x00" + path + sha256(value).digest()).digest()
    elif proof.other is None:
        found = EMPTY
    else:
        other, other_value = (bytes.fromhex(part) for part in proof.other)
        if other == path or _prefix(other, len(proof.siblings)) != _prefix(path, len(proof.siblings)):
            return False
        found = sha256(b"\x00" + other + other_value).digest()
    for depth in range(len(proof.siblings) - 1, -1, -1):
        sibling = bytes.fromhex(proof.siblings[depth])
        is_right = path[depth >> 3] & 128 >> (depth & 7)
        found = sha256(b"\x01" + (sibling + found if is_right else found + sibling)).digest()
    return found == root


def _prefix(path: bytes, bits: int) -> int:
    return int.from_bytes(path, "big") >> (256 - bits)


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
