"""Transforms of signals, and operators of detection."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected

from .contraction import spatial_input
from .registry import template


@template("HannWindow", "HammingWindow", "BlackmanWindow")
def window(b: Builder, op: str) -> None:
    if not element.allowed(op, b.opset):
        raise Rejected("not in this opset")
    attributes = {"periodic": b.rng.randint(0, 1)} if b.chance(0.6) else {}
    # Blackman's window is 0 at its ends but for the rounding of a sum: two points of it, or a product, are nothing but that.
    blackman = op == "BlackmanWindow"
    size = b.constant(np.array(b.among((3, 5, 8, 16) if blackman else (2, 5, 8, 16)), b.among((np.int64, np.int32))))
    b.add(op, [size], rounds=True, pooled=not blackman, **attributes)


@template("DFT")
def transform(b: Builder, op: str) -> None:
    dtype = b.dtype([t for t in element.allowed(op, b.opset) if t in (element.F32, element.F64)])
    inverse = b.rng.randint(0, 1)
    value = b.new(dtype, [b.size(), b.size(), (2 if inverse else b.rng.randint(1, 2),) * FEEDS], constant=False)
    if any(0 in array.shape for array in value.arrays):
        raise Rejected("no signal")
    attributes = {"inverse": inverse} if inverse else {"onesided": b.rng.randint(0, 1) if value.shape[-1] == 1 else 0}
    # onnxruntime takes the angles in f32: of 129 points it is off by 4e-5 of the largest.
    noise = 64 if max(value.dims[1]) > 64 else 4
    if b.opset >= 20:
        b.add(op, [value, None, b.constant(np.array(1))], rounds=True, noise=noise, **attributes)
    else:
        b.add(op, [value], rounds=True, noise=noise, axis=1, **attributes)


@template("STFT")
def short_transform(b: Builder, op: str) -> None:
    dtype = b.dtype([t for t in element.allowed(op, b.opset) if t in (element.F32, element.F64)])
    step, frame = b.among((1, 2, 4)), b.among((4, 8, 16))
    value = b.new(dtype, [(b.among((1, 2)),) * FEEDS, (b.among((16, 17, 37)),) * FEEDS, (1,) * FEEDS], constant=False)
    inputs = [value, b.constant(np.array(step)), b.new(dtype, [(frame,) * FEEDS]) if b.chance(0.5) else None]
    inputs.append(b.constant(np.array(frame)) if inputs[2] is None or b.chance(0.5) else None)
    b.add(op, inputs, rounds=True, onesided=b.rng.randint(0, 1))  # the shape inference of onnx takes 0 for the default


@template("MelWeightMatrix")
def mel(b: Builder, op: str) -> None:
    numbers = [np.array(b.among((2, 4, 8))), np.array(b.among((16, 64))), np.array(b.among((1000, 8192)))]
    edges = [np.array(0.0, np.float32), np.array(500.0, np.float32)]
    b.add(op, [b.constant(number) for number in numbers + edges], rounds=True)


@template("MaxUnpool")
def unpool(b: Builder, op: str) -> None:
    value = spatial_input(b, element.F32, 2, 2, least=2)
    if not value.exact or value.dtype != element.F32:
        raise Rejected("positions need exact numbers")
    pooled, positions = b.add("MaxPool", [value], 2, kernel_shape=[2, 2], strides=[2, 2], pooled=False)
    b.add(op, [pooled, positions], kernel_shape=[2, 2], strides=[2, 2])


@template("RoiAlign")
def roi_align(b: Builder, op: str) -> None:
    value = spatial_input(b, element.F32, 2, 2, least=4)
    if any(0 in array.shape for array in value.arrays):
        raise Rejected("no image")
    count = b.among((1, 2, 3))
    corners = b.numbers.uniform(0, 1.5, (count, 2))
    boxes = np.concatenate([corners, corners + b.numbers.uniform(1, 2, (count, 2))], 1).astype(np.float32)
    batches = b.numbers.integers(0, min(value.dims[0]), count)
    attributes = {"output_height": b.rng.randint(1, 3), "output_width": b.rng.randint(1, 3), "sampling_ratio": b.rng.randint(1, 2),
                  "mode": "avg"}  # onnxruntime warns that its mode max is wrong
    b.add(op, [value, b.constant(boxes), b.constant(batches)], rounds=True, **attributes)


@template("NonMaxSuppression")
def suppression(b: Builder, op: str) -> None:
    count = b.among((1, 4, 7))
    corners = b.numbers.integers(0, 8, (1, count, 2)) / 4.0
    boxes = np.concatenate([corners, corners + b.numbers.integers(1, 8, (1, count, 2)) / 4.0], 2).astype(np.float32)
    # Scores all differ: the order of equal ones is open.
    scores = b.numbers.permutation(2 * count).reshape(1, 2, count).astype(np.float32) / 16
    inputs = [b.input([boxes] * FEEDS, pooled=False), b.input([scores] * FEEDS, pooled=False), b.numbers_input([b.rng.randint(1, 3)])]
    inputs.append(b.constant(np.array([0.4], np.float32)) if b.chance(0.6) else None)
    inputs.append(b.constant(np.array([0.2], np.float32)) if b.chance(0.4) else None)
    b.add(op, inputs, **({"center_point_box": b.rng.randint(0, 1)} if b.chance(0.4) else {}))


@template("AffineGrid")
def affine_grid(b: Builder, op: str) -> None:
    batch = b.among((1, 2))
    theta = b.new(b.dtype((element.F32, element.F64)), [(batch,) * FEEDS, (2,) * FEEDS, (3,) * FEEDS], constant=False)
    size = b.numbers_input([batch, 2, b.rng.randint(2, 5), b.rng.randint(2, 5)])
    b.add(op, [theta, size], rounds=True, **({"align_corners": b.rng.randint(0, 1)} if b.chance(0.6) else {}))
