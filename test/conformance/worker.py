"""Runs cases given on standard input, one `group/name` a line, and writes what became of each as a line of JSON.

In a process of its own: a case that crashes takes only this process with it.
"""
from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.runner import Runner

import hone
from cases import LIGHT, Case

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


def tensors(prefix: Path, values: list[onnx.ValueInfoProto]) -> list[np.ndarray]:
    return [tensor(prefix.with_name(f"{prefix.name}_{k}.pb"), value) for k, value in enumerate(values)]


def data_of(case: Case, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]) -> Iterator[tuple[list[np.ndarray], list[np.ndarray]]]:
    """Inputs and what they shall give."""
    if case.group == LIGHT:  # the runner of the wheel makes the inputs
        yield [Runner.generate_dummy_data(value) for value in inputs], tensors(case.folder.with_name(case.name + "_output"), outputs)
    for folder in case.data_sets():
        yield tensors(folder / "input", inputs), tensors(folder / "output", outputs)


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
    try:
        sets = list(data_of(case, inputs, list(graph.output)))
    except NotATensor as what:
        return "refused", f"the case passes a {what}"
    for given, wanted in sets:
        try:
            outputs = session.run(None, dict(zip((value.name for value in inputs), given)))
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
