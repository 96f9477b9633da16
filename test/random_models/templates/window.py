"""Pools, and operators that sample images."""
from __future__ import annotations

import operator

import numpy as np

import element
from builder import FEEDS, Builder, Rejected, Value

from .contraction import fits, spatial_input, window_attributes
from .registry import template


@template("MaxPool", "AveragePool", "LpPool")
def pool(b: Builder, op: str) -> None:
    dtype = b.dtype(element.allowed(op, b.opset))
    spatial = b.rng.choice((1, 2, 2, 3))
    value = spatial_input(b, dtype, b.among((1, 2, 3, 5)), spatial)
    kernel = [b.among((1, 2, 2, 3, 4)) for _ in range(spatial)]
    dilated = op == "MaxPool" or op == "AveragePool" and b.opset >= 19 or op == "LpPool" and b.opset >= 18
    attributes = window_attributes(b, spatial, kernel, dilated)
    if not fits(value, kernel, attributes):
        raise Rejected("the window is larger than the input")
    if op == "LpPool" and attributes.get("auto_pad", "").startswith("SAME") and any(map(operator.lt, kernel, attributes.get("strides", kernel))):
        raise Rejected("onnxruntime pads with less than nothing, which Conv does not and MaxPool refuses")
    if op != "LpPool" or b.opset >= 18:
        if b.chance(0.4):
            attributes["ceil_mode"] = b.rng.randint(0, 1)
    if op == "AveragePool" and b.chance(0.5):
        attributes["count_include_pad"] = b.rng.randint(0, 1)
    if op == "LpPool":
        attributes["p"] = b.rng.randint(1, 2)
    outputs = 1
    if op == "MaxPool" and value.exact and b.chance(0.2):
        outputs = 2
        if b.chance(0.3):
            attributes["storage_order"] = b.rng.randint(0, 1)
    b.add(op, [value], outputs, rounds=op != "MaxPool", kernel_shape=kernel, **attributes)


@template("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(b: Builder, op: str) -> None:
    dtype = b.dtype(element.allowed(op, b.opset))
    value = spatial_input(b, dtype, b.among((1, 2, 3, 5)), b.rng.choice((1, 2, 2, 3)))
    b.add(op, [value], rounds=op != "GlobalMaxPool", **({"p": b.rng.randint(1, 2)} if op == "GlobalLpPool" and b.chance(0.6) else {}))


@template("Resize")
def resize(b: Builder, op: str) -> None:
    types = [t for t in element.allowed(op, b.opset) if t in (element.F32, element.F16, element.F64, element.U8, element.I8, element.I32)]
    mode = b.among(("nearest", "linear", "linear", "cubic"))
    dtype = b.dtype(types if mode == "nearest" else [t for t in types if element.is_float(t)])
    value = spatial_input(b, dtype, b.among((1, 2, 3)), 2)
    if any(0 in array.shape for array in value.arrays):
        raise Rejected("no pixel to sample")
    transformation = b.among(("half_pixel", "asymmetric", "pytorch_half_pixel", "align_corners"))
    attributes: dict = {"mode": mode}
    if transformation != "half_pixel" or b.chance(0.5):
        attributes["coordinate_transformation_mode"] = transformation
    if mode == "nearest" and b.chance(0.7):
        attributes["nearest_mode"] = b.among(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    if mode == "cubic" and b.chance(0.5):
        attributes["cubic_coeff_a"] = b.among((-0.5, -0.75))
    if mode == "cubic" and b.chance(0.2):
        attributes["exclude_outside"] = 1
    if b.opset >= 18 and mode != "nearest" and b.chance(0.15):
        attributes["antialias"] = 1
    # Powers of two keep every coordinate exact, so that no implementation rounds to another pixel.
    factors = [1.0, 1.0, b.among((0.5, 1.0, 2.0, 4.0)), b.among((0.5, 1.0, 2.0))]
    if mode == "nearest" and transformation == "align_corners":
        raise Rejected("quotients of sizes fall on ties")
    if b.chance(0.4) and value.static:
        sizes = [max(1, int(size * factor)) for size, factor in zip(value.shape, factors)]
        if mode == "nearest" and any(size * factor != new for size, factor, new in zip(value.shape, factors, sizes)):
            raise Rejected("a scale that is no power of two")
        if b.opset >= 18 and b.chance(0.4):
            b.add(op, [value, None, None, b.numbers_input(sizes[2:])], rounds=mode != "nearest", axes=[2, 3], **attributes)
        else:
            b.add(op, [value, None, None, b.numbers_input(sizes)], rounds=mode != "nearest", **attributes)
        return
    if any(np.floor(size * factor) < 1 for sizes, factor in zip(value.dims, factors) for size in sizes):
        raise Rejected("no pixel left")
    b.add(op, [value, None, b.constant(np.array(factors, np.float32))], rounds=mode != "nearest", **attributes)


@template("Upsample")
def upsample(b: Builder, op: str) -> None:
    value = spatial_input(b, b.dtype([t for t in element.allowed(op, b.opset) if t in (element.F32, element.I32, element.U8)]), 2, 2)
    if any(0 in array.shape for array in value.arrays):
        raise Rejected("no pixel to sample")
    factors = np.array([1.0, 1.0, b.among((1.0, 2.0, 4.0)), b.among((1.0, 2.0))], np.float32)
    mode = b.among(("nearest", "linear")) if value.dtype == element.F32 else "nearest"
    b.add(op, [value, b.constant(factors)], rounds=mode == "linear", mode=mode)


@template("DeformConv")
def deform_conv(b: Builder, op: str) -> None:
    dtype = b.dtype([t for t in element.allowed(op, b.opset) if t in (element.F32, element.F64)])
    channels, outputs, group = b.among(((2, 3, 1), (4, 2, 2), (1, 1, 1)))
    kernel = [b.among((1, 2, 3)), b.among((1, 2, 3))]
    image = [b.among((4, 5, 7)), b.among((4, 6))]
    pads = [b.rng.randint(0, 1) for _ in range(4)]
    strides = [b.rng.randint(1, 2) for _ in range(2)]
    result = [(image[k] + pads[k] + pads[k + 2] - kernel[k]) // strides[k] + 1 for k in range(2)]
    batch, taps = b.size(), kernel[0] * kernel[1]

    def tensor(*sizes, constant: bool = False) -> Value:
        return b.new(dtype, [size if isinstance(size, tuple) else (size,) * FEEDS for size in sizes], constant=constant)
    inputs = [tensor(batch, channels, *image), tensor(outputs, channels // group, *kernel, constant=True), tensor(batch, 2 * taps, *result)]
    inputs.append(tensor(outputs) if b.chance(0.5) else None)
    inputs.append(tensor(batch, taps, *result) if b.chance(0.5) else None)
    b.add(op, inputs, rounds=True, kernel_shape=kernel, pads=pads, strides=strides, group=group)


@template("GridSample")
def grid_sample(b: Builder, op: str) -> None:
    value = spatial_input(b, b.dtype((element.F32, element.F64)), b.among((1, 2, 3)), 2)
    if any(0 in array.shape for array in value.arrays):
        raise Rejected("no pixel to sample")
    bilinear, bicubic = ("bilinear", "bicubic") if b.opset < 20 else ("linear", "cubic")
    attributes = {"mode": b.among((bilinear, bilinear, bicubic)), "padding_mode": b.among(("zeros", "border", "reflection")),
                  "align_corners": b.rng.randint(0, 1)}
    grid = b.new(value.dtype, [value.dims[0], b.size(), b.size(), (2,) * FEEDS], "unit")
    b.add(op, [value, grid], rounds=True, **{name: x for name, x in attributes.items() if name == "mode" or b.chance(0.7)})


@template("Col2Im")
def col2im(b: Builder, op: str) -> None:
    image, kernel = [b.among((3, 5, 6)), b.among((4, 7))], [b.among((1, 2, 3)), b.among((1, 2))]
    strides = [b.among((1, 2)), 1]
    counts = [(size - k) // s + 1 for size, k, s in zip(image, kernel, strides)]
    dims = [b.size(), (2 * kernel[0] * kernel[1],) * FEEDS, (counts[0] * counts[1],) * FEEDS]
    value = b.new(b.dtype((element.F32, element.F32, element.F64)), dims, constant=False)
    b.add(op, [value, b.numbers_input(image), b.numbers_input(kernel)], rounds=True, strides=strides)
