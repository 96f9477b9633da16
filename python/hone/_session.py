"""Sessions over the native module, in the manner of onnxruntime."""

import json
import os
from dataclasses import dataclass

import numpy as np

from . import _native

_ONNX_TYPES = {
    "f32": "tensor(float)", "f64": "tensor(double)", "f16": "tensor(float16)", "bf16": "tensor(bfloat16)",
    "i8": "tensor(int8)", "i16": "tensor(int16)", "i32": "tensor(int32)", "i64": "tensor(int64)",
    "u8": "tensor(uint8)", "u16": "tensor(uint16)", "u32": "tensor(uint32)", "u64": "tensor(uint64)",
    "bool": "tensor(bool)",
    "f8e4m3fn": "tensor(float8e4m3fn)", "f8e4m3fnuz": "tensor(float8e4m3fnuz)", "f8e5m2": "tensor(float8e5m2)",
    "f8e5m2fnuz": "tensor(float8e5m2fnuz)", "f8e8m0": "tensor(float8e8m0)", "f4e2m1": "tensor(float4e2m1)",
    "i4": "tensor(int4)", "u4": "tensor(uint4)", "i2": "tensor(int2)", "u2": "tensor(uint2)",
}

# Types that NumPy has only through ml_dtypes, by their names there.
_ML_TYPES = {
    "tensor(bfloat16)": "bfloat16",
    "tensor(float8e4m3fn)": "float8_e4m3fn", "tensor(float8e4m3fnuz)": "float8_e4m3fnuz",
    "tensor(float8e5m2)": "float8_e5m2", "tensor(float8e5m2fnuz)": "float8_e5m2fnuz",
    "tensor(float8e8m0)": "float8_e8m0fnu", "tensor(float4e2m1)": "float4_e2m1fn",
    "tensor(int4)": "int4", "tensor(uint4)": "uint4", "tensor(int2)": "int2", "tensor(uint2)": "uint2",
}
_ML_NAMES = set(_ML_TYPES.values())
_PLAIN = frozenset(np.dtype(letter) for letter in "?bBhHiIlLqQefd")


@dataclass(frozen=True)
class NodeArg:
    """An input or output: `shape` holds a number per dimension, or a name where only the run decides it."""

    name: str
    type: str
    shape: list


@dataclass
class SessionOptions:
    """`intra_op_num_threads` 0 means one per core; `isa` caps the instruction set ("avx512", "avx2", "x86-64")."""

    intra_op_num_threads: int = 0
    isa: str | None = None
    cache_dir: str | None = None


class Session:
    """A model ready to run. Threads may share one: calls run at the same time and leave the interpreter free."""

    def __init__(self, path_or_bytes, options=None):
        options = options or SessionOptions()
        model = path_or_bytes if isinstance(path_or_bytes, bytes) else _path(path_or_bytes)
        self._native = _native.Session(model, options.intra_op_num_threads, options.isa, options.cache_dir)
        self._inputs = [_node_arg(port) for port in self._native.inputs]
        self._outputs = [_node_arg(port) for port in self._native.outputs]
        self._input_names = {port.name for port in self._inputs}
        self._ml_outputs = [(k, _ML_TYPES[port.type]) for k, port in enumerate(self._outputs) if port.type in _ML_TYPES]
        self._output_numbers = {port.name: number for number, port in enumerate(self._outputs)}

    def get_inputs(self):
        return list(self._inputs)

    def get_outputs(self):
        return list(self._outputs)

    @property
    def threads(self):
        return self._native.threads

    @property
    def isa(self):
        return self._native.isa

    def run(self, output_names, feeds):
        """Arrays of the named outputs, or of all for None. `feeds` maps each input's name to its array."""
        outputs = self._native.run(self._arrays(feeds))
        for number, name in self._ml_outputs:
            outputs[number] = _as_ml_type(outputs[number], name)
        if not output_names:
            return outputs
        return [outputs[self._output_number(name)] for name in output_names]

    def profile(self, feeds, rounds=10):
        """Runs the model with a clock around every step; the median seconds of each, with its work, as a dict."""
        return json.loads(self._native.profile(self._arrays(feeds), rounds))

    def _arrays(self, feeds):
        if feeds.keys() != self._input_names:
            names = [port.name for port in self._inputs]
            problems = [f"input {_short(name)!r} is missing" for name in names if name not in feeds]
            problems += [f"there is no input {_short(name)!r}" for name in feeds if name not in names]
            raise _native.Error(f"{_listed(problems, '; ')}: the model takes {_listed(names, ', ')}")
        return [_native_array(feeds[port.name], port) for port in self._inputs]

    def _output_number(self, name):
        if name not in self._output_numbers:
            raise _native.Error(f"there is no output {_short(name)!r}: the model gives {_listed(list(self._output_numbers), ', ')}")
        return self._output_numbers[name]


def _short(name, most=200):
    """Names come from models, and may be of any length."""
    return name if len(name) <= most else f"{name[:most]}…"


def _listed(texts, between, most=20):
    more = f"{between}and {len(texts) - most} more" if len(texts) > most else ""
    return between.join(_short(text, 300) for text in texts[:most]) + more


def _native_array(values, port):
    # NumPy's own numbers in their usual order, which is what nearly every call brings, need no further look.
    if type(values) is np.ndarray and values.dtype in _PLAIN and values.flags.c_contiguous:
        return values
    try:
        array = np.asarray(values, order="C")
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
    except (MemoryError, TypeError, ValueError) as problem:
        raise _native.Error(f"input {port.name!r} cannot be made an array: {problem}") from problem
    name = array.dtype.name
    if name in _ML_NAMES:
        if name != _ML_TYPES.get(port.type):
            raise _native.Error(f"input {port.name!r} is {port.type}, not {name}")
        return array.view(np.uint16 if name == "bfloat16" else np.uint8)
    if array.dtype.kind not in "biuf":
        raise _native.Error(f"input {port.name!r} has elements of type {array.dtype}; numbers and bool would work")
    return array


def _as_ml_type(bits, name):
    """The type of ml_dtypes; without that package the caller gets the bits as unsigned integers."""
    try:
        import ml_dtypes
    except ImportError:
        return bits
    return bits.view(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else bits


def compile(model, library, options=None):
    """Compiles an ONNX file into a shared library that Session loads, with a C header beside it."""
    options = options or SessionOptions()
    _native.compile(_path(model), _path(library), options.isa, options.cache_dir)


def _path(given):
    """The system would take a path only up to its first NUL, and so another file."""
    path = os.fsdecode(given)
    if "\0" in path:
        raise _native.Error(f"the path {path!r} holds a NUL character")
    return path


def _node_arg(port):
    name, dtype, shape = port
    return NodeArg(name, _ONNX_TYPES[dtype], shape)
