"""`hone inspect --why`: what was chosen for a kernel, against what."""

import numpy as np
import pytest

from program import call
from test_faults import node, save


@pytest.fixture
def product(tmp_path):
    return save(tmp_path, [node("MatMul", ["x", "w"], "y")], ["y"], [("w", np.ones((256, 512), np.float32))])


def test_the_choice_stands_first_and_costs_least(product):
    status, text = call("inspect", product, "--why", "matmul")
    assert status == 0
    lines = text.split("why matmul\n")[1].splitlines()
    assert lines[0].startswith("  group 0: outer product, vectors of ") and "; no window: no operand slides" in lines[0]
    assert lines[1].startswith("  chosen ") and "tile" in lines[1] and "order" in lines[1]
    others = [line for line in lines[2:] if line.startswith("  against")]
    assert others
    cycles = [float(line.split()[1]) for line in [lines[1], *others]]
    assert cycles[0] == min(cycles) and cycles[1:] == sorted(cycles[1:])


def test_an_unknown_kernel_is_named_beside_those_there_are(product):
    status, text = call("inspect", product, "--why", "conv")
    assert status == 1
    assert "there is no kernel 'conv'; there are matmul" in text
