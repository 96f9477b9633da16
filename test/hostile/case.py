"""What a hostile case is: something to attempt in a folder of its own, and the answer that Hone owes for it."""
from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Feeds = dict[str, np.ndarray]
Content = onnx.ModelProto | bytes


@dataclass(frozen=True)
class Open:
    """Opens a model: the path of a file, or its bytes. With feeds, whatever opens is run with them too."""

    model: Path | bytes | str
    feeds: Feeds | None = None


@dataclass(frozen=True)
class Run:
    """Runs a model that is sound itself; opening it is not judged. `outputs` names the results to ask for."""

    model: bytes | Path
    feeds: Feeds
    outputs: Sequence[str] | None = None


@dataclass(frozen=True)
class Compile:
    """Compiles a model file to a library."""

    model: Path
    library: Path
    isa: str | None = None


@dataclass(frozen=True)
class Command:
    """Runs the program `hone` with these arguments."""

    arguments: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)


Attempt = Open | Run | Compile | Command


@dataclass(frozen=True)
class Case:
    """`error` is what the message must match. `result` judges outputs where an answer is right too: None, or what is wrong."""

    group: str
    name: str
    build: Callable[[Path], Attempt]
    error: str | None = None
    result: Callable[[list[np.ndarray]], str | None] | None = None
    slow: bool = False
    fault: str = ""  # what Hone does wrong with it today; empty where it does right

    @property
    def title(self) -> str:
        return f"{self.group}/{self.name}"


def value(name: str, shape: Sequence[int | str | None] | None, kind: int = TensorProto.FLOAT) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


def constant(name: str, array: np.ndarray | Sequence[float] | float, dtype: type = np.int64) -> onnx.TensorProto:
    return numpy_helper.from_array(array if isinstance(array, np.ndarray) else np.array(array, dtype), name)


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str] = ("y",), **attributes: object) -> onnx.NodeProto:
    return helper.make_node(kind, list(inputs), list(outputs), name=f"the_{kind}", **attributes)


def model(nodes: Sequence[onnx.NodeProto], inputs: Sequence[onnx.ValueInfoProto], constants: Sequence[onnx.TensorProto] = (),
          outputs: Sequence[str] = ("y",), opset: int = 17) -> onnx.ModelProto:
    graph = helper.make_graph(list(nodes), "hostile", list(inputs), [value(name, None) for name in outputs], list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


def sound() -> onnx.ModelProto:
    """y = x + w, with w of two numbers: what many cases damage."""
    return model([node("Add", ["x", "w"])], [value("x", ["n", 2])], [constant("w", [1, 2], np.float32)])


def written(folder: Path, content: Content, name: str = "model.onnx") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.SerializeToString())
    return path


def opened(content: Content | Callable[[], Content], feeds: Feeds | None = None) -> Callable[[Path], Attempt]:
    """Builds by writing the model into the folder, and opens it from there. A function makes large models only when needed."""
    return lambda folder: Open(written(folder, content() if callable(content) else content), feeds)


def run(content: onnx.ModelProto, feeds: Feeds, outputs: Sequence[str] | None = None) -> Callable[[Path], Attempt]:
    return lambda folder: Run(content.SerializeToString(), feeds, outputs)


def fenced(array: np.ndarray, before: bool = False) -> np.ndarray:
    """A copy whose last byte (or first, `before`) lies at a page that nobody may touch: reads beyond it kill the process."""
    page = mmap.PAGESIZE
    pages = -(-array.nbytes // page)
    memory = mmap.mmap(-1, (pages + 2) * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    for place in (start, start + (pages + 1) * page):
        if libc.mprotect(ctypes.c_void_p(place), ctypes.c_size_t(page), 0) != 0:
            raise OSError(ctypes.get_errno(), "mprotect")
    offset = page if before else (pages + 1) * page - array.nbytes
    copy = np.frombuffer(memory, array.dtype, array.size, offset).reshape(array.shape)
    copy[...] = array
    return copy
