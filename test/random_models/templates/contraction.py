"""Products of matrices and convolutions."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Dims, Rejected, Value

from .registry import template


@template("MatMul")
def matmul(b: Builder, op: str) -> None:
    first = b.pick(element.allowed(op, b.opset), 1, 4)
    inner = first.dims[-1]
    if b.chance(0.3):
        found = [v for v in b.pool if v.dtype == first.dtype and v.rank and (v.dims[-1] if v.rank == 1 else v.dims[-2]) == inner]
        if found:
            b.add(op, [first, b.among(found)], rounds=True)
            return
    batch = first.dims[:-2] if b.chance(0.3) else []
    batch = [sizes if b.chance(0.7) else (1,) * FEEDS for sizes in batch]
    second = b.new(first.dtype, [*batch, inner] + ([b.size()] if batch or b.chance(0.8) else []))
    b.add(op, [first, second], rounds=True)


@template("Gemm")
def gemm(b: Builder, op: str) -> None:
    dtype = b.dtype(element.allowed(op, b.opset))
    found = [v for v in b.pool if v.rank == 2 and v.dtype == dtype]
    first = b.among(found) if found and b.chance(0.7) else b.new(dtype, [b.size(), b.size()])
    transposed, other = b.rng.randint(0, 1), b.rng.randint(0, 1)
    rows, inner = first.dims[::-1] if transposed else first.dims
    columns = b.size()
    second = b.new(dtype, [columns, inner] if other else [inner, columns])
    bias = None
    if b.chance(0.6):
        full = [rows if b.chance(0.5) else (1,) * FEEDS, columns if b.chance(0.8) else (1,) * FEEDS]
        bias = b.new(dtype, full[b.rng.choice((0, 0, 1, 2)):])
    attributes = {}
    if transposed or b.chance(0.3):
        attributes["transA"] = transposed
    if other or b.chance(0.3):
        attributes["transB"] = other
    scales = (0.5, 2.0, 1.0, -1.5) if element.is_float(dtype) else (1.0,)
    for name in ("alpha",) if 0 in inner else ("alpha", "beta"):  # onnxruntime ignores beta where there is nothing to add up
        if b.chance(0.4):
            attributes[name] = b.among(scales)
    b.add(op, [first, second, bias], rounds=True, **attributes)


def spatial_input(b: Builder, dtype, channels: int, spatial: int, least: int = 1, kind: str = "any"):
    """A tensor of the graph with this many spatial dimensions, or a new one with `channels` channels."""
    found = [v for v in b.pool if v.dtype == dtype and v.rank == spatial + 2 and len(set(v.dims[1])) == 1 and v.shape[1] > 0
             and all(min(sizes) >= least for sizes in v.dims[2:]) and v.within(-50, 50)]
    if found and b.chance(0.6):
        return b.among(found)
    dims: Dims = [b.size(), (channels,) * FEEDS]
    for _ in range(spatial):
        dims.append(tuple(max(least, min(size, 14 if spatial < 3 else 6)) for size in b.size()))
    return b.new(dtype, dims, kind, constant=False)


def fits(value: Value, kernel: list[int], attributes: dict) -> bool:
    """Whether the window fits into the padded input. Where it does not onnxruntime gives one element, the formula of ONNX none."""
    if attributes.get("auto_pad", "NOTSET").startswith("SAME"):
        return True
    spatial = len(kernel)
    pads, dilations = attributes.get("pads", [0] * 2 * spatial), attributes.get("dilations", [1] * spatial)
    return all(min(value.dims[2 + k]) + pads[k] + pads[k + spatial] >= dilations[k] * (kernel[k] - 1) + 1 for k in range(spatial))


def window_attributes(b: Builder, spatial: int, kernel: list[int], dilated: bool = True) -> dict:
    """Strides, dilations and pads, or auto_pad. Pads stay smaller than the kernel."""
    attributes: dict = {}
    if b.chance(0.5):
        attributes["strides"] = [b.rng.randint(1, 3) for _ in range(spatial)]
    if dilated and b.chance(0.3):
        attributes["dilations"] = [b.rng.randint(1, 2) for _ in range(spatial)]
    if b.chance(0.25):
        attributes["auto_pad"] = b.among(("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"))
        if attributes["auto_pad"].startswith("SAME"):
            # Padding to the same size is not defined together with dilations everywhere.
            attributes.pop("dilations", None)
    elif b.chance(0.6):
        attributes["pads"] = [b.rng.randint(0, size - 1) for size in kernel + kernel]
    return attributes


@template("Conv")
def conv(b: Builder, op: str) -> None:
    dtype = b.dtype(element.allowed(op, b.opset))
    spatial = b.rng.choice((1, 2, 2, 2, 3))
    value = spatial_input(b, dtype, b.among((1, 2, 3, 4, 6, 8)), spatial)
    channels = value.shape[1]
    group = b.among([g for g in (1, 1, 2, 3, 4, channels) if channels % g == 0])
    outputs = group * b.among((1, 2, 3, 5))
    kernel = [b.among((1, 1, 2, 3, 3, 5)) for _ in range(spatial)]
    weights = b.new(dtype, [(size,) * FEEDS for size in (outputs, channels // group, *kernel)], constant=b.chance(0.85))
    bias = b.new(dtype, [(outputs,) * FEEDS]) if b.chance(0.5) else None
    attributes = window_attributes(b, spatial, kernel)
    if not fits(value, kernel, attributes):
        raise Rejected("the window is larger than the input")
    if group != 1 or b.chance(0.3):
        attributes["group"] = group
    if b.chance(0.6):
        attributes["kernel_shape"] = kernel
    b.add(op, [value, weights, bias], rounds=True, **attributes)


@template("ConvTranspose")
def conv_transpose(b: Builder, op: str) -> None:
    dtype = b.dtype(element.allowed(op, b.opset))
    spatial = b.rng.choice((1, 2, 2, 3))
    value = spatial_input(b, dtype, b.among((1, 2, 4, 6)), spatial)
    channels = value.shape[1]
    group = b.among([g for g in (1, 1, 2, channels) if channels % g == 0])
    kernel = [b.among((1, 2, 3, 4)) for _ in range(spatial)]
    each = b.among((1, 2, 3))
    weights = b.new(dtype, [(size,) * FEEDS for size in (channels, each, *kernel)], constant=b.chance(0.85))
    # The reference evaluator, which judges the types that onnxruntime lacks, adds the first bias to every group.
    bias = b.new(dtype, [(group * each,) * FEEDS]) if b.chance(0.5) and (group == 1 or dtype == element.F32) else None
    attributes = window_attributes(b, spatial, kernel)
    if attributes.get("auto_pad", "").startswith("SAME"):
        # onnxruntime and the text of the specification disagree about which end gets the odd pad.
        del attributes["auto_pad"]
    strides = attributes.get("strides", [1] * spatial)
    if b.chance(0.3) and "auto_pad" not in attributes:
        attributes["output_padding"] = [b.rng.randint(0, stride - 1) for stride in strides]
    if group != 1 or b.chance(0.3):
        attributes["group"] = group
    b.add(op, [value, weights, bias], rounds=True, **attributes)


EQUATIONS = ("ij,jk->ik", "bij,bjk->bik", "bij,bkj->bik", "ij->ji", "ij->i", "ii->i", "ii", "i,j->ij", "i,i->", "...ij,...jk->...ik",
             "bhid,bhjd->bhij", "ij,ij->ij", "ijk,k->ij", "bij->b", "ij,jk,kl->il", "ij,jk", "...i->...")


@template("Einsum")
def einsum(b: Builder, op: str) -> None:
    equation = b.among(EQUATIONS)
    dtype = b.dtype(element.allowed(op, b.opset))
    sizes = {letter: tuple(min(s, 8) for s in b.size()) for letter in sorted(set(equation)) if letter.isalpha()}
    some = b.some_dims(0, 1)
    if any(0 in size for size in (*some, *sizes.values())):
        raise Rejected("onnxruntime divides by zero")
    operands = []
    for term in equation.split("->")[0].split(","):
        operands.append(b.new(dtype, (some if "..." in term else []) + [sizes[letter] for letter in term if letter.isalpha()]))
    b.add(op, operands, rounds=True, equation=equation)


@template("AttentionPattern")
def attention(b: Builder, op: str) -> None:
    """softmax(q·kᵀ·s [+ mask])·v, written out."""
    dtype = b.dtype((element.F32, element.F32, element.F16, element.F64))
    batch, heads, queries, keys, depth = b.size(), (b.among((1, 2, 3)),) * FEEDS, b.size(), b.size(), (b.among((1, 4, 8, 11)),) * FEEDS
    q, k, v = (b.new(dtype, [batch, heads, rows, depth], "unit", constant=False) for rows in (queries, keys, keys))
    if b.chance(0.5):
        (k,) = b.add("Transpose", [k], perm=[0, 1, 3, 2])
    else:
        k = b.new(dtype, [batch, heads, depth, keys], "unit", constant=False)
    (scores,) = b.add("MatMul", [q, k], rounds=True)
    (scores,) = b.add(b.among(("Mul", "Div")), [scores, b.constant(np.array(0.5, dtype))], rounds=True)
    if b.chance(0.5):
        (scores,) = b.add("Add", [scores, b.new(dtype, [queries, keys])], rounds=True)
    if any(0 in a.shape for a in scores.arrays):
        raise Rejected("softmax of nothing")
    (weights,) = b.add("Softmax", [scores], rounds=True, axis=-1)
    b.add("MatMul", [weights, v], rounds=True)
