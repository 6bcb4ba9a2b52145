"""``max``, ``min``, ``sorted`` and ``sort`` by a lambda."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

RUNS = """import numpy as np

class Run:
    def __init__(self, k):
        self.u = np.sin(np.linspace(0.0, k, 5000))

    def score(self):
        return (self.u ** 2).sum()

def main():
    runs = [Run(k) for k in range(5)]
    best = max(runs, key=lambda run: run.score())
    print(np.exp(best.u).sum())

main()
"""


@pytest.mark.parametrize(
    "choice",
    [
        "max(runs, key=lambda run: run.score())",
        "min(runs, key=lambda run: (run.score(), 0)[0])",
        "sorted(runs, key=lambda run: float(run.u.max()), reverse=True)[0]",
        "runs[min(range(5), key=lambda k: runs[k].u[1])]",
    ],
)
def test_instances_are_followed_through_a_choice(choice):
    found = port(RUNS.replace("max(runs, key=lambda run: run.score())", choice)).after or ""
    assert "cp.sin" in found
    assert "cp.exp(best.u)" in found


def test_a_list_that_is_sorted_by_a_key_is_followed():
    text = RUNS.replace("    best = max(runs, key=lambda run: run.score())", (
        "    runs.sort(key=lambda run: run.u.mean())\n    best = runs[0]"
    ))  # fmt: skip
    assert "key=lambda run: cp.asnumpy(run.u.mean())[()]" in (port(text).after or "")


@pytest.mark.parametrize("key", ["WEIGHT", "operator.attrgetter('u')", "lambda run, n=1: run.u[n]"])
def test_another_key_is_code_that_is_not_looked_into(key):
    text = RUNS.replace("lambda run: run.score()", key).replace(
        "import numpy", "import operator\nimport numpy", 1
    )
    report = port(text)
    assert report.after is None
    assert "GP913" in {finding.code for finding in report.findings}
