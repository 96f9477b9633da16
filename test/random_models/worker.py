"""Runs graphs through Hone and its judge, in a process of its own: a crash takes only this process with it.

Reads requests as lines of JSON, each with a seed and, for a part of its graph, names of nodes and outputs. Answers with two
lines: one as soon as the expected values are known, so that a crash later on is Hone's, and one with what became of it.
"""
from __future__ import annotations

import functools
import json
import sys

import numpy as np
import onnx

import hone
from compare import difference
from evaluate import LOCAL, nodes_within, onnxruntime_session
from generate import Case, random_case

ISAS = (None, None, None, "avx2", "x86-64")


@functools.lru_cache(maxsize=1)
def whole(seed: int) -> Case:
    return random_case(seed)


def requested(request: dict) -> Case:
    case = whole(request["seed"])
    if request.get("nodes") is None:
        return case
    chosen = set(request["nodes"])
    return case.part([node for node in case.nodes if node.name in chosen], request["outputs"])


def expected(case: Case, model: onnx.ModelProto) -> tuple[str, list[list[np.ndarray]]]:
    """By onnxruntime in one piece, or node by node where it cannot run the whole."""
    try:
        session = onnxruntime_session(model)
        return "onnxruntime", [session.run(case.outputs, feed) for feed in case.feeds()]
    except Exception:
        known = [[case.known[name].arrays[k] for name in case.outputs] for k in range(len(case.feeds()))]
        return f"node by node ({', '.join(sorted(case.judges))})", known


def judge_trouble(case: Case, wanted: list[list[np.ndarray]]) -> str | None:
    """onnxruntime in one piece must agree with itself node by node."""
    for k, arrays in enumerate(wanted):
        for name, array in zip(case.outputs, arrays):
            if problem := difference(array, case.known[name].arrays[k], case.known[name]):
                return f"{name}: {problem}"
    return None


def run_hone(seed: int, case: Case, model: onnx.ModelProto, wanted: list[list[np.ndarray]]) -> tuple[str, str]:
    options = hone.SessionOptions(intra_op_num_threads=1 + seed % 2, isa=ISAS[seed % len(ISAS)])
    try:
        session = hone.Session(model.SerializeToString(), options)
    except hone.InternalError as error:
        return "crashed", f"internal error: {error}"
    except hone.Error as error:
        return "refused", str(error)
    feeds = case.feeds()
    for k in (*range(len(feeds)), 0):  # the first again: sizes that come back must find what they left
        try:
            outputs = session.run(case.outputs, feeds[k])
        except hone.InternalError as error:
            return "crashed", f"internal error in feed {k}: {error}"
        except hone.Error as error:
            return "refused", f"at run time, feed {k}: {error}"
        for name, got, want in zip(case.outputs, outputs, wanted[k]):
            if problem := difference(got, want, case.known[name]):
                return "differed", f"{name} in feed {k}: {problem}"
    return "agreed", ""


def operators(case: Case) -> list[str]:
    """Those of bodies and functions too, with the domain in front where it is not ONNX's own."""
    return [f"{node.domain}.{node.op_type}" if node.domain else node.op_type
            for node in nodes_within(case.nodes, case.functions) if node.domain != LOCAL]


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        case = requested(request)
        model = case.model()
        onnx.checker.check_model(model, full_check=True)
        judge, wanted = expected(case, model)
        trouble = judge_trouble(case, wanted)
        print(json.dumps({"judge": judge}), flush=True)
        outcome, detail = ("doubtful", trouble) if trouble else run_hone(request["seed"], case, model, wanted)
        print(json.dumps({"outcome": outcome, "detail": detail, "judge": judge, "operators": operators(case)}), flush=True)


if __name__ == "__main__":
    main()
