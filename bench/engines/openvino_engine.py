"""OpenVINO's CPU plugin, forced to f32: left alone it computes in bf16 where the CPU can, which is another problem."""
from __future__ import annotations

import openvino

from engines.engine import Call, Engine
from workload import Feeds, Workload


class OpenvinoEngine(Engine):
    name = "openvino"

    @staticmethod
    def version() -> str:
        return openvino.__version__

    def load(self, workload: Workload, threads: int) -> None:
        core = openvino.Core()
        self._compiled = core.compile_model(
            str(workload.model),
            "CPU",
            {
                "INFERENCE_PRECISION_HINT": "f32",
                "PERFORMANCE_HINT": "LATENCY",
                "NUM_STREAMS": "1",
                "INFERENCE_NUM_THREADS": str(threads),
            },
        )

    def bind(self, feeds: Feeds) -> Call:
        request = self._compiled.create_infer_request()
        # Bound once: handing arrays over at each call costs several microseconds that a C++ user would not pay.
        for name, array in feeds.items():
            request.set_tensor(name, openvino.Tensor(array, shared_memory=array.ndim > 0))
        outputs = list(self._compiled.outputs)

        def call():
            results = request.infer(share_outputs=True)
            return [results[output] for output in outputs]

        return call
