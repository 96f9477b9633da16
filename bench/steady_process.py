"""Runs one model many times on two threads and prints the process's resident bytes after the 100th and after the last run."""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import hone

from models import random_feeds

WARM = 100


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(model: str, runs: int) -> None:
    options = hone.SessionOptions()
    options.intra_op_num_threads = 2
    session = hone.Session(model, options)
    feeds = random_feeds(Path(model))
    for _ in range(WARM):
        session.run(None, feeds)
    first = resident_bytes()
    for _ in range(runs - WARM):
        session.run(None, feeds)
    print(json.dumps({"first": first, "last": resident_bytes()}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
