"""What a refusal says of an instance: which method comes first, on instances of which class."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import Any

import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.preparing import preparing
from gpuport.verify.signatures.signatures import signatures_of
from gpuport.verify.signatures.subclasses import on_subclasses

MODEL = """
class Base:
    def __init__(self, scale=1.0):
        self.scale = scale

    def learn(self, x):
        self._set_up(x)
        return self

    def _set_up(self, x):
        self.seen_ = x.shape[1]
        self.centre_ = x.mean(axis=0)

    def start(self):
        return {"count": 0.0, "sums": np.zeros(3)}

    def gather(self, stats, x):
        stats["count"] += x.size
        stats["sums"] = stats["sums"] + x.sum()
        return stats

    def run(self, x):
        stats = self.start()
        return self.gather(stats, x)


class Model(Base):
    def apply(self, x):
        if not hasattr(self, "centre_"):
            raise RuntimeError("This Model is not ready. Call 'learn' before")
        return (x - self.centre_) * self.scale
"""


def test_the_method_that_a_refusal_names_is_called_before_though_a_base_has_it(verify: Any) -> None:
    wrong = MODEL.replace("(x - self.centre_) *", "(x + self.centre_) *")
    found = verify(MODEL, wrong)["Model.apply"]
    assert found.verdict is Verdict.DIFFERS, found


def test_what_a_method_of_the_instance_makes_is_an_argument(verify: Any) -> None:
    wrong = MODEL.replace('"] += x.size', '"] += x.size + 1')
    found = verify(MODEL, wrong)["Base.gather"]
    assert found.verdict is Verdict.DIFFERS, found
    assert found.counterexample is not None


def test_refusals_order_what_may_prepare() -> None:
    tree = ast.parse(MODEL)
    signature = next(s for s in signatures_of(tree) if s.name == "Model.apply")
    found = preparing(signature, tree, None)
    assert found.asked_for("RuntimeError: Call 'learn' before")
    assert found.asked_for("AttributeError: 'Model' object has no attribute 'centre_'")
    assert not found.asked_for("AttributeError: 'list' object has no attribute 'shape'")
    said = "AttributeError: 'Model' object has no attribute 'seen_'"
    assert [s.name for s in found.ordered([said])][:2] == ["Model.learn", "Model._set_up"]


def test_concrete_subclasses_come_before_those_that_leave_something_open(tmp_path: Any) -> None:
    text = """
class Shape:
    def area(self): raise NotImplementedError
    def double(self, x): return 2 * self.area() + x
class Flat(Shape):
    def edge(self): raise NotImplementedError
    def area(self): return self.edge() ** 2
class Square(Flat):
    def edge(self): return 3.0
"""
    file = tmp_path / "shapes.py"
    file.write_text(text)
    tree, place = ast.parse(text), Located(tmp_path, "shapes", file)
    signature = next(s for s in signatures_of(tree, place) if s.name == "Shape.double")
    made = [s.init[0].candidates[0].dtype for s in on_subclasses(signature, tree, place) if s.init]
    assert made[0] == "shapes:Square"


INSTANCE = """
class Window:
    def __init__(self, width: float):
        self.half = width / 2

def reach(window: Window, x: np.ndarray):
    return x[np.abs(x) < 10.0] + window.half
"""


def test_a_counterexample_makes_instances_by_their_constructor(verify: Any) -> None:
    found = verify(INSTANCE, INSTANCE.replace("+ window.half", "+ 2 * window.half"))["reach"]
    assert found.verdict is Verdict.DIFFERS
    assert found.counterexample is not None
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", found.counterexample.test],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 1, ran.stdout[-2000:]
    assert "Not equal to tolerance" in ran.stdout, ran.stdout[-2000:]


TEXTS = """
TABLE = {"even": 0.5, "odd": 2.0}

def factor(kind):
    return TABLE[kind]

def scaled(x, how):
    return x * factor(how)
"""


def test_texts_are_those_of_the_table_that_a_helper_looks_them_up_in(verify: Any) -> None:
    found = verify(TEXTS, TEXTS.replace("2.0", "3.0"))["scaled"]
    assert found.verdict is Verdict.DIFFERS, found


SERIES = """
def rates(times_and_values):
    return times_and_values.diff().fillna(0.0).rolling(2).sum()

def share(frame):
    return frame["part"].to_numpy() / (1.0 + np.abs(frame["whole"].to_numpy()))
"""


def test_tables_of_pandas_are_given_and_compared(verify: Any) -> None:
    pytest.importorskip("pandas")
    right = verify(SERIES, SERIES.replace("1.0 + np.abs", "np.float64(1) + np.abs"))
    assert right["share"].verdict is Verdict.EQUIVALENT, right["share"]
    wrong = SERIES.replace("rolling(2)", "rolling(3)").replace("1.0 +", "2.0 +")
    found = verify(SERIES, wrong)
    assert [v.verdict for v in found.values()] == [Verdict.DIFFERS, Verdict.DIFFERS], found
