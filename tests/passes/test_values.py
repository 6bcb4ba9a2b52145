"""What `check --explain-values` says: the claims are those of the port, each with its source."""

import ast
import textwrap

import pytest

from gpuport.config import Config
from gpuport.passes.values import explain_line
from gpuport.records import KnownValue, LineReport
from gpuport.source.module import Module
from gpuport.source.suppression import Suppressions

PROGRAM = """\
    import json
    import numpy as np
    from scipy import ndimage

    SCALE = 2.5


    def relax(field, weights: np.ndarray, steps, extra):
        for _ in range(steps):
            field[1:-1] = 0.25 * np.roll(field, 1, 0)[1:-1] + weights[1:-1] * SCALE
        return field.sum()


    def outside(name, data):
        table = json.load(name)
        rows = table["rows"]
        scaled = np.sin(np.asarray(rows) + data)
        return scaled, data


    def main(path):
        f = np.zeros((10, 20))
        s = np.loadtxt(path)
        r = relax(f, s, 3, 2.0)
        for _ in range(3):
            g = f * s
            f = g.T
        image = ndimage.gaussian_filter(s, 2)
        np.savez(path, f=f, image=image)
        print(r)
"""


def explain(line: str, program: str = PROGRAM) -> LineReport:
    """The report of the first line that holds a piece of text."""
    text = textwrap.dedent(program)
    module = Module("program.py", text, ast.parse(text))
    number = next(n for n, one in enumerate(text.splitlines(), 1) if line in one)
    return explain_line(module, Config(), number, Suppressions.of(module))


def value(report: LineReport, text: str) -> KnownValue:
    return next(v for v in report.values if v.text == text)


def sources(known: KnownValue) -> set[str]:
    return {fact.source for fact in known.facts}


def test_parameters_tell_every_kind_of_source():
    report = explain("def relax")
    assert report.function == "relax"
    field, weights = value(report, "field"), value(report, "weights")
    assert (field.kind, weights.kind) == ("array", "array")
    assert sources(field) == {"call-site", "use"}
    assert [f.line for f in field.facts if f.source == "call-site"] == [24]
    assert sources(weights) == {"annotation"}
    assert value(report, "steps").description == "int"
    assert value(report, "extra").place == "host"


def test_what_is_moved_says_so():
    report = explain("field[1:-1] =")
    assert value(report, "field").place == "device"
    call = value(report, "np.roll(field, 1, 0)")
    assert sources(call) == {"probe"}
    assert call.effects == ("pure",)


@pytest.mark.parametrize(
    ("line", "text", "cause"),
    [
        ("rows = table", "rows", "json.load"),
        ("scaled = np", "np.asarray(rows)", "json.load"),
        ("def outside", "name", "annotate the parameter `name`"),
    ],
)
def test_the_unknown_tells_what_would_settle_it(line: str, text: str, cause: str):
    known = value(explain(line), text)
    assert known.kind == "unknown"
    assert known.place == "host"
    assert cause in (known.settle or "")


def test_bindings_that_meet_are_joined():
    f = value(explain("g = f * s"), "f")
    assert f.rank is None
    assert "join" in sources(f)
    assert {fact.line for fact in f.facts if fact.source == "binding"} == {22, 27}


def test_rules_and_functions_are_named():
    loaded = value(explain("s = np.loadtxt"), "np.loadtxt(path)")
    assert sources(loaded) == {"rule"}
    called = value(explain("r = relax"), "relax(f, s, 3, 2.0)")
    assert sources(called) == {"function"}
    assert "changes `field`" in called.effects


def test_unknown_calls_may_do_anything():
    program = """\
        import numpy as np
        from elsewhere import work

        def f(x):
            y = np.sin(x)
            work(y)
            return y
    """
    report = explain("work(y)", program)
    assert value(report, "work(y)").effects == ("may change or keep what it is given",)
    y = value(report, "y")
    assert y.place == "host"
    assert "`work` may change" in y.because


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (1, "no expression"),
        (2, "empty"),
        (5, "nothing in it speaks of arrays"),
    ],
)
def test_lines_without_values_say_why(line: int, reason: str):
    program = "import json\n\n\ndef plain():\n    return 3\n"
    module = Module("program.py", program, ast.parse(program))
    assert reason in (explain_line(module, Config(), line).reason or "")


def test_functions_that_are_left_alone_say_so():
    program = """\
        import numpy as np

        def f(x):  # gpuport: skip
            return np.sin(x)
    """
    assert "suppressed" in (explain("return np.sin", program).reason or "")


def test_a_traced_port_is_the_same_port():
    """Looking changes nothing: the text that comes out is that of a run without a trace."""
    from gpuport.passes.port import port_module

    text = textwrap.dedent(PROGRAM)
    plain = port_module(Module("p.py", text, ast.parse(text)), Config())
    watched = port_module(Module("p.py", text, ast.parse(text)), Config(), watch=lambda *seen: None)
    assert watched == plain


def test_lambdas_and_functions_without_edits_are_told_as_they_were_found():
    text = (
        "import numpy as np\n\n\ndef march(f, y):\n    for _ in range(20):\n        y = f(y)\n"
        "    return y\n\n\ndef main():\n    x = np.linspace(0.0, 1.0, 100_000)\n"
        "    print(march(lambda y: np.sin(y) * x, x).sum())\n\n\nmain()\n"
    )
    module = Module("m.py", text, ast.parse(text))
    called = explain_line(module, Config(), 6)
    assert called.reason is None
    assert {(v.text, v.place) for v in called.values} >= {("y", "device"), ("f(y)", "device")}
    inner = explain_line(module, Config(), 12)
    assert ("np.sin(y)", "device") in {(v.text, v.place) for v in inner.values}


def test_items_of_a_parameter_are_a_use_of_it():
    report = explain(
        "max(",
        "import numpy as np\n\n\ndef f(ms):\n    return max(np.linalg.norm(m) for m in ms)\n",
    )
    (given,) = [value for value in report.values if value.text == "ms"]
    assert any(": `ms`" in fact.message and "line 5" in fact.message for fact in given.facts)
