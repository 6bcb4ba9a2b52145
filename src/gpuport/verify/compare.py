"""Strict comparison of two outcomes; the only looseness is the original's own response to one ULP.

There is no relative tolerance to turn up. A float may deviate by ``c * u * |original|``,
``c = 8 + 2 log2 n`` (n: elements of the largest input, u: unit roundoff), plus eight times what
the original's own result moves when each input moves by one ULP.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.observe import Leaf, Observation
from gpuport.verify.records import Errors

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b")
_EXCLUDED_SHARE = 0.05
_VALUE_KINDS = ("array", "device", "numpy scalar", "float", "int", "bool", "complex")


@dataclass(slots=True)
class Comparison:
    """The outcome: ``difference`` is None where everything holds, else what differs and where."""

    difference: str | None = None
    where: str = ""
    compared: int = 0
    errors: Errors = field(default_factory=Errors)
    looseness: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Policy:
    """What a comparison may use.

    ``elements`` counts the largest input; ``smooth`` says that exact ties have measure zero in
    this input, so that a jump of the original under one ULP may be excluded; ``device`` that the
    port was called with device arrays and may answer with them; ``single`` that float32 is among
    the inputs, whose subnormals CuPy flushes to zero.
    """

    responses: Callable[[], Sequence[Observation]] = tuple
    elements: int = 1
    smooth: bool = False
    device: bool = False
    single: bool = False


def compare(original: Observation, port: Observation, policy: Policy) -> Comparison:
    """Compare the outcomes of two calls that both returned.

    Parameters
    ----------
    original, port : Observation
    policy : Policy

    Returns
    -------
    Comparison
    """
    result = Comparison()
    if port.identity != original.identity:
        result.difference = (
            f"identity of results and arguments: {_listed(original.identity)} in the original, "
            f"{_listed(port.identity)} in the port"
        )
        result.where = "result"
        return result
    for missing in set(original.views) - set(port.views):
        result.notes[f"view lost: {missing}"] += 1
    for first, second in zip(original.leaves, port.leaves, strict=False):
        result.difference = _compare_leaf(first, second, original, policy, result)
        if result.difference is not None:
            result.where = first.path
            return result
    if len(original.leaves) != len(port.leaves):
        result.difference, result.where = "structure: different number of parts", "result"
        return result
    _compare_printed(original.printed, port.printed, result)
    return result


def _listed(pairs: Sequence[str]) -> str:
    return ", ".join(pairs) or "none"


def _compare_printed(original: str, port: str, result: Comparison) -> None:
    if original == port:
        return
    if _NUMBER.sub("#", original).split() != _NUMBER.sub("#", port).split():
        result.difference, result.where = f"printed text: {original!r} became {port!r}", "stdout"
    else:
        result.notes["printed numbers differ"] += 1


def _compare_leaf(
    first: Leaf, second: Leaf, original: Observation, policy: Policy, result: Comparison
) -> str | None:
    if first.path != second.path:
        return f"structure: {first.path} against {second.path}"
    if not _same_kind(first, second, policy):
        return f"type: {_kind(first)} became {_kind(second)}"
    if first.kind == "opaque":
        result.notes[f"not compared: {first.value}"] += 1
        return None if first.value == second.value else f"type: {first.value} -> {second.value}"
    if first.kind not in _VALUE_KINDS:
        result.compared += first.kind == "text"
        same = first.value == second.value
        return None if same else f"{first.kind}: {first.value} became {second.value}"
    result.compared += 1
    return _compare_values(first, second, original, policy, result)


def _same_kind(first: Leaf, second: Leaf, policy: Policy) -> bool:
    if first.kind == second.kind:
        return True
    if not policy.device or second.kind != "device":
        return False
    return first.kind == "array" or (first.kind == "numpy scalar" and second.value.ndim == 0)


def _kind(leaf: Leaf) -> str:
    names = {"device": "a CuPy array", "array": "a NumPy array", "numpy scalar": "a NumPy scalar"}
    if leaf.kind in ("float", "int", "bool", "complex"):
        return f"a Python {leaf.kind}"
    return names.get(leaf.kind, leaf.kind if leaf.kind == "text" else str(leaf.value))


def _compare_values(
    first: Leaf, second: Leaf, original: Observation, policy: Policy, result: Comparison
) -> str | None:
    if first.kind == "int":
        same = first.value == second.value  # arbitrary size: never through NumPy
        return None if same else f"value: {first.value} became {second.value}"
    a, b = np.asarray(first.value), np.asarray(second.value)
    if a.dtype != b.dtype:
        return f"dtype: {a.dtype} became {b.dtype}"
    if a.shape != b.shape:
        return f"shape: {a.shape} became {b.shape}"
    if a.ndim > 1 and a.flags.f_contiguous != b.flags.f_contiguous and first.kind == "array":
        result.notes["memory order"] += 1
    bad = _exactly_unequal(a, b)
    if a.dtype.kind in "fc":
        return _compare_floats(first.path, a, b, bad, policy, result)
    if not bad.any():
        return None
    return _judge(first.path, a, b, bad, policy, result)


def _exactly_unequal(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    with np.errstate(all="ignore"):
        if a.dtype.kind in "fcmM":
            return np.asarray(~((a == b) | ((a != a) & (b != b))))
        return np.asarray(a != b)


def _parts(values: NDArray[Any]) -> NDArray[Any]:
    """Real and imaginary part side by side; a float array as it is."""
    if values.dtype.kind != "c":
        return values
    return np.stack([values.real, values.imag])


def _compare_floats(
    path: str,
    a: NDArray[Any],
    b: NDArray[Any],
    bad: NDArray[np.bool_],
    policy: Policy,
    result: Comparison,
) -> str | None:
    x, y = _parts(a), _parts(b)
    if bool(((x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))).any()):
        result.notes["signed zero"] += 1
    if a.dtype.kind == "c":
        bad = _exactly_unequal(x, y)
    if not bad.any():
        return None
    shown = path
    with np.errstate(all="ignore"):
        effect, jumps = _response(path, x, a.dtype.kind == "c", policy)
        eps = float(np.finfo(x.dtype).eps)
        factor = 8 + 2 * math.log2(max(policy.elements, 2))
        magnitude = np.abs(a) if a.dtype.kind == "c" else np.abs(x)
        slack = factor * 0.5 * eps * magnitude + 8 * effect + np.finfo(x.dtype).smallest_subnormal
        deviation = np.abs(y - x)
        ok = ~bad | (np.isfinite(x) & np.isfinite(y) & (deviation <= slack))
        # a float32 intermediate is flushed too, whatever it is promoted to afterwards
        flushed = bad & (np.maximum(np.abs(x), np.abs(y)) < np.finfo(np.float32).tiny)
        if flushed.any() and (policy.single or x.dtype == np.float32):
            result.notes["float32 subnormals flushed to zero"] += 1
            ok |= flushed
        within = bad & (deviation <= slack) & np.isfinite(deviation)
    _record(result, x[within], deviation[within])
    if within.any():
        result.looseness["inside the original's response to one ULP and rounding"] += 1
    if bool(ok.all()):
        return None
    return _judge(shown, x, y, ~ok, policy, result, jumps)


def _record(result: Comparison, expected: NDArray[Any], deviation: NDArray[Any]) -> None:
    if expected.size == 0:
        return
    with np.errstate(all="ignore"):
        spacing = np.abs(np.spacing(expected))
        relative = np.where(expected != 0, deviation / np.abs(expected), 0)
        errors = Errors(
            float(deviation.max()), float(relative.max()), float((deviation / spacing).max())
        )
    result.errors = result.errors.join(errors)


def _response(
    path: str, x: NDArray[Any], is_complex: bool, policy: Policy
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """How far the original moves under one ULP, elementwise, and where it jumps."""
    effect = np.zeros(x.shape, x.dtype)
    jumps = np.zeros(x.shape, bool)
    for other in _matching(path, x if not is_complex else x[0], policy):
        moved = _parts(np.asarray(other))
        if moved.shape != x.shape or moved.dtype != x.dtype:
            continue
        change = np.abs(moved - x)
        jumps |= np.isfinite(moved) != np.isfinite(x)
        effect = np.maximum(effect, np.where(np.isfinite(change), change, 0))
    if effect.size:
        # an element may by chance not move in any run: the leaf's median stands in
        effect = np.maximum(effect, np.median(effect))
    return effect, jumps


def _matching(path: str, like: NDArray[Any], policy: Policy) -> list[Any]:
    found = []
    for response in policy.responses():
        for leaf in response.leaves:
            if leaf.path == path and leaf.kind in _VALUE_KINDS:
                value = np.asarray(leaf.value)
                if value.shape == like.shape:
                    found.append(leaf.value)
    return found


def _judge(
    path: str,
    a: NDArray[Any],
    b: NDArray[Any],
    bad: NDArray[np.bool_],
    policy: Policy,
    result: Comparison,
    jumps: NDArray[np.bool_] | None = None,
) -> str | None:
    """Exclude what the original itself decides by one ULP (few elements, smooth inputs only)."""
    if policy.smooth:
        if jumps is None:
            jumps = np.zeros(a.shape, bool)
            for other in _matching(path, a, policy):
                jumps |= _exactly_unequal(np.asarray(other), a)
        excluded = bad & jumps
        if excluded.sum() <= _EXCLUDED_SHARE * a.size:
            bad = bad & ~jumps
            if not bad.any():
                result.looseness["original jumps under one ULP: element excluded"] += 1
                return None
    where = np.unravel_index(int(np.argmax(bad)), bad.shape)
    place = f" at {tuple(int(i) for i in where)}" if bad.ndim else ""
    return (
        f"value: {a[where]!r} became {b[where]!r}{place} "
        f"({int(bad.sum())} of {bad.size} elements differ)"
    )
