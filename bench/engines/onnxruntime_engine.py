"""onnxruntime's CPU provider, all graph optimisations on. Also the reference that every other output is compared with."""
from __future__ import annotations

import onnxruntime

from engines.engine import Call, Engine
from workload import Feeds, Workload


class OnnxruntimeEngine(Engine):
    name = "onnxruntime"

    @staticmethod
    def version() -> str:
        return onnxruntime.__version__

    def load(self, workload: Workload, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Spinning between calls is how it is fastest; pause.py waits until the spinning has ended.
        options.add_session_config_entry("session.intra_op.allow_spinning", "1")
        self._session = onnxruntime.InferenceSession(str(workload.model), options, providers=["CPUExecutionProvider"])

    def bind(self, feeds: Feeds) -> Call:
        session = self._session
        return lambda: session.run(None, feeds)
