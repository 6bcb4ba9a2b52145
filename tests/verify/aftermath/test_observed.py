"""What a call does beside giving a result: each way in which a port may silently do otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import FunctionVerdict, Verdict

X = "x: np.ndarray"
# name -> (parameters, body of the original, body of the port, what the reason names)
FAULTS = {
    "file": (
        X,
        "np.save('a.npy', x * 0.5)\n    return x.sum()",
        "np.save('a.npy', cp.asnumpy(x)[::-1] * 0.5)\n    return x.sum()",
        "file a.npy",
    ),
    "text of a file": (
        X,
        "with open('a.txt', 'w') as s:\n        s.write(f'{x.size} values')\n    return x * 2",
        "with open('a.txt', 'w') as s:\n        s.write(f'{x.size} items')\n    return x * 2",
        "file a.txt",
    ),
    "file not written": (
        X,
        "open('a.txt', 'w').close()\n    return x * 2",
        "return x * 2",
        "structure",
    ),
    "standard error": (
        X,
        "print('large', file=sys.stderr)\n    return x * 2",
        "return x * 2",
        "standard error",
    ),
    "warning of another category": (
        X,
        "warnings.warn('old', DeprecationWarning)\n    return x * 2",
        "return x * 2",
        "warnings",
    ),
    "NumPy's error state": (X, "np.seterr(all='raise')\n    return x * 2", "return x * 2", "error"),
    "written before a refusal": (
        X,
        "x[:1] = 7\n    if x.ndim > 1:\n        raise ValueError('one axis')\n    return x * 2",
        "if x.ndim > 1:\n        raise ValueError('one axis')\n    x[:1] = 7\n    return x * 2",
        "argument x, after ValueError",
    ),
    "Python's own refusal": (
        "x: np.ndarray, n: int",
        "return x * (12 // n)",
        "return x * (12 // n if n else 0)",
        "ZeroDivisionError",
    ),
    "second call": (
        X,
        "_calls.append(1)\n    return x * len(_calls)",
        "_calls[:] = [1]\n    return x * len(_calls)",
        "",
    ),
    "far smaller elements": (
        X,
        "return x / 2.0",
        "return cp.where(cp.abs(x) < 1e-3, 0.0 * x, x / 2.0)",
        "value",
    ),
}
HARMLESS = {
    "the same files": (
        X,
        "np.save('a.npy', x * 0.5)\n    return x.sum()",
        "np.save('a.npy', cp.asnumpy(x * 0.5))\n    return x.sum()",
    ),
    "a file's last digits": (
        X,
        "with open('a.txt', 'w') as s:\n        s.write(f'{x.sum():.9g}')\n    return x * 2",
        "total = cp.asnumpy(x.ravel()[::-1].sum())[()]\n"
        "    with open('a.txt', 'w') as s:\n        s.write(f'{total:.9g}')\n    return x * 2",
    ),
    "the same warning": (
        X,
        "warnings.warn(f'sum {x.size}', RuntimeWarning)\n    return x * 2",
        "warnings.warn(f'sum {x.size}', RuntimeWarning)\n    return 2 * x",
    ),
    "the same state": (
        X,
        "_calls.append(1)\n    return x * len(_calls)",
        "_calls.append(1)\n    return len(_calls) * x",
    ),
    "functions that round without telling": (
        X,
        "return np.exp(x - x) / np.exp(x - x).size",
        "z = x - x\n    return cp.exp(z - cp.log(cp.exp(z) * z.size))",
    ),
    "a view of all of it": (X, "return x.T", "return x.T"),
}
HEAD = "import sys\nimport warnings\n_calls = []\n\n\n"


def judged(verify: Any, case: tuple[str, ...], host: bool = False) -> FunctionVerdict:
    parameters, original, port = case[:3]
    names = ", ".join(f'"{p.split(":")[0].strip()}"' for p in parameters.split(",") if "nd" in p)
    decorator = "" if host else f'@device({names}, writes=("x",))\n'
    decorator = decorator if "x[" in port or host else f"@device({names})\n"
    head = HEAD.replace("\n\n\n", "\n")
    verdict: FunctionVerdict = verify(
        f"{head}def f({parameters}):\n    {original}\n",
        f"{head}{decorator}def f({parameters}):\n    {port}\n",
    )["f"]
    return verdict


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_left_beside_the_result_is_compared(verify: Any, name: str) -> None:
    verdict = judged(verify, FAULTS[name])
    assert verdict.verdict is Verdict.DIFFERS, verdict
    assert FAULTS[name][3] in verdict.reason


@pytest.mark.parametrize("name", HARMLESS)
def test_the_same_left_is_no_difference(verify: Any, name: str) -> None:
    verdict = judged(verify, HARMLESS[name])
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


def test_a_view_in_the_place_of_a_copy_differs(verify: Any) -> None:
    verdict = judged(verify, (X, "return x[1:].copy()", "return x[1:]"), host=True)
    assert verdict.verdict is Verdict.DIFFERS
    assert "view of an argument" in verdict.reason


def test_what_only_numpy_refuses_is_told(verify: Any) -> None:
    case = ("x: np.ndarray, n: int", "return x[n] * 1.0", "return x[n % x.shape[0]] * 1.0")
    notes = dict(judged(verify, case).evidence.notes)
    assert "the port takes inputs that the original refuses with IndexError" in notes


def test_other_parameters_differ(verify: Any) -> None:
    port = "def f(x: np.ndarray, gain=2.0):\n    return x * gain\n"
    verdict = verify("def f(x: np.ndarray, scale=2.0):\n    return x * scale\n", port)["f"]
    assert verdict.verdict is Verdict.DIFFERS
    assert "gain" in verdict.reason


@pytest.mark.parametrize("name", ["file", "standard error", "second call"])
def test_replays_see_it_too(verify: Any, tmp_path: Path, name: str) -> None:
    test = judged(verify, FAULTS[name]).counterexample.test  # type: ignore[union-attr]
    replay = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    assert subprocess.run(replay, cwd=tmp_path, capture_output=True, check=False).returncode == 1
    (tmp_path / "new" / "module.py").write_text((tmp_path / "old" / "module.py").read_text())
    done = subprocess.run(replay, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_two_numbers_may_be_one_object_or_two(verify: Any) -> None:
    original = """
    def extent(x: np.ndarray):
        low = high = x.ravel()[0]
        return low, high
    """
    port = """
    def extent(x: np.ndarray):
        return x.ravel()[0], x.ravel()[0]
    """
    found = verify(original, port)["extent"]
    assert not found.verdict.failing, found
