"""Element types: how they round, and which values inputs of each are fed."""
from __future__ import annotations

import ml_dtypes
import numpy as np
import onnx
from onnx import helper

F16, F32, F64, BF16 = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64), np.dtype(ml_dtypes.bfloat16)
FLOATS = (F32, F64, F16, BF16)
SIGNED = tuple(np.dtype(t) for t in (np.int64, np.int32, np.int8, np.int16))
UNSIGNED = tuple(np.dtype(t) for t in (np.uint8, np.uint32, np.uint64, np.uint16))
BOOL, I64, I32, U8, I8 = (np.dtype(t) for t in (np.bool_, np.int64, np.int32, np.uint8, np.int8))
INTEGERS = SIGNED + UNSIGNED
NUMBERS = FLOATS + INTEGERS
ALL = NUMBERS + (BOOL,)

_SPELLING = {
    "float": F32, "double": F64, "float16": F16, "bfloat16": BF16, "bool": BOOL,
    **{t.name: t for t in INTEGERS},
}
EPSILON = {F16: 2.0**-11, BF16: 2.0**-8, F32: 2.0**-24, F64: 2.0**-53}
LARGEST = {F16: 300.0, BF16: 1e4, F32: 1e5, F64: 1e5}


def is_float(dtype: np.dtype) -> bool:
    return dtype in FLOATS


def code(dtype: np.dtype) -> int:
    return helper.np_dtype_to_tensor_dtype(dtype)


def allowed(op: str, opset: int, index: int = 0) -> tuple[np.dtype, ...]:
    """The element types that ONNX allows for an input of the operator; no types where the opset lacks the operator."""
    try:
        schema = onnx.defs.get_schema(op, opset)
    except onnx.defs.SchemaError:
        return ()
    if schema.deprecated:
        return ()
    spelled = schema.inputs[min(index, len(schema.inputs) - 1)].types
    return tuple(_SPELLING[t[7:-1]] for t in sorted(spelled) if t[:7] == "tensor(" and t[7:-1] in _SPELLING)


def values(rng: np.random.Generator, dtype: np.dtype, shape: tuple[int, ...], kind: str = "any") -> np.ndarray:
    """Moderate numbers. Half of the float tensors hold multiples of 1/4, where sums and products are exact and ties occur."""
    if dtype == BOOL:
        return rng.integers(0, 2, shape).astype(BOOL)
    if is_float(dtype):
        array = rng.integers(-12, 13, shape) / 4.0 if rng.random() < 0.5 else rng.uniform(-2.5, 2.5, shape)
        if kind == "positive":
            array = np.abs(array) + 0.25
        elif kind == "nonzero":
            array = np.where(array < 0, array - 0.25, array + 0.25)
        elif kind == "unit":
            array = array / 4.0
        return np.asarray(array).astype(dtype)
    low = 0 if dtype in UNSIGNED else -6
    array = rng.integers(low, 8, shape)
    if kind in ("positive", "nonzero"):
        array = np.where(array <= 0, 1 - array if kind == "positive" or dtype in UNSIGNED else array - 1, array)
    return np.asarray(array).astype(dtype)
