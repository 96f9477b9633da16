"""Names with bytes that no name should have, wherever a model can put one. Messages must stay one readable text."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from case import Case, model, node, opened, sound, value
from cases_files import field
from onnx import ModelProto

LONG = "n" * 10_000_000


def with_node_name(name: bytes) -> bytes:
    """An unknown operator in a node of this name, written by hand: the library refuses to write what is no UTF-8."""
    content = sound()
    unheard = field(1, b"x") + field(2, b"z") + field(3, name) + field(4, b"Unheard")
    return content.SerializeToString() + field(7, field(1, unheard))


def with_port_not_utf8(part: int) -> bytes:
    """The sound model with one more input (part 11 of the graph) or output (12), whose name is in another encoding."""
    floats = field(1, b"\x08\x01" + field(2, b""))
    port = field(part, field(1, b"caf\xe9") + field(2, floats))
    maker = field(1, field(1, b"x") + field(2, b"caf\xe9") + field(4, b"Relu")) if part == 12 else b""
    return sound().SerializeToString() + field(7, maker + port)


def with_input(name: str) -> ModelProto:
    return model([node("Relu", [name])], [value(name, [2])])


def named_dims(name: str) -> ModelProto:
    return model([node("Relu", ["x"])], [value("x", [name, 2])])


def cases() -> Iterator[Case]:
    yield Case("names", "node_with_newline", opened(with_node_name(b"one\n- Two: forged (1 node: 'x')")), r"'one\\n- Two: forged")
    yield Case("names", "node_with_nul", opened(with_node_name(b"be\0fore")), r"'be\\(0|x00)fore'")
    yield Case("names", "node_with_escape", opened(with_node_name(b"\x1b[2Jclear")), r"'\\(x1b|e)\[2Jclear'")
    yield Case("names", "node_not_utf8", opened(with_node_name(b"caf\xe9")), r"this operator is not supported \(1 node: 'caf")
    yield Case("names", "node_with_half_a_letter", opened(with_node_name(b"caf\xc3")), r"this operator is not supported \(1 node: 'caf")
    yield Case("names", "node_very_long", opened(with_node_name(LONG.encode())), r"this operator is not supported \(1 node: 'nnn")
    yield Case("names", "node_with_braces", opened(with_node_name(b"{} {0} %s %n")), r"\(1 node: '\{\} \{0\} %s %n'\)")
    yield Case("names", "node_without_name", opened(with_node_name(b"")), r"this operator is not supported \(1 node: 'z'\)")
    wrong = {"y": np.zeros(2, np.float32)}
    for title, name in (("newline", "a\nb"), ("quote", "a'b"), ("slash", "../a"), ("braces", "{}"), ("nul", "a\0b")):
        yield Case("names", f"input_with_{title}", opened(with_input(name), wrong),
                   "input .* is missing; there is no input 'y'|holds a NUL")
    for title, part in (("input", 11), ("output", 12)):
        yield Case("names", f"{title}_not_utf8", opened(with_port_not_utf8(part)), f"{title}.*UTF-8")
    yield Case("names", "input_very_long", opened(with_input(LONG), wrong), "input 'nnn.*' is missing; there is no input 'y'", slow=True)
    for title, name in (("newline", "a\nb"), ("formula", "n*n"), ("number", "12"), ("minimum", "min"), ("axis", "d0"), ("letters", "ñ"),
                        ("very_long", LONG)):
        yield Case("names", f"dimension_with_{title}", opened(named_dims(name), {"x": np.zeros((3, 3), np.float32)}),
                   "input 'x' must be .*dimension 1 must be 2")
    for title, name in (("slash", "../../y"), ("nul", "y\0"), ("very_long", "y" * 1_000_000)):
        content = model([node("Relu", ["x"], [name])], [value("x", [2])], outputs=[name])
        yield Case("names", f"output_with_{title}", opened(content, {"x": np.zeros(2, np.float32)}), "name of output .* holds a NUL",
                   result=lambda outputs: None if outputs[0].shape == (2,) else "another shape")
