"""The command line program of this build."""

import subprocess
from pathlib import Path

import hone

PROGRAM = Path(hone.__file__).parents[2] / "bin" / "hone"


def call(*words):
    """Its exit status, and all that it said."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr
