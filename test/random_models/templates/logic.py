"""Elementwise operators with jumps: rounding, comparisons, bits and casts. Their operands are exact, so rounding is no excuse."""
from __future__ import annotations

import numpy as np

import element
from builder import Builder, Rejected

from .broadcast import partner
from .elementwise import away_from_zero
from .registry import template


@template("Floor", "Ceil", "Round", "Sign", "Not", "BitwiseNot")
def jumping_unary(b: Builder, op: str) -> None:
    b.add(op, [b.pick(element.allowed(op, b.opset), exact=True)])


@template("ThresholdedRelu", "Shrink")
def thresholds(b: Builder, op: str) -> None:
    attributes = {"alpha": b.among((0.5, 1.0, 1.5))}
    if op == "Shrink":
        attributes = {"lambd": b.among((0.5, 1.0)), "bias": b.among((0.0, 0.25))}
    types = element.allowed(op, b.opset)
    if op == "Shrink":
        # What a fractional bias means for integers is said nowhere, and onnxruntime computes f64 in f32.
        types = tuple(t for t in types if element.is_float(t) and t != element.F64)
    b.add(op, [b.pick(types, exact=True)], **{name: number for name, number in attributes.items() if b.chance(0.7)})


@template("IsNaN", "IsInf")
def specials(b: Builder, op: str) -> None:
    dims = b.some_dims()
    dtype = b.dtype(element.allowed(op, b.opset))
    arrays = []
    for shape in zip(*dims) if dims else [()] * 2:
        array = np.array(element.values(b.numbers, dtype, shape))
        chosen = b.numbers.integers(0, 4, shape)
        arrays.append(np.select([chosen == 0, chosen == 1, chosen == 2], [np.nan, np.inf, -np.inf], array.astype(np.float64)).astype(dtype))
    value = b.input(arrays, pooled=False)
    if b.chance(0.5):
        (value,) = b.add(b.among(("Neg", "Identity", "Abs")), [value], pooled=False, finite=False)
    attributes = {}
    if op == "IsInf" and b.chance(0.6):
        attributes = {"detect_positive": b.rng.randint(0, 1), "detect_negative": b.rng.randint(0, 1)}
    b.add(op, [value], **attributes)


@template("And", "Or", "Xor", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "BitwiseAnd", "BitwiseOr", "BitwiseXor")
def exact_binary(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset), exact=True)
    b.add(op, [first, partner(b, first, (first.dtype,), exact=True)])


@template("Mod")
def modulo(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset), exact=True)
    fmod = 1 if element.is_float(first.dtype) else b.rng.randint(0, 1)
    second = partner(b, first, (first.dtype,), exact=True, kind="nonzero", where=away_from_zero)
    b.add(op, [first, second], **({"fmod": fmod} if fmod else {}))


@template("BitShift")
def shift(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset), exact=True)
    b.add(op, [first, partner(b, first, (first.dtype,), exact=True, where=lambda v: v.within(0, 7))], direction=b.among(("LEFT", "RIGHT")))


def _castable(b: Builder, op: str):
    """A tensor, a type that it may be cast to, and whether that rounds."""
    source = b.pick(element.allowed(op, b.opset))
    target = b.among(element.ALL) if b.chance(0.7) else b.main_float
    if element.is_float(source.dtype) and not element.is_float(target):
        # Numbers out of range turn into anything.
        low, high = (0, 1e9) if target == element.BOOL else (float(np.iinfo(target).min), float(np.iinfo(target).max))
        if not source.exact or target != element.BOOL and not source.within(max(low, -1e6), min(high, 1e6)):
            raise Rejected("the cast would jump")
    rounds = element.is_float(target) and not source.every(lambda a: a.astype(target).astype(np.float64) == a.astype(np.float64))
    return source, target, rounds


@template("Cast")
def cast(b: Builder, op: str) -> None:
    source, target, rounds = _castable(b, op)
    b.add(op, [source], rounds=rounds, to=element.code(target))


@template("CastLike")
def cast_like(b: Builder, op: str) -> None:
    source, target, rounds = _castable(b, op)
    like = b.pick((target,))
    if like.dtype != target:
        raise Rejected("no tensor of the type")
    b.add(op, [source, like], rounds=rounds)
