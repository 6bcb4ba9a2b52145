"""Inputs that the user declares: in the configuration, and in a file of strategies."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.verify.inputs.drawing import build
from gpuport.verify.inputs.schedule import Schedule
from gpuport.verify.inputs.values import FAMILIES
from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.sessions.session import verify_paths
from gpuport.verify.signatures.declarations import declarations_of
from gpuport.verify.signatures.declared import DeclarationError
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import Slot, Trial, size_of

ORIGINAL = """
import numpy as np


def pick(table, index, weights):
    assert np.all((weights > 0) & (weights <= 1)), "weights"
    assert np.all(index < len(table)), "index"
    return table[index] * weights


class Model:
    def __init__(self, matrix):
        self.matrix = np.linalg.cholesky(matrix)

    def apply(self, vector):
        return self.matrix @ vector
"""
PORT = """
import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("table", "index", "weights")
def pick(table, index, weights):
    assert cp.all((weights > 0) & (weights <= 1)), "weights"
    assert cp.all(index < len(table)), "index"
    return table[index] * weights


class Model:
    def __init__(self, matrix):
        self.matrix = np.linalg.cholesky(matrix)

    @device("vector")
    def apply(self, vector):
        return cp.asarray(self.matrix) @ vector
"""
DECLARED = """
[tool.gpuport.inputs.pick]
table = { dtype = "float64", shape = ["n"] }
index = { dtype = "int64", shape = ["k"], below = "n" }
weights = { dtype = "float64", shape = ["k"], low = 0.1, high = 1.0 }

[tool.gpuport.inputs."Model.__init__"]
matrix = { from = "made.py:definite" }

[tool.gpuport.inputs."module:Model.apply"]
vector = { dtype = "float64", shape = ["n"], low = -1.0, high = 1.0 }
"""
MADE = """
import numpy as np


def definite(rng, n):
    square = rng.normal(size=(n, n))
    return square @ square.T + n * np.eye(n)
"""


def project(folder: Path, declared: str, made: str = MADE, port: str = PORT) -> Path:
    for name, text in (("old", ORIGINAL), ("new", port)):
        (folder / name).mkdir()
        (folder / name / "module.py").write_text(text)
    (folder / "pyproject.toml").write_text(textwrap.dedent(declared))
    (folder / "made.py").write_text(textwrap.dedent(made))
    return folder


def verdicts(folder: Path) -> dict[str, tuple[Verdict, str, str]]:
    options = VerifyOptions(root=folder, examples=25)
    report = verify_paths([folder / "new"], str(folder / "old"), options)
    assert not report.failed, report
    return {f.name: (f.verdict, f.reason, f.evidence.inputs) for f in report.functions()}


def fault(folder: Path) -> str:
    with pytest.raises(DeclarationError) as caught:
        declarations_of(folder / "pyproject.toml")
    return str(caught.value)


def test_what_is_declared_is_what_the_functions_get(tmp_path: Path) -> None:
    found = verdicts(project(tmp_path, DECLARED))
    assert found["pick"][::2] == (Verdict.EQUIVALENT, "declared"), found
    assert found["Model.apply"][::2] == (Verdict.EQUIVALENT, "declared"), found


def test_a_fault_is_found_inside_the_declared_range_and_replayed(tmp_path: Path) -> None:
    port = PORT.replace("table[index] * weights", "table[index] * cp.minimum(weights, 0.9)")
    folder = project(tmp_path, DECLARED, port=port)
    report = verify_paths(
        [folder / "new"], str(folder / "old"), VerifyOptions(root=folder, examples=25)
    )
    pick = next(f for f in report.functions() if f.name == "pick")
    assert pick.verdict is Verdict.DIFFERS
    assert pick.counterexample is not None
    with np.load(pick.counterexample.data) as data:
        assert (data["argument.weights"] <= 1.0).all()


def test_a_file_of_strategies_makes_all_arguments_and_instances(tmp_path: Path) -> None:
    made = """
    import numpy as np

    def pick(rng, n, k):
        return {
            "weights": rng.choice([0.25, 0.5, 1.0], k),
            "table": rng.normal(size=n + 1),
            "index": rng.integers(0, n + 1, k),
        }

    def Model(rng, n):
        from module import Model  # of the side that is run
        return Model(np.eye(n) + 0.1)

    def Model__apply(rng, n):
        return {"vector": rng.normal(size=n)}
    """
    declared = '[tool.gpuport.inputs]\nstrategies = "made.py"\n'
    found = verdicts(project(tmp_path, declared, made))
    assert found["pick"][::2] == (Verdict.EQUIVALENT, "declared"), found
    assert found["Model.apply"][::2] == (Verdict.EQUIVALENT, "declared"), found


def test_a_counterexample_of_a_strategy_can_be_replayed(tmp_path: Path) -> None:
    made = """
    def pick(rng, n):
        index = rng.integers(0, 3, n)
        return {"table": rng.normal(size=3), "index": index, "weights": 1 - rng.random(n)}
    """
    port = PORT.replace("table[index] * weights", "table[index] * 2 * weights")
    folder = project(tmp_path, '[tool.gpuport.inputs]\nstrategies = "made.py"\n', made, port)
    report = verify_paths(
        [folder / "new"], str(folder / "old"), VerifyOptions(root=folder, examples=25)
    )
    pick = next(f for f in report.functions() if f.name == "pick")
    assert pick.verdict is Verdict.DIFFERS
    assert pick.counterexample is not None
    with np.load(pick.counterexample.data) as data:
        assert {"argument.table", "argument.index", "argument.weights"} <= set(data)


def test_a_strategy_that_raises_is_named_with_its_line(tmp_path: Path) -> None:
    made = "def pick(rng, n):\n    wrong = n / 0\n    return {}\n"
    found = verdicts(project(tmp_path, '[tool.gpuport.inputs]\nstrategies = "made.py"\n', made))
    verdict, reason, _ = found["pick"]
    assert verdict is Verdict.UNTESTED
    assert "made.py:2: ZeroDivisionError" in reason


@pytest.mark.parametrize(
    ("declared", "line", "text"),
    [
        ('[tool.gpuport.inputs.f]\nx = { dtype = "flaot64", shape = ["n"] }', 2, "unknown dtype"),
        ('[tool.gpuport.inputs.f]\n\nx = { dtyp = "float64" }', 3, "did you mean `dtype`"),
        ("[tool.gpuport.inputs.f]\nx = { kind = 'array' }", 2, "needs a shape"),
        ("[tool.gpuport.inputs.f]\nx = { shape = ['n!'] }", 2, "a size is a number or a name"),
        ("[tool.gpuport.inputs.f]\nx = { kind = 'float', low = 2, high = 1 }", 2, "above high"),
        ("[tool.gpuport.inputs.f]\nx = { kind = 'float', low = 2 }", 2, "must both be numbers"),
        ("[tool.gpuport.inputs.f]\nx = { optional = true }", 2, "say what it is"),
        ("[tool.gpuport.inputs.f]\nx = 3", 2, "must be a table"),
        ("[tool.gpuport.inputs]\nf = 3", 2, "must be a table of parameters"),
        ("[tool.gpuport.inputs.f]\nx = { from = 'nothing.py:g' }", 2, "cannot be read"),
        ("[tool.gpuport.inputs.f]\nx = { from = 'made.py:definit' }", 2, "mean `definite`"),
        ("[tool.gpuport.inputs.f]\nx = { from = 'made.py' }", 2, "FILE.py:FUNCTION"),
        ("[tool.gpuport.inputs.f]\nself = { kind = 'int' }", 2, "made by a strategy"),
        ("[tool.gpuport.inputs.f.x]\nkind = 'matrix'", 1, "is expected as kind"),
    ],
)
def test_mistakes_are_told_with_their_line(
    tmp_path: Path, declared: str, line: int, text: str
) -> None:
    told = fault(project(tmp_path, declared))
    assert f"pyproject.toml:{line}: " in told
    assert text in told


@pytest.mark.parametrize(
    ("made", "line", "text"),
    [
        ("import os\n\ndef f():\n    return 1\n", 3, "must take a generator"),
        ("def f(rng, *sizes):\n    return 1\n", 1, "must take a generator"),
        ("def f(rng:\n", 1, ""),
    ],
)
def test_mistakes_in_a_strategies_file_are_told_with_their_line(
    tmp_path: Path, made: str, line: int, text: str
) -> None:
    folder = project(tmp_path, '[tool.gpuport.inputs]\nstrategies = "made.py"\n', made)
    told = fault(folder)
    assert f"made.py:{line}: " in told
    assert text in told


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("[tool.gpuport.inputs.pick]\ntabel = { kind = 'int' }", "no parameter `tabel`"),
        ("[tool.gpuport.inputs.'module:pik']\nx = { kind = 'int' }", "no function `pik`"),
    ],
)
def test_names_that_the_program_does_not_have_fail_the_run(
    tmp_path: Path, declared: str, text: str
) -> None:
    folder = project(tmp_path, declared)
    options = VerifyOptions(root=folder)
    report = verify_paths([folder / "new"], str(folder / "old"), options)
    assert report.exit_status == 2
    errors = [file.error for file in report.files]
    assert any(e and text in e and "pyproject.toml:" in e for e in errors), errors


SIZES = {"n": 5, "k": 3}


@given(st.sampled_from(FAMILIES), st.integers(0, 50), st.booleans())
def test_values_stay_inside_what_is_declared(family: str, seed: int, tied: bool) -> None:
    slots = (
        Slot("x", "array", "float32", ("n", "n+1"), domain=(0.25, 2.0), traits=("within",)),
        Slot("i", "array", "int32", ("2*k",), traits=("below:n", "within")),
        Slot("c", "array", "float64", ("n",), choices=(1.0, 3.0), traits=("within",)),
        Slot("k", "int", domain=(2, 4), traits=("within",)),
        Slot("f", "float", traits=("finite",)),
        Slot("n", "size", dims=("n",)),
    )
    drawn = build(slots, Trial(slots, None, SIZES, (seed,), family, literals=(0.5, 7.0), tied=tied))
    x, i = drawn["x"], drawn["i"]
    assert x.shape == (5, 6)
    assert x.dtype == np.float32
    assert ((x >= 0.25) & (x <= 2.0)).all()
    assert i.shape == (6,)
    assert ((i >= 0) & (i < 5)).all()
    assert set(drawn["c"]) <= {1.0, 3.0}
    assert type(drawn["k"]) is int
    assert 2 <= drawn["k"] <= 4
    assert np.isfinite(drawn["f"])
    assert drawn["n"] == 5


@pytest.mark.parametrize(("text", "size"), [("n", 5), ("n+2", 7), ("2*n-1", 9), ("=4", 4)])
def test_dimensions_follow_from_one_another(text: str, size: int) -> None:
    assert size_of(text, SIZES) == size
    expected = () if text.startswith("=") else ("n",)
    assert Slot("x", "array", dims=(text,)).symbols() == expected


def test_declared_dimensions_vary() -> None:
    slot = Slot("x", "array", "float64", ("n", "n+1"), domain=(0, 1), traits=("within",))
    template = Template((slot,), None, groups=(("n",),))
    trials = Schedule(Signature("f", 1, ()), [template], 20, 0).trials()
    shapes = {build(t.slots, t)["x"].shape for t in trials}
    assert {(0, 1), (1, 2), (33, 34)} <= shapes
    assert all(m == n + 1 for n, m in shapes)
