"""The generator itself: pytest test/random_models."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from builder import Builder, Rejected  # noqa: E402
from generate import OPSETS, random_case, random_model  # noqa: E402
from shrink import smallest  # noqa: E402
from templates import TEMPLATES  # noqa: E402


@pytest.mark.parametrize("seed", range(5))
def test_a_seed_decides_everything(seed: int) -> None:
    (first, feeds), (second, again) = random_model(seed), random_model(seed)
    assert first.SerializeToString(deterministic=True) == second.SerializeToString(deterministic=True)
    for one, two in zip(feeds, again, strict=True):
        assert one.keys() == two.keys()
        for name, array in one.items():
            np.testing.assert_array_equal(array, two[name])


@pytest.mark.parametrize("seed", range(20))
def test_models_are_valid(seed: int) -> None:
    model, feeds = random_model(seed)
    onnx.checker.check_model(model, full_check=True)
    assert len(feeds) == 2 and model.graph.output


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_every_template_draws(name: str) -> None:
    for seed in range(60):
        try:
            TEMPLATES[name](Builder(seed, OPSETS[seed % len(OPSETS)], symbolic=False, empty=False), name)
        except Rejected:
            continue
        return
    pytest.fail("rejected every time")


def test_shrinking_finds_the_node_at_fault() -> None:
    case = next(case for case in map(random_case, range(1000)) if len(case.nodes) >= 15)
    guilty = case.leading_to(case.outputs).nodes[-1].name
    small = smallest(case, lambda part: any(node.name == guilty for node in part.nodes))
    assert [node.name for node in small.nodes] == [guilty]
