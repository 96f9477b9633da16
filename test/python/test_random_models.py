"""A hundred random models, judged by onnxruntime or node by node: none may differ or crash."""

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).resolve().parent.parent / "random_models" / "run.py"


def test_a_hundred_random_models_agree():
    done = subprocess.run([sys.executable, str(RUN), "--count", "100", "--seed", "1"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
