"""Functions are read again in a round only where something changed that they rest on."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import pytest
from tests.analysis.conftest import analysed

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.knowledge.tables import knowledge
from gpuport.analysis.objects import following
from gpuport.analysis.objects.instances import Objects
from gpuport.analysis.project import analyses
from gpuport.analysis.project.callgraph import Project
from gpuport.config import Config
from gpuport.passes.onepass import Source, one_pass
from gpuport.source import reading
from gpuport.source.names import Scope
from gpuport.source.reading import parse

CHAIN = """\
import numpy as np

def top(n):
    x = np.linspace(0.0, 1.0, n)
    return middle(x) + fixed()

def middle(x):
    return lowest(np.sin(x), 2)

def lowest(x, k):
    return k * np.sqrt(x)

def fixed():
    return np.float64(constant())

def constant():
    return np.hypot(1.0, 2.0)
"""


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function is read."""
    counted: Counter[str] = Counter()
    analyse = analyses.analyse_function

    def count(project: Project, scope: Scope) -> Analysed:
        counted[scope.name] += 1
        return analyse(project, scope)

    monkeypatch.setattr(analyses, "analyse_function", count)
    return counted


def test_a_function_is_read_again_only_where_what_it_rests_on_changed(read: Counter[str]):
    analysed(CHAIN)
    assert read["lowest"] == 3  # what it is given is learned from what `middle` is given
    assert read["fixed"] == read["constant"] == 1  # nothing is given to them in any round


def test_what_calls_a_function_of_which_more_is_learned_is_read_again(read: Counter[str]):
    text = """\
import numpy as np

def outer(n):
    y = given(np.zeros(n))
    return np.cumsum(y)

def given(x):
    return x[0] if len(x) else x
"""
    results = analysed(text).results
    assert read["given"] == 2
    fresh = analysed(text).results
    for one, other in zip(results.values(), fresh.values(), strict=True):
        assert one.unit.returned.value == other.unit.returned.value


def test_what_was_told_of_calls_is_told_again(read: Counter[str]):
    project = analysed(CHAIN)
    lowest = project.root.functions["lowest"]
    assert set(project.calls.of(lowest)) == {"x", "k"}
    assert not project.calls.changed


def test_a_tree_is_let_go_of_without_the_collector():
    module = parse("m.py", f"{CHAIN}\n# read by nobody else\n")
    gone = weakref.ref(module)
    tree = weakref.ref(module.tree)
    gc.disable()
    try:
        one_pass([Source(module)], knowledge(), Config())
        del module
        assert gone() is None
        reading._tree.cache_clear()  # the last trees are kept for who reads the same text
        assert tree() is None
    finally:
        gc.enable()


def test_what_is_placed_together_is_read_again_only_where_something_changed(
    monkeypatch: pytest.MonkeyPatch,
):
    text = """\
import numpy as np

class Grid:
    def __init__(self, n):
        self.cells = np.zeros(n)

    def step(self, by):
        self.cells = self.cells + np.sin(self.cells) * by

def smooth(x):
    return (x + np.roll(x, 1)) / 2

def main(n):
    grid = Grid(n)
    for _ in range(10):
        grid.step(0.5)
    return smooth(grid.cells).sum()

if __name__ == "__main__":
    print(main(10_000))
"""
    places, settled = Counter[str](), Counter[str]()
    place, settle = following.Following.place, following.settle

    def counted(one: following.Following) -> dict[int, Analysed]:
        places["made"] += 1
        return place(one)

    def counted_settle(objects: Objects) -> bool:
        settled["made"] += 1
        return settle(objects)

    monkeypatch.setattr(following.Following, "place", counted)
    monkeypatch.setattr(following, "settle", counted_settle)
    analysed(text)
    assert settled["made"] < places["made"]
