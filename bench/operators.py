"""The operator list: each case becomes a one-operator ONNX model with constant weights, as a compiler would meet it.

Floating-point work counts every tap of a convolution, also those that fall on padding: engines that skip them, or that
use Winograd, may pass the machine's peak. Sizes of GMM are rows x inner x columns.
"""
from __future__ import annotations

import math
import re
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import operators_in_torch as in_torch
from cache import CACHE
from workload import Feeds, Workload

OPSET = 18


def random_array(*shape: int) -> np.ndarray:
    rng = np.random.default_rng(zlib.crc32(repr(shape).encode()))
    return rng.standard_normal(shape, dtype=np.float32)


def scaled(array: np.ndarray, terms: int) -> np.ndarray:
    """Weights small enough for sums of `terms` products to stay near one."""
    return (array / math.sqrt(terms)).astype(np.float32)


def one_output_model(name: str, nodes: list[onnx.NodeProto], feeds: Feeds, weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, a.shape) for n, a in feeds.items()]
    output = helper.make_empty_tensor_value_info("y")
    initializers = [numpy_helper.from_array(array, n) for n, array in weights.items()]
    graph = helper.make_graph(nodes, re.sub(r"\W+", "_", name), inputs, [output], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
    onnx.checker.check_model(model, full_check=True)
    return model


def workload(name: str, nodes: list[onnx.NodeProto], feeds: Feeds, weights: dict[str, np.ndarray], work: float, unit: str,
             torch_form) -> Workload:
    path = CACHE / "operators" / (re.sub(r"[^\w.]+", "_", name) + ".onnx")
    path.parent.mkdir(parents=True, exist_ok=True)
    data = one_output_model(name, nodes, feeds, weights).SerializeToString()
    if not path.exists() or path.read_bytes() != data:  # kept when unchanged, so that conversions of it stay valid
        path.write_bytes(data)
    return Workload(name, path, feeds, work / 1e9, unit, torch_form, tuple(weights.values()))


def convolution(name: str, size: tuple[int, ...], channels: int, filters: int, kernel: int, stride: int = 1,
                padding: int | None = None, dilation: int = 1, groups: int = 1) -> Workload:
    if padding is None:
        padding = kernel // 2
    rank = len(size)
    x = random_array(1, channels, *size)
    w = scaled(random_array(filters, channels // groups, *[kernel] * rank), channels // groups * kernel**rank)
    node = helper.make_node("Conv", ["x", "w"], ["y"], kernel_shape=[kernel] * rank, strides=[stride] * rank,
                            pads=[padding] * 2 * rank, dilations=[dilation] * rank, group=groups)
    out = [(s + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1 for s in size]
    flops = 2.0 * math.prod(out) * w.size
    return workload(name, [node], {"x": x}, {"w": w}, flops, "GFLOP/s",
                    in_torch.convolution(rank, stride, padding, dilation, groups))


def depthwise(name: str, size: tuple[int, ...], channels: int, kernel: int, stride: int = 1) -> Workload:
    return convolution(name, size, channels, channels, kernel, stride, groups=channels)


def transposed_convolution(name: str, size: tuple[int, ...], channels: int, filters: int, kernel: int, stride: int,
                           padding: int) -> Workload:
    x = random_array(1, channels, *size)
    w = scaled(random_array(channels, filters, kernel, kernel), channels * kernel * kernel // stride**2)
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], kernel_shape=[kernel] * 2, strides=[stride] * 2,
                            pads=[padding] * 4)
    flops = 2.0 * math.prod(size) * w.size
    return workload(name, [node], {"x": x}, {"w": w}, flops, "GFLOP/s", in_torch.transposed_convolution(stride, padding))


def matmul(rows: int, inner: int, columns: int) -> Workload:
    name = f"GMM {rows}x{inner}x{columns}"
    w = scaled(random_array(inner, columns), inner)
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    return workload(name, [node], {"x": random_array(rows, inner)}, {"w": w}, 2.0 * rows * inner * columns, "GFLOP/s",
                    in_torch.matmul)


def softmax(rows: int, columns: int) -> Workload:
    node = helper.make_node("Softmax", ["x"], ["y"], axis=-1)
    return workload(f"SFM {rows}x{columns}", [node], {"x": random_array(rows, columns)}, {}, 8.0 * rows * columns, "GB/s",
                    in_torch.softmax)


def layer_norm(rows: int, columns: int) -> Workload:
    node = helper.make_node("LayerNormalization", ["x", "scale", "bias"], ["y"], axis=-1, epsilon=1e-5)
    weights = {"scale": random_array(columns), "bias": random_array(1, columns)[0]}
    return workload(f"LNM {rows}x{columns}", [node], {"x": random_array(rows, columns)}, weights, 8.0 * rows * columns, "GB/s",
                    in_torch.layer_norm)


def transposed_batch_matmul(heads: int, rows: int, inner: int) -> Workload:
    """The scores of attention, with queries and keys as a projection leaves them: [1, row, head, feature]."""
    feeds = {"q": random_array(1, rows, heads, inner), "k": scaled(random_array(1, rows, heads, inner) + 1, inner)}
    nodes = [
        helper.make_node("Transpose", ["q"], ["qt"], perm=[0, 2, 1, 3]),
        helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 2, 3, 1]),
        helper.make_node("MatMul", ["qt", "kt"], ["y"]),
    ]
    return workload(f"TBG {heads}h {rows}x{inner}x{rows}", nodes, feeds, {}, 2.0 * heads * rows * rows * inner, "GFLOP/s",
                    in_torch.transposed_batch_matmul)


def attention(heads: int, rows: int, inner: int) -> Workload:
    """Softmax(q kT / sqrt(inner)) v, spelled out in primitive operators as exporters do."""
    shape = (heads, rows, inner)
    feeds = {"q": random_array(*shape), "k": random_array(1, *shape)[0], "v": random_array(1, 1, *shape)[0, 0]}
    nodes = [
        helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["q", "kt"], ["scores"]),
        helper.make_node("Mul", ["scores", "scale"], ["scaled"]),
        helper.make_node("Softmax", ["scaled"], ["shares"], axis=-1),
        helper.make_node("MatMul", ["shares", "v"], ["y"]),
    ]
    scale = {"scale": np.array(1 / math.sqrt(inner), dtype=np.float32)}
    return workload(f"ATT {heads}x{rows}x{inner}", nodes, feeds, scale, 4.0 * heads * rows * rows * inner, "GFLOP/s",
                    in_torch.attention)


# Name -> builder; a name is known before its model is built, so that a filter builds only what it selects.
CASES = {
    "C2D 224x224 3->64 k7 s2 p3": lambda n: convolution(n, (224, 224), 3, 64, 7, stride=2),
    "C2D 56x56 64->64 k3": lambda n: convolution(n, (56, 56), 64, 64, 3),
    "C2D 28x28 128->128 k3": lambda n: convolution(n, (28, 28), 128, 128, 3),
    "C2D 14x14 256->256 k3": lambda n: convolution(n, (14, 14), 256, 256, 3),
    "C2D 7x7 512->512 k3": lambda n: convolution(n, (7, 7), 512, 512, 3),
    "C2D 1x1 56x56 64->256": lambda n: convolution(n, (56, 56), 64, 256, 1),
    "C2D 1x1 28x28 256->512": lambda n: convolution(n, (28, 28), 256, 512, 1),
    "C2D 1x1 14x14 1024->256": lambda n: convolution(n, (14, 14), 1024, 256, 1),
    "C1D L256 64->128 k3 s2 p1": lambda n: convolution(n, (256,), 64, 128, 3, stride=2),
    "C3D 16x56x56 64->64 k3 p1": lambda n: convolution(n, (16, 56, 56), 64, 64, 3),
    "DEP 112x112 c32 k3 s1": lambda n: depthwise(n, (112, 112), 32, 3),
    "DEP 56x56 c144 k3 s2": lambda n: depthwise(n, (56, 56), 144, 3, stride=2),
    "DEP 14x14 c576 k3 s1": lambda n: depthwise(n, (14, 14), 576, 3),
    "DEP 7x7 c960 k5": lambda n: depthwise(n, (7, 7), 960, 5),
    "DIL 56x56 64->64 k3 d2 p2": lambda n: convolution(n, (56, 56), 64, 64, 3, padding=2, dilation=2),
    "GRP 56x56 64->128 k3 s2 g4": lambda n: convolution(n, (56, 56), 64, 128, 3, stride=2, groups=4),
    "T2D 4x4 512->256 k4 s2 p1": lambda n: transposed_convolution(n, (4, 4), 512, 256, 4, stride=2, padding=1),
    "GMM 128x128x128": lambda n: matmul(128, 128, 128),
    "GMM 128x768x768": lambda n: matmul(128, 768, 768),
    "GMM 128x3072x768": lambda n: matmul(128, 3072, 768),
    "GMM 128x768x3072": lambda n: matmul(128, 768, 3072),
    "GMM 1024x1024x1024": lambda n: matmul(1024, 1024, 1024),
    "GMM 16x4096x4096": lambda n: matmul(16, 4096, 4096),
    "GMM 1x4096x4096": lambda n: matmul(1, 4096, 4096),
    "SFM 256x256": lambda n: softmax(256, 256),
    "SFM 4096x128": lambda n: softmax(4096, 128),
    "LNM 128x768": lambda n: layer_norm(128, 768),
    "TBG 12h 128x64x128": lambda n: transposed_batch_matmul(12, 128, 64),
    "ATT 12x128x64": lambda n: attention(12, 128, 64),
    "ATT 8x1024x64": lambda n: attention(8, 1024, 64),
}


def select(filters: list[str]) -> list[str]:
    """Names that contain any of the filters, case aside; all names where there is no filter."""
    return [n for n in CASES if not filters or any(f.lower() in n.lower() for f in filters)]


def build(name: str) -> Workload:
    return CASES[name](name)
