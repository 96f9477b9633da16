"""A run under the address and undefined-behaviour sanitizers: what they say of a process outlives it.

The interpreter is not built with them, so they must be loaded before it. They take memory and time of their own: those
are not judged then, and a request that only their allocator cannot answer is no finding.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = "HONE_HOSTILE_REPORTS"  # set in the process that has them
ON = FOLDER in os.environ
ALLOCATION = re.compile(r"allocation-size-too-big|out-of-memory|rss limit")


def library(name: str) -> str:
    return subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()


def restart_with_them() -> None:
    """Does nothing in a process that has them."""
    if ON:
        return
    folder = tempfile.mkdtemp(prefix="hone_hostile_reports_")
    both = f"exitcode=99:log_path={folder}/report"  # what the program hone does not end with of its own
    # The library of C++ comes with them: the interpreter has none, and they look for its functions once.
    os.environ.update({FOLDER: folder, "LD_PRELOAD": " ".join(library(name) for name in ("libasan.so", "libstdc++.so.6")),
                       "UBSAN_OPTIONS": f"print_stacktrace=1:{both}",
                       "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1024:"
                                       f"hard_rss_limit_mb=4096:{both}"})
    os.execv(sys.executable, [sys.executable, *sys.argv])


def hear(stream: int) -> None:
    """Some of what they say goes to this stream of the process, whatever the options are."""
    if ON:
        os.dup2(os.open(Path(os.environ[FOLDER]) / "stream", os.O_CREAT | os.O_WRONLY | os.O_APPEND), stream)


def report() -> str:
    """What they have said since the last call; empty if nothing."""
    if not ON:
        return ""
    said = ""
    for path in sorted(Path(os.environ[FOLDER]).iterdir()):
        said += path.read_text(errors="replace")
        path.unlink()
    return said
