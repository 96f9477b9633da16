"""A part of the hostile models and inputs of test/hostile: `./dev hostile` attempts all of them."""

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).resolve().parent.parent / "hostile" / "run.py"


def test_hostile_models_and_inputs_are_refused():
    # A process of its own: the cases are forked, and this one may have threads by now.
    done = subprocess.run([sys.executable, str(RUN), "--fast"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
