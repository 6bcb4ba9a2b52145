"""Plans of loops written as text."""

from __future__ import annotations

import ast
import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("islpy")

from gpuport.loops.context.scalars import live_after, outermost_loops
from gpuport.loops.facts import Fact, FunctionFact, LoopNest, ModuleFact
from gpuport.loops.planning.planner import plans
from gpuport.loops.records import LoopPlan, Refusal

BENCH = Path(__file__).parents[2] / "bench"


def facts_of(tree: ast.Module) -> dict[str, Fact]:
    """What a module's text says of its names: NumPy, math, and its own functions."""
    known: dict[str, Fact] = {"np": ModuleFact("numpy"), "math": ModuleFact("math")}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            known[node.name] = FunctionFact(node.name, node, known)
    return known


Results = list["LoopPlan | Refusal"]


@pytest.fixture
def planned() -> Callable[..., Results]:
    """Plans and refusals of the first loop of a text's last function."""

    def make(text: str, **facts: Fact) -> Results:
        tree = ast.parse(text)
        function = tree.body[-1]
        assert isinstance(function, ast.FunctionDef)
        node = outermost_loops(function)[0]
        known = facts_of(tree) | facts
        return plans(LoopNest(node, function, known, live_after(function, node)))

    return make


@pytest.fixture
def plan_of(planned: Callable[..., Results]) -> Callable[..., LoopPlan]:
    """The plan of a loop that is expected to have one as a whole."""

    def make(text: str, **facts: Fact) -> LoopPlan:
        (found,) = planned(text, **facts)
        assert isinstance(found, LoopPlan), found
        return found

    return make


@pytest.fixture
def refusal_of(planned: Callable[..., Results]) -> Callable[..., Refusal]:
    """Why a loop is refused; no loop inside it may have a plan."""

    def make(text: str, **facts: Fact) -> Refusal:
        found = planned(text, **facts)
        assert all(isinstance(one, Refusal) for one in found), found
        assert isinstance(found[0], Refusal)
        return found[0]

    return make


@pytest.fixture(scope="session")
def programs() -> ModuleType:
    """``bench/loop_programs.py``: the generator of random nests, and their comparison."""
    spec = importlib.util.spec_from_file_location("loop_programs", BENCH / "loop_programs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["loop_programs"] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        spec.loader.exec_module(module)
    return module


@pytest.fixture
def same(programs: ModuleType) -> Callable[..., int]:
    """Run a function as it is and as planned; the number of runs in which a plan was used."""

    def run(
        text: str, inputs: Callable[[random.Random], dict[str, Any]], runs: int = 12, **facts: Fact
    ) -> int:
        tree = ast.parse(text)
        function = tree.body[-1]
        assert isinstance(function, ast.FunctionDef)
        dice = random.Random(1)
        launched = 0
        for node in outermost_loops(function):
            known = facts_of(tree) | facts
            nest = LoopNest(node, function, known, live_after(function, node))
            for plan in plans(nest):
                if isinstance(plan, Refusal):
                    continue
                for _ in range(runs):
                    outcome = programs.Outcome(text)
                    programs.compare(outcome, tree, plan, inputs(dice), dice)
                    assert outcome.wrong is None, outcome.wrong
                    launched += outcome.ran
        return launched

    return run
