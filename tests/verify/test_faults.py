"""Planted porting faults must be found; harmless rewrites must not be reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import FunctionVerdict, Verdict, VerifyOptions

# name -> (signature, body of the original, body of the port)
X = "x: np.ndarray"
FAULTS = {
    "lost_ddof": (X, "return np.var(x, ddof=1)", "return cp.asnumpy(cp.var(x))[()]"),
    "order_of_memory": (
        X,
        "return np.sin(x).reshape(-1, order='A')",
        "return cp.sin(x).reshape(-1)",
    ),
    "wrong_axis": (X, "return np.sum(x, axis=0)", "return cp.sum(x, axis=-1)"),
    "off_by_one": (X, "return x[1:] - x[:-1]", "return x[1:-1] - x[:-2]"),
    "dropped_keepdims": (
        X,
        "return np.max(x, axis=0, keepdims=True)",
        "return cp.max(x, axis=0)",
    ),
    "mutation_lost": (X, "x *= 2\n    return x.sum()", "x = x * 2\n    return x.sum()"),
    "zero_d_for_scalar": (X, "return float(np.sum(x))", "return cp.sum(x)"),
    "swapped_arguments": (
        "x: np.ndarray, y: np.ndarray",
        "return x - y",
        "return cp.subtract(y, x)",
    ),
    "float32_literal": (X, "return x * 0.1", "return x * cp.float32(0.1)"),
    "nan_ignoring_max": (X, "return np.max(x, axis=0)", "return cp.nanmax(x, axis=0)"),
    "truncation_for_floor": (X, "return np.floor(x)", "return cp.trunc(x)"),
    "half_away_rounding": (
        X,
        "return np.round(x)",
        "return cp.sign(x) * cp.floor(cp.abs(x) + 0.5)",
    ),
    "dtype_default": (X, "return np.zeros(x.shape, x.dtype)+x", "return cp.zeros(x.shape)+x"),
    "missing_last_element": (
        X,
        "y = x.copy()\n    y[...] = x + 1\n    return y",
        "y = x.copy()\n    y[:-1] = x[:-1] + 1\n    return y",
    ),
    "wrong_function": (X, "return np.sinh(x)", "return cp.tanh(x)"),
    "identity_lost": (X, "x += 1\n    return x", "x += 1\n    return x.copy()"),
    "lost_abs": (X, "return np.sqrt(np.abs(x))", "return cp.sqrt(x)"),
    "fmod_for_mod": (X, "return np.mod(x, 3.0)", "return cp.fmod(x, 3.0)"),
    "searchsorted_side": (
        "x: np.ndarray",
        "return np.searchsorted(np.sort(x.ravel()), x.ravel(), side='right')",
        "return cp.searchsorted(cp.sort(x.ravel()), x.ravel(), side='left')",
    ),
    "error_swallowed": (
        X,
        "if x.ndim != 1:\n        raise ValueError('one axis')\n    return x * 2",
        "return x * 2",
    ),
    "argmax_last": (
        "x: np.ndarray",
        "return np.argmax(x)",
        "return x.size - 1 - cp.argmax(x.ravel()[::-1])",
    ),
    "lost_branch": (
        "x: np.ndarray, shift: bool",
        "if shift:\n        x = x + 1\n    return x * 2",
        "return x * 2",
    ),
    "tuple_to_list": (X, "return x + 1, x - 1", "return [x + 1, x - 1]"),
    "inclusive_scan": (
        X,
        "return np.cumsum(x.ravel()) - x.ravel()",
        "return cp.cumsum(x.ravel())",
    ),
    "conjugate_lost": (X, "return np.conj(x) * 2", "return x * 2"),
    "small_constant_error": (X, "return x * 3.0 + 1e-9", "return x * 3.0"),
    "less_equal_of_two_arrays": (
        "x: np.ndarray, y: np.ndarray",
        "return np.where(x <= y, 1.0, 2.0)",
        "return cp.where(x < y, 1.0, 2.0)",
    ),
    "less_equal_of_a_number": (
        "x: np.ndarray, level: float",
        "return (np.sqrt(np.abs(x)) * (x >= level)).sum()",
        "return (cp.sqrt(cp.abs(x)) * (x > level)).sum()",
    ),
    "less_equal_of_no_round_numbers": (
        "x: np.ndarray, level: float",
        "assert not (np.round(x, 9) == x).any()\n    return np.where(x <= level, 1.0, 2.0)",
        "assert not (np.round(x, 9) == x).any()\n    return np.where(x < level, 1.0, 2.0)",
    ),
    "closeness_for_equality": (
        "x: np.ndarray, y: np.ndarray",
        "return np.where(x == y, 1.0, x)",
        "return cp.where(cp.abs(x - y) <= 1e-15 * cp.abs(x), 1.0, x)",
    ),
    "single_precision_comparison": (
        "x: np.ndarray, level: float",
        "return np.count_nonzero(x > level)",
        "return int(cp.count_nonzero(x.astype('float32') > cp.float32(level)))",
    ),
    "side_of_the_edges": (
        "edges: np.ndarray, x: np.ndarray",
        "return np.searchsorted(np.sort(edges.ravel()), x, side='right')",
        "return cp.searchsorted(cp.sort(edges.ravel()), x, side='left')",
    ),
    "optional_axis_ignored": (
        "x: np.ndarray, axis=None",
        "return x.max(axis=axis, keepdims=True)",
        "return x.max(keepdims=True)",
    ),
    "optional_scale_ignored": (
        "x: np.ndarray, scale=None",
        "return np.multiply(x, scale or 1.0)",
        "return x * 1.0",
    ),
    "raises_on_empty": (
        X,
        "return np.sum(x) / max(x.size, 1)",
        "return cp.sum(x) / (x.size // x.size) / x.size",
    ),
}

BENIGN = {
    "square": (X, "return x ** 2 + 1", "return x * x + 1"),
    "reordered_sum": (X, "return np.sum(x)", "return cp.sum(x.ravel()[::-1])"),
    "loop_sum": (
        "x: np.ndarray",
        "s = 0.0\n    for v in x.ravel():\n        s += float(abs(v))\n    return s",
        "return float(cp.asnumpy(cp.sum(cp.abs(x.ravel()), dtype='float64'))[()])",
    ),
    "variance": (
        X,
        "return np.var(x)",
        "d = x - x.mean()\n    return (d * d.conj()).real.mean()",
    ),
    "reciprocal": (X, "return x / 3.0", "return x * (1.0 / 3.0)"),
    "in_place": (X, "x[...] = x + 1\n    return None", "x += 1"),
    "logsumexp": (
        "x: np.ndarray",
        "m = x.max()\n    return np.log(np.exp(x - m).sum()) + m",
        "m = cp.max(x)\n    return m + cp.log(cp.sum(cp.exp(x - m)))",
    ),
    "matmul": (
        "x: np.ndarray, y: np.ndarray",
        "return np.dot(x, y)",
        "return cp.dot(x, y)",
    ),
    "larger_sum": (
        "x: np.ndarray, y: np.ndarray",
        "return np.abs(x).sum() > np.abs(y).sum(), np.sum(np.log1p(np.abs(x)) > np.abs(y))",
        "return (cp.abs(x.ravel()[::-1]).sum() > cp.abs(y).sum(),"
        " cp.sum(cp.log1p(cp.abs(x)) > cp.abs(y)))",
    ),
    "half": (X, "return x / 2", "return x * 0.5"),
    "differences": (X, "return np.diff(x, axis=0)", "return x[1:] - x[:-1]"),
    "where": (X, "return np.where(x > 0, x, 0)", "return cp.where(x > 0, x, 0)"),
    "same_object": (X, "x += 1.5\n    return x", "x += 3.0 / 2\n    return x"),
}

LAW = (Verdict.DIFFERS, Verdict.ERROR)


def module(cases: dict[str, tuple[str, str, str]], port: bool) -> str:
    parts = []
    for name, (parameters, original, ported) in cases.items():
        arrays = [p.split(":")[0].strip() for p in parameters.split(",") if "ndarray" in p]
        body = ported if port else original
        names = ", ".join(f'"{a}"' for a in arrays)
        writes = [a for a in arrays if f"{a} +=" in body or f"{a}[...] =" in body]
        writes += ["x"] if "x *=" in body else []
        decorator = f"@device({names}, writes={tuple(writes)!r})\n" if port else ""
        parts.append(f"{decorator}def {name}({parameters}):\n    {body}\n")
    return "\n\n".join(parts)


def judged(cases: dict[str, Any], folder: Path, run_verify: Any) -> dict[str, FunctionVerdict]:
    texts = module(cases, port=False), module(cases, port=True)
    report = run_verify(folder, *texts, VerifyOptions(root=folder, examples=60))
    assert not report.failed, report
    return {function.name: function for function in report.functions()}


@pytest.fixture(scope="module")
def faults(tmp_path_factory: Any, wanted: Any, run_verify: Any) -> dict[str, Any]:
    return judged(wanted(FAULTS), tmp_path_factory.mktemp("faults"), run_verify)


@pytest.fixture(scope="module")
def benign(tmp_path_factory: Any, wanted: Any, run_verify: Any) -> dict[str, Any]:
    cases = {"reordered_sum": BENIGN["reordered_sum"], **wanted(BENIGN)}
    return judged(cases, tmp_path_factory.mktemp("benign"), run_verify)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(faults: dict[str, FunctionVerdict], name: str) -> None:
    verdict = faults[name]
    assert verdict.verdict in LAW, verdict
    assert verdict.counterexample is not None
    assert verdict.counterexample.data.exists()


@pytest.mark.parametrize("name", BENIGN)
def test_a_harmless_rewrite_is_equivalent(benign: dict[str, FunctionVerdict], name: str) -> None:
    verdict = benign[name]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    assert "not run on a GPU" in verdict.reason
    assert verdict.evidence.accepted >= 10
    assert dict(verdict.evidence.counters)["h2d"] > 0


def test_an_accepted_deviation_is_recorded(benign: dict[str, FunctionVerdict]) -> None:
    evidence = benign["reordered_sum"].evidence
    assert evidence.errors.ulp > 0
    assert evidence.looseness
