"""What calls are seen to pass, from one round of the analysis to the next."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.functions.callsites import CallSites, Passed, trips_shown
from gpuport.analysis.knowledge.tables import knowledge
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.lattice import Array, Either, Scalar, Value
from gpuport.source.module import Module
from gpuport.source.reading import parse


def analysed(text: str, *, tracing: bool = False) -> Project:
    """The analysis of a program whose function ``f`` is called."""
    source = "import numpy as np\n" + textwrap.dedent(text)
    project = Project(Module("m.py", source, ast.parse(source)), knowledge(), tracing=tracing)
    project.program.analyse()
    return project


def passed(project: Project, *, certain: bool = False) -> dict[str, Value]:
    function = project.root.functions["f"]
    return project.calls.certain(function) if certain else project.calls.of(function)


def test_calls_are_joined_by_parameter():
    project = analysed("""
        def f(a, n, k=1): return a * n
        def g(x: np.ndarray): return f(x, 2) + f(np.sin(x), n=3)
    """)
    found = passed(project)
    assert isinstance(found["a"], Array)
    assert found["n"] == Scalar("int")
    assert "k" not in found


def test_what_one_call_leaves_open_is_likely_and_not_certain():
    project = analysed("""
        def f(a): return np.sum(a)
        def g(x: np.ndarray, y): return f(x) + f(elsewhere(y))
    """)
    assert isinstance(passed(project)["a"], Array)
    assert "a" not in passed(project, certain=True)


def test_each_call_is_remembered_for_whoever_asks_why():
    project = analysed(
        """
        def f(a): return np.sum(a)
        def g(x: np.ndarray): return f(x) + f(2.0)
        """,
        tracing=True,
    )
    function = project.root.functions["f"]
    sites = project.calls.traced[id(function), "a"]
    assert sorted(ast.unparse(site.call) for site in sites.values()) == ["f(2.0)", "f(x)"]


def test_a_round_turns_until_it_sees_what_it_relied_on():
    calls = CallSites()
    assert not calls.changed  # nothing is called
    function = ast.parse("def f(a): pass").body[0]
    calls.go_back(Passed({id(function): {"a": Scalar("int")}}))
    assert calls.changed
    calls.turn()
    assert calls.of(function) == {"a": Scalar("int")}
    calls.go_back(Passed({id(function): {"a": Scalar("int")}}))
    assert not calls.changed


HANDED = """import numpy as np
KINDS = (0.1, 0.5, 0.9)
def asked(x, n=4, *, k=2):
{body}
if __name__ == "__main__":
    {call}
"""


BETWEEN = """def between(y, count):
    return asked(y, count)
"""


def shown(length: str, call: str, body: str = "    pass") -> int | None:
    text = HANDED.format(body=body, call=call) + (BETWEEN if "between" in call else "")
    module = parse("run.py", text)
    project = Project(module, knowledge())
    project.program.analyse()
    (scope,) = [one for one in project.every_scope() if one.name == "asked"]
    return trips_shown(project.unit(scope), length)


@pytest.mark.parametrize(
    ("length", "call", "expected"),
    [
        ("n", "asked(None, 7)", 7),
        ("n", "asked(None, n=3); asked(None, 5)", 5),
        ("n", "asked(None)", 4),
        ("k", "asked(None, k=3); asked(None)", 3),
        ("n", "between(None, 6)", 6),
        ("len(x)", "asked([1, 2, 3])", 3),
        ("len(x)", "asked(np.array([0.2, 0.5]))", 2),
        ("len(x)", "asked(np.linspace(0.1, 1.0, 5) * 2)", 5),
        ("x.shape[1]", "asked(np.zeros((8, 3)))", 3),
        ("x.shape[1]", "a = np.ones((9, 2)); between(a, 1)", 2),
        ("x.size", "asked(np.zeros((8, 3)))", 24),
        ("max(len(x), n)", "asked(np.ones(3), 9)", 9),
        ("len(KINDS)", "asked(None)", 3),
    ],
)
def test_what_all_calls_pass_tells_lengths(length: str, call: str, expected: int) -> None:
    assert shown(length, call) == expected


@pytest.mark.parametrize(
    ("length", "call"),
    [
        ("n", "asked(None, int(input()))"),
        ("n", "asked(None, 3); asked(*[None, 2])"),
        ("k", "asked(None, **{'k': 9})"),
        ("n", "asked(None, 3); print(list(map(asked, [1])))"),
        ("len(x)", "asked([1, 2]); asked(np.load('x.npy'))"),
        ("x.shape[1]", "asked(np.zeros((8, 3))); asked(np.zeros(4))"),
        ("m", "asked(None)"),
    ],
)
def test_one_call_that_shows_nothing_is_enough(length: str, call: str) -> None:
    assert shown(length, call) is None


def test_a_module_that_others_may_import_has_callers_that_are_not_seen() -> None:
    module = parse("tools.py", "def asked(n):\n    pass\n\ndef other():\n    asked(3)\n")
    project = Project(module, knowledge())
    project.program.analyse()
    (scope,) = [one for one in project.every_scope() if one.name == "asked"]
    assert trips_shown(project.unit(scope), "n") is None


def test_a_parameter_that_is_bound_anew_is_both() -> None:
    assert shown("n", "asked(None, 9)", "    n = 2") == 9


BOTH = """
def f(s, lo, hi):
    return s[hi] - s[lo] + (hi - lo)

def best(s, lo, hi):
    k = np.arange(lo + 2, hi - 2)
    return np.argmax(f(s, lo, k) + f(s, k, hi) - f(s, lo, hi))

def split(s, lo, hi):
    c = best(s, lo, hi)
    return split(s, lo, c) + split(s, c, hi) if hi - lo > 9 else 0

s = np.cumsum(np.ones(5000))
split(s, 0, len(s) - 1)
"""


def test_an_array_that_some_calls_pass_counts_beside_what_is_taken_for_a_number():
    assert isinstance(passed(analysed(BOTH))["lo"], Either)
    both = Passed()
    both.add(1, "n", Scalar("assumed"), doubtful=False)
    both.add(1, "n", Array("int64", 1), doubtful=False)
    both.add(1, "n", Scalar(), doubtful=False)
    assert both.values[1]["n"] == Either(python=True)
