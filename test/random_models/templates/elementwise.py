"""Arithmetic on elements: functions that are continuous, so that a rounded operand is no excuse for a far result."""
from __future__ import annotations

import numpy as np

import element
from builder import Builder, Rejected, Value

from .broadcast import partner
from .registry import template

EXACT = ("Abs", "Neg", "Relu")
BOUNDED = {  # where the function is defined and not steep
    "Log": (0.1, 1e5), "Sqrt": (0.05, 1e5), "Exp": (-20, 6), "Asin": (-0.9, 0.9), "Acos": (-0.9, 0.9), "Atanh": (-0.9, 0.9),
    "Acosh": (1.25, 1e3), "Tan": (-1.3, 1.3), "Sinh": (-6, 6), "Cosh": (-6, 6), "Sin": (-50, 50), "Cos": (-50, 50),
    "Softplus": (-50, 50), "Mish": (-50, 50),
}
TAMED = {"Log": "positive", "Sqrt": "positive", "Asin": "unit", "Acos": "unit", "Atanh": "unit", "Tan": "unit", "Acosh": "positive"}
SMOOTH = ("Sigmoid", "HardSwish", "Tanh", "Softsign", "Erf", "Atan", "Asinh", "Selu")
ALPHAS = {"LeakyRelu": ("alpha",), "Elu": ("alpha",), "Celu": ("alpha",), "HardSigmoid": ("alpha", "beta")}


@template(*EXACT)
def exact_unary(b: Builder, op: str) -> None:
    b.add(op, [b.pick(element.allowed(op, b.opset))])


@template(*BOUNDED)
def bounded(b: Builder, op: str) -> None:
    low, high = BOUNDED[op]
    if op in TAMED and b.chance(0.5):  # of any tensor, brought into the domain first
        value = b.pick(element.allowed(op, b.opset))
        (value,) = b.add("Abs", [value])
        offset = b.constant(np.array(max(low, 0.25), value.dtype))
        (value,) = b.add("Add" if TAMED[op] == "positive" else "Div", [value, offset if TAMED[op] == "positive" else _over(b, value)],
                         rounds=True)
    else:
        value = b.pick(element.allowed(op, b.opset), where=lambda v: v.within(low, high), kind=TAMED.get(op, "any"))
    if not value.within(low, high):
        raise Rejected("outside of the domain")
    b.add(op, [value], rounds=True)


def _over(b: Builder, value: Value) -> Value:
    largest = max(float(np.max(a.astype(np.float64), initial=1.0)) for a in value.arrays)
    return b.constant(np.array(largest * 1.25, value.dtype))


@template(*SMOOTH)
def smooth(b: Builder, op: str) -> None:
    types = element.allowed(op, b.opset)
    if op == "Erf":
        types = tuple(t for t in types if element.is_float(t))
    b.add(op, [b.pick(types)], rounds=True)


@template(*ALPHAS)
def with_alpha(b: Builder, op: str) -> None:
    attributes = {name: round(b.rng.uniform(0.05, 1.5), 3) for name in ALPHAS[op] if b.chance(0.7)}
    b.add(op, [b.pick(element.allowed(op, b.opset))], rounds=True, **attributes)


@template("Gelu")
def gelu(b: Builder, op: str) -> None:
    attributes = {"approximate": b.among(("none", "tanh"))} if b.chance(0.7) else {}
    b.add(op, [b.pick(element.allowed(op, b.opset))], rounds=True, **attributes)


@template("Reciprocal")
def reciprocal(b: Builder, op: str) -> None:
    b.add(op, [b.pick(element.allowed(op, b.opset), where=away_from_zero, kind="nonzero")], rounds=True)


def away_from_zero(value: Value) -> bool:
    return value.every(lambda a: np.abs(a.astype(np.float64)) >= 0.1)


@template("Add", "Sub", "Mul")
def arithmetic(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset))
    second = first if b.chance(0.05) else partner(b, first, (first.dtype,))
    operands = [first, second]
    b.rng.shuffle(operands)
    b.add(op, operands, rounds=True, ring=True)


@template("Div")
def division(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset))
    if not element.is_float(first.dtype) and first.dtype in element.SIGNED and not first.within(-10**9, 10**9):
        raise Rejected("the least integer over -1 overflows")
    b.add(op, [first, partner(b, first, (first.dtype,), kind="nonzero", where=away_from_zero)], rounds=True)


@template("Pow")
def power(b: Builder, op: str) -> None:
    base = b.pick(element.allowed(op, b.opset), kind="positive", where=lambda v: v.within(-20, 20))
    if not element.is_float(base.dtype):
        # onnxruntime converts through double; small integers stay exact there.
        exponents = (element.I64, element.I32)
        b.add(op, [base, b.constant(np.array(b.among((0, 1, 2, 3)), b.among(exponents)))])
    elif base.within(0.1, 20) and b.chance(0.5):
        b.add(op, [base, partner(b, base, (base.dtype,), where=lambda v: v.within(-3, 3))], rounds=True)
    else:
        number = b.among((0, 1, 2, 3, 4)) if base.dtype != element.F16 else b.among((1, 2))
        dtype = base.dtype if b.chance(0.6) else b.among((element.I32, element.I64, element.F32))
        b.add(op, [base, b.constant(np.array(number, dtype))], rounds=True)


@template("Sum", "Max", "Min", "Mean")
def variadic(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset))
    operands = [first]
    for _ in range(b.rng.choice((0, 1, 1, 2, 3))):
        operands.append(partner(b, operands[-1], (first.dtype,)))
    b.add(op, operands, rounds=op in ("Sum", "Mean"), ring=op == "Sum")


@template("Clip")
def clip(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset))
    low, high = sorted(b.rng.sample(range(0 if value.dtype in element.UNSIGNED else -3, 6), 2))
    bounds = [b.constant(np.array(number, value.dtype)) if b.chance(0.75) else None for number in (low, high)]
    b.add(op, [value, *bounds])


@template("PRelu")
def prelu(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset))
    kept = value.dims[b.rng.randint(0, value.rank):]
    slope = b.new(value.dtype, [sizes if b.chance(0.7) else (1,) * len(sizes) for sizes in kept])
    b.add(op, [value, slope], rounds=True)


@template("Dropout")
def dropout(b: Builder, op: str) -> None:
    value = b.pick(element.allowed(op, b.opset))
    ratio = b.constant(np.array(0.3, np.float32)) if b.chance(0.5) else None
    training = b.constant(np.array(False)) if b.chance(0.4) else None
    # Until opset 11 nothing says what the mask of inference is: onnxruntime gives noughts, the reference evaluator ones.
    b.add(op, [value, ratio, training], 2 if b.chance(0.3) and b.opset >= 12 else 1)


@template("Where")
def where(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset, 1))
    second = partner(b, first, (first.dtype,))
    condition = partner(b, first, (element.BOOL,))
    b.add(op, [condition, first, second])
