"""Methods of an abstract class run on instances of its subclasses."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.sessions.session import verify_paths
from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.classes import class_of
from gpuport.verify.signatures.subclasses import inheriting

BASE = """
import abc

class Model(abc.ABC):
    @abc.abstractmethod
    def density(self, x):
        ...

    def fit(self, x):
        self.centre_ = x.mean()
        return self

    def total(self, x):
        return self.density(x).sum()

    def beyond(self, x):
        if not hasattr(self, "centre_"):
            raise RuntimeError("not fitted")
        return self.density(x - self.centre_) > 0.5
"""
CHILD = """
class Bell(Model):
    def __init__(self, width=1.0):
        self.width = width

    def density(self, x):
        return np.exp(-((x / self.width) ** 2))
"""


def test_a_subclass_of_the_file_stands_in(verify: Any) -> None:
    port = BASE.replace("(x).sum()", "(x)[{}].sum()") + CHILD
    found = verify(BASE + CHILD, port.format("..."))["Model.total"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert any("subclass: Bell" in note for note, _ in found.evidence.notes)
    wrong = verify(BASE + CHILD, port.format("1:"))["Model.total"]
    assert wrong.verdict is Verdict.DIFFERS
    assert wrong.counterexample is not None


def test_what_prepares_the_instance_runs_first(verify: Any) -> None:
    found = verify(BASE + CHILD, BASE.replace("> 0.5", ">= 0.25") + CHILD)["Model.beyond"]
    assert found.verdict is Verdict.DIFFERS, found


def test_a_subclass_of_a_file_beside_it_stands_in(tmp_path: Path) -> None:
    for side, text in (("old", BASE), ("new", BASE.replace("(x).sum()", "(x)[1:].sum()"))):
        package = tmp_path / side / "models"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "base.py").write_text("import numpy as np\n" + text)
        (package / "bell.py").write_text(
            "import numpy as np\n\nfrom models.base import Model\n" + CHILD
        )
    options = VerifyOptions(root=tmp_path, examples=25, functions=("Model.total",))
    report = verify_paths(
        [tmp_path / "new" / "models" / "base.py"], str(tmp_path / "old" / "models"), options
    )
    (found,) = report.functions()
    assert found.verdict is Verdict.DIFFERS, found


def test_without_a_subclass_nothing_is_known(verify: Any) -> None:
    found = verify(BASE, BASE.replace("(x).sum()", "(x)[1:].sum()"))["Model.total"]
    assert found.verdict is Verdict.UNTESTED, found


def test_what_can_be_made_of_least_comes_first() -> None:
    text = """
class Model:
    def total(self, x):
        return self.of(x).sum()

class Pair(Model):
    def __init__(self, left, right):
        self.parts = left, right

class Plain(Model):
    def __init__(self, width=1.0):
        self.width = width
"""
    tree = ast.parse(text)
    place = Located(Path(), "module", Path("module.py"))
    owner = class_of("Model.total", tree, place)
    assert owner is not None
    assert [one.node.name for one in inheriting(owner, "total")] == ["Plain", "Pair"]
