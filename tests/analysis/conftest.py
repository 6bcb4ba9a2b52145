"""What a claim says of a real object, and the analysis of a small program."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpuport.analysis.functions.evidence import parameter_values
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.knowledge.tables import knowledge
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
)
from gpuport.source.module import Module
from gpuport.source.names import walk_scopes
from gpuport.source.reading import parse

GUARD = """
if __name__ == "__main__":
    main()
"""


def analysed(*parts: str, path: str = "program.py") -> Project:
    project = Project(parse(path, "".join(parts)), knowledge())
    project.program.analyse()
    return project


def place_of(project: Project, owner: str, name: str) -> Place:
    """Where an attribute lives: on the host, too, where nothing was moved at all."""
    unit = project.members[0]
    assert unit.objects is not None
    node = unit.objects.nodes[owner, name]
    found = project.results.get(id(unit.node))
    return Place.HOST if found is None else found.placement.of(node)


def on_device(project: Project, path: str) -> bool:
    """Whether a call of NumPy is on the device."""
    for done in project.results.values():
        for one in done.unit.work.operations.values():
            if one.path == path:
                return done.placement.of(one.graph_node) is Place.DEVICE
    return False


def covers(claim: Value, actual: Any) -> bool:
    """Whether a claim is true of an object."""
    if isinstance(claim, Unknown):
        return True
    if actual is None:
        return claim in (Scalar("None"), Scalar()) or getattr(claim, "optional", False)
    if isinstance(claim, (Array, Either, Number)):
        return _covers_numbers(claim, actual)
    if isinstance(claim, Scalar):
        if isinstance(actual, (np.ndarray, np.generic)):
            return False
        number = claim.type == "number" and type(actual) in (int, float)
        return number or claim.type in (None, "object", type(actual).__name__)
    if isinstance(claim, Tuple):
        return (
            isinstance(actual, tuple)
            and len(actual) == len(claim.items)
            and all(covers(c, a) for c, a in zip(claim.items, actual, strict=True))
        )
    if isinstance(claim, Sequence):
        kinds = list if claim.list else (tuple, list)
        enough = isinstance(actual, kinds) and len(actual) >= claim.least
        return enough and all(covers(claim.of, a) for a in actual)
    if isinstance(claim, Mapping):
        return isinstance(actual, dict) and all(covers(claim.of, a) for a in actual.values())
    return False


def _covers_numbers(claim: Array | Either | Number, actual: Any) -> bool:
    if type(actual) is np.ndarray:
        rank = claim.rank if isinstance(claim, Array) else None
        same = claim.dtype in (None, actual.dtype.name) and rank in (None, actual.ndim)
        same = same and not (isinstance(claim, Array) and actual.ndim < claim.fewest)
        return same and not isinstance(claim, Number)
    if isinstance(actual, np.generic):
        return claim.dtype in (None, actual.dtype.name) and not isinstance(claim, Array)
    if isinstance(actual, (bool, int, float, complex)):
        if isinstance(claim, Number):
            return not claim.numpy_scalar
        return isinstance(claim, Either) and claim.python
    return False


def analyse(text: str, name: str = "f") -> Analysed:
    """The analysis of one function of a program that starts with ``import numpy as np``."""
    source = "import numpy as np\n" + textwrap.dedent(text)
    module = Module("module.py", source, ast.parse(source))
    project = Project(module, knowledge())
    project.program.analyse()
    for analysed in project.results.values():
        if analysed.unit.name == name:
            return analysed
    raise LookupError(name)


def parameters(
    text: str, sites: dict[str, Value] | None = None, name: str = "f"
) -> dict[str, Value]:
    """Claims about the parameters of a function of a program, given what its calls pass."""
    source = "import numpy as np\nimport math\n" + textwrap.dedent(text)
    project = Project(parse("module.py", source), knowledge())
    scope = next(s for s in walk_scopes(project.root) if s.name.split(".")[-1] == name)
    assert isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return parameter_values(scope, scope.node, sites or {}, project.uses.of(scope, scope.node))


def kind(value: Value) -> str:
    """A claim in one word."""
    if isinstance(value, Scalar):
        return value.type or "plain"
    return type(value).__name__.lower()


@pytest.fixture(name="parameters", scope="session")
def _parameters() -> Callable[..., dict[str, Value]]:
    return parameters


@pytest.fixture(name="kind", scope="session")
def _kind() -> Callable[[Value], str]:
    return kind


@pytest.fixture(name="covers", scope="session")
def _covers() -> Callable[[Value, Any], bool]:
    return covers


@pytest.fixture(name="analyse", scope="session")
def _analyse() -> Callable[..., Analysed]:
    return analyse
