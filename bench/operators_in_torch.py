"""The operators of operators.py as torch users write them: inputs first, then weights. torch itself is imported late."""
from __future__ import annotations

import math


def convolution(rank: int, stride: int, padding: int, dilation: int, groups: int):
    def run(x, w):
        from torch.nn import functional
        conv = (functional.conv1d, functional.conv2d, functional.conv3d)[rank - 1]
        return conv(x, w, None, stride, padding, dilation, groups)

    return run


def transposed_convolution(stride: int, padding: int):
    def run(x, w):
        from torch.nn import functional
        return functional.conv_transpose2d(x, w, None, stride, padding)

    return run


def matmul(x, w):
    return x @ w


def softmax(x):
    return x.softmax(-1)


def layer_norm(x, scale, bias):
    from torch.nn import functional
    return functional.layer_norm(x, scale.shape, scale, bias, 1e-5)


def transposed_batch_matmul(q, k):
    return q.permute(0, 2, 1, 3) @ k.permute(0, 2, 3, 1)


def attention(q, k, v, scale):
    """The fused form, which scales by 1/sqrt(inner) itself; `scale` is the same number as an ONNX constant."""
    from torch.nn import functional
    return functional.scaled_dot_product_attention(q, k, v, scale=1 / math.sqrt(q.shape[-1]))
