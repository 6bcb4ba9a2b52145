"""State outside of the verified file: its siblings, the process, memory that callers still hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import FunctionVerdict, Verdict, VerifyOptions
from gpuport.verify.sessions.session import verify_paths

NUMPY = "import numpy as np\n"
COUNTING = """
log = []
count = 0

def add(v):
    global count
    log.append(v)
    count += 1
    return v
"""
# the verified module, and what a faulty port has in the place of which part of it
SIBLINGS = {
    "a list of a sibling": (
        "from p import s\ndef f(x: np.ndarray):\n    s.add(x.size)\n    return x + 1.0\n",
        ("x.size", "x.ndim"),
    ),
    "a call of a sibling is lost": (
        "from p import s\ndef f(x: np.ndarray):\n    s.add(x.size)\n    return x + 1.0\n",
        ("    s.add(x.size)\n", ""),
    ),
    "an attribute of a sibling": (
        "from . import s\ndef f(x: np.ndarray):\n    s.count = x.size\n    return x + 1.0\n",
        ("x.size", "x.ndim"),
    ),
    "an imported list": (
        "from p.s import log\ndef f(x: np.ndarray):\n    log.append(x.size)\n    return x + 1.0\n",
        ("x.size", "x.ndim"),
    ),
}


def verified(folder: Path, old: dict[str, str], new: dict[str, str]) -> dict[str, FunctionVerdict]:
    for side, files in (("old", old), ("new", new)):
        for name, text in {"__init__.py": "", **files}.items():
            file = folder / side / "p" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    options = VerifyOptions(root=folder, examples=25)
    report = verify_paths([folder / "new"], str(folder / "old"), options)
    assert not report.failed, report
    return {function.name: function for function in report.functions()}


@pytest.mark.parametrize("name", SIBLINGS)
def test_what_is_left_in_a_sibling_is_compared(name: str, tmp_path: Path) -> None:
    text, (part, fault) = SIBLINGS[name]
    old = {"s.py": COUNTING, "m.py": NUMPY + text}
    assert part in text
    wrong = verified(tmp_path, old, {**old, "m.py": NUMPY + text.replace(part, fault)})["f"]
    assert wrong.verdict is Verdict.DIFFERS, wrong
    same = verified(tmp_path, old, {**old, "m.py": NUMPY + text.replace("x + 1.0", "1.0 + x")})["f"]
    assert same.verdict is Verdict.EQUIVALENT, same


@pytest.mark.parametrize(
    "imported",
    ["from .b import g", "from p.b import g", "from . import b\ng = b.g", "import p.b\ng = p.b.g"],
)
def test_a_change_behind_two_imports_is_a_change(imported: str, tmp_path: Path) -> None:
    old = {
        "c.py": "def h(x):\n    return x * 2.0\n",
        "b.py": "from .c import h\ndef g(x):\n    return h(x)\n",
        "m.py": f"{NUMPY}{imported}\ndef f(x: np.ndarray):\n    return g(x)\n",
    }
    new = {**old, "c.py": old["c.py"].replace("2.0", "3.0")}
    assert verified(tmp_path, old, new)["f"].verdict is Verdict.DIFFERS
    assert verified(tmp_path, old, old)["f"].verdict is Verdict.UNCHANGED


def test_a_package_finds_its_own_modules(tmp_path: Path) -> None:
    start = f"{NUMPY}from .b import g\ndef f(x: np.ndarray):\n    return g(x)\n"
    old = {"__init__.py": start, "b.py": "def g(x):\n    return x * 2.0\n"}
    new = {**old, "b.py": old["b.py"].replace("2.0", "3.0")}
    assert verified(tmp_path, old, new)["f"].verdict is Verdict.DIFFERS


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("os.environ['SEEN'] = '1'", "environment"),
        ("np.set_printoptions(precision=3)", "print options"),
        ("os.chdir('..')", "working folder"),
        ("np.seterr(all='ignore')", "error state"),
    ],
)
def test_what_a_call_does_to_the_process(statement: str, where: str, verify: Any) -> None:
    text = "import os\ndef f(x: np.ndarray):\n    return x * 2.0\n"
    port = text.replace("    return", f"    {statement}\n    return")
    wrong = verify(text, port)["f"]
    assert wrong.verdict is Verdict.DIFFERS
    assert where in wrong.reason
    same = verify(port, port.replace("x * 2.0", "2.0 * x"))["f"]
    assert same.verdict is Verdict.EQUIVALENT, same


KEPT = """
known = {}

def f(x: np.ndarray):
    made = x * 2.0
    place = known.setdefault((made.shape, made.dtype.str), made)
    place[...] = made
    return place
"""


def test_a_buffer_that_callers_still_hold_is_seen(verify: Any) -> None:
    text = "def f(x: np.ndarray):\n    return x * 2.0\n"
    wrong = verify(text, KEPT)["f"]
    assert wrong.verdict is Verdict.DIFFERS
    assert "memory shared" in wrong.reason


def test_an_answer_that_both_remember_is_none(verify: Any) -> None:
    text = """
    import functools

    @functools.lru_cache(maxsize=None)
    def table(n):
        return np.arange(n) * 2.0

    def f(x: np.ndarray):
        return table(x.size)
    """
    same = verify(text, text.replace("np.arange(n) * 2.0", "2.0 * np.arange(n)"))["f"]
    assert same.verdict is Verdict.EQUIVALENT, same


GENERATORS = {
    "NumPy's": ("np.random.default_rng(3)", "g.normal(size=x.shape)", "g.uniform(size=x.shape)"),
    "NumPy's old one": ("np.random.RandomState(3)", "g.randn(*x.shape)", "g.rand(*x.shape)"),
    "Python's": ("random.Random(3)", "g.random()", "g.gauss(0.0, 1.0)"),
}


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_of_the_module_begins_alike(name: str, verify: Any) -> None:
    made, drawn, other = GENERATORS[name]
    text = f"import random\ng = {made}\ndef f(x: np.ndarray):\n    return x + {drawn}\n"
    same = verify(text, text.replace(f"x + {drawn}", f"{drawn} + x"))["f"]
    assert same.verdict is Verdict.EQUIVALENT, same
    assert verify(text, text.replace(drawn, other))["f"].verdict is Verdict.DIFFERS
    more = text.replace("    return", f"    {drawn}\n    return")
    assert verify(text, more)["f"].verdict is Verdict.DIFFERS


LOADED = "import os\ndef f(x: np.ndarray):\n    return x * 2.0\ny = f(np.ones(3))\n"


def test_what_a_function_did_while_loading_is_seen_all_the_same(verify: Any) -> None:
    port = LOADED.replace("    return", "    os.environ['SEEN'] = '1'\n    return")
    verdicts = verify(LOADED, port)
    assert verdicts["f"].verdict is Verdict.DIFFERS, verdicts["f"]
    assert verdicts["<module>"].verdict is Verdict.DIFFERS


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("np.seterr(all='ignore')", "error state"),
        ("np.set_printoptions(precision=3)", "print options"),
        ("os.environ['SEEN'] = '1'", "environment"),
    ],
)
def test_what_loading_does_to_the_process(line: str, where: str, verify: Any) -> None:
    text = f"{LOADED}{line}\n"
    lost = verify(text, LOADED.replace("x * 2.0", "2.0 * x"))["<module>"]
    assert lost.verdict is Verdict.DIFFERS
    assert where in lost.reason
    kept = verify(text, text.replace("x * 2.0", "2.0 * x"))
    assert kept["<module>"].verdict is Verdict.UNTESTED, kept["<module>"]
    assert kept["f"].verdict is Verdict.EQUIVALENT, kept["f"]
