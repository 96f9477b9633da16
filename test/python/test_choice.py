"""`hone choice`: plans of a kernel, predicted and timed."""

import json

import numpy as np

from program import call
from test_faults import node, save


def choices(*arguments):
    status, text = call("choice", *arguments, "--seconds", "0", "--candidates", "4")
    assert status == 0, text
    return [json.loads(line) for line in text.splitlines()]


def test_every_plan_is_timed_and_computes_the_same(tmp_path):
    product = save(tmp_path, [node("MatMul", ["x", "w"], "h"), node("Relu", ["h"], "y")], ["y"], [("w", np.ones((256, 512), np.float32))])
    (found,) = choices(product, product)  # the same kernel twice is one
    plans = found["candidates"]
    assert len({plan["plan"] for plan in plans}) == len(plans) == 4
    assert all(plan["seconds"] > 0 and plan["cycles"] > 0 and not plan["differs"] for plan in plans)
    assert plans[0]["cycles"] == min(plan["cycles"] for plan in plans)


def test_recorded_plans_are_priced_again_and_keep_their_times(tmp_path):
    product = save(tmp_path, [node("MatMul", ["x", "w"], "y")], ["y"], [("w", np.ones((256, 512), np.float32))])
    (found,) = choices(product)
    record = tmp_path / "record.jsonl"
    record.write_text(json.dumps(found) + "\n")
    assert choices(product, "--recorded", record) == [found]


def test_a_record_that_is_none_is_refused(tmp_path):
    product = save(tmp_path, [node("MatMul", ["x", "w"], "y")], ["y"], [("w", np.ones((256, 512), np.float32))])
    record = tmp_path / "record.jsonl"
    record.write_text("[1]\n")
    status, text = call("choice", product, "--recorded", record)
    assert status != 0 and "record.jsonl:1: not a line that `hone choice` printed" in text
    status, text = call("choice", product, "--recorded", tmp_path / "absent.jsonl")
    assert status != 0 and "absent.jsonl: cannot be read; --recorded takes what `hone choice` printed" in text


def test_what_the_model_does_not_compare_is_left_out(tmp_path):
    assert choices(save(tmp_path, [node("Exp", ["x"], "y")], ["y"], [])) == []


def test_a_guess_that_leaves_no_elements_is_left_out(tmp_path):
    # An open length is taken to be 64, and 64 elements have no place for a window of 100.
    taps = np.ones((32, 4, 100), np.float32)
    assert choices(save(tmp_path, [node("Conv", ["x", "w"], "y")], ["y"], [("w", taps)], sizes=[1, 4, "length"])) == []
