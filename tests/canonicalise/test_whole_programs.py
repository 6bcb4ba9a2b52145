"""Whole programs compute the same after every loop and chain that can be a map is one."""

from __future__ import annotations

import builtins
import contextlib
import io
import re
import signal
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.canonicalise.rewriting import canonicalise
from gpuport.facts import infer
from gpuport.ir import Module, check, prune
from gpuport.ir.interpreter import Interpreter, NeedFailed
from gpuport.lower import lower
from gpuport.parallel.dependence import check_independent

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests/property/programs").glob("*.py"))
PROGRAMS += sorted((ROOT / "fixtures/programs").glob("*/*.py"))
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf")
#: Programs that look at what the interpreter or a map does not keep: how long values live, how
#: often NumPy warns.
OTHERWISE = {
    "alias_memory_of_others",
    "found4_warnings_recorded",
    "generators_at_once",
    "generators_in_place",
    "generators_of_parts",
    "generators_that_functions_are",
}
SECONDS = 10
#: What is left of the root of a difference of equal numbers, each rounded in its own way.
ROOT_OF_A_DIGIT = 2e-8


class TooSlow(Exception):
    """A program takes too long element by element."""


def rewritten(text: str) -> tuple[Module, int]:
    module = lower(text, "__main__")
    facts = infer([module])
    count = 0
    for function in module.functions:
        contexts = facts.contexts.get(function, ())
        # what is assumed of parameters a port would ask for where the function is entered
        if contexts and not any(t.assumed for c in contexts for t in c.parameters):
            count += len(canonicalise(function, contexts, check_independent).regions)
            prune(function)
            check(function, nested=False)
    return module, count


def run(text: str, path: Path, module: Module | None, folder: Path) -> tuple[str, dict[str, Any]]:
    """What a program prints, and the arrays that it saves."""
    program = types.ModuleType("__main__")
    vars(program).update(__file__=str(path), __builtins__=builtins)
    out = io.StringIO()
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setitem(sys.modules, "__main__", program)
        patch.setattr(sys, "argv", [str(path), "out.npz"])
        patch.syspath_prepend(str(path.parent))
        patch.chdir(folder)
        np.random.seed(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if module is None:
                exec(compile(text, str(path), "exec", dont_inherit=True), vars(program))
            else:
                Interpreter(module, vars(program)).run()
    saved = {}
    for file in sorted(folder.glob("*.npz")):
        with np.load(file, allow_pickle=True) as arrays:
            saved |= {f"{file.name}/{name}": arrays[name] for name in arrays.files}
    return out.getvalue(), saved


def assert_alike(one: str, other: str) -> None:
    """Printed texts agree, numbers to nine digits: sums of a map come in another order."""
    assert NUMBER.sub("#", one) == NUMBER.sub("#", other)
    for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True):
        assert float(b) == pytest.approx(float(a), rel=1e-9, abs=1e-9, nan_ok=True)


@pytest.fixture(autouse=True)
def _time_limit() -> Iterator[None]:
    """An interpreter that goes from element to element needs minutes for large arrays."""

    def stop(number: int, frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, stop)
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.mark.sampled(25)
@pytest.mark.parametrize(
    "path", [p for p in PROGRAMS if p.stem not in OTHERWISE], ids=lambda path: path.stem
)
def test_a_rewritten_program_computes_the_same(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    module, _ = rewritten(text)
    printed, saved = run(text, path, None, tmp_path / "before")
    signal.alarm(SECONDS)
    try:
        after, arrays = run(text, path, module, tmp_path / "after")
    except NeedFailed:
        return  # a port would run the original instead
    except TooSlow:
        pytest.skip("element by element it takes too long")
    finally:
        signal.alarm(0)
    assert_alike(printed, after)
    assert arrays.keys() == saved.keys()
    for name, value in saved.items():
        assert arrays[name].dtype == value.dtype
        if value.dtype.kind in "biufc":
            np.testing.assert_allclose(arrays[name], value, rtol=1e-9, atol=ROOT_OF_A_DIGIT)
