"""Hone through its Python package, called exactly as onnxruntime is."""
from __future__ import annotations

import hone

from engines.engine import Call, Engine
from workload import Feeds, Workload


class HoneEngine(Engine):
    name = "hone"

    @staticmethod
    def version() -> str:
        return getattr(hone, "__version__", "unknown")

    def load(self, workload: Workload, threads: int) -> None:
        options = hone.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = hone.Session(str(workload.model), options)

    def bind(self, feeds: Feeds) -> Call:
        session = self._session
        return lambda: session.run(None, feeds)
