"""Which functions lead to the call of another, and what they show of its inputs."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.signatures.callers import callers_of
from gpuport.verify.signatures.signatures import signatures_of

TEXT = """
class Base:
    def fit(self, x):
        self._learn(x)
        return self

    def _learn(self, x):
        return self._step(x, self.start())

class Model(Base):
    def start(self):
        return {"sums": 0.0}

    def _step(self, x, stats):
        return stats["sums"] + _inner(x)

def _inner(x):
    return x.sum()

def total(x):
    return _inner(x)

def alone(x):
    return x
"""


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("Model._step", ["Model.fit", "Model._learn"]),
        ("_inner", ["total", "Model._step"]),
        ("alone", []),
        ("total", []),
        ("Base.fit", []),
    ],
)
def test_public_callers_come_first(function: str, expected: list[str]) -> None:
    tree = ast.parse(TEXT)
    every = list(signatures_of(tree))
    chosen = next(s for s in every if s.name == function)
    made = [caller() for caller in callers_of(chosen, every, tree, None)]
    assert [one.name for one in made if one is not None] == expected


ORIGINAL = """
class Model:
    def __init__(self, n_states: int = 3):
        self.n_states = n_states

    def score(self, x: np.ndarray):
        if x.ndim != 2:
            raise ValueError("x must be 2-d")
        self.table_ = {f"s{k}": np.full(x.shape[1], k + 1.0) for k in range(4)}
        return self._step(x, [("s1", 2.0), ("s3", 0.5)], {"mode": "twice"})

    def _step(self, x, plan, how):
        total = np.zeros(len(x))
        for name, weight in plan:
            total = total + (x * self.table_[name]).sum(axis=1) * weight
        return total * {"twice": 2.0}[how["mode"]]
"""


def test_a_helper_is_called_as_a_public_method_calls_it(verify: Any) -> None:
    found = verify(ORIGINAL, _port("sum(axis=1)"))["Model._step"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert any(note.startswith("called as inside calls of Model.score")
               for note, _ in found.evidence.notes)  # fmt: skip
    assert found.evidence.inputs == "guessed"
    wrong = verify(ORIGINAL, _port("sum(axis=1) * 1.000001"))["Model._step"]
    assert wrong.verdict is Verdict.DIFFERS, wrong


def _port(summed: str) -> str:
    product = f"cp.asnumpy((cp.asarray(x) * cp.asarray(self.table_[name])).{summed})"
    return ORIGINAL.replace("(x * self.table_[name]).sum(axis=1)", product)


def test_a_function_of_the_file_shows_what_a_helper_takes(verify: Any) -> None:
    original = """
    def spread(x: np.ndarray):
        if x.ndim != 1:
            raise ValueError("x must be 1-d")
        return _weighted({"rows": [("a", x), ("b", 2 * x)], "of": len(x)})

    def _weighted(parts):
        first, second = (values for _, values in parts["rows"])
        return first * parts["of"] + second
    """
    port = "cp.asnumpy(cp.asarray(first) * parts['of'] + cp.asarray(second))"
    port = original.replace('first * parts["of"] + second', port)
    found = verify(original, port)["_weighted"]
    assert found.verdict is Verdict.EQUIVALENT, found
    wrong = verify(original, port.replace("* parts", "/ parts"))["_weighted"]
    assert wrong.verdict is Verdict.DIFFERS, wrong
