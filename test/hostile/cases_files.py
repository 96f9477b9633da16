"""Files that are no models, and models whose bytes are damaged."""
from __future__ import annotations

import io
import os
import random
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from case import Attempt, Case, Compile, Open, opened, sound, written
from onnx import ModelProto

NO_MODEL = r"model\.onnx: (the bytes are not an ONNX model|the file holds no ONNX graph|the model names no opset)"


def zipped() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("model.onnx", sound().SerializeToString())
    return content.getvalue()


def varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def field(number: int, content: bytes) -> bytes:
    """A field of protobuf that holds bytes, a text or a message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def nested(depth: int) -> bytes:
    """A graph in an attribute of a node of a graph, and so on: ModelProto.graph = 7, GraphProto.node = 1,
    NodeProto.attribute = 5, AttributeProto.g = 6."""
    content = b""
    for _ in range(depth):
        content = field(1, field(5, field(6, content)))
    return sound().SerializeToString() + field(7, content)


def flipped(seed: int) -> bytes:
    content = bytearray(sound().SerializeToString())
    bits = random.Random(seed)
    for _ in range(3):
        content[bits.randrange(len(content))] ^= 1 << bits.randrange(8)
    return bytes(content)


def without(name: str) -> ModelProto:
    model = sound()
    model.ClearField(name)
    return model


def kinds() -> Iterator[Case]:
    def case(name: str, content: bytes, said: str = NO_MODEL) -> Case:
        return Case("files", name, opened(content), said)

    def other(name: str, prepare: Callable[[Path], object], said: str) -> Case:
        def build(folder: Path) -> Attempt:
            prepare(folder / "model.onnx")
            return Open(folder / "model.onnx")
        return Case("files", name, build, said)

    yield case("empty", b"")
    yield case("text", b"Dear Hone,\nthis is a letter.\n" * 20)
    yield case("json", b'{"graph": {"node": []}}')
    yield case("zip", zipped())
    yield case("picture", b"\x89PNG\r\n\x1a\n" + bytes(100))
    yield case("zeros", bytes(1000))
    yield case("ones", b"\xff" * 1000)
    yield case("elf_head_only", b"\x7fELF", r"model\.onnx' is not a shared library for x86-64")
    yield case("elf_then_zeros", b"\x7fELF" + bytes(1000), r"model\.onnx' is not a shared library for x86-64")
    yield Case("files", "program", lambda folder: Open(Path(sys.executable).resolve()),
               r"is not a shared library for x86-64|exports nothing|no model compiled by Hone")
    yield other("folder", lambda path: path.mkdir(), r"model\.onnx' is not a regular file")
    yield other("missing", lambda path: None, r"model\.onnx' cannot be opened: No such file")
    yield other("broken_link", lambda path: path.symlink_to("nowhere"), r"model\.onnx' cannot be opened: No such file")
    yield other("pipe", os.mkfifo, r"model\.onnx' is not a regular file")
    yield other("device", lambda path: path.symlink_to("/dev/zero"), r"model\.onnx' is not a regular file")
    yield other("sparse_and_huge", lambda path: (path.touch(), os.truncate(path, 3 << 30)), r"3221225472 bytes; below 2 GiB")
    yield Case("files", "no_path", lambda folder: Open(""), "''.*cannot be opened: No such file")
    yield Case("files", "path_with_nul", lambda folder: Open(str(written(folder, sound())) + "\0.txt"), r"model\.onnx.*NUL")
    yield Case("files", "path_very_long", lambda folder: Open(str(folder / ("x" * 5000))), "cannot be opened: File name too long")
    yield Case("files", "library_in_no_folder", lambda folder: Compile(written(folder, sound()), folder / "no" / "m.so"),
               r"cannot write '.*no/m\.so'")
    yield Case("files", "library_is_a_folder", lambda folder: Compile(written(folder, sound()), folder), "case")
    yield Case("files", "library_for_unknown_processor", lambda folder: Compile(written(folder, sound()), folder / "m.so", "pentium"),
               "unknown instruction set 'pentium'")


def damaged() -> Iterator[Case]:
    whole = sound().SerializeToString()
    for part in (1, len(whole) // 4, len(whole) // 2, len(whole) - 20, len(whole) - 1):
        yield Case("protobuf", f"first_{part}_bytes", opened(whole[:part]), NO_MODEL + "|cannot be imported")
    yield Case("protobuf", "length_beyond_the_end", opened(b"\x3a\xff\xff\xff\xff\x07" + whole), NO_MODEL)
    yield Case("protobuf", "length_of_2_to_the_63", opened(b"\x3a" + b"\xff" * 8 + b"\x7f" + whole), NO_MODEL)
    yield Case("protobuf", "endless_varint", opened(b"\x08" + b"\xff" * 30), NO_MODEL)
    yield Case("protobuf", "field_number_zero", opened(whole + b"\x00\x00"), NO_MODEL)
    yield Case("protobuf", "unknown_wire_type", opened(whole + b"\x0f\x00"), NO_MODEL)
    yield Case("protobuf", "group_without_end", opened(whole + b"\xa3\x06"), NO_MODEL)
    yield Case("protobuf", "groups_10000_deep", opened(whole + b"\xa3\x06" * 10_000), NO_MODEL)
    yield Case("protobuf", "graphs_10000_deep", opened(nested(10_000)), NO_MODEL)
    yield Case("protobuf", "graph_is_a_number", opened(whole + b"\x38\x07"), None, result=lambda outputs: None)
    for seed in range(12):
        # Where a bit flips in a name or in a weight the model stays a model; it must only not crash.
        yield Case("protobuf", f"flipped_bits_{seed}", opened(flipped(seed), {}), ".", result=lambda outputs: None)
    yield Case("protobuf", "no_graph", opened(without("graph")), "the file holds no ONNX graph")
    yield Case("protobuf", "no_opset", opened(without("opset_import")), "the model names no opset of ONNX itself")


def cases() -> Iterator[Case]:
    yield from kinds()
    yield from damaged()
