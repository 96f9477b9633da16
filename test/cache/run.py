#!/usr/bin/env python3
"""Many processes share one cache while some of them are killed: `test/cache/run.py [KILLS]`.

Each worker opens small models in turn and checks what they compute. Whatever is killed, nobody may see a wrong result or
an error, and at the end every model must come from the cache.
"""
from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

WORKERS, MODELS = 16, 24


def model_bytes(number: int) -> bytes:
    """y = relu(x @ w) with weights of its own."""
    weights = np.random.default_rng(number).integers(-8, 8, (16 + number, 8)).astype(np.float32)
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["m"]), helper.make_node("Relu", ["m"], ["y"])], f"m{number}",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 16 + number])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 8])], [numpy_helper.from_array(weights, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    return model.SerializeToString()


def work(folder: str, seed: int, rounds: int) -> None:
    import hone

    rng = random.Random(seed)
    options = hone.SessionOptions()
    options.cache_dir = folder
    options.intra_op_num_threads = 1
    for _ in range(rounds):
        number = rng.randrange(MODELS)
        session = hone.Session(model_bytes(number), options)
        x = np.random.default_rng(seed).integers(-4, 4, (3, 16 + number)).astype(np.float32)
        weights = np.random.default_rng(number).integers(-8, 8, (16 + number, 8)).astype(np.float32)
        if not np.array_equal(session.run(None, {"x": x})[0], np.maximum(x @ weights, 0)):
            sys.exit(f"model {number} computes something else")


def start(folder: str, seed: int, rounds: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, __file__, "--work", folder, str(seed), str(rounds)])


def main(kills: int) -> int:
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        seeds = iter(range(1 << 30))
        running = [start(folder, next(seeds), 10**6) for _ in range(WORKERS)]
        bad = 0
        for _ in range(kills):
            time.sleep(rng.uniform(0, 0.2))
            victim = rng.randrange(WORKERS)
            if running[victim].poll() is not None:
                bad += 1
            running[victim].send_signal(signal.SIGKILL)
            running[victim].wait()
            # Now and then everything is lost, so that entries are written all the time.
            if rng.random() < 0.2:
                for entry in Path(folder).iterdir():
                    entry.unlink(missing_ok=True)
            running[victim] = start(folder, next(seeds), 10**6)
        for process in running:
            bad += process.poll() is not None
            process.send_signal(signal.SIGKILL)
            process.wait()
        left = start(folder, next(seeds), 4 * MODELS)
        bad += left.wait() != 0
        left = [entry.name for entry in Path(folder).iterdir()]
        print(f"{kills} kills, {bad} failures, {len(left)} entries left, of which unfinished {sum('unfinished' in name for name in left)}")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--work":
        os.environ.pop("HONE_CACHE_DIR", None)
        work(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
