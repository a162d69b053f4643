"""WebAssembly's binary format, as far as the compiler needs it: instructions, and a `Module` written as bytes."""

from __future__ import annotations

I32, I64 = 0x7F, 0x7E
EMPTY = 0x40  # the type of a block that leaves nothing

OPCODES = {
    "unreachable": 0x00, "block": 0x02, "loop": 0x03, "if": 0x04, "else": 0x05, "end": 0x0B, "br": 0x0C, "br_if": 0x0D,
    "return": 0x0F, "call": 0x10, "drop": 0x1A, "select": 0x1B, "local.get": 0x20, "local.set": 0x21,
    "global.set": 0x24, "i64.load": 0x29, "i64.store": 0x37, "i32.const": 0x41, "i64.const": 0x42,
    "i32.eqz": 0x45, "i32.lt_u": 0x49, "i64.eqz": 0x50, "i64.eq": 0x51, "i64.ne": 0x52, "i64.lt_s": 0x53,
    "i64.gt_s": 0x55, "i64.gt_u": 0x56, "i64.le_s": 0x57, "i64.ge_s": 0x59, "i64.ge_u": 0x5A,
    "i32.add": 0x6A, "i32.sub": 0x6B, "i32.mul": 0x6C, "i32.and": 0x71, "i32.shl": 0x74,
    "i64.add": 0x7C, "i64.sub": 0x7D, "i64.mul": 0x7E, "i64.div_s": 0x7F, "i64.rem_s": 0x81, "i64.and": 0x83,
    "i64.or": 0x84, "i64.xor": 0x85, "i64.shl": 0x86, "i64.shr_s": 0x87, "i32.wrap_i64": 0xA7, "i64.extend_i32_u": 0xAD,
}  # fmt: skip


def unsigned(value: int) -> bytes:
    """Return a number of 0 or more as LEB128."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    """Return a number as signed LEB128."""
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value & 0x7F])


def instruction(name: str, *operands: int) -> bytes:
    """Return one instruction. A load or a store takes an offset; a block the index of its type, or nothing."""
    code = bytes([OPCODES[name]])
    if name.endswith(".const"):
        return code + signed(operands[0])
    if name in ("i64.load", "i64.store"):
        return code + unsigned(0) + unsigned(*operands)  # 0: no promise about alignment
    if name in ("block", "loop", "if"):
        return code + (signed(operands[0]) if operands else bytes([EMPTY]))
    return code + b"".join(map(unsigned, operands))


def vector(items: list[bytes]) -> bytes:
    """Return a count and the items behind it."""
    return unsigned(len(items)) + b"".join(items)


def _name(text: str) -> bytes:
    return unsigned(len(text.encode())) + text.encode()


def _section(number: int, items: list[bytes]) -> bytes:
    content = vector(items)
    return bytes([number]) + unsigned(len(content)) + content


def _body(local_types: list[int], code: bytes) -> bytes:
    whole = vector([bytes([1, kind]) for kind in local_types]) + code + instruction("end")
    return unsigned(len(whole)) + whole


class Module:
    """A module in the making: one memory, the global numbers `error` and `heap`, functions and constant data."""

    def __init__(self) -> None:
        self.types: list[bytes] = []
        self.functions: list[tuple[int, list[int], bytes]] = []  # index of the type, types of locals, code
        self.exports: dict[str, int] = {}
        self.data = bytearray()

    def type_index(self, parameters: list[int], results: list[int]) -> int:
        """Return the number of a function's type."""
        form = b"\x60" + vector([bytes([kind]) for kind in parameters]) + vector([bytes([kind]) for kind in results])
        if form not in self.types:
            self.types.append(form)
        return self.types.index(form)

    def reserve(self, content: bytes) -> int:
        """Return the address that these bytes will have in memory. It is a multiple of 8."""
        address = len(self.data)
        self.data += content + bytes(-len(content) % 8)
        return address

    def write(self) -> bytes:
        """Return the module's bytes. `heap` is where free memory begins; `error` says why the module has trapped."""
        heap = len(self.data)
        globals_ = [
            bytes([I32, 1]) + instruction("i32.const", 0) + instruction("end"),
            bytes([I32, 0]) + instruction("i32.const", heap) + instruction("end"),
        ]
        exports = [_name("memory") + b"\x02\x00", _name("error") + b"\x03\x00", _name("heap") + b"\x03\x01"]
        exports += [_name(name) + b"\x00" + unsigned(index) for name, index in self.exports.items()]
        data = b"\x00" + instruction("i32.const", 0) + instruction("end") + vector([bytes([x]) for x in self.data])
        sections = {
            1: self.types,
            3: [unsigned(form) for form, _, _ in self.functions],
            5: [b"\x00" + unsigned(heap // 65536 + 1)],
            6: globals_,
            7: exports,
            10: [_body(local_types, code) for _, local_types, code in self.functions],
            11: [data],
        }
        return b"\x00asm\x01\x00\x00\x00" + b"".join(_section(number, items) for number, items in sections.items())
