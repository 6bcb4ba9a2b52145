"""Faults that show for inputs alone that programs seldom get: dtypes, ends, layouts, likeness."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.signatures.masks import possible_masks

# what the original returns, and what a faulty port does
FAULTS = {
    "a mask": ("x.sum(axis=0)", "x.any(axis=0) if x.dtype == bool else x.sum(axis=0)"),
    "a mask turned": ("x[::-1].copy()", "~x[::-1] if x.dtype == bool else x[::-1].copy()"),
    "a sum that wraps": (
        "x.sum(axis=-1)",
        "x.sum(axis=-1) % 256 if x.dtype == np.uint8 else x.sum(axis=-1)",
    ),
    "the lowest of eight bits": (
        "np.abs(x)",
        "np.abs(x.astype(int)).clip(0, 127).astype(x.dtype) if x.dtype == np.int8 else np.abs(x)",
    ),
    "the lowest of 32 bits": (
        "np.abs(x)",
        "np.where(x == -(2**31), 2**31 - 1, np.abs(x)).astype(x.dtype)"
        " if x.dtype == np.int32 else np.abs(x)",
    ),
    "beyond signed ones": (
        "np.sort(x)",
        "np.sort(x.astype(np.int64)).astype(x.dtype) if x.dtype == np.uint64 else np.sort(x)",
    ),
    "beyond what a float tells apart": (
        "x.max(axis=0)",
        "x.astype(float).max(axis=0).astype(x.dtype) if x.dtype == np.int64 else x.max(axis=0)",
    ),
    "complex numbers that are real": (
        "np.log(x)",
        "np.log(x.real).astype(x.dtype) if x.dtype.kind == 'c' and not x.imag.any()"
        " and x.size > 1 else np.log(x)",
    ),
    "a NaN in the imaginary part": ("np.isnan(x).sum()", "np.isnan(x.real).sum()"),
    "complex numbers of equal real parts": (
        "np.sort(x)",
        "x[np.argsort(x.real, kind='stable')] if x.dtype.kind == 'c' and x.ndim == 1"
        " else np.sort(x)",
    ),
    "a NaN at the end": (
        "np.max(x, axis=-1)",
        "np.max(x[:-1]) if x.ndim == 1 and x.size > 2 and np.isnan(x[-1])"
        " and not np.isnan(x[:-1]).any() else np.max(x, axis=-1)",
    ),
    "an infinity in front": (
        "x - x.max()",
        "x - x[1:].max() if x.ndim == 1 and x.size > 3 and x[0] == np.inf"
        " and np.isfinite(x[1:]).all() else x - x.max()",
    ),
    "rows of a wider table": (
        "x + 1",
        "x + 2 if x.ndim == 2 and not x.flags.forc and x.strides[1] == x.itemsize else x + 1",
    ),
    "the last axis turned round": (
        "x + 1",
        "x + 2 if x.ndim == 2 and x.strides[1] < 0 < x.strides[0] else x + 1",
    ),
}
PAIRS = {
    "a NaN that equals itself": ("np.allclose(x, y)", "np.allclose(x, y, equal_nan=True)"),
    "a NaN in one of two": (
        "np.maximum(x, y)",
        "np.fmax(x, y) if not np.isnan(y).any() else np.maximum(x, y)",
    ),
}


@pytest.fixture(scope="module")
def verdicts(run_verify: Any, wanted: Any, tmp_path_factory: Any) -> Any:
    """Of all functions, which are verified together."""
    texts = ["", ""]
    for cases, names in ((FAULTS, "x"), (PAIRS, "x, y")):
        taken = "".join(f"    {n} = np.asarray({n})\n" for n in names.split(", "))
        for name, expressions in wanted(cases).items():
            for side, expression in enumerate(expressions):
                head = f"def {name.replace(' ', '_')}({names}):\n{taken}"
                texts[side] += f"{head}    return {expression}\n\n"
    folder: Path = tmp_path_factory.mktemp("seldom")
    report = run_verify(folder, *texts, VerifyOptions(root=folder))
    return {found.name: found for found in report.functions()}


@pytest.mark.parametrize("name", [*FAULTS, *PAIRS])
def test_a_fault_that_shows_seldom_is_no_equivalence(name: str, verdicts: Any) -> None:
    found = verdicts[name.replace(" ", "_")]
    assert found.verdict is Verdict.DIFFERS, found


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("return np.sort(x)[::-1]", True),
        ("y = np.asarray(x)\n    return y[y > 0].sum() / 2", True),
        ("return 2 * x", False),
        ("y = x[1:]\n    return y - 1", False),
        ("for v in x:\n        yield v * 2", False),
        ("return np.diff(x)", False),
        ("return own(x)", False),
        ("return x.cumprod()", False),
    ],
)
def test_masks_are_what_nothing_is_calculated_with(text: str, may: bool) -> None:
    (node,) = ast.parse(f"def f(x):\n    {text}\n").body
    assert isinstance(node, ast.FunctionDef)
    assert ("x" in possible_masks(node)) is may


def test_a_rewrite_that_booleans_tell_apart_is_harmless_where_there_are_none(verify: Any) -> None:
    text = "def f(x):\n    x = np.asarray(x)\n    return {}\n"
    for before, after in (("2 * x", "x + x"), ("x ** 2", "x * x")):
        found = verify(text.format(before), text.format(after), None)["f"]
        assert found.verdict is Verdict.EQUIVALENT, found
