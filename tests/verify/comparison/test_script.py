"""Programs whose module-level code runs: as far as it goes, and with what it leaves behind."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.verify.comparison.script import (
    MODULE,
    compare_modules,
    loop_counters,
    module_changed,
)
from gpuport.verify.records import Verdict
from gpuport.verify.sides.loading import execute

FUNCTION = "def f(x: np.ndarray):\n    return x * 2.0\n"
OTHER = FUNCTION.replace("x * 2.0", "2.0 * x")
WRONG = FUNCTION.replace("x * 2.0", "x * 3.0")


@pytest.mark.parametrize(
    "ending",
    [
        "import sys\nnp.save(sys.argv[2], f(np.ones(3)))\n",
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('x', type=int)\n"
        "a = p.parse_args()\n",
        "import sys\nsys.exit(1)\n",
        "data = np.load('missing.npy')\nprint(f(data))\n",
    ],
)
def test_code_that_wants_arguments_does_not_hide_the_functions(ending: str, verify: Any) -> None:
    assert verify(FUNCTION + ending, OTHER + ending)["f"].verdict is Verdict.EQUIVALENT
    found = verify(FUNCTION + ending, WRONG + ending)["f"]
    assert found.verdict is Verdict.DIFFERS
    assert any("module-level code in line" in note for note, _ in found.evidence.notes)


def test_a_failure_that_only_the_port_has_is_its_own(verify: Any) -> None:
    ending = "total = float(np.sum(f(np.ones(3))))\n"
    broken = "total = float(np.no_such(f(np.ones(3))))\n"
    verdicts = verify(FUNCTION + ending, OTHER + broken)
    assert {v.verdict for v in verdicts.values()} == {Verdict.ERROR}
    assert "module-level code in line" in verdicts["f"].reason


@pytest.mark.parametrize("text", ["import no_such_module\n", "class A(B): pass\n"])
def test_imports_and_definitions_must_succeed(text: str, verify: Any) -> None:
    verdict = verify(text + FUNCTION, text + OTHER)["f"]
    assert verdict.verdict is Verdict.UNTESTED
    assert "cannot be imported" in verdict.reason


def test_statements_keep_their_lines_and_future_imports(tmp_path: Path) -> None:
    from types import ModuleType

    file = tmp_path / "a.py"
    file.write_text('"""Text."""\nfrom __future__ import annotations\n\n\ndef f(x: Nope): pass\n')
    module = ModuleType("a")
    assert execute(module, file) == ()
    assert (module.__doc__, module.f.__code__.co_firstlineno) == ("Text.", 5)


@pytest.mark.parametrize(
    ("original", "port", "verdict", "said"),
    [
        (
            "x = np.ones(3) * 2",
            "x = np.ones(3) + 1",
            Verdict.UNTESTED,
            "leaves are equal",
        ),
        ("x = np.ones(3)", "x = np.ones(3) + 1e-3", Verdict.UNTESTED, "`x` by 0.001"),
        ("x = np.ones(3)", "x = np.ones(3, 'f')", Verdict.DIFFERS, "float32"),
        ("x = np.ones(3)", "x = 1.0", Verdict.DIFFERS, "array became float"),
        ("x = np.ones(3)", "y = np.ones(3)", Verdict.DIFFERS, "not there any more"),
        ("x = np.ones(3)", "x = np.nope(3)", Verdict.ERROR, "AttributeError"),
        ("x = np.ones(3)", "x = cp.ones(3)", Verdict.UNTESTED, "leaves are equal"),
    ],
)
def test_what_a_script_leaves_behind(
    original: str, port: str, verdict: Verdict, said: str, verify: Any
) -> None:
    found = verify(original + "\n", port + "\n")[MODULE]
    assert (found.verdict, said in found.reason) == (verdict, True), found.reason


def test_a_replay_of_a_script_needs_no_arguments(run_verify: Any, tmp_path: Path) -> None:
    ending = "import sys\nnp.save(sys.argv[1], f(np.ones(3)))\n"
    report = run_verify(tmp_path, FUNCTION + ending, WRONG + ending)
    (found,) = [v for v in report.functions() if v.name == "f"]
    replay = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*replay, str(found.counterexample.test)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "Not equal to tolerance" in done.stdout, done.stdout


def test_a_kernel_with_a_name_of_its_own_changes_no_module_level_code() -> None:
    original = ast.parse("LIMIT = 3\n\ndef f(x):\n    return x\n")
    kernel = "_f = cp.ElementwiseKernel('float64 x', 'float64 y', 'y = x;', 'f')\n"
    assert not module_changed(
        original, ast.parse("LIMIT = 3\n" + kernel + "def f(x): return _f(x)")
    )
    assert module_changed(original, ast.parse("LIMIT = cp.ElementwiseKernel('', '', '', 'f')\n"))
    assert module_changed(original, ast.parse("LIMIT = 3\n_f = build(2)\n"))


def test_a_counter_that_a_kernel_does_without(verify: Any) -> None:
    loop = "u = np.zeros(4)\nfor i in range(4):\n    u[i] = f(u)[i] + 1.0\n"
    kernel = "u = np.zeros(4)\nu[:] = f(u) + 1.0\n"
    verdicts = verify(FUNCTION + loop, OTHER + kernel)
    assert verdicts[MODULE].verdict is Verdict.UNTESTED
    assert "a loop's counter" in verdicts[MODULE].reason
    read = "last = i\n"
    wrong = verify(FUNCTION + loop + read, OTHER + kernel + read.replace("i\n", "3\n"))
    assert wrong[MODULE].verdict is Verdict.DIFFERS


@pytest.mark.parametrize(
    ("text", "counters"),
    [
        ("for i in a:\n    pass\n", {"i"}),
        ("for i in a:\n    for j, k in i:\n        b = j\nprint(k)\n", {"i", "j"}),
        ("i = 0\nfor i in a:\n    pass\n", set()),
        ("for i in a:\n    pass\ndef f():\n    return i\n", set()),
        ("def f():\n    for i in a:\n        pass\n", set()),
        ("if a:\n    for i in a:\n        pass\n", {"i"}),
    ],
)
def test_counters_of_loops(text: str, counters: set[str]) -> None:
    assert loop_counters(ast.parse(text)) == counters


class Figure:
    def __init__(self, number: int) -> None:
        self.parts = list(range(number))


def test_what_other_libraries_keep_in_their_objects_is_theirs() -> None:
    sides = [{"fig": Figure(n), "axes": (Figure(2 * n),), "x": np.ones(n)} for n in (1, 2)]
    own = Figure.__module__
    assert compare_modules(*sides, lambda v: None, own=[own])["other"] == "`fig` has other parts"
    found = compare_modules(*sides, lambda v: None)
    assert (found["other"], found["deviating"]) == (None, ["`x`: shape (1,) became (2,)"])
    other = compare_modules({"fig": Figure(1)}, {"fig": ast.Pass()}, lambda v: None)["other"]
    assert other is not None
