"""Attempts a case in a forked process under limits, and watches what it costs and which files it touches."""
from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import resource
import select
import signal
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import hone
import sanitizers
from case import Attempt, Case, Command, Compile, Open, Run

PROGRAM = Path(hone.__file__).resolve().parents[2] / "bin" / "hone"
MEGABYTE = 1 << 20
MOST_MEMORY = 256 * MEGABYTE  # above the process before the attempt
# Timings decide nothing in the test suite, whose machine may be slow: only what hangs fails there.
MOST_CPU_SECONDS = 10.0 if "--fast" in sys.argv else 1.0
MOST_WALL_SECONDS = 600.0 if sanitizers.ON else 30.0  # a hang; far more than the CPU time, for machines with other work
MOST_TEXT = 1 << 14
# Ends what runs wild: address space is asked for more freely than it is used.
MOST_ADDRESS_SPACE = 1024 * MEGABYTE
KILLED_AFTER_CPU_SECONDS = 300 if sanitizers.ON else 10


@dataclass
class Outcome:
    kind: str  # error, success, result or wrong (judged by the case), internal, crashed, hung; sanitizer, unanswered (sanitizers.py)
    text: str
    memory: int = 0
    cpu: float = 0.0
    wall: float = 0.0


class Watch:
    """Tells which files in some folders were opened, made, changed or removed (inotify)."""

    ALL_EVENTS, LOOKED_AT, IS_FOLDER, GONE = 0xFFF, 0x31, 0x40000000, 0x8000
    HEAD = struct.Struct("iIII")

    def __init__(self, folders: list[Path]) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.folders = {libc.inotify_add_watch(self.descriptor, os.fsencode(folder), self.ALL_EVENTS): folder for folder in folders}
        if self.descriptor < 0 or -1 in self.folders:
            raise OSError(ctypes.get_errno(), "inotify")

    def touched(self) -> set[str]:
        names = set()
        with contextlib.suppress(BlockingIOError):
            while content := os.read(self.descriptor, 1 << 16):
                while content:
                    watch, mask, _, length = self.HEAD.unpack_from(content)
                    name = content[self.HEAD.size:self.HEAD.size + length].rstrip(b"\0").decode(errors="replace")
                    harmless = mask & self.IS_FOLDER and mask & self.LOOKED_AT  # such as entering the working folder
                    if not harmless and not mask & self.GONE:
                        names.add(f"{self.folders[watch].name}/{name}")
                    content = content[self.HEAD.size + length:]
        return names

    def close(self) -> None:
        os.close(self.descriptor)


def in_status(key: str, process: int | str = "self") -> int:
    """Bytes that /proc/PROCESS/status states; 0 once the process has ended."""
    with contextlib.suppress(OSError):
        if found := re.search(rf"^{key}:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(), re.M):
            return int(found[1]) * 1024
    return 0


def cpu_seconds(who: int = resource.RUSAGE_SELF) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def limit(address_space: int) -> None:
    if not sanitizers.ON:
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    resource.setrlimit(resource.RLIMIT_CPU, (KILLED_AFTER_CPU_SECONDS, KILLED_AFTER_CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def fill_new_memory() -> None:
    """Memory that nobody has written holds a number that no case uses, so that it is seen wherever a result shows it."""
    perturb = -6  # M_PERTURB of the C library
    ctypes.CDLL(None).mallopt(perturb, 0x5A)


def options() -> hone.SessionOptions:
    return hone.SessionOptions(intra_op_num_threads=1)


def attempt_here(attempt: Open | Run | Compile, case: Case) -> Outcome:
    prepared = hone.Session(attempt.model, options()) if isinstance(attempt, Run) else None
    if prepared is not None:
        fill_new_memory()
    before = in_status("VmHWM")
    limit(in_status("VmSize") + MOST_ADDRESS_SPACE)
    cpu, outputs = cpu_seconds(), []
    try:
        if isinstance(attempt, Run):
            outputs = prepared.run(attempt.outputs, attempt.feeds)
        elif isinstance(attempt, Compile):
            hone.compile(attempt.model, attempt.library, hone.SessionOptions(isa=attempt.isa))
        else:
            session = hone.Session(attempt.model, options())
            if attempt.feeds is not None:
                outputs = session.run(None, attempt.feeds)
        outcome = Outcome("success", "")
    except hone.Error as error:
        outcome = Outcome("error", str(error))
    except hone.InternalError as error:
        outcome = Outcome("internal", str(error))
    except Exception as error:
        outcome = Outcome("internal", f"{type(error).__name__}: {error}")
    outcome.cpu = cpu_seconds() - cpu
    outcome.memory = in_status("VmHWM") - before
    if outcome.kind == "success" and case.result is not None:
        outcome.text = case.result(outputs) or ""
        outcome.kind = "wrong" if outcome.text else "result"
    return outcome


def attempt_program(command: Command, folder: Path) -> Outcome:
    """The program's own peak is polled: what the kernel keeps for the parent includes the process it was forked from."""
    with open(folder / "messages", "wb") as messages:
        cpu = cpu_seconds(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen([PROGRAM, *command.arguments], stdin=subprocess.DEVNULL, stdout=messages, stderr=messages,
                                   env={**os.environ, **command.environment}, preexec_fn=lambda: limit(2 * MOST_ADDRESS_SPACE))
        peak = 0
        while process.poll() is None:
            peak = max(peak, in_status("VmHWM", process.pid))
            time.sleep(0.005)
    text = (folder / "messages").read_text(errors="replace")
    kind = {0: "success", 1: "error", 2: "error", 70: "internal"}.get(process.returncode, "crashed")
    if kind == "crashed":
        text = f"status {process.returncode}: {text}"
    return Outcome(kind, text, max(0, peak - IDLE_PROGRAM), cpu_seconds(resource.RUSAGE_CHILDREN) - cpu)


IDLE_PROGRAM = 64 * MEGABYTE  # about what `hone knobs` takes, with the libraries that it maps


def child(case: Case, attempt: Attempt, room: Path, report: int) -> None:
    os.chdir(room / "elsewhere")
    os.environ.update(HOME=str(room / "home"), XDG_CACHE_HOME=str(room / "home"), TMPDIR=str(room / "home"))
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    sanitizers.hear(2)
    if isinstance(attempt, Command):
        outcome = attempt_program(attempt, room)
        if outcome.kind == "success" and case.result is not None:
            outcome.kind = "result"
    else:
        outcome = attempt_here(attempt, case)
    outcome.text = outcome.text[:2 * MOST_TEXT]
    os.write(report, json.dumps(vars(outcome)).encode())


def make_room(room: Path) -> Path:
    """case/ is what a case may touch. outside/ holds what it may want to reach; elsewhere/ is the working folder."""
    for name in ("case", "outside", "elsewhere", "home"):
        (room / name).mkdir(parents=True)
    (room / "outside" / "secret.bin").write_bytes(bytes(64))
    return room / "case"


def attempt_case(case: Case, room: Path) -> tuple[Outcome, set[str]]:
    attempt = case.build(make_room(room))
    watch = Watch([room / name for name in ("outside", "elsewhere", "home")])
    begin = time.monotonic()
    receive, report = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.close(receive)
            child(case, attempt, room, report)
            os._exit(0)
        except BaseException as error:
            os.write(report, json.dumps(vars(Outcome("internal", f"the test itself failed: {error!r}"))).encode())
            os._exit(1)
    os.close(report)
    content = b""
    while select.select([receive], [], [], max(0, begin + MOST_WALL_SECONDS - time.monotonic()))[0]:
        if not (piece := os.read(receive, 1 << 16)):
            break
        content += piece
    else:
        os.kill(process, signal.SIGKILL)
    os.close(receive)
    _, status = os.waitpid(process, 0)
    wall = time.monotonic() - begin
    if content:
        outcome = Outcome(**json.loads(content))
    else:
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        late = wall >= MOST_WALL_SECONDS or number == signal.SIGXCPU
        outcome = Outcome("hung" if late else "crashed", signal.Signals(number).name if number else f"status {status}")
    said = sanitizers.report()
    if said and outcome.kind == "crashed":
        outcome = Outcome("unanswered" if sanitizers.ALLOCATION.search(said) else "sanitizer", said)
    outcome.wall = wall
    touched = watch.touched()
    watch.close()
    return outcome, touched


def complaint(case: Case, outcome: Outcome, touched: set[str]) -> str | None:
    """What is wrong with how Hone took the case; None where all is well."""
    most = 4000 if outcome.kind == "sanitizer" else 400
    said = outcome.text if len(outcome.text) <= most else outcome.text[:most] + "…"
    if outcome.kind == "unanswered":
        return None
    if outcome.kind == "error":
        if case.error is None:
            return f"it is refused: {said}"
        if not re.search(case.error, outcome.text, re.S):
            return f"the message should match {case.error!r}: {said}"
    elif outcome.kind == "success":
        return "it is taken without a complaint"
    elif outcome.kind != "result":
        return f"{outcome.kind}: {said}"
    if len(outcome.text) > MOST_TEXT:
        return f"the message has more than {MOST_TEXT} characters"
    if outcome.memory > MOST_MEMORY and not sanitizers.ON:
        return f"it took {outcome.memory // MEGABYTE} MB"
    if outcome.cpu > MOST_CPU_SECONDS and not sanitizers.ON:
        return f"it took {outcome.cpu:.1f} s of CPU time"
    return f"it touched {', '.join(sorted(touched))}" if touched else None
