"""Runs cases given on standard input, one `group/name` a line, and writes what became of each as a line of JSON.

In a process of its own: a case that crashes takes only this process with it.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

import hone
from cases import Case

RELATIVE, ABSOLUTE = 1e-3, 1e-5


class NotATensor(Exception):
    """The case needs a sequence, an optional or text, which no tensor holds."""


def tensor(path: Path, value: onnx.ValueInfoProto) -> np.ndarray:
    if value.type.WhichOneof("value") != "tensor_type":
        raise NotATensor(f"{value.type.WhichOneof('value').removesuffix('_type')} {value.name}")
    array = numpy_helper.to_array(onnx.load_tensor(path))
    if array.dtype.kind in "OUS":
        raise NotATensor(f"text {value.name}")
    return array


def tensors(folder: Path, kind: str, values: list[onnx.ValueInfoProto]) -> list[np.ndarray]:
    return [tensor(folder / f"{kind}_{k}.pb", value) for k, value in enumerate(values)]


def difference(got: np.ndarray, want: np.ndarray) -> str | None:
    got = np.asarray(got)
    if got.shape != want.shape:
        return f"shape {list(got.shape)} instead of {list(want.shape)}"
    if got.dtype != want.dtype:
        return f"type {got.dtype} instead of {want.dtype}"
    if want.dtype.kind in "biu":
        equal = got == want
    else:
        equal = np.isclose(got.astype(np.float64), want.astype(np.float64), RELATIVE, ABSOLUTE, equal_nan=True)
    if np.all(equal):
        return None
    where = tuple(int(i) for i in np.argwhere(~equal)[0]) if want.ndim else ()
    return f"{got[where]} instead of {want[where]} at {list(where)}, {int(np.sum(~equal))} of {want.size} elements"


def run(case: Case) -> tuple[str, str]:
    graph = onnx.load(case.model, load_external_data=False).graph
    constants = {constant.name for constant in graph.initializer}
    inputs = [value for value in graph.input if value.name not in constants]
    try:
        session = hone.Session(str(case.model))
    except Exception as error:  # a refusal is an answer, whatever its type
        return "refused", str(error)
    for folder in case.data_sets():
        try:
            feeds = dict(zip((value.name for value in inputs), tensors(folder, "input", inputs)))
            wanted = tensors(folder, "output", list(graph.output))
        except NotATensor as what:
            return "refused", f"the case passes a {what}"
        try:
            outputs = session.run(None, feeds)
        except Exception as error:
            return "refused", f"at run time: {error}"
        for value, got, want in zip(graph.output, outputs, wanted):
            if problem := difference(got, want):
                return "wrong", f"{value.name}: {problem}"
    return "passed", ""


def main() -> None:
    for line in sys.stdin:
        group, name = line.strip().split("/", 1)
        outcome, detail = run(Case(group, name))
        print(json.dumps({"group": group, "name": name, "outcome": outcome, "detail": detail}), flush=True)


if __name__ == "__main__":
    main()
