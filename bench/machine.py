"""What the numbers were measured on: CPU, limits, versions."""
from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import engines

DOCTOR = Path(__file__).resolve().parents[1] / "build" / "release" / "bin" / "hone"
MATMUL_SIZE = 1024
STREAM_FLOATS = 64 * 1024 * 1024  # 256 MiB, well past any cache
REPEATS = 15


@dataclass(frozen=True)
class Limits:
    """Of the machine at one thread count, in this run; None where nothing could measure them."""

    threads: int
    gflops: float | None
    gbytes: float | None
    source: str


def cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def versions(names: list[str]) -> dict[str, str]:
    """Engine -> version, or why it is not there."""
    found = {}
    for name in names:
        try:
            found[name] = engines.engine_class(name).version()
        except engines.Unavailable as error:
            found[name] = f"absent: {error}"
    return found


def describe(names: list[str]) -> dict[str, object]:
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "versions": versions(names),
        "doctor": doctor_report(),
    }


def doctor_report() -> dict[str, object] | None:
    """`hone doctor --json`, kept whole in the results; None where it is not built or does not answer."""
    if not DOCTOR.exists():
        return None
    try:
        done = subprocess.run([str(DOCTOR), "doctor", "--json"], capture_output=True, text=True, timeout=60, check=True)
        report = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, json.JSONDecodeError):
        return None
    return report if isinstance(report, dict) else None


def best_seconds(function: Callable[[], object]) -> float:
    """The shortest of several: for a limit, unlike for a comparison, interference can only mislead upwards."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def limits(threads: int, doctor: dict[str, object] | None) -> Limits:
    """The doctor's `peak_gflops` and `read_gbytes` ({"1": ..., "2": ...}, by threads) where it gives them, else an estimate."""
    peaks, reads = ((doctor or {}).get(key) for key in ("peak_gflops", "read_gbytes"))
    if isinstance(peaks, dict) and str(threads) in peaks:
        read = reads.get(str(threads)) if isinstance(reads, dict) else None
        return Limits(threads, peaks[str(threads)], read, "hone doctor")
    try:
        import torch
    except ImportError:
        return Limits(threads, None, None, "not measured: neither hone doctor nor torch is here")
    torch.set_num_threads(threads)
    a, b = torch.rand(MATMUL_SIZE, MATMUL_SIZE), torch.rand(MATMUL_SIZE, MATMUL_SIZE)
    stream = torch.ones(STREAM_FLOATS)
    gflops = 2e-9 * MATMUL_SIZE**3 / best_seconds(lambda: a @ b)
    gbytes = 4e-9 * STREAM_FLOATS / best_seconds(stream.sum)
    return Limits(threads, gflops, gbytes, f"estimated from below: torch's {MATMUL_SIZE}^3 matmul and sum over 256 MiB")


def limits_as_json(found: list[Limits]) -> list[dict[str, object]]:
    return [asdict(one) for one in found]
