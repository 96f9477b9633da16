"""Waiting until no engine's idle threads burn a core any more.

After a call, worker threads of onnxruntime, OpenMP and others spin for a while in the hope of more work. That is part of
why back-to-back calls are fast, so it stays on; but on a machine with two cores it would rob the next engine. The process's own
CPU clock tells when it has ended: while this thread sleeps, nobody else in the process should be running. The kernel adds to
that clock what other threads run at its timer ticks only (10 ms apart at the slowest), so a step must span some ticks.
"""
from __future__ import annotations

import time

STEP_SECONDS = 0.025
LIMIT_SECONDS = 0.5
QUIET_SHARE = 0.1  # of one core


def until_quiet() -> bool:
    """False where something was still running after LIMIT_SECONDS."""
    deadline = time.perf_counter() + LIMIT_SECONDS
    while True:
        wall, cpu = time.perf_counter(), time.process_time()
        time.sleep(STEP_SECONDS)
        if time.process_time() - cpu < QUIET_SHARE * (time.perf_counter() - wall):
            return True
        if time.perf_counter() > deadline:
            return False
