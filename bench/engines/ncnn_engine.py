"""ncnn, through its converter pnnx, in f32 throughout (both would use 16-bit weights and storage if left alone)."""
from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import subprocess
from pathlib import Path

import ncnn
import numpy as np

from cache import CACHE
from engines.engine import Call, Engine, Unavailable
from workload import Feeds, Workload

PNNX_TYPES = {"float32": "f32", "int64": "i64", "int32": "i32"}
CONVERT_SECONDS = 300


def pnnx_program() -> Path:
    """The converter inside pnnx's wheel; its Python wrapper is left aside because it imports torch for nothing."""
    spec = importlib.util.find_spec("pnnx")
    if spec is None or spec.origin is None:
        raise Unavailable("pnnx, its converter, is not installed")
    return Path(spec.origin).parent / "pnnx"


def convert(workload: Workload) -> Path:
    """Writes NAME.ncnn.param, NAME.ncnn.bin and NAME_ncnn.py into the cache; returns the first."""
    folder = CACHE / "ncnn" / workload.model.stem
    param = folder / "model.ncnn.param"
    if param.exists() and param.stat().st_mtime > workload.model.stat().st_mtime:
        return param
    folder.mkdir(parents=True, exist_ok=True)
    shapes = ",".join(
        f"[{','.join(map(str, a.shape))}]{PNNX_TYPES.get(a.dtype.name, 'f32')}" for a in workload.feeds.values()
    )
    link = folder / "model.onnx"
    link.unlink(missing_ok=True)
    link.symlink_to(workload.model.resolve())
    command = [str(pnnx_program()), link.name, f"inputshape={shapes}", "fp16=0"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=CONVERT_SECONDS, check=False)
    if done.returncode != 0 or not param.exists():
        param.unlink(missing_ok=True)
        raise Unavailable(f"pnnx could not convert it (exit status {done.returncode})")
    return param


class NcnnEngine(Engine):
    name = "ncnn"

    @staticmethod
    def version() -> str:
        return importlib.metadata.version("ncnn")

    def load(self, workload: Workload, threads: int) -> None:
        if any(array.ndim == 0 for array in workload.feeds.values()):
            raise Unavailable("ncnn has no scalar inputs")
        param = convert(workload)
        layers = {line.split()[0] for line in param.read_text().splitlines()[2:] if line.strip()}
        unknown = sorted(layer for layer in layers if ncnn.layer_to_index(layer) < 0)
        if unknown:  # ncnn's own answer to these is a crash or a line on stderr
            raise Unavailable(f"ncnn has no layer {', '.join(unknown)}")
        # pnnx decides which dimension of an input or output is the batch and says so only in the script that it writes.
        script = (param.parent / "model_ncnn.py").read_text()
        self._input_batch = dict(re.findall(r'ex\.input\("(\w+)", ncnn\.Mat\(\w+\.numpy\(\), batch_index=(\d+)\)', script))
        self._output_batch = dict(re.findall(r'torch\.from_numpy\((\w+)\.numpy\(batch_index=(\d+)\)\)', script))
        self._net = ncnn.Net()
        options = self._net.opt
        options.num_threads = threads
        options.use_vulkan_compute = False
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = False
        options.use_bf16_storage = False
        if self._net.load_param(str(param)) != 0 or self._net.load_model(str(param.with_suffix(".bin"))) != 0:
            raise Unavailable("ncnn could not load pnnx's conversion")

    def bind(self, feeds: Feeds) -> Call:
        if len(self._input_batch) != len(feeds) or not self._output_batch:
            raise Unavailable(f"{len(self._input_batch)} inputs understood in pnnx's script, the model has {len(feeds)}")
        mats = []
        for (name, batch), array in zip(self._input_batch.items(), feeds.values()):
            narrow = array.astype(np.int32) if array.dtype == np.int64 else array
            mats.append((name, ncnn.Mat(narrow, batch_index=int(batch)).clone()))
        net = self._net
        outputs = [(name, int(batch)) for name, batch in self._output_batch.items()]

        def call() -> list[np.ndarray]:
            with net.create_extractor() as extractor:
                for name, mat in mats:
                    extractor.input(name, mat)
                results = []
                for name, batch in outputs:
                    status, mat = extractor.extract(name)
                    if status != 0:
                        raise Unavailable(f"ncnn could not compute {name} (status {status})")
                    results.append(np.array(mat.numpy(batch_index=batch)))
                return results

        return call
