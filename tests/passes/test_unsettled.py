"""The one annotation that would settle the most: writing it settles those calls."""

import ast
import textwrap

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport, Finding
from gpuport.source.module import Module

PROGRAM = """\
    import numpy as np
    from other import clean


    def first(table, rows):
        if table.ok:
            part = table[0] * 2
        wave = np.sin(part)
        total = np.cumsum(wave)
        return np.dot(total, total), np.exp(rows)


    def second(table, rows, spam):
        data = clean(table)
        return np.cumsum(data), np.sin(rows["w"]), np.mean(spam.values)
"""


def report(program: str) -> FileReport:
    text = textwrap.dedent(program)
    return port_module(Module("p.py", text, ast.parse(text)), Config())


def summary(program: str) -> list[Finding]:
    return [f for f in report(program).findings if f.code == "GP912"]


def waiting(program: str) -> int:
    return sum(f.reason == "unknown-type" for f in report(program).findings)


def test_the_parameter_that_most_calls_wait_for_is_named():
    (found,) = summary(PROGRAM)
    assert "`table`" in found.message
    assert "3 calls of `first`" in found.message
    assert found.span.line == 5


def test_to_annotate_it_settles_these_calls():
    annotated = PROGRAM.replace("def first(table", "def first(table: np.ndarray")
    assert waiting(annotated) == waiting(PROGRAM) - 3
    assert not any("`first`" in f.message for f in summary(annotated))


def test_what_no_annotation_settles_is_not_promised():
    assert not any("`second`" in f.message or "`spam`" in f.message for f in summary(PROGRAM))


def test_nothing_unknown_no_finding():
    assert summary("import numpy as np\ndef f(x: np.ndarray):\n    return np.sin(x)\n") == []


def test_what_gathers_arguments_is_not_named():
    program = """\
        import numpy as np


        def f(*args, **kwargs):
            return np.sin(args[0]) + np.cos(kwargs["x"]) * np.exp(args)
        """
    assert waiting(program)
    assert summary(program) == []


HELP = """\
    import numpy as np
    from elsewhere import G, load


    def f(a, b, grid, *rest):
        same = a == 0
        part = same[:, None] | (b > 1)
        np.cumsum(part)
        np.cumsum(grid.ny * np.pi)
        np.cumsum(rest[0])
        np.cumsum(G)
        np.cumsum(load(a))


    class Model:
        def run(self):
            np.cumsum(self.state)
"""


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("part", "annotate the parameters `a`, `b`: `np.ndarray`, or the numbers that they are"),
        ("grid.ny * np.pi", "give `grid.ny * np.pi` to a function whose parameter is annotated"),
        ("rest[0]", "give `rest[0]` to a function whose parameter is annotated"),
        ("G", "give `G` to a function whose parameter is annotated"),
        ("load(a)", "give `load(a)` to a function whose parameter is annotated"),
        ("self.state", "`self.state` is not followed, nor is its class (GP913 on line "),
    ],
)
def test_only_what_an_annotation_settles_is_told_to_be_annotated(expression: str, told: str):
    lines = textwrap.dedent(HELP).splitlines()
    line = lines.index(next(k for k in lines if k.endswith(f"np.cumsum({expression})"))) + 1
    found = [f for f in report(HELP).findings if f.code == "GP901" and f.span.line == line]
    assert found
    assert all((f.help or "").startswith(told) for f in found), [f.help for f in found]


def test_what_is_indexed_is_no_number_though_it_is_made_of_what_is_taken_for_one():
    program = """\
        import numpy as np

        def f(a, b):
            same = a == 0
            return np.cumsum((same[:, None] | (b > 1)).mean(axis=-1))
    """
    found = report(program)
    assert not found.changed
    assert ["`same[:, None]`" in f.message for f in found.findings if f.code == "GP901"] == [True]


DICTS = """\
    import numpy as np


    def total(params{annotation}, more{annotation}):
        found = np.sin(params["x"])
        for key in more:
            found = found + np.cumsum(more[key])
        return found + np.cumsum(more["first"])
"""


def test_a_dict_is_not_said_to_be_an_array():
    found = report(DICTS.format(annotation="")).findings
    told = {f.help for f in found if f.code in ("GP901", "GP912")}
    advice = (
        "annotate the parameter `{0}` where it is a dict of arrays: `{0}: dict[str, np.ndarray]`"
    )
    assert {advice.format("params"), advice.format("more")} <= told
    assert "write `more: dict[str, np.ndarray]`, where it is a dict of arrays" in told
    assert not any("more: np.ndarray" in str(one) for one in told)


def test_and_to_annotate_it_as_told_settles_what_waits_for_it():
    annotated = DICTS.format(annotation=": dict[str, np.ndarray]")
    assert waiting(annotated) == 0 < waiting(DICTS.format(annotation=""))
