"""SHA-256 of streams as the compiler's intermediate code: one stream in each lane of vectors, or by SHA instructions.

`emit_functions` writes two functions into a module, with one way to hash, a *path*, for each that the processor has:

    open(seed, rows, session_ids, moves, count)   hash the first blocks of `count` streams, one a row
    rehash(row)                                   replace the block of a row by its hash

A path hashes `width` streams at a time and the rest one by one. Vectors have a word of every stream in each operation;
the SHA instructions each wait for the one before, so four independent chains side by side take little more time than
one. The message of a stream is prepared but for its counters (`SEED`), and so are the rounds before them.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils

ROW_BYTES = 64
INDEX_AT, PATH_AT = 32, 33
LANES_MAX = 16

# FIPS 180-4: the first 32 bits of the fractional parts of the square roots of the first 8 primes …
INITIAL = (
    *(0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A),
    *(0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19),
)
# … and of the cube roots of the first 64.
ROUND_CONSTANTS = (
    *(0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5),
    *(0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174),
    *(0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA),
    *(0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967),
    *(0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85),
    *(0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070),
    *(0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3),
    *(0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2),
)

CHAINS = 4  # by SHA instructions
END_OF_BLOCK = (1 << 31, 0, 0, 0, 0, 0, 0, 256)  # what follows the 32 bytes of a block that is hashed: 256 bits

SEED = np.dtype(
    [
        ("before", "<u4", (8, LANES_MAX)),  # the hash of the seed's whole blocks, each word in every lane
        ("begun", "<u4", (8, LANES_MAX)),  # the same after the rounds before the counters
        ("words", "<u4", (32, LANES_MAX)),  # the last block or two of the message
        ("digests", "<u4", (8, LANES_MAX)),  # room for what vectors come to
        ("chains", "<u4", (CHAINS, 32)),  # the last block or two once more, for each chain
        ("bytes_before", "u1", 32),  # `before` as the bytes of a digest
        ("block_count", "<i8"),  # 1 or 2
        ("gap", "<i8"),  # the word in which the counters begin
        ("shift", "<u4"),  # how many bits of that word belong to the seed: 0, 8, 16 or 24
        ("head", "<u4"),  # those bits
        ("foot", "<u4"),  # the bit that ends the message, in the fourth word from the gap on
    ],
    align=True,
)
"""A prepared seed: the words that all its streams share, and room to write their counters in."""

BYTE, WORD, INDEX = ir.IntType(8), ir.IntType(32), ir.IntType(64)
POINTER = BYTE.as_pointer()
QUAD = ir.VectorType(WORD, 4)
LANE_BYTES = 4 * LANES_MAX  # from one word of lanes to the next


class Path(NamedTuple):
    """A way to hash, and what the processor must have for it."""

    name: str
    features: frozenset[str]
    width: int
    """How many streams are hashed at a time."""
    least: int
    """From how many left over on all lanes are worth while, the ones before them hashed again: measured."""
    by_instructions: bool = False
    """Whether those are chains of SHA instructions, not lanes."""
    takes_sha: bool = False
    """Whether single blocks are hashed by SHA instructions, where there are any."""


# In the order in which they are to be preferred.
PATHS = (
    Path("avx512", frozenset({"+avx512f", "+avx512vl", "+avx512bw"}), 16, 6, takes_sha=True),
    Path("sha-ni", frozenset({"+sha"}), CHAINS, 3, by_instructions=True, takes_sha=True),
    Path("avx2", frozenset({"+avx2"}), 8, 3),
    Path("portable", frozenset(), 4, 2),
)


def paths_of(features: frozenset[str]) -> list[str]:
    """Return the paths that a processor with these features has, the best one first."""
    return [path.name for path in PATHS if path.features <= features]


def emit_functions(module: Any, features: frozenset[str], open_name: str, rehash_name: str) -> None:
    """Write the two functions, under these names, into an empty module."""
    emitter = _Emitter(module, features)
    available = [path if path.features <= features else None for path in PATHS]
    emitter.dispatcher(open_name, [path and emitter.opening(path) for path in available], rows_at=1)
    emitter.dispatcher(rehash_name, [path and emitter.rehashing(path) for path in available], rows_at=0)


# Words and vectors of them


def _constant(kind: Any, *words: int) -> Any:
    """Return these words as a vector, or the one word in every lane of it."""
    if kind is WORD:
        return ir.Constant(WORD, words[0])
    return ir.Constant(kind, list(words) if len(words) > 1 else list(words) * kind.count)


def _at(builder: Any, pointer: Any, offset: Any) -> Any:
    return builder.gep(pointer, [INDEX(offset) if isinstance(offset, int) else offset])


def _load(builder: Any, kind: Any, pointer: Any, offset: Any) -> Any:
    loaded = builder.load(builder.bitcast(_at(builder, pointer, offset), kind.as_pointer()))
    loaded.align = 1
    return loaded


def _store(builder: Any, value: Any, pointer: Any, offset: Any) -> None:
    builder.store(value, builder.bitcast(_at(builder, pointer, offset), value.type.as_pointer())).align = 1


def _of_seed(builder: Any, seed: Any, name: str) -> Any:
    """Return a number of `SEED`, or a pointer to an array of it."""
    kind, offset = SEED.fields[name][:2]  # type: ignore[index]
    if kind.shape:
        return _at(builder, seed, offset)
    return _load(builder, ir.IntType(8 * kind.itemsize), seed, offset)


def _call(builder: Any, name: str, *operands: Any) -> Any:
    """Call an instruction or a helper of the compiler that takes and gives values of one kind."""
    kind = operands[0].type
    suffix = "" if name.startswith("llvm.x86") else ".i32" if kind is WORD else f".v{kind.count}i32"
    function_type = ir.FunctionType(kind, [kind] * len(operands))
    return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name + suffix), operands)


def _swapped(builder: Any, value: Any) -> Any:
    """Return words with the bytes of each turned round: the hash is big-endian, the processor is not."""
    return _call(builder, "llvm.bswap", value)


def _picked(builder: Any, low: Any, high: Any, *lanes: int) -> Any:
    """Return a vector of these lanes, counted through `low` and on through `high`."""
    return builder.shuffle_vector(low, high, ir.Constant(ir.VectorType(WORD, len(lanes)), list(lanes)))


def _everywhere(builder: Any, kind: Any, word: Any) -> Any:
    """Return a word in every lane."""
    if kind is WORD:
        return word
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), word, WORD(0))
    return _picked(builder, first, first, *[0] * kind.count)


def _added(builder: Any, first: Any, *others: Any) -> Any:
    for other in others:
        first = builder.add(first, other)
    return first


def _rotations(builder: Any, value: Any, *bits: int, shift: int = 0) -> Any:
    """Return `value` rotated right by each of `bits`, and shifted right by `shift` if that is set, all xored."""
    mixed = [_call(builder, "llvm.fshr", value, value, _constant(value.type, count)) for count in bits]
    mixed += [builder.lshr(value, _constant(value.type, shift))] if shift else []
    while len(mixed) > 1:
        mixed[:2] = [builder.xor(*mixed[:2])]
    return mixed[0]


@contextmanager
def _loop(builder: Any, first: Any, end: Any, step: int, carried: list[Any]) -> Iterator[Any]:
    """Emit a loop whose body runs once or more; it changes what is carried, which stays as the last turn left it."""
    before, body = builder.block, builder.append_basic_block()
    builder.branch(body)
    builder.position_at_end(body)
    index = builder.phi(INDEX)
    index.add_incoming(first, before)
    joined = [builder.phi(value.type) for value in carried]
    for each, value in zip(joined, carried, strict=True):
        each.add_incoming(value, before)
    carried[:] = joined
    yield index
    following = builder.add(index, INDEX(step))
    index.add_incoming(following, builder.block)
    for each, value in zip(joined, carried, strict=True):
        each.add_incoming(value, builder.block)
    after = builder.append_basic_block()
    builder.cbranch(builder.icmp_unsigned("<", following, end), body, after)
    builder.position_at_end(after)


class _Emitter:
    """Emits the functions of one module, each once."""

    def __init__(self, module: Any, features: frozenset[str]) -> None:
        self.module = module
        self.emitted: dict[tuple[object, ...], Any] = {}
        self.has_sha = "+sha" in features
        self.has_ternary = "+avx512vl" in features
        words = ir.ArrayType(WORD, 64)
        self.constants = ir.GlobalVariable(module, words, "croupier_sha256_constants")
        self.constants.initializer = ir.Constant(words, list(ROUND_CONSTANTS))
        self.constants.linkage, self.constants.global_constant = "internal", True

    @contextmanager
    def _function(self, name: str, *kinds: Any) -> Iterator[tuple[Any, Any]]:
        function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), kinds), name)
        function.linkage = "internal"
        builder = ir.IRBuilder(function.append_basic_block())
        yield builder, function
        builder.ret_void()

    def _once(self, emit: Callable[..., Any], *widths: int) -> Any:
        """Return the function that `emit` writes, for so many streams, and the same one whenever it is asked for."""
        key: tuple[object, ...] = emit.__name__, *widths
        if key not in self.emitted:
            self.emitted[key] = emit(*widths)
        return self.emitted[key]

    # One stream a lane. Words lie `LANE_BYTES` apart, a lane of each stream side by side.

    def _rounds(self, lanes: int) -> Any:
        """Return rounds(before, begun, words, start, digests): the hash of a block from round `start` on."""
        with self._function(f"rounds_{lanes}", POINTER, POINTER, POINTER, INDEX, POINTER) as (builder, function):
            self._emit_rounds(builder, WORD if lanes == 1 else ir.VectorType(WORD, lanes), *function.args)
        return function

    def _emit_rounds(self, builder: Any, kind: Any, before: Any, begun: Any, words: Any, start: Any, out: Any) -> None:
        constants = builder.bitcast(self.constants, POINTER)
        state = [_load(builder, kind, begun, LANE_BYTES * place) for place in range(8)]
        with _loop(builder, start, INDEX(16), 1, state) as index:
            word = _load(builder, kind, words, builder.mul(index, INDEX(LANE_BYTES)))
            self._round(builder, state, _at(builder, constants, builder.mul(index, INDEX(4))), 0, word)
        window = [_load(builder, kind, words, LANE_BYTES * place) for place in range(16)]
        # As a loop: written out it is no faster, and takes longer to compile.
        carried = state + window
        with _loop(builder, INDEX(16), INDEX(64), 16, carried) as index:
            state, window = carried[:8], carried[8:]
            turn = _at(builder, constants, builder.mul(index, INDEX(4)))
            for place in range(16):
                word = _added(builder, window[0], _rotations(builder, window[1], 7, 18, shift=3), window[9])
                word = builder.add(word, _rotations(builder, window[14], 17, 19, shift=10))
                window = [*window[1:], word]
                self._round(builder, state, turn, place, word)
            carried[:] = state + window
        for place, word in enumerate(carried[:8]):
            old = _load(builder, kind, before, LANE_BYTES * place)
            _store(builder, builder.add(old, word), out, LANE_BYTES * place)

    def _round(self, builder: Any, state: list[Any], constants: Any, place: int, word: Any) -> None:
        a, b, c, d, e, f, g, h = state
        constant = _everywhere(builder, word.type, _load(builder, WORD, constants, 4 * place))
        chosen = builder.xor(g, builder.and_(e, builder.xor(f, g)))
        first = _added(builder, h, builder.add(word, constant), chosen, _rotations(builder, e, 6, 11, 25))
        second = builder.add(self._majority(builder, a, b, c), _rotations(builder, a, 2, 13, 22))
        state[:] = builder.add(first, second), a, b, c, builder.add(d, first), e, f, g

    def _majority(self, builder: Any, a: Any, b: Any, c: Any) -> Any:
        if a.type is WORD or not self.has_ternary:
            return builder.xor(b, builder.and_(builder.xor(a, b), builder.xor(b, c)))
        # By name: the compiler would take two instructions for it.
        kind = ir.FunctionType(a.type, [a.type] * 3 + [WORD])
        name = f"llvm.x86.avx512.pternlog.d.{32 * a.type.count}"
        return builder.call(cgutils.get_or_insert_function(self.module, kind, name), [a, b, c, WORD(0xE8)])

    def _open_lanes(self, lanes: int) -> Any:
        """Return open_lanes(seed, rows, session_ids, moves): the first blocks of so many streams."""
        rounds = self._once(self._rounds, lanes)
        with self._function(f"open_lanes_{lanes}", *[POINTER] * 4) as (builder, function):
            seed, rows, sessions, moves = function.args
            kind = WORD if lanes == 1 else ir.VectorType(WORD, lanes)
            longs = INDEX if lanes == 1 else ir.VectorType(INDEX, lanes)
            ids = _load(builder, longs, sessions, 0)
            high = builder.trunc(builder.lshr(ids, INDEX(32) if lanes == 1 else ir.Constant(longs, [32] * lanes)), kind)
            counters = [high, builder.trunc(ids, kind), _load(builder, kind, moves, 0)]
            words, gap = _of_seed(builder, seed, "words"), _of_seed(builder, seed, "gap")
            place = _at(builder, words, builder.mul(gap, INDEX(LANE_BYTES)))
            for index, word in enumerate(self._counters(builder, seed, counters)):
                _store(builder, word, place, LANE_BYTES * index)
            before, digests = _of_seed(builder, seed, "before"), _of_seed(builder, seed, "digests")
            builder.call(rounds, [before, _of_seed(builder, seed, "begun"), words, gap, digests])
            with builder.if_then(builder.icmp_unsigned("==", _of_seed(builder, seed, "block_count"), INDEX(2))):
                rest = _at(builder, words, 16 * LANE_BYTES)
                builder.call(rounds, [digests, digests, rest, INDEX(0), digests])
            self._write_rows(builder, [_load(builder, kind, digests, LANE_BYTES * place) for place in range(8)], rows)
            for row in range(lanes):
                _store(builder, BYTE(0), rows, ROW_BYTES * row + INDEX_AT)
        return function

    @staticmethod
    def _counters(builder: Any, seed: Any, counters: list[Any]) -> list[Any]:
        """Return the four words that the counters touch, 96 bits shifted to where the seed ends."""
        kind = counters[0].type
        shift, head, foot = (
            _everywhere(builder, kind, _of_seed(builder, seed, name)) for name in ("shift", "head", "foot")
        )
        padded = [_constant(kind, 0), *counters, _constant(kind, 0)]
        words = [_call(builder, "llvm.fshr", *two, shift) for two in pairwise(padded)]
        return [builder.or_(words[0], head), *words[1:3], builder.or_(words[3], foot)]

    @staticmethod
    def _write_rows(builder: Any, digest: list[Any], rows: Any) -> None:
        """Write eight words of every lane as the 32 bytes of a row."""
        words = [_swapped(builder, word) for word in digest]
        if words[0].type is WORD:
            for place, word in enumerate(words):
                _store(builder, word, rows, 4 * place)
            return
        lanes = words[0].type.count
        quads = range(0, lanes, 4)  # the processor unpacks within each 128 bits

        def unpacked(x: Any, y: Any, *places: int) -> Any:
            return _picked(
                builder, x, y, *(quad + place % 4 + place // 4 * lanes for quad in quads for place in places)
            )

        halves = []  # for words 0 … 3 and 4 … 7: the first row of every quad, the second …
        for w, x, y, z in (words[:4], words[4:]):
            low, high = (
                [unpacked(*two, *places) for two in ((w, x), (y, z))] for places in ((0, 4, 1, 5), (2, 6, 3, 7))
            )
            halves.append([unpacked(*two, *places) for two in (low, high) for places in ((0, 1, 4, 5), (2, 3, 6, 7))])
        for row in range(4):
            for quad in quads:
                places = [quad + place + half for half in (0, lanes) for place in range(4)]
                _store(
                    builder, _picked(builder, halves[0][row], halves[1][row], *places), rows, ROW_BYTES * (quad + row)
                )

    def _rehash_portable(self) -> Any:
        rounds = self._once(self._rounds, 1)
        with self._function("rehash_portable", POINTER) as (builder, function):
            (row,) = function.args
            words, state = (builder.bitcast(builder.alloca(WORD, 16 * size), POINTER) for size in (16, 8))
            message = [_swapped(builder, _load(builder, WORD, row, 4 * place)) for place in range(8)]
            for place, word in enumerate([*message, *map(WORD, END_OF_BLOCK)]):
                _store(builder, word, words, LANE_BYTES * place)
            for place, initial in enumerate(INITIAL):
                _store(builder, WORD(initial), state, LANE_BYTES * place)
            builder.call(rounds, [state, state, words, INDEX(0), state])
            self._write_rows(builder, [_load(builder, WORD, state, LANE_BYTES * place) for place in range(8)], row)
        return function

    # By the SHA instructions. They keep a state in two vectors, highest lane first: ABEF and CDGH.

    def _open_chains(self, chains: int) -> Any:
        """Return open_chains(seed, rows, session_ids, moves): the first blocks of so many streams."""
        blocks = self._chain_blocks(chains)
        with self._function(f"open_chains_{chains}", *[POINTER] * 4) as (builder, function):
            seed, rows, sessions, moves = function.args
            messages, gap = _of_seed(builder, seed, "chains"), builder.mul(_of_seed(builder, seed, "gap"), INDEX(4))
            for chain in range(chains):
                session = _load(builder, INDEX, sessions, 8 * chain)
                halves = [builder.trunc(builder.lshr(session, INDEX(32)), WORD), builder.trunc(session, WORD)]
                counters = self._counters(builder, seed, [*halves, _load(builder, WORD, moves, 4 * chain)])
                together = ir.Constant(QUAD, ir.Undefined)
                for place, word in enumerate(counters):
                    together = builder.insert_element(together, word, WORD(place))
                _store(builder, together, _at(builder, messages, gap), 128 * chain)
                _store(builder, BYTE(0), rows, ROW_BYTES * chain + INDEX_AT)
            builder.call(blocks, [_of_seed(builder, seed, "bytes_before"), INDEX(0), messages, rows])
            with builder.if_then(builder.icmp_unsigned("==", _of_seed(builder, seed, "block_count"), INDEX(2))):
                builder.call(blocks, [rows, INDEX(ROW_BYTES), _at(builder, messages, 64), rows])
        return function

    def _chain_blocks(self, chains: int) -> Any:
        """Return blocks(before, stride, messages, rows): a block of every chain, each with a digest before it."""
        with self._function(f"chain_blocks_{chains}", POINTER, INDEX, POINTER, POINTER) as (builder, function):
            before, stride, messages, rows = function.args
            states, words = [], []
            for chain in range(chains):
                start = _at(builder, before, builder.mul(stride, INDEX(chain)))
                low, high = (_swapped(builder, _load(builder, QUAD, start, offset)) for offset in (0, 16))
                states.append([_picked(builder, low, high, 5, 4, 1, 0), _picked(builder, low, high, 7, 6, 3, 2)])
                words.append([_load(builder, QUAD, messages, 128 * chain + offset) for offset in (0, 16, 32, 48)])
            for chain, state in enumerate(_chain_rounds(builder, states, words)):
                _write_chain(builder, state, rows, ROW_BYTES * chain)
        return function

    def _rehash_by_instructions(self) -> Any:
        with self._function("rehash_by_instructions", POINTER) as (builder, function):
            (row,) = function.args
            a, b, c, d, e, f, g, h = INITIAL
            state = [_constant(QUAD, f, e, b, a), _constant(QUAD, h, g, d, c)]
            message = [_swapped(builder, _load(builder, QUAD, row, offset)) for offset in (0, 16)]
            message += [_constant(QUAD, *END_OF_BLOCK[:4]), _constant(QUAD, *END_OF_BLOCK[4:])]
            _write_chain(builder, _chain_rounds(builder, [state], [message])[0], row, 0)
        return function

    # Streams in any number.

    def opening(self, path: Path) -> Any:
        """Return open(seed, rows, session_ids, moves, count) by one path: all that fit its width, then the rest."""
        many = self._once(self._open_chains if path.by_instructions else self._open_lanes, path.width)
        one = self._once(self._open_chains if self.has_sha and path.takes_sha else self._open_lanes, 1)
        with self._function(f"open_{path.name}", *[POINTER] * 4, INDEX) as (builder, function):
            seed, rows, sessions, moves, count = function.args

            def call(opening: Any, at: Any) -> None:
                places = ((rows, ROW_BYTES), (sessions, 8), (moves, 4))
                builder.call(
                    opening, [seed, *(_at(builder, each, builder.mul(at, INDEX(size))) for each, size in places)]
                )

            before, body, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
            builder.branch(body)
            builder.position_at_end(body)
            index, width = builder.phi(INDEX), INDEX(path.width)
            index.add_incoming(INDEX(0), before)
            is_enough = builder.icmp_unsigned(">=", builder.sub(count, index), INDEX(path.least))
            is_enough = builder.and_(is_enough, builder.icmp_unsigned(">=", count, width))
            with builder.if_else(is_enough) as (all_lanes, single):
                with all_lanes:
                    last = builder.sub(count, width)
                    at = builder.select(builder.icmp_unsigned("<", index, last), index, last)
                    call(many, at)
                    after_many, from_many = builder.add(at, width), builder.block
                with single:
                    call(one, index)
                    after_one, from_one = builder.add(index, INDEX(1)), builder.block
            following = builder.phi(INDEX)
            following.add_incoming(after_many, from_many)
            following.add_incoming(after_one, from_one)
            index.add_incoming(following, builder.block)
            builder.cbranch(builder.icmp_unsigned("<", following, count), body, after)
            builder.position_at_end(after)
        return function

    def rehashing(self, path: Path) -> Any:
        """Return rehash(row) by one path."""
        takes_sha = self.has_sha and path.takes_sha
        return self._once(self._rehash_by_instructions if takes_sha else self._rehash_portable)

    def dispatcher(self, name: str, functions: list[Any], rows_at: int) -> None:
        """Emit the function for all: the one of `PATHS` that the row, or the first of the rows, names."""
        found = [function for function in functions if function is not None]
        with self._function(name, *found[0].function_type.args) as (builder, function):
            function.linkage = "external"
            chosen = builder.switch(
                _load(builder, BYTE, function.args[rows_at], PATH_AT), done := builder.append_basic_block()
            )
            for number, each in enumerate(functions):
                if each is not None:
                    builder.position_at_end(builder.append_basic_block())
                    chosen.add_case(BYTE(number), builder.block)
                    builder.call(each, function.args)
                    builder.branch(done)
            builder.position_at_end(done)


def _chain_rounds(builder: Any, states: list[Any], messages: list[list[Any]]) -> list[Any]:
    """Emit the 64 rounds for several chains side by side; a message is four vectors of four words."""
    running = [list(state) for state in states]
    windows = [list(message) for message in messages]  # the last sixteen words of the schedule
    for quarter in range(0, 64, 4):
        constants = _constant(QUAD, *ROUND_CONSTANTS[quarter : quarter + 4])
        for state, window in zip(running, windows, strict=True):
            words = window.pop(0)
            summed = builder.add(words, constants)
            state[1] = _call(builder, "llvm.x86.sha256rnds2", state[1], state[0], summed)
            summed = _picked(builder, summed, summed, 2, 3, 2, 3)
            state[0] = _call(builder, "llvm.x86.sha256rnds2", state[0], state[1], summed)
            if quarter < 48:
                partial = _call(builder, "llvm.x86.sha256msg1", words, window[0])
                partial = builder.add(partial, _picked(builder, window[1], window[2], 1, 2, 3, 4))
                window.append(_call(builder, "llvm.x86.sha256msg2", partial, window[2]))
    return [list(map(builder.add, before, after)) for before, after in zip(states, running, strict=True)]


def _write_chain(builder: Any, state: list[Any], rows: Any, offset: int) -> None:
    _store(builder, _swapped(builder, _picked(builder, *state, 3, 2, 7, 6)), rows, offset)
    _store(builder, _swapped(builder, _picked(builder, *state, 1, 0, 5, 4)), rows, offset + 16)
