"""What only moves or adds: each kernel against a copy of as many bytes, on one core, from 64 KB to 64 MB read and written.

The copy is NumPy's, that is the C library's; what its call costs beside the copy is measured with a tiny one and taken off. Of
Hone the kernels' own time counts, as `hone bench --profile` gives it. Both in turns; the ratio is of medians.
"""
from __future__ import annotations

import json
import math
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import report
from intervals import Ratio, Rounds, speedup
from measure import MORE_ROUNDS

HONE = Path(__file__).resolve().parents[1] / "build" / "release" / "bin" / "hone"
BYTES = {"64 KB": 64 << 10, "512 KB": 512 << 10, "4 MB": 4 << 20, "64 MB": 64 << 20}
BAR = 0.85
COPY_SECONDS, BENCH_SECONDS = 0.02, 0.15
TINY = 16  # floats of the copy that measures the call
OPSET = 18
Nodes = list[onnx.NodeProto]


@dataclass(frozen=True)
class Moved:
    """Nodes from inputs of these shapes to `y`; `tensors` counts what is read and written in tensors of the first input's size."""

    nodes: Nodes
    shapes: list[list[int]]
    tensors: float
    integers: dict[str, list[int]]


def node(kind: str, inputs: list[str], output: str = "y", **attributes: object) -> onnx.NodeProto:
    return helper.make_node(kind, inputs, [output], **attributes)


def square(floats: int) -> list[int]:
    side = math.isqrt(floats)
    return [side, side]


def image(floats: int) -> list[int]:
    side = max(1, math.isqrt(floats // 64))
    return [1, 64, side, side]


def heads(floats: int) -> list[int]:
    return [1, max(1, floats // (12 * 64)), 12, 64]


# Name -> what it is, given the number of floats that are read and written in all.
CASES = {
    "relu": lambda n: Moved([node("Relu", ["x0"])], [[n // 2]], 2, {}),
    "add, relu": lambda n: Moved([node("Add", ["x0", "x1"], "s"), node("Relu", ["s"])], [[n // 3]] * 2, 3, {}),
    "add to rows, relu": lambda n: Moved([node("Add", ["x0", "x1"], "s"), node("Relu", ["s"])],
                                         [square(n // 2), square(n // 2)[:1]], 2, {}),
    "sum of all": lambda n: Moved([node("ReduceSum", ["x0"], keepdims=0)], [[n]], 1, {}),
    "sum of rows": lambda n: Moved([node("ReduceSum", ["x0", "axes"], keepdims=0)], [square(n)], 1, {"axes": [1]}),
    "sum of columns": lambda n: Moved([node("ReduceSum", ["x0", "axes"], keepdims=0)], [square(n)], 1, {"axes": [0]}),
    "transpose": lambda n: Moved([node("Transpose", ["x0"], perm=[1, 0])], [square(n // 2)], 2, {}),
    "channels last": lambda n: Moved([node("Transpose", ["x0"], perm=[0, 2, 3, 1])], [image(n // 2)], 2, {}),
    "heads first": lambda n: Moved([node("Transpose", ["x0"], perm=[0, 2, 1, 3])], [heads(n // 2)], 2, {}),
    "concat of columns": lambda n: Moved([node("Concat", ["x0", "x1"], axis=1)], [square(n // 4)] * 2, 4, {}),
    "every other row": lambda n: Moved([node("Slice", ["x0", "from", "to", "axes", "steps"])], [square(n)], 1,
                                       {"from": [0], "to": [1 << 30], "axes": [0], "steps": [2]}),
}


def save(moved: Moved, path: Path) -> None:
    inputs = [helper.make_tensor_value_info(f"x{k}", TensorProto.FLOAT, shape) for k, shape in enumerate(moved.shapes)]
    constants = [numpy_helper.from_array(np.array(values, np.int64), name) for name, values in moved.integers.items()]
    graph = helper.make_graph(moved.nodes, "moved", inputs, [helper.make_empty_tensor_value_info("y")], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.save(onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True), path)


def moved_bytes(moved: Moved) -> int:
    return int(4 * math.prod(moved.shapes[0]) * moved.tensors)


def copy_once(source: np.ndarray, target: np.ndarray) -> float:
    """Seconds of one copy, over as many as fill COPY_SECONDS."""
    np.copyto(target, source)
    calls, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < COPY_SECONDS:
        for _ in range(10):
            np.copyto(target, source)
        calls += 10
    return passed / calls


class Copy:
    """Reads and writes so many bytes in all."""

    def __init__(self, size: int) -> None:
        self.source, self.target = np.ones(size // 8, np.float32), np.zeros(size // 8, np.float32)
        self.tiny = np.ones(TINY, np.float32)

    def seconds(self) -> float:
        return copy_once(self.source, self.target) - copy_once(self.tiny, self.tiny.copy())


def hone_seconds(model: Path, folder: Path) -> float:
    found = folder / "profile.json"
    command = [str(HONE), "bench", str(model), "--threads", "1", "-t", str(BENCH_SECONDS), "--warmUp", "20", "--profile", "--json", str(found)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return sum(kernel["seconds"] for kernel in json.loads(found.read_text())["profile"])


def measure_one(name: str, size: str, rounds: int, folder: Path) -> dict[str, object]:
    moved = CASES[name](BYTES[size] // 4)
    model = folder / "moved.onnx"
    save(moved, model)
    copy = Copy(moved_bytes(moved))
    times: Rounds = {"hone": [], "copy": []}

    def time_in_turns(count: int) -> Ratio:
        for _ in range(count):
            times["copy"].append(copy.seconds())
            times["hone"].append(hone_seconds(model, folder))
        return speedup(times, "hone", ["copy"])

    ratio = time_in_turns(rounds)
    if ratio.high < BAR:
        ratio = time_in_turns(MORE_ROUNDS)
    gbytes = moved_bytes(moved) / float(np.median(times["hone"])) * 1e-9
    return {"name": name, "size": size, "gbytes": gbytes, "ratio": ratio}


def measure(rounds: int, filters: list[str]) -> dict[str, object]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            if filters and not any(part in name for part in filters):
                continue
            rows += [measure_one(name, size, rounds, Path(folder)) for size in BYTES]
            print(f"{name}: " + ", ".join(f"{row['size']} {row['ratio'].value:.2f}" for row in rows[-len(BYTES):]), flush=True)
    print("\nhone's GB/s, and its speed over that of a copy of the same bytes")
    lines = [[row["name"], row["size"], f"{row['gbytes']:.1f}", str(row["ratio"])] for row in rows]
    report.print_grid(["kernel", "bytes", "GB/s", "hone / copy"], lines)
    short = [f"{row['name']} {row['size']}" for row in rows if row["ratio"].high < BAR]
    print(f"surely below {BAR}: {', '.join(short) or 'none'}")
    return {"rows": [{**row, "ratio": row["ratio"].as_json()} for row in rows]}
