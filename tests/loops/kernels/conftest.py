"""Functions with loops, run as they are and with their loops as kernels on the host backend."""

from __future__ import annotations

import ast
import copy
import importlib
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.host.kernels import checks, toolchain
from gpuport.loops.context.scalars import live_after, outermost_loops
from gpuport.loops.facts import ArrayFact, Fact, FunctionFact, LoopNest, ModuleFact, ScalarFact
from gpuport.loops.kernels.kernel import kernel
from gpuport.loops.planning.planner import plans
from gpuport.loops.records import Kernel, LoopPlan, Refusal

MODULES: dict[str, Fact] = {"np": ModuleFact("numpy"), "math": ModuleFact("math")}


class Undone(Exception):
    """The launch took back what it did: the original loop has to run."""


@dataclass
class Ported:
    """A function whose loops were made kernels.

    Attributes
    ----------
    source : str
        Its text, the launches in the place of the loops.
    kernels : list of Kernel
    refusals : list of Refusal
    """

    source: str
    kernels: list[Kernel] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All kernels' definitions."""
        return "\n".join(k.definition for k in self.kernels)


def fact_of(value: object) -> Fact:
    """What is known of an argument."""
    if isinstance(value, np.ndarray):
        return ArrayFact(str(value.dtype), value.ndim)
    if isinstance(value, np.generic):
        return ScalarFact(str(value.dtype))
    return ScalarFact(type(value).__name__)


def port(source: str, facts: Mapping[str, Fact]) -> Ported:
    """Put kernels in the place of the loops of the last function of a text."""
    tree = ast.parse(textwrap.dedent(source))
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    constants = {
        n.targets[0].id: ScalarFact(type(n.value.value).__name__, n.value.value)
        for n in tree.body
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant)
        if isinstance(n.targets[0], ast.Name)
    }
    around = {**MODULES, **constants}
    known = {f.name: FunctionFact(f.name, f, around) for f in functions}
    function = functions[-1]
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | set(known)
    found = Ported("")
    definitions: list[ast.stmt] = []
    for node in outermost_loops(function):
        everything = {**MODULES, **known, **constants, **_made(function), **facts}
        nest = LoopNest(node, function, everything, live_after(function, node))
        for plan in plans(nest):
            made = plan if isinstance(plan, Refusal) else kernel(plan, frozenset(taken))
            if isinstance(made, Refusal):
                found.refusals.append(made)
                continue
            assert isinstance(plan, LoopPlan)
            taken.add(made.name)
            found.kernels.append(made)
            for name, definition in (*made.others, (made.name, made.definition)):
                text = f"{name} = {definition}".replace("{cupy}", "cp")
                definitions += ast.parse(text).body
            _Replace(plan.region, _launch(made)).visit(function)
    module = ast.Module([*definitions, *tree.body], [])
    found.source = ast.unparse(ast.fix_missing_locations(module))
    return found


def _made(function: ast.FunctionDef) -> dict[str, Fact]:
    """Numbers and arrays that the function itself makes."""
    found: dict[str, Fact] = {}
    for node in function.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name, value = node.targets[0].id, node.value
        if isinstance(value, ast.Constant) and type(value.value) in (bool, int, float, complex):
            kind = type(value.value).__name__
            found[name] = ScalarFact(kind, value.value)
        text = ast.unparse(value)
        if text.startswith("np.float32("):
            found[name] = ScalarFact("float32")
        if text.startswith(("np.zeros(", "np.empty(", "np.ones(")):
            dtype = text.partition("dtype=np.")[2].rstrip(")") or "float64"
            found[name] = ArrayFact(dtype.rstrip("_"), fresh=True)
        if text.endswith(".shape[0]") or text.startswith("len("):
            found[name] = ScalarFact("int")
    return found


def _launch(made: Kernel) -> list[ast.stmt]:
    lines = [f"assert {guard}, {guard!r}" for guard in made.guards]
    lines += [*made.before, made.call]
    if made.flag:
        lines.append(f"if bool({made.flag}[0]):")
        lines += [f"    {line}" for line in made.undo]
        lines.append("    raise Undone")
    lines += made.after
    return ast.parse("\n".join(lines).replace("{cupy}", "cp")).body


class _Replace(ast.NodeTransformer):
    def __init__(self, node: ast.stmt, by: list[ast.stmt]) -> None:
        self.node, self.by = node, by

    def generic_visit(self, node: ast.AST) -> Any:
        if node is self.node:
            return self.by
        return super().generic_visit(node)


def call(source: str, arguments: Mapping[str, Any], modules: Mapping[str, Any]) -> Any:
    """Call the last function of a text; NumPy's warnings are not of interest."""
    names: dict[str, Any] = {"math": math, **modules}
    exec(compile(textwrap.dedent(source), "<loop>", "exec"), names)
    function = [
        n for n in ast.parse(textwrap.dedent(source)).body if isinstance(n, ast.FunctionDef)
    ]
    with np.errstate(all="ignore"):
        return names[function[-1].name](**arguments)


@dataclass
class Both:
    """Results of a function and of its port: what was returned, and the arguments afterwards."""

    ported: Ported
    expected: Any
    found: Any
    arguments: dict[str, Any]
    moved: dict[str, Any]

    def same(self, ulp: int = 0, signs: bool = True) -> None:
        """Everything is equal: bit for bit, or within some units in the last place."""
        for name, value in self.arguments.items():
            if isinstance(value, np.ndarray):
                equal(self.moved[name], value, ulp, name, signs)
        equal(self.found, self.expected, ulp, "result", signs)


def equal(found: Any, expected: Any, ulp: int = 0, what: str = "", signs: bool = True) -> None:
    """Compare values with their types; NaN equals NaN, -0.0 is not 0.0 unless signs are left."""
    if isinstance(expected, tuple):
        for f, e in zip(found, expected, strict=True):
            equal(f, e, ulp, what, signs)
        return
    if type(found).__module__.startswith(("cupy", "gpuport")):
        found = importlib.import_module("cupy").asnumpy(found)
    if expected is None:
        assert found is None
        return
    a, b = np.asarray(found), np.asarray(expected)
    assert a.dtype == b.dtype, (what, a.dtype, b.dtype)
    assert a.shape == b.shape, what
    if a.dtype.kind not in "fc" or not ulp:
        np.testing.assert_array_equal(a, b, what)
        if a.dtype.kind == "f" and signs:
            np.testing.assert_array_equal(np.signbit(a)[a == 0], np.signbit(b)[b == 0], what)
        return
    both_nan = np.isnan(a) & np.isnan(b)
    with np.errstate(all="ignore"):
        close = np.abs(a - b) <= ulp * np.spacing(np.abs(b).astype(b.real.dtype))
    assert np.all(close | both_nan | (a == b)), (what, a[~close][:5], b[~close][:5])


Run = Callable[..., Both]


@pytest.fixture(scope="session", autouse=True)
def kernel_cache(pytestconfig: pytest.Config) -> Iterator[None]:
    """Kernels compiled by former test runs are used again."""
    with pytest.MonkeyPatch.context() as patch:
        cache = pytestconfig.cache
        assert cache is not None
        patch.setenv("GPUPORT_CACHE_DIR", str(cache.mkdir("kernels")))
        yield


@pytest.fixture
def run() -> Iterator[Run]:
    """Run a function both ways on copies of the arguments."""
    pytest.importorskip("islpy")
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    host.install(version=14)
    cp = importlib.import_module("cupy")

    def both(source: str, facts: Mapping[str, Fact] | None = None, **arguments: Any) -> Both:
        known = {name: fact_of(value) for name, value in arguments.items()}
        ported = port(source, {**known, **(facts or {})})
        assert ported.kernels, ported.refusals
        mine = copy.deepcopy(arguments)
        raised: Exception | None = None
        try:
            expected = call(source, mine, {"np": np})
        except (ArithmeticError, LookupError, ValueError) as error:
            raised = error
        theirs = {
            name: cp.asarray(value) if isinstance(value, np.ndarray) else value
            for name, value in copy.deepcopy(arguments).items()
        }
        if raised is not None:
            try:
                call(ported.source, theirs, {"np": cp, "cp": cp, "Undone": Undone})
            except Undone:
                for name, value in arguments.items():
                    if isinstance(value, np.ndarray):
                        equal(theirs[name], value)
                raised.add_note("undone")
            raise raised
        found = call(ported.source, theirs, {"np": cp, "cp": cp, "Undone": Undone})
        return Both(ported, expected, found, mine, theirs)

    with checks("strict"):
        yield both
    host.uninstall()


@pytest.fixture
def ported() -> Callable[..., Ported]:
    """Put kernels in the place of the loops, for arguments like these, and run nothing."""
    pytest.importorskip("islpy")

    def made(source: str, **arguments: Any) -> Ported:
        return port(source, {name: fact_of(value) for name, value in arguments.items()})

    return made
