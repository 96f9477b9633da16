"""Compiled libraries that are damaged, or made for other machines."""
from __future__ import annotations

import functools
import random
import struct
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from case import Attempt, Case, Open, sound, written
from worker import PROGRAM

FEEDS = {"x": np.ones((3, 2), np.float32)}
MAGIC = b"HONEEXE\0"
DAMAGED = r"m\.so.*(damaged|is not a shared library|not a compiled Hone model|exports nothing|cannot load|no model compiled)"
CHANGED = r"m\.so' was changed or cut off since it was compiled; compile it again"


@functools.cache
def library() -> bytes:
    """The sound model, compiled by the program: compiling here would leave threads that no forked process has."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([PROGRAM, "compile", written(folder, sound()), "--isa", "x86-64", "-o", folder / "m.so"],
                       check=True, capture_output=True)
        return (folder / "m.so").read_bytes()


def loaded(make: Callable[[bytearray], bytes | bytearray]) -> Callable[[Path], Attempt]:
    def build(folder: Path) -> Attempt:
        return Open(written(folder, bytes(make(bytearray(library()))), "m.so"), FEEDS)
    return build


def put(offset: int, content: bytes) -> Callable[[bytearray], bytearray]:
    def change(whole: bytearray) -> bytearray:
        whole[offset:offset + len(content)] = content
        return whole
    return change


def in_description(offset: int, content: bytes) -> Callable[[bytearray], bytearray]:
    return lambda whole: put(whole.index(MAGIC) + offset, content)(whole)


def replaced(old: bytes, new: bytes) -> Callable[[bytearray], bytearray]:
    """In the description alone; other places of the file may hold the same text."""
    def change(whole: bytearray) -> bytearray:
        at = whole.index(old, whole.index(MAGIC))
        return put(at, new)(whole)
    return change


def description_size(whole: bytes) -> int:
    """st_size of the exported symbol `hone_executable`: sections of type 11 are symbols, sh_link names their texts."""
    (table,), (count,) = struct.unpack_from("<Q", whole, 40), struct.unpack_from("<H", whole, 60)
    sections = [struct.unpack_from("<IIQQQQIIQQ", whole, table + k * 64) for k in range(count)]
    symbols = next(section for section in sections if section[1] == 11)
    texts = sections[symbols[6]][4]
    for at in range(symbols[4], symbols[4] + symbols[5], 24):
        name, _, _, _, _, size = struct.unpack_from("<IBBHQQ", whole, at)
        if whole.startswith(b"hone_executable\0", texts + name):
            return size
    raise ValueError("the library has no description")


def flipped(seed: int) -> Callable[[bytearray], bytearray]:
    def change(whole: bytearray) -> bytearray:
        dice = random.Random(seed)
        begin, end = whole.index(MAGIC) + 16, whole.index(MAGIC) + description_size(whole)
        for _ in range(2):
            whole[dice.randrange(begin, end)] ^= 1 << dice.randrange(8)
        return whole
    return change


def code_overwritten(whole: bytearray) -> bytearray:
    """Puts a trap in place of every executable segment's bytes: p_type 1 with flag 1, at 0x38 bytes each."""
    (table,) = struct.unpack_from("<Q", whole, 32)
    (count,) = struct.unpack_from("<H", whole, 56)
    for k in range(count):
        kind, flags, offset, _, _, size = struct.unpack_from("<IIQQQQ", whole, table + k * 56)
        if kind == 1 and flags & 1:
            whole[offset:offset + size] = b"\xcc" * size
    return whole


def elf() -> Iterator[Case]:
    def case(name: str, make: Callable[[bytearray], bytes | bytearray], said: str = DAMAGED) -> Case:
        return Case("artefact", name, loaded(make), said)

    other = r"m\.so' is not a shared library for x86-64"
    for part in (4, 40, 64, 500, 4096):
        yield case(f"first_{part}_bytes", lambda whole, part=part: whole[:part])
    yield case("half", lambda whole: whole[:len(whole) // 2])
    yield case("last_byte_missing", lambda whole: whole[:-1], CHANGED)
    yield case("head_then_noise", lambda whole: whole[:64] + random.Random(1).randbytes(len(whole) - 64))
    yield case("for_arm", put(18, struct.pack("<H", 183)), other)
    yield case("for_risc_v", put(18, struct.pack("<H", 243)), other)
    yield case("of_32_bits", put(4, b"\x01"), other)
    yield case("big_endian", put(5, b"\x02"), other)
    yield case("a_program", put(16, struct.pack("<H", 2)), other)
    yield case("an_object", put(16, struct.pack("<H", 1)), other)
    yield case("sections_beyond_the_file", put(40, struct.pack("<Q", 1 << 60)), r"m\.so' is damaged: its tables lead outside the file")
    yield case("sections_at_the_largest_offset", put(40, b"\xff" * 8), r"m\.so' is damaged: its tables lead outside the file")
    yield case("sections_none", put(60, b"\0\0"), r"m\.so' exports nothing")
    yield case("sections_of_other_size", put(58, b"\x01\0"), r"m\.so' is damaged: its tables lead outside the file")
    yield case("segments_beyond_the_file", put(32, struct.pack("<Q", 1 << 60)), DAMAGED)
    yield case("segments_none", put(56, b"\0\0"), DAMAGED)
    yield case("code_overwritten", code_overwritten, CHANGED)
    yield Case("artefact", "another_library", lambda folder: Open(Path(np._core._multiarray_umath.__file__), FEEDS),
               "is a shared library, but no model compiled by Hone")
    yield Case("artefact", "link_to_itself", lambda folder: circle(folder),
               "m.so' cannot be opened: Too many levels|cannot open .*Too many levels")


def circle(folder: Path) -> Attempt:
    (folder / "m.so").symlink_to("m.so")
    return Open(folder / "m.so")


def description() -> Iterator[Case]:
    def case(name: str, make: Callable[[bytearray], bytes | bytearray], said: str) -> Case:
        return Case("description", name, loaded(make), said)

    number = struct.Struct("<Q")
    yield case("other_magic", in_description(0, b"X"), "its first bytes are others")
    yield case("version_of_the_future", in_description(8, number.pack(99)), "has format 99, this runtime reads format 4: compile it again")
    yield case("version_zero", in_description(8, number.pack(0)), "has format 0, this runtime reads format 4: compile it again")
    yield case("name_longer_than_all", in_description(16, number.pack(1 << 40)), CHANGED)
    yield case("name_of_largest_length", in_description(16, b"\xff" * 8), CHANGED)
    yield case("for_unknown_processor", replaced(b"x86-64", b"x87-64"), CHANGED)
    yield case("unknown_element_type", replaced(b"f32", b"f33"), CHANGED)
    yield case("zeros", in_description(16, bytes(400)), CHANGED)
    yield case("ones", in_description(16, b"\xff" * 400), CHANGED)
    yield case("size_of_a_step", flipped(1266), CHANGED)
    for seed in range(40):
        yield Case("description", f"flipped_bits_{seed}", loaded(flipped(seed)), CHANGED, slow=seed >= 12)


def cases() -> Iterator[Case]:
    yield from elf()
    yield from description()
