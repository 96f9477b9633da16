"""Operators of the newest opsets."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected, Value

from .registry import template

NARROW = 32  # roundings: softmax and sums of products in a row


def known(b: Builder, op: str) -> tuple[np.dtype, ...]:
    types = element.allowed(op, b.opset)
    if not types:
        raise Rejected("not in this opset")
    return types


def number(size: int) -> tuple[int, ...]:
    return (size,) * FEEDS


def full(value: Value) -> bool:
    return value.within(-50, 50) and all(0 not in array.shape for array in value.arrays)


@template("Swish")
def swish(b: Builder, op: str) -> None:
    b.add(op, [b.pick(known(b, op))], rounds=True, **({"alpha": b.among((0.5, 1.0, 1.702))} if b.chance(0.6) else {}))


@template("RMSNormalization")
def rms_norm(b: Builder, op: str) -> None:
    value = b.pick(known(b, op), 1, where=full)
    axis = b.axis(value.rank)
    attributes = {"epsilon": b.among((1e-5, 1e-2))} if b.chance(0.5) else {}
    b.add(op, [value, b.new(value.dtype, value.dims[axis:])], rounds=True, **({"axis": axis} if axis != -1 else {}), **attributes)


@template("CumProd")
def cumulative_product(b: Builder, op: str) -> None:
    value = b.pick(known(b, op), 1, where=lambda v: v.within(-1.6, 1.6), kind="unit")
    attributes = {name: b.rng.randint(0, 1) for name in ("exclusive", "reverse") if b.chance(0.5)}
    b.add(op, [value, b.numbers_input(b.axis(value.rank), b.among((element.I64, element.I32)))], rounds=True, **attributes)


@template("BitCast")
def bit_cast(b: Builder, op: str) -> None:
    value = b.pick([t for t in known(b, op) if t != element.BOOL], exact=True)
    same = [t for t in element.NUMBERS if t.itemsize == value.dtype.itemsize]
    b.add(op, [value], finite=False, pooled=False, to=element.code(b.among(same)))


@template("TensorScatter")
def tensor_scatter(b: Builder, op: str) -> None:
    dtype = b.dtype(known(b, op))
    batch, length, rank = b.among((1, 2, 3)), b.among((3, 7, 16)), b.rng.randint(3, 4)
    dims = [number(batch), *([b.size()] if rank == 4 else []), number(length), b.size()]
    count = b.rng.randint(1, length)
    mode = b.among(("linear", "circular"))
    places = b.numbers.integers(0, length if mode == "circular" else length - count + 1, batch)
    if b.chance(0.3):
        places = None
    inputs = [b.new(dtype, dims, constant=False), b.new(dtype, [*dims[:-2], number(count), dims[-1]])]
    b.add(op, inputs + ([b.input([places] * FEEDS, pooled=False)] if places is not None else []), mode=mode,
          **({"axis": rank - 2 if b.chance(0.5) else -2} if b.chance(0.5) else {}))


@template("RotaryEmbedding")
def rotary(b: Builder, op: str) -> None:
    dtype = b.dtype(known(b, op))
    batch, heads, steps, depth = b.among((1, 2)), b.among((1, 2, 3)), b.among((1, 3, 8)), b.among((4, 8, 12))
    turned = b.among((0, depth, depth // 2)) if depth % 4 == 0 else 0
    half = (turned or depth) // 2
    flat = b.chance(0.4)
    value = b.new(dtype, [number(size) for size in ((batch, steps, heads * depth) if flat else (batch, heads, steps, depth))], constant=False)
    attributes = {"interleaved": b.rng.randint(0, 1)} | ({"num_heads": heads} if flat else {}) | ({"rotary_embedding_dim": turned} if turned else {})
    if b.chance(0.5):
        caches = [b.new(dtype, [number(20), number(half)]) for _ in range(2)]
        caches.append(b.input([b.numbers.integers(0, 20, (batch, steps))] * FEEDS, pooled=False))
    else:
        caches = [b.new(dtype, [number(batch), number(steps), number(half)]) for _ in range(2)]
    b.add(op, [value, *caches], rounds=True, **attributes)


@template("Attention")
def attention(b: Builder, op: str) -> None:
    dtype = b.dtype([t for t in known(b, op) if t in (element.F32, element.F16)])
    batch, groups, shared, width, depth = b.among((1, 2)), b.among((1, 2)), b.among((1, 1, 2)), b.among((2, 4, 7)), b.among((2, 8))
    heads = groups * shared
    queries, keys = b.size(), b.size()
    if 0 in queries + keys:
        raise Rejected("softmax of nothing")
    flat = b.chance(0.3)

    def tensor(rows: tuple[int, ...], count: int, each: int) -> Value:
        dims = [number(batch), rows, number(count * each)] if flat else [number(batch), number(count), rows, number(each)]
        return b.new(dtype, dims, "unit", constant=False)
    inputs: list[Value | None] = [tensor(queries, heads, width), tensor(keys, groups, width), tensor(keys, groups, depth)]
    attributes: dict = {"q_num_heads": heads, "kv_num_heads": groups} if flat else {}
    if b.chance(0.4):
        attributes["scale"] = b.among((0.25, 1.0))
    if b.chance(0.2):
        attributes["softcap"] = 2.0
    if b.chance(0.3):
        attributes["is_causal"] = 1
    if b.chance(0.4) and "is_causal" not in attributes:
        inputs.append(b.new(dtype, [queries, keys], constant=False))
    b.add(op, inputs, rounds=True, noise=NARROW, **attributes)


@template("ai.onnx.preview.FlexAttention")
def flex_attention(b: Builder, op: str) -> None:
    if b.opset < 23:
        raise Rejected("not in this opset")
    dtype = b.dtype((element.F32, element.F64))
    batch, groups, shared, width, depth = b.among((1, 2)), b.among((1, 2)), b.among((1, 1, 2)), b.among((2, 4, 7)), b.among((2, 8))
    queries, keys = b.size(), b.size()
    if 0 in queries + keys:
        raise Rejected("softmax of nothing")
    inputs = [b.new(dtype, [number(batch), number(heads), rows, number(each)], "unit", constant=False)
              for heads, rows, each in ((groups * shared, queries, width), (groups, keys, width), (groups, keys, depth))]
    b.add("FlexAttention", inputs, rounds=True, noise=NARROW, domain="ai.onnx.preview", **({"scale": 0.5} if b.chance(0.5) else {}))


@template("LinearAttention")
def linear_attention(b: Builder, op: str) -> None:
    dtype = b.dtype(known(b, op))
    batch, groups, steps, width, depth = b.among((1, 2)), b.among((1, 2)), b.among((1, 3, 8)), b.among((2, 4)), b.among((3, 4))
    heads = groups * b.among((1, 2))
    rule = b.among(("linear", "gated", "delta", "gated_delta"))

    def tensor(*sizes: int) -> Value:
        return b.new(dtype, [number(size) for size in sizes], "unit", constant=False)
    inputs: list[Value | None] = [tensor(batch, steps, heads * width), tensor(batch, steps, groups * width),
                                  tensor(batch, steps, groups * depth)]
    inputs.append(tensor(batch, groups, width, depth) if b.chance(0.6) else None)
    # A state that is neither blown up by its decay nor by its corrections.
    decay = b.add("Neg", b.add("Abs", [tensor(batch, steps, groups * b.among((1, width)))]))[0] if "gated" in rule else None
    beta = b.add("Abs", [tensor(batch, steps, b.among((1, groups)))])[0] if "delta" in rule else None
    inputs += [decay, beta]
    b.add(op, inputs, [True, b.chance(0.6)], rounds=True, noise=NARROW, q_num_heads=heads, kv_num_heads=groups, update_rule=rule)


@template("CausalConvWithState")
def causal_conv(b: Builder, op: str) -> None:
    dtype = b.dtype(known(b, op))
    batch, channels, kernel = b.among((1, 2)), b.among((1, 3, 8)), b.among((1, 2, 4))
    value = b.new(dtype, [number(batch), number(channels), b.size()], constant=False)
    if 0 in (size for sizes in value.dims for size in sizes):
        raise Rejected("no step")
    inputs: list[Value | None] = [value, b.new(dtype, [number(channels), number(1), number(kernel)])]
    inputs.append(b.new(dtype, [number(channels)]) if b.chance(0.5) else None)
    inputs.append(b.new(dtype, [number(batch), number(channels), number(kernel - 1)], constant=False) if kernel > 1 and b.chance(0.5) else None)
    b.add(op, inputs, [True, kernel > 1 and b.chance(0.5)], rounds=True, **({"activation": b.among(("none", "silu", "swish"))} if b.chance(0.6) else {}))
