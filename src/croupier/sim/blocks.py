"""One step of SHA-256, the hash of a block of 64 bytes, as the compiler's intermediate code. There are two of them.

`SHA_NI` uses the processor's SHA instructions, which only some have (`HAS_SHA_NI`). Each of them waits for the one
before, so four independent chains side by side take little more time than one. `PORTABLE` is plain arithmetic and runs
anywhere; its four chains are the lanes of vectors.

What is made here can be called in compiled code only. A state is the 32 bytes of a digest; messages are words.
"""

# mypy: disallow-untyped-calls=False
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic as _intrinsic

__all__ = ["HAS_SHA_NI", "INITIAL", "LANES", "out_of_line", "portable_four", "portable_one", "portable_rehash"]
__all__ += ["sha_ni_four", "sha_ni_one", "sha_ni_rehash"]

# What the compiler was told about the processor, which `NUMBA_CPU_NAME` may have cut down: an instruction that it does
# not know would end the process.
HAS_SHA_NI = "+sha" in cpu_target.target_context.codegen().magic_tuple()[2].split(",")

LANES = 4

# Compiled code gives one argument less than the decorated function takes, which its own type does not tell.
intrinsic: Callable[[Callable[..., Any]], Any] = _intrinsic

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

BYTE, WORD, INDEX = ir.IntType(8), ir.IntType(32), ir.IntType(64)
POINTER = BYTE.as_pointer()
QUAD = ir.VectorType(WORD, 4)
State = list[Any]  # of one chain; SHA_NI: two vectors; PORTABLE: eight words


def _constant(kind: Any, *words: int) -> Any:
    """Return these words as a vector, or the one word in every lane of it."""
    if kind is WORD:
        return ir.Constant(WORD, words[0])
    return ir.Constant(kind, list(words) if len(words) > 1 else list(words) * kind.count)


def _load(builder: Any, kind: Any, pointer: Any, offset: int) -> Any:
    place = builder.gep(pointer, [ir.Constant(WORD, offset)])
    loaded = builder.load(builder.bitcast(place, kind.as_pointer()))
    loaded.align = 1
    return loaded


def _store(builder: Any, value: Any, pointer: Any, offset: int) -> None:
    place = builder.gep(pointer, [ir.Constant(WORD, offset)])
    builder.store(value, builder.bitcast(place, value.type.as_pointer())).align = 1


def _call(builder: Any, name: str, *operands: Any) -> Any:
    """Call an instruction or a helper of the compiler that takes and gives values of one kind."""
    kind = operands[0].type
    function_type = ir.FunctionType(kind, [kind] * len(operands))
    return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), operands)


def _swapped(builder: Any, value: Any) -> Any:
    """Return words with the bytes of each turned round: the hash is big-endian, the processor is not."""
    return _call(builder, "llvm.bswap.i32" if value.type is WORD else "llvm.bswap.v4i32", value)


# By the SHA instructions. They keep a state in two vectors, highest lane first: ABEF and CDGH.


def _picked(builder: Any, low: Any, high: Any, *lanes: int) -> Any:
    """Return a vector of these lanes, counted through `low` and on through `high`."""
    return builder.shuffle_vector(low, high, _constant(QUAD, *lanes))


def _sha_ni_load(builder: Any, pointer: Any) -> State:
    low, high = (_swapped(builder, _load(builder, QUAD, pointer, offset)) for offset in (0, 16))
    return [_picked(builder, low, high, 5, 4, 1, 0), _picked(builder, low, high, 7, 6, 3, 2)]


def _sha_ni_store(builder: Any, state: State, pointer: Any) -> None:
    _store(builder, _swapped(builder, _picked(builder, *state, 3, 2, 7, 6)), pointer, 0)
    _store(builder, _swapped(builder, _picked(builder, *state, 1, 0, 5, 4)), pointer, 16)


def _sha_ni_rounds(builder: Any, states: list[State], messages: list[list[Any]]) -> list[State]:
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
    return _added(builder, states, running)


def _added(builder: Any, states: list[State], running: list[State]) -> list[State]:
    return [
        [builder.add(before, after) for before, after in zip(state, ended, strict=True)]
        for state, ended in zip(states, running, strict=True)
    ]


# By plain arithmetic, on words or on vectors with a word of each chain.


def _rotations(builder: Any, value: Any, *bits: int, shift: int = 0) -> Any:
    """Return `value` rotated right by each of `bits`, and shifted right by `shift` if that is set, all xored."""
    name = "llvm.fshr.i32" if value.type is WORD else "llvm.fshr.v4i32"
    mixed = builder.lshr(value, _constant(value.type, shift)) if shift else _constant(value.type, 0)
    for count in bits:
        mixed = builder.xor(mixed, _call(builder, name, value, value, _constant(value.type, count)))
    return mixed


def _portable_rounds(builder: Any, state: State, message: list[Any]) -> State:
    """Emit the 64 rounds on eight words of state and sixteen of message, all of one kind.

    As loops: written out they would be thousands of instructions in every kernel, and seconds of compiling.
    """
    kind = message[0].type
    schedule = cgutils.alloca_once(builder, kind, 64)
    for index, word in enumerate(message):
        builder.store(word, builder.gep(schedule, [ir.Constant(INDEX, index)]))
    with cgutils.for_range_slice(builder, INDEX(16), INDEX(64), INDEX(1), INDEX) as (index, _):

        def scheduled(back: int) -> Any:
            return builder.load(builder.gep(schedule, [builder.sub(index, INDEX(back))]))

        word = builder.add(scheduled(16), _rotations(builder, scheduled(15), 7, 18, shift=3))
        word = builder.add(word, _rotations(builder, scheduled(2), 17, 19, shift=10))
        builder.store(builder.add(word, scheduled(7)), builder.gep(schedule, [index]))

    table = cgutils.global_constant(
        builder, "croupier_sha256_constants", ir.Constant(ir.ArrayType(WORD, 64), list(ROUND_CONSTANTS))
    )
    places = [cgutils.alloca_once_value(builder, word) for word in state]
    with cgutils.for_range_slice(builder, INDEX(0), INDEX(64), INDEX(8), INDEX) as (index, _):
        a, b, c, d, e, f, g, h = (builder.load(place) for place in places)
        for step in range(8):
            at = builder.add(index, INDEX(step))
            constant = builder.load(builder.gep(table, [INDEX(0), at]))
            if kind is not WORD:
                first_lane = builder.insert_element(ir.Constant(kind, ir.Undefined), constant, WORD(0))
                constant = _picked(builder, first_lane, first_lane, 0, 0, 0, 0)
            chosen = builder.xor(g, builder.and_(e, builder.xor(f, g)))
            most = builder.or_(builder.and_(a, b), builder.and_(c, builder.or_(a, b)))
            first = builder.add(builder.add(h, constant), builder.load(builder.gep(schedule, [at])))
            first = builder.add(builder.add(first, chosen), _rotations(builder, e, 6, 11, 25))
            second = builder.add(most, _rotations(builder, a, 2, 13, 22))
            a, b, c, d, e, f, g, h = builder.add(first, second), a, b, c, builder.add(d, first), e, f, g
        for place, word in zip(places, (a, b, c, d, e, f, g, h), strict=True):
            builder.store(word, place)
    return _added(builder, [state], [[builder.load(place) for place in places]])[0]


def _gathered(builder: Any, pointers: list[Any], offset: int) -> Any:
    """Return the word at `offset` of each chain: one word, or a vector of them."""
    words = [_load(builder, WORD, pointer, offset) for pointer in pointers]
    if len(words) == 1:
        return words[0]
    together = ir.Constant(QUAD, ir.Undefined)
    for lane, word in enumerate(words):
        together = builder.insert_element(together, word, ir.Constant(WORD, lane))
    return together


def _scattered(builder: Any, value: Any, pointers: list[Any], offset: int) -> None:
    if value.type is WORD:
        _store(builder, value, pointers[0], offset)
        return
    for lane, pointer in enumerate(pointers):
        _store(builder, builder.extract_element(value, ir.Constant(WORD, lane)), pointer, offset)


# The functions that compiled code calls


def _data(context: Any, builder: Any, kind: Any, value: Any, row: Any = None) -> Any:
    """Return a pointer to the bytes of an array, or of one row of it."""
    array = context.make_array(kind)(context, builder, value)
    start = builder.bitcast(array.data, POINTER)
    if row is None:
        return start
    return builder.gep(start, [builder.mul(row, builder.extract_value(array.strides, 0))])


def _helper(builder: Any, name: str, pointers: list[Any], emit: Any) -> None:
    """Call a function that is emitted once in a module and never inlined: thousands of instructions."""
    function_type = ir.FunctionType(ir.VoidType(), [POINTER] * len(pointers))
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    if not function.blocks:
        function.linkage = "linkonce_odr"
        function.attributes.add("noinline")
        inside = ir.IRBuilder(function.append_basic_block())
        emit(inside, list(function.args))
        inside.ret_void()
    builder.call(function, pointers)


def _emit_sha_ni(builder: Any, befores: list[Any], messages: list[Any], digests: list[Any]) -> None:
    states = [_sha_ni_load(builder, before) for before in befores]
    words = [[_load(builder, QUAD, message, offset) for offset in (0, 16, 32, 48)] for message in messages]
    for state, digest in zip(_sha_ni_rounds(builder, states, words), digests, strict=True):
        _sha_ni_store(builder, state, digest)


def _emit_portable(builder: Any, befores: list[Any], messages: list[Any], digests: list[Any]) -> None:
    lanes = len(digests)

    def emit(inside: Any, pointers: list[Any]) -> None:
        state = [_swapped(inside, _gathered(inside, pointers[:lanes], offset)) for offset in range(0, 32, 4)]
        words = [_gathered(inside, pointers[lanes:-lanes], offset) for offset in range(0, 64, 4)]
        for index, value in enumerate(_portable_rounds(inside, state, words)):
            _scattered(inside, _swapped(inside, value), pointers[-lanes:], 4 * index)

    _helper(builder, f"croupier_sha256_portable_{lanes}", befores + messages + digests, emit)


def _hashing(emit: Any, lanes: int) -> Any:
    """Return a function that hashes a block for each of several chains.

    Lane by lane it takes the digest so far from `befores[before + lane]` and the message from sixteen words at
    `words[lane, at]`, and puts the new digest at the beginning of `rows[first + lane]`.
    """

    @intrinsic
    def hash_blocks(typing_context: Any, befores: Any, before: Any, words: Any, at: Any, rows: Any, first: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def pointers(argument: int, row: Any) -> list[Any]:
                kind, value = signature.args[argument], arguments[argument]
                return [_data(context, builder, kind, value, builder.add(row, row.type(lane))) for lane in range(lanes)]

            _, before, _, at, _, first = arguments
            offset = builder.mul(at, at.type(4))
            messages = [builder.gep(message, [offset]) for message in pointers(2, at.type(0))]
            emit(builder, pointers(0, before), messages, pointers(4, first))
            return context.get_dummy_value()

        return types.void(befores, types.intp, words, types.intp, rows, types.intp), generate

    return hash_blocks


sha_ni_four, sha_ni_one = _hashing(_emit_sha_ni, LANES), _hashing(_emit_sha_ni, 1)
portable_four, portable_one = _hashing(_emit_portable, LANES), _hashing(_emit_portable, 1)


@intrinsic
def sha_ni_rehash(typing_context: Any, row: Any) -> Any:
    """Replace the first 32 bytes of `row` by their SHA-256."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _data(context, builder, signature.args[0], arguments[0])
        a, b, c, d, e, f, g, h = INITIAL
        state = [_constant(QUAD, f, e, b, a), _constant(QUAD, h, g, d, c)]
        message = [_swapped(builder, _load(builder, QUAD, pointer, offset)) for offset in (0, 16)]
        message += [_constant(QUAD, 1 << 31, 0, 0, 0), _constant(QUAD, 0, 0, 0, 256)]  # 256 bits, and the end of them
        _sha_ni_store(builder, _sha_ni_rounds(builder, [state], [message])[0], pointer)
        return context.get_dummy_value()

    return types.void(row), generate


@intrinsic
def portable_rehash(typing_context: Any, row: Any) -> Any:
    """Replace the first 32 bytes of `row` by their SHA-256."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _data(context, builder, signature.args[0], arguments[0])
        message = builder.bitcast(cgutils.alloca_once(builder, WORD, 16), POINTER)
        for index, initial in enumerate(INITIAL):
            _store(builder, _swapped(builder, _load(builder, WORD, pointer, 4 * index)), message, 4 * index)
            _store(builder, _swapped(builder, _constant(WORD, initial)), pointer, 4 * index)
            _store(builder, _constant(WORD, (1 << 31, 0, 0, 0, 0, 0, 0, 256)[index]), message, 32 + 4 * index)
        _emit_portable(builder, [pointer], [message], [pointer])
        return context.get_dummy_value()

    return types.void(row), generate


@intrinsic
def out_of_line(typing_context: Any) -> Any:
    """Keep the function that calls this, a rare and bulky one, out of the functions that call it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate
