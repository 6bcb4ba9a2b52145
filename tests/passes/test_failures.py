"""What goes wrong with one function, or takes too long, leaves that function alone."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest

from gpuport.analysis.project import failures
from gpuport.analysis.statements import statements
from gpuport.config import Config
from gpuport.passes import onepass
from gpuport.porter import port_text
from gpuport.records import FileReport, Severity
from gpuport.source.reading import decode

GOOD = "def good(x: np.ndarray):\n    return np.sin(x) + 1.0\n"
OF_FUNCTION = "def bad(x: np.ndarray):\n    assert True\n    return np.cos(x)\n"
OF_INNER = """\
def around(x: np.ndarray):
    def bad(y):
        assert True
        return np.cos(y)
    return bad(x) * 2.0


print(around(np.ones(9)))
"""
OF_METHOD = """\
class Model:
    def __init__(self):
        self.u = np.zeros(9)

    def bad(self):
        assert True
        self.u = np.cos(self.u)
"""
OF_CALLED = OF_FUNCTION + "\n\ndef caller(x: np.ndarray):\n    return np.exp(bad(x))\n"


def port(*parts: str, **config: Any) -> FileReport:
    text = "\n\n".join(["import numpy as np\n", *parts])
    return port_text("module.py", decode(text.encode()), Config(**config))


def codes(report: FileReport) -> list[str]:
    return [found.code for found in report.findings]


@pytest.fixture
def mistaken(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Makes the analysis of every `assert` raise."""

    def fail_with(error: Exception) -> None:
        def fails(*_: object) -> None:
            raise error

        monkeypatch.setitem(statements._HANDLERS, ast.Assert, fails)

    return fail_with


@pytest.mark.parametrize("bad", [OF_FUNCTION, OF_INNER, OF_METHOD, OF_CALLED, OF_FUNCTION * 3])
@pytest.mark.parametrize("error", [IndexError("list index out of range"), AssertionError()])
def test_a_mistake_in_one_function_leaves_it_alone_and_is_told(
    mistaken: Callable[[Exception], None], bad: str, error: Exception
):
    mistaken(error)
    report = port(GOOD, bad)
    assert report.error is None
    assert report.after is not None
    assert "return cp.sin(x) + 1.0" in report.after
    assert bad.split("assert")[1] in report.after
    (told, *_) = [found for found in report.findings if found.code == "GP999"]
    assert told.severity is Severity.ERROR
    assert (told.function or "").rpartition(".")[2] == "bad"
    assert type(error).__name__ in told.message
    assert "report" in (told.help or "")


def test_a_mistake_with_the_code_at_the_top_leaves_the_functions_to_be_ported(
    mistaken: Callable[[Exception], None],
):
    mistaken(KeyError("x"))
    report = port(GOOD, "assert True\nprint(np.sum(good(np.ones(9))))\n")
    assert "GP999" in codes(report)
    assert "cp.sin(x)" in (report.after or "")


def test_a_mistake_with_the_edits_of_a_function(monkeypatch: pytest.MonkeyPatch):
    propose = onepass.propose

    def fails(analysed: Any, *others: Any) -> onepass.Proposal:
        if analysed.unit.name == "bad" and analysed.unit.refusal is None:
            raise ZeroDivisionError
        return propose(analysed, *others)

    monkeypatch.setattr(onepass, "propose", fails)
    report = port(GOOD, OF_CALLED)
    assert codes(report).count("GP999") == 1
    assert "cp.sin(x)" in (report.after or "")
    assert "return np.cos(x)" in (report.after or "")


def test_a_mistake_that_is_no_functions_leaves_the_file_alone(monkeypatch: pytest.MonkeyPatch):
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(onepass, "choose", fails)
    report = port(GOOD)
    assert report.error is not None
    assert "internal error: ZeroDivisionError" in report.error.message


def test_debugging_shows_the_traceback(mistaken: Callable[[Exception], None]):
    mistaken(IndexError("here"))
    report = port(GOOD, OF_FUNCTION, debug=True)
    assert report.error is not None
    assert "Traceback" in report.error.message
    assert "IndexError: here" in report.error.message


def test_what_takes_too_many_steps_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(failures, "_MOST_STEPS", 300)
    long = "def long(x: np.ndarray):\n" + "    x = np.sin(x) * 2.0 + x\n" * 60 + "    return x\n"
    report = port(GOOD, long)
    assert codes(report).count("GP916") == 1
    assert report.after is not None
    assert "cp.sin(x) + 1.0" in report.after
    assert long in report.after


def test_steps_are_counted_alike_each_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(failures, "_MOST_STEPS", 300)
    text = "def f(x: np.ndarray):\n" + "    x = np.sin(x) * 2.0 + x\n" * 30 + "    return x\n"
    assert port(text) == port(text)


@pytest.mark.parametrize(
    "deep",
    [
        "    return " + "np.sin(" * 190 + "x" + ")" * 190 + "\n",
        "    if n == 0:\n        y = x\n"
        + "".join(f"    elif n == {k}:\n        y = np.sin(x) + {k}\n" for k in range(450))
        + "    return y\n",
    ],
    ids=["calls", "elif"],
)
def test_what_is_nested_too_deeply_is_left_alone(deep: str):
    report = port(GOOD, "def deep(x: np.ndarray, n: int):\n" + deep)
    assert report.error is None
    assert codes(report).count("GP916") == 1
    assert "cp.sin(x) + 1.0" in (report.after or "")


def test_numbers_of_thousands_of_digits_are_left_alone():
    text = f"def f(x: np.ndarray, n: int):\n    return x[n] + 0x{'f' * 6000}\n"
    report = port(GOOD, text)
    assert report.error is None
    assert [found.function for found in report.findings if found.code == "GP916"] == ["f"]
    assert "cp.sin(x) + 1.0" in (report.after or "")


@pytest.mark.parametrize(
    "bounds",
    [
        "10 ** 10 ** 10", "1 << 10 ** 10", "0, 2 ** 2 ** 40, 7 ** 7 ** 7", "9" * 40, "2 ** 70",
        "-(9 ** 9 ** 9), 5", "((10 ** 60) ** 60) ** 60", "max(range(10 ** 11))",
        "len(range(10 ** 30))",
    ],
)  # fmt: skip
def test_a_range_of_any_length_is_only_a_range(bounds: str):
    text = (
        "def f(x: np.ndarray, y: np.ndarray):\n"
        f"    for i in range({bounds}):\n"
        "        y[i] = x[i] * 2.0\n"
        "    return y\n"
    )
    report = port(text, GOOD)
    assert report.error is None
    assert "GP999" not in codes(report)
    assert bounds in (report.after or "")


@pytest.mark.parametrize(
    "line",
    [
        "s += np.sum(x[()])", "x[()] += 1.0", "y[i] = x[i][()]", "y[()] = x", "y[i, ()] = x[i]",
        "np.add.at(y, (), 1.0)", "y[()] = x[()]", "s += x.T[()].sum()", "y[[]] = x[[]]",
        "s += np.take(x, ()).sum()", "() = x[:0]",
    ],
)  # fmt: skip
def test_an_empty_tuple_is_an_index_as_any_other(line: str):
    text = (
        "def f(x: np.ndarray, y: np.ndarray, n: int):\n"
        f"    s = 0.0\n    for i in range(n):\n        {line}\n    return s\n"
    )
    report = port(text, GOOD)
    assert report.error is None
    assert "GP999" not in codes(report)


def test_many_loops_in_one_function_are_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(failures, "_MOST_STEPS", 20_000)
    loop = "    for i in range(1, n):\n        y[i] = x[i] * 2.5 + y[i]\n"
    many, few = ("def {}(x, y, n):\n" + loop * count + "    return y\n" for count in (40, 2))
    report = port(many.format("many"), few.format("few"))
    assert [found.function for found in report.findings if found.code == "GP916"] == ["many"]
    assert "@kernel(" in (report.after or "")
