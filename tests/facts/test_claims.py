"""All that is claimed of whole programs holds when they run."""

from __future__ import annotations

import builtins
import contextlib
import io
import sys
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

from gpuport.facts import infer
from gpuport.facts.claims import Tally, check_claims
from gpuport.ir import walk
from gpuport.lower import lower

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests/property/programs").glob("*.py"))
PROGRAMS += sorted((ROOT / "fixtures/programs").glob("*/*.py"))
#: Evaluations of an operation, in the mean over a program's contexts (a budget of the design).
MOST_EVALUATIONS = 4
#: Programs that close memory which an array of a name that is gone still holds: the interpreter
#: keeps values until their frame ends.
LIFETIMES = {"alias_memory_of_others"}


def run_tested(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Tally, float]:
    """Run a program through its IR and test each claim."""
    module = lower(path.read_text(encoding="utf-8"), "__main__")
    facts = infer([module])
    program = types.ModuleType("__main__")
    vars(program).update(__file__=str(path), __builtins__=builtins)
    monkeypatch.setitem(sys.modules, "__main__", program)
    monkeypatch.setattr(sys, "argv", [str(path), "out.npz"])
    monkeypatch.syspath_prepend(str(path.parent))
    monkeypatch.chdir(folder)
    np.random.seed(0)
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the program's
        tally = check_claims(facts, vars(program))
    count = sum(
        len(facts.contexts[function]) * sum(1 for _ in walk(function.body))
        for function in module.functions
        if function in facts.contexts
    )
    return tally, facts.evaluations / count


@pytest.mark.sampled(25)
@pytest.mark.parametrize(
    "path", [p for p in PROGRAMS if p.stem not in LIFETIMES], ids=lambda path: path.stem
)
def test_claims_hold_when_the_program_runs(path, tmp_path, monkeypatch):
    tally, evaluations = run_tested(path, tmp_path, monkeypatch)
    assert tally.wrong == []
    assert tally.tested > 0
    assert evaluations <= MOST_EVALUATIONS


def test_a_wrong_claim_is_found():
    module = lower("import numpy as np\nx = np.zeros(3)\ny = x + 1\n", "__main__")
    facts = infer([module])
    (context,) = facts.contexts[module.body]
    for value, t in list(context.types.items()):
        if value.name == "y":
            context.types[value] = t.but(dtype="float32")
    assert any("claimed array float32" in wrong for wrong in check_claims(facts, {}).wrong)
