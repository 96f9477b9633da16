#!/usr/bin/env python3
"""Writes a small image classifier (two convolutions, a pooling, a matrix product) as ONNX, and one input for it.

    scripts/make_demo_model.py FOLDER     writes FOLDER/demo.onnx and FOLDER/image.npy
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

IMAGE = (1, 3, 64, 64)
CLASSES = 10


def weights(rng, name, shape):
    fan_in = int(np.prod(shape[1:]))
    values = rng.standard_normal(shape) * np.sqrt(2.0 / fan_in)
    return numpy_helper.from_array(values.astype(np.float32), name)


def demo_model():
    rng = np.random.default_rng(1)
    constants = [
        weights(rng, "conv1.weight", (32, 3, 3, 3)),
        weights(rng, "conv1.bias", (32,)),
        weights(rng, "conv2.weight", (64, 32, 3, 3)),
        weights(rng, "conv2.bias", (64,)),
        weights(rng, "head.weight", (64, CLASSES)),
        weights(rng, "head.bias", (CLASSES,)),
    ]
    nodes = [
        helper.make_node("Conv", ["image", "conv1.weight", "conv1.bias"], ["c1"], pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("Conv", ["r1", "conv2.weight", "conv2.bias"], ["c2"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c2"], ["r2"]),
        helper.make_node("GlobalAveragePool", ["r2"], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["features"], axis=1),
        helper.make_node("MatMul", ["features", "head.weight"], ["scores"]),
        helper.make_node("Add", ["scores", "head.bias"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["probabilities"], axis=-1),
    ]
    graph = helper.make_graph(
        nodes,
        "demo",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, IMAGE)],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, (IMAGE[0], CLASSES))],
        constants,
    )
    # Opset and IR version are stated, so that the file does not change with the onnx package.
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="hone demo")
    onnx.checker.check_model(model, full_check=True)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(demo_model(), folder / "demo.onnx")
    image = np.random.default_rng(2).random(IMAGE, dtype=np.float32)
    np.save(folder / "image.npy", image)
    print(f"wrote {folder}/demo.onnx and {folder}/image.npy")


if __name__ == "__main__":
    main()
