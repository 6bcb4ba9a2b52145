"""Functions with loops, run as they are and with their loops as kernels on the host backend."""

from __future__ import annotations

import ast
import builtins
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
from gpuport.analysis.loops.nests import Launch
from gpuport.analysis.placement.graph import Node
from gpuport.emit.kernelfunctions import Style, lines_of
from gpuport.emit.loopcalls import call_of
from gpuport.emit.loopfunctions import begin_of, function_of
from gpuport.host.kernels import checks, toolchain
from gpuport.loops.context.scalars import live_after, outermost_loops
from gpuport.loops.facts import ArrayFact, Fact, FunctionFact, LoopNest, ModuleFact, ScalarFact
from gpuport.loops.kernels.kernel import kernel
from gpuport.loops.planning.planner import plans
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.runtime import FallbackError, reset_stats
from gpuport.runtime import kernel as decorator
from gpuport.source.module import Module
from gpuport.source.standing import way_to

MODULES: dict[str, Fact] = {"np": ModuleFact("numpy"), "math": ModuleFact("math")}
NOWHERE = Node("loop", 1, 0)
"""The place of a loop, which nothing asks for here."""


@dataclass
class Ported:
    """A function whose loops were made kernels.

    Attributes
    ----------
    source : str
        Its text, calls in the place of the loops.
    functions : list of str
        The text of the functions that are called.
    kernels : list of Kernel
    refusals : list of Refusal
    """

    source: str
    functions: list[str] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All kernels' functions."""
        return "\n".join(self.functions)


def fact_of(value: object) -> Fact:
    """What is known of an argument."""
    if isinstance(value, np.ndarray):
        return ArrayFact(str(value.dtype), value.ndim)
    if isinstance(value, np.generic):
        return ScalarFact(str(value.dtype))
    return ScalarFact(type(value).__name__)


def port(source: str, facts: Mapping[str, Fact]) -> Ported:
    """Put kernels in the place of the loops of the last function of a text."""
    text = textwrap.dedent(source)
    module = Module("loops.py", text, ast.parse(text))
    functions = [n for n in module.tree.body if isinstance(n, ast.FunctionDef)]
    constants = {
        n.targets[0].id: ScalarFact(type(n.value.value).__name__, n.value.value)
        for n in module.tree.body
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant)
        if isinstance(n.targets[0], ast.Name)
    }
    around = {**MODULES, **constants}
    known = {f.name: FunctionFact(f.name, f, around) for f in functions}
    function = functions[-1]
    taken = {n.id for n in ast.walk(module.tree) if isinstance(n, ast.Name)} | set(known)
    found = Ported("")
    calls: list[tuple[ast.stmt, ast.stmt, str]] = []
    for node in outermost_loops(function):
        everything = {**MODULES, **known, **constants, **_made(function), **facts}
        nest = LoopNest(node, function, everything, live_after(function, node))
        for plan in plans(nest):
            made = plan if isinstance(plan, Refusal) else kernel(plan, frozenset(taken))
            if isinstance(made, Refusal):
                found.refusals.append(made)
                continue
            assert isinstance(plan, LoopPlan)
            launch = Launch(plan, made, NOWHERE, frozenset(), (), plan.writes, ())
            globals_ = {*around, *known, *vars(builtins)}
            one = function_of(module, function, launch, globals_.__contains__)
            if isinstance(one, str):
                found.refusals.append(Refusal("GP201", one, node.lineno))
                continue
            taken.add(made.name)
            found.kernels.append(made)
            found.functions.append("\n".join(lines_of(one, Style())))
            called = "\n".join(call_of(one, launch, Style(), "", "cp", {}))
            calls.append((begin_of(module, function, launch), plan.region, called))
    for begin, region, called in calls:
        block, at = list(way_to(function, region))[-1]
        first = next(k for k, one in enumerate(block) if one is begin)
        block[first : at + 1] = ast.parse(called).body
    found.source = ast.unparse(ast.fix_missing_locations(module.tree))
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
            found[name] = ArrayFact(dtype.rstrip("_"))
        if text.endswith(".shape[0]") or text.startswith("len("):
            found[name] = ScalarFact("int")
    return found


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
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Run a function both ways on copies of the arguments."""
    pytest.importorskip("islpy")
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    host.install(version=14)
    cp = importlib.import_module("cupy")
    reset_stats()  # a function of another test with this name may have warned before

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
        names: dict[str, Any] = {
            "__name__": "made", "np": np, "math": math, "kernel": decorator,
        }  # fmt: skip
        exec("\n".join([textwrap.dedent(source), *ported.functions]), names)
        made = {one.name: names[one.name] for one in ported.kernels}
        if raised is not None:
            there = {"np": cp, "cp": cp, **made}
            try:
                call(ported.source, theirs, there)
            except FallbackError:  # it is not launched
                with monkeypatch.context() as patch:
                    patch.setenv("GPUPORT_FALLBACK", "")
                    with pytest.raises(type(raised)):
                        call(ported.source, theirs, there)
            except type(raised):
                raised.add_note("undone")
            for name, value in mine.items():
                if isinstance(value, np.ndarray):
                    equal(theirs[name], value)
            raise raised
        found = call(ported.source, theirs, {"np": cp, "cp": cp, **made})
        return Both(ported, expected, found, mine, theirs)

    monkeypatch.setenv("GPUPORT_FROM_SIZE", "0")
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
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
