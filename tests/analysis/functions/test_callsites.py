"""What calls are seen to pass, from one round of the analysis to the next."""

from __future__ import annotations

import ast
import textwrap

from gpuport.analysis.functions.callsites import CallSites, Passed
from gpuport.analysis.knowledge.tables import knowledge
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.lattice import Array, Scalar, Value
from gpuport.source.module import Module


def analysed(text: str, *, tracing: bool = False) -> Project:
    """The analysis of a program whose function ``f`` is called."""
    source = "import numpy as np\n" + textwrap.dedent(text)
    project = Project(Module("m.py", source, ast.parse(source)), knowledge(), tracing=tracing)
    project.analyse()
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
