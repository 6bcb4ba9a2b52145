"""What suffices for a verdict, and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.slots import Slot, Trial
from gpuport.verify.trials.evidence import MINIMUM_ACCEPTED, Tally

TRIAL = Trial((Slot("x", "array", dims=("n",)),), sizes={"n": 3})


def agreed(number: int, **changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "compared": 1, "finite": True, "digest": str(number), "sole": None,
        "exact": True, "told": ["result[0]"], "vague": [],
        "errors": (0.0, 0.0, 0.0), "looseness": {}, "notes": {}, "counters": {"launches": 1},
        "lines": [2, 3], "seen": [2, 3], "branches": [[2, True]], "taken": [[2, True]],
        "port_missed": [],
    }  # fmt: skip
    return {**plain, **changes}


def filled(**changes: Any) -> Tally:
    tally = Tally()
    for number in range(MINIMUM_ACCEPTED):
        tally.drawn += 1
        tally.count(TRIAL, agreed(number, **changes))
    return tally


def test_enough_evidence_leaves_no_doubt() -> None:
    assert filled().covered
    assert filled().doubt(budget=None, on_device=True) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"compared": 0}, "nothing that comes out"),
        ({"finite": False}, "held a finite value"),
        ({"digest": "same"}, "the output was the same"),
        ({"sole": {"result": "5"}}, "the same, whatever went in: result 5"),
        ({"seen": [2]}, "not reached: line 3"),
        ({"taken": []}, "was never true"),
        ({"counters": {}}, "worked on the device in only 0"),
        ({"vague": ["result[1]"]}, "result[1] is too ill-conditioned to tell anything"),
        ({"port_missed": [7]}, "the port has in line 7"),
        ({"port_untaken": [[9, False]]}, "line 9 of the port was never false"),
    ],
)
def test_each_gap_is_a_doubt(changes: dict[str, Any], said: str) -> None:
    assert said in str(filled(**changes).doubt(budget=None, on_device=True))


def test_a_place_that_was_compared_well_once_may_be_ill_conditioned_elsewhere() -> None:
    tally = filled(vague=["result[0]"])
    assert tally.doubt(budget=None, on_device=True) is None


def test_few_examples_are_put_down_to_the_budget_only_where_it_ran_out() -> None:
    tally = Tally(drawn=9, accepted=1)
    tally.reject({"raised": "ValueError", "message": "no"})
    assert "--budget" in str(tally.doubt(budget=20.0, on_device=False))
    assert "ValueError: no (1 times)" in str(tally.doubt(budget=None, on_device=False))


def test_a_line_of_the_port_counts_as_run_if_any_process_ran_it() -> None:
    tally = Tally()
    tally.cover({"port_missed": [4, 5]})
    tally.cover({"port_missed": [5, 6]})  # a new process after a crash begins anew
    assert tally.port_missed == {5}
    tally.cover({})
    assert tally.port_missed == {5}


def test_what_fails_was_reproducible() -> None:
    tally = Tally(unstable=1)
    assert tally.mostly_unstable
    tally.failing += 1
    assert not tally.mostly_unstable


def test_one_output_of_a_function_without_arguments_is_not_asked_for_often(verify: Any) -> None:
    original = "def table():\n    return np.sqrt(np.arange(5.0))\n"
    port = original.replace("np.sqrt(np.arange(5.0))", "cp.asnumpy(cp.sqrt(cp.arange(5.0)))")
    found = verify(original, port)["table"]
    assert found.verdict is Verdict.UNTESTED, found
    assert found.reason == "it takes no arguments: one output, equal in 12 calls, is too little"
    found = verify(original, port.replace("arange(5.0)", "arange(6.0)"))["table"]
    assert found.verdict is Verdict.DIFFERS, found


def test_draws_of_a_function_without_arguments_are_many_outputs(verify: Any) -> None:
    original = "def noise():\n    return np.random.normal(size=4) * 2\n"
    port = "def noise():\n    return cp.asnumpy(cp.asarray(np.random.normal(size=4)) * 2)\n"
    found = verify(original, port)["noise"]
    assert found.verdict is Verdict.EQUIVALENT, found


def test_what_stands_beside_a_kernel_does_not_speak_for_the_kernel() -> None:
    tally = filled(vague=["result[1]"])
    for number in range(MINIMUM_ACCEPTED):
        tally.count(replace(TRIAL, refused=True), agreed(number, told=["result[1]"]))
    assert "result[1] is too ill-conditioned" in str(tally.doubt(budget=None, on_device=True))
    tally.count(TRIAL, agreed(0, told=["result[1]"]))
    assert tally.doubt(budget=None, on_device=True) is None
