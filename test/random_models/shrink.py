"""Smaller parts of a graph: without the nodes that Hone refuses, and the smallest that still fails."""
from __future__ import annotations

import re
from typing import Callable, Iterator

import onnx

from evaluate import needed_by
from generate import Case

Fails = Callable[[Case], bool]
MOST_TRIALS = 120


def names_within(node: onnx.NodeProto) -> Iterator[str]:
    yield node.name
    for attribute in node.attribute:
        for inner in attribute.g.node:
            yield from names_within(inner)


def ends(nodes: list[onnx.NodeProto], outputs: list[str]) -> list[str]:
    """The outputs that these nodes make, and what none of them takes."""
    taken = {name for node in nodes for name in needed_by(node)}
    return [name for node in nodes for name in node.output if name and (name in outputs or name not in taken)]


def without_refused(case: Case, refusal: str) -> Case | None:
    """The graph without the nodes that the refusal names; what they made is fed instead."""
    named = set(re.findall(r"'([A-Za-z0-9]+_\d+)'", refusal))
    kept = [node for node in case.nodes if not named & set(names_within(node))]
    if not kept or len(kept) == len(case.nodes):
        return None
    return case.part(kept, ends(kept, case.outputs))


def smallest(case: Case, fails: Fails) -> Case:
    """First the shortest beginning that fails, then nodes are left out one after the other, their results fed."""
    left = MOST_TRIALS

    def still(part: Case) -> bool:
        nonlocal left
        left -= 1
        return left > 0 and bool(part.nodes) and fails(part)

    best = case
    for name in case.outputs:
        alone = case.leading_to([name])
        if len(alone.nodes) < len(best.nodes) and still(alone):
            best = alone
    for node in best.nodes:
        beginning = best.leading_to([name for name in node.output if name])
        if len(beginning.nodes) < len(best.nodes) and still(beginning):
            best = beginning
            break
    step = max(1, len(best.nodes) // 2)
    while True:
        start = 0
        while start < len(best.nodes):
            kept = best.nodes[:start] + best.nodes[start + step:]
            part = best.part(kept, [name for name in best.outputs if any(name in node.output for node in kept)] or ends(kept, []))
            if kept and still(part):
                best = part
            else:
                start += step
        if step == 1:
            return best
        step //= 2
