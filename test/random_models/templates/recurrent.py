"""Recurrent layers."""
from __future__ import annotations

import numpy as np

import element
from builder import FEEDS, Builder, Rejected

from .registry import template

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
ACTIVATIONS = {"RNN": ("Tanh",), "GRU": ("Sigmoid", "Tanh"), "LSTM": ("Sigmoid", "Tanh", "Tanh")}


@template("RNN", "GRU", "LSTM")
def recurrent(b: Builder, op: str) -> None:
    dtype = b.dtype(element.allowed(op, b.opset))
    direction = b.among(("forward", "reverse", "bidirectional"))
    if dtype == element.F64:
        raise Rejected("onnxruntime has no f64 here, and the reference evaluator knows neither directions nor clip")
    directions = (2 if direction == "bidirectional" else 1,) * FEEDS
    steps, batch, width, hidden = b.size(), b.size(), (b.among((1, 3, 8)),) * FEEDS, (b.among((1, 2, 5, 8)),) * FEEDS
    if 0 in steps + batch:
        raise Rejected("onnxruntime aborts on sequences of no step")
    gates = GATES[op]
    rows = (gates * hidden[0],) * FEEDS
    value = b.new(dtype, [steps, batch, width], constant=False)
    weights = b.new(dtype, [directions, rows, width], "unit", constant=True)
    again = b.new(dtype, [directions, rows, hidden], "unit", constant=True)
    bias = b.new(dtype, [directions, (2 * rows[0],) * FEEDS], "unit") if b.chance(0.6) else None
    lengths = None
    if len(set(batch)) == 1 and b.chance(0.25) and min(steps) > 0:
        lengths = b.constant(b.numbers.integers(1, min(steps) + 1, batch[0]).astype(np.int32))
    first = b.new(dtype, [directions, batch, hidden], "unit") if b.chance(0.4) else None
    inputs = [value, weights, again, bias, lengths, first]
    if op == "LSTM":
        inputs.append(b.new(dtype, [directions, batch, hidden], "unit") if b.chance(0.4) else None)
        inputs.append(b.new(dtype, [directions, (3 * hidden[0],) * FEEDS], "unit") if b.chance(0.2) else None)
    attributes: dict = {"hidden_size": hidden[0]}
    if direction != "forward" or b.chance(0.3):
        attributes["direction"] = direction
    if op == "GRU" and b.chance(0.5):
        attributes["linear_before_reset"] = b.rng.randint(0, 1)
    if b.chance(0.15):
        changed = tuple(b.among(("Sigmoid", "Tanh", "Relu")) for _ in ACTIVATIONS[op])
        attributes["activations"] = list(changed) * directions[0]
    if b.chance(0.1):
        attributes["clip"] = 1.5
    outputs = [b.chance(0.8)] + [b.chance(0.5) for _ in range(2 if op == "LSTM" else 1)]
    if not any(outputs):
        outputs[0] = True
    b.add(op, inputs, outputs, rounds=True, **attributes)
