"""Methods of objects that hold objects, and functions that take them, get instances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.verify.conftest import run

from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.sessions.session import verify_paths

HOLDING = """
from dataclasses import dataclass


class Mixture:
    def __init__(self, means: np.ndarray, scale: float):
        self.means = means
        self.scale = scale

    def score(self, x):
        return np.exp(-np.abs(x - self.means).sum() * self.scale)


class Model:
    def __init__(self, mixture{written}, bias: float):
        self.mixture = mixture
        self.bias = bias

    def predict(self, x):
        return self.mixture.score(x) + self.bias


@dataclass
class Grid:
    dx: float
    k: np.ndarray


@dataclass
class Field:
    grid: Grid
    u: np.ndarray

    def moved(self):
        return np.sin(self.u) * self.grid.dx


def energy(field{field}):
    return np.tanh(field.u).sum() * field.grid.dx + field.moved().sum()
"""


@pytest.mark.parametrize(("written", "field"), [(": Mixture", ": Field"), ("", "")])
def test_instances_are_made_and_tell_faults(written: str, field: str, verify: Any) -> None:
    text = HOLDING.replace("{written}", written).replace("{field}", field)
    port = text.replace("+ self.bias", "+ self.bias * 1.0").replace("np.sin(", "1.0 * np.sin(")
    port = port.replace("np.tanh(", "1.0 * np.tanh(")
    found = verify(text, port)
    for name in ("Model.predict", "Field.moved", "energy"):
        assert found[name].verdict is Verdict.EQUIVALENT, found[name]
    wrong = text.replace("(x) + self.bias", "(x) - self.bias").replace("np.sin(", "np.cos(")
    found = verify(text, wrong.replace("np.tanh(", "np.arctan("))
    for name in ("Model.predict", "Field.moved", "energy"):
        assert found[name].verdict is Verdict.DIFFERS, found[name]


PROGRAM = """
class Basis:
    def __init__(self, n):
        self.nodes = np.linspace(0.0, 1.0, n)

    def at(self, x):
        return np.exp(-((x[:, None] - self.nodes) ** 2))


class Fit:
    def __init__(self, basis):
        self.basis = basis

    def matrix(self, x):
        b = self.basis.at(x)
        return b.T @ b


fit = Fit(Basis(4))
print(np.round(fit.matrix(np.linspace(0.0, 1.0, 9)).sum(), 6))
"""


def test_what_an_instance_holds_may_be_on_the_device(verify: Any) -> None:
    port = PROGRAM.replace("np.", "cp.").replace(
        "print(cp.round(fit.matrix(cp.linspace(0.0, 1.0, 9)).sum(), 6))",
        "print(np.round(cp.asnumpy(fit.matrix(cp.linspace(0.0, 1.0, 9)).sum()), 6))",
    )
    port = port.replace("b.T @ b", "cp.matmul(b.T, b)")
    found = verify(PROGRAM, port)
    assert found["Fit.matrix"].verdict is Verdict.EQUIVALENT, found["Fit.matrix"]
    wrong = verify(PROGRAM, port.replace("cp.matmul(b.T, b)", "cp.matmul(b.T, b) + cp.sum(b)"))
    assert wrong["Fit.matrix"].verdict in (Verdict.DIFFERS, Verdict.ERROR), wrong["Fit.matrix"]


def test_the_counterexample_makes_the_instance_again(tmp_path: Path) -> None:
    text = HOLDING.replace("{written}", ": Mixture").replace("{field}", "")
    options = VerifyOptions(root=tmp_path, examples=25)
    report = run(tmp_path, text, text.replace("+ self.bias", "- self.bias"), options)
    (verdict,) = [f for f in report.functions() if f.name == "Model.predict"]
    assert verdict.verdict is Verdict.DIFFERS
    assert verdict.counterexample is not None
    with np.load(verdict.counterexample.data) as data:
        assert any(name.endswith("mixture.means") for name in data), list(data)


TOLD = '''
class Kernel:
    """A kernel of some width."""

    def __init__(self, taps: int = 3):
        self.taps = taps

    def weights(self):
        return np.arange(1.0, self.taps + 1.0)


def blur(x, kernel):
    """Weighted columns.

    Parameters
    ----------
    x : ndarray, shape (n, m)
    kernel : Kernel
        What it is weighted with.
    """
    return x @ kernel.weights()
'''


def test_a_class_that_the_docstring_names_is_made_with_the_size_that_fits(verify: Any) -> None:
    port = TOLD.replace("x @ kernel.weights()", "np.dot(x, kernel.weights())")
    found = verify(TOLD, port)["blur"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert found.evidence.inputs == "documented"
    wrong = verify(TOLD, port.replace("np.dot(x,", "np.dot(x[::-1],"))["blur"]
    assert wrong.verdict is Verdict.DIFFERS, wrong


def test_a_class_of_a_file_beside_is_found_by_the_docstring(tmp_path: Path) -> None:
    for name, said in (("old", "x @ kernel.weights()"), ("new", "np.dot(x, kernel.weights())")):
        package = tmp_path / name / "blurs"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        head, _, blur = TOLD.partition("def blur")
        (package / "kernels.py").write_text("import numpy as np\n" + head)
        text = "import numpy as np\n\n\ndef blur" + blur.replace("x @ kernel.weights()", said)
        (package / "use.py").write_text(text)
    options = VerifyOptions(root=tmp_path, examples=25)
    report = verify_paths([tmp_path / "new"], str(tmp_path / "old"), options)
    found = {function.name: function for function in report.functions()}
    assert found["blur"].verdict is Verdict.EQUIVALENT, found["blur"]
