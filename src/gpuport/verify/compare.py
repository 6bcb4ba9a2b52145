"""Strict comparison of two outcomes; what floats may deviate is in `tolerance`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.observe import VALUE_KINDS, Leaf, Observation, same_bits
from gpuport.verify.records import Errors
from gpuport.verify.tolerance import (
    EXCLUDED_SHARE,
    JUMP,
    Mask,
    Policy,
    judge_floats,
    jumps,
    unequal,
)

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b")
_OFF = " (neither side rounds anything on this input)"

__all__ = ["Comparison", "Policy", "compare"]


@dataclass(slots=True)
class Comparison:
    """The outcome: ``difference`` is None where everything holds, else what differs and where.

    ``opaque`` is the type of a part of the result that nothing is known of.
    """

    difference: str | None = None
    where: str = ""
    compared: int = 0
    opaque: str = ""
    errors: Errors = field(default_factory=Errors)
    looseness: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


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
        result.difference = _compare_leaf(first, second, policy, result)
        if result.difference is not None:
            result.where = first.path
            return result
    if len(original.leaves) != len(port.leaves):
        result.difference, result.where = "structure: different number of parts", "result"
        return result
    _compare_printed(original.printed, port.printed, policy, result)
    return result


def _listed(pairs: Sequence[str]) -> str:
    return ", ".join(pairs) or "none"


def _compare_printed(original: str, port: str, policy: Policy, result: Comparison) -> None:
    if original == port:
        return
    if _NUMBER.sub("#", original).split() != _NUMBER.sub("#", port).split():
        result.difference, result.where = f"printed text: {original!r} became {port!r}", "stdout"
        return
    first, second = _NUMBER.findall(original), _NUMBER.findall(port)
    moved = _printed_response(first, policy)
    for text, other, by in zip(first, second, moved, strict=True):
        x, y = float(text), float(other)
        allowed = _last_digit(text) + policy.factor * (by + 2.0**-53 * abs(x))
        if text != other and not (x == y or abs(x - y) <= allowed):
            result.difference = f"printed number: {text} became {other}"
            result.where = "stdout"
            return
    result.looseness["printed numbers differ in their last digits"] += 1


def _printed_response(numbers: list[str], policy: Policy) -> list[float]:
    """How far each printed number of the original moves under one ULP."""
    moved = [0.0] * len(numbers)
    for response in policy.responses:
        others = _NUMBER.findall(response.printed)
        if len(others) == len(numbers):
            pairs = zip(moved, numbers, others, strict=True)
            moved = [max(by, abs(float(b) - float(a))) for by, a, b in pairs]
    return moved


def _last_digit(text: str) -> float:
    """The unit of the last digit that a printed number shows; an integer shows all of itself."""
    digits, _, exponent = text.lower().partition("e")
    _, point, fraction = digits.partition(".")
    if "n" in digits or not (point or exponent):
        return 0.0
    return 10.0 ** (int(exponent or 0) - len(fraction))


def _compare_leaf(first: Leaf, second: Leaf, policy: Policy, result: Comparison) -> str | None:
    if first.path != second.path:
        return f"structure: {first.path} against {second.path}"
    if not _same_kind(first, second, policy):
        return f"type: {_kind(first)} became {_kind(second)}"
    if first.kind == "opaque":
        result.notes[f"not compared: {first.value}"] += 1
        if first.path.startswith("result"):
            result.opaque = str(first.value)
        return None if first.value == second.value else f"type: {first.value} -> {second.value}"
    if first.kind not in VALUE_KINDS:
        result.compared += first.kind == "text"
        same = first.value == second.value
        return None if same else f"{first.kind}: {first.value} became {second.value}"
    result.compared += 1
    return _compare_values(first, second, policy, result)


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


def _compare_values(first: Leaf, second: Leaf, policy: Policy, result: Comparison) -> str | None:
    if first.kind == "int":
        same = first.value == second.value  # arbitrary size: never through NumPy
        return None if same else f"value: {first.value} became {second.value}"
    a, b = np.asarray(first.value), np.asarray(second.value)
    if a.dtype != b.dtype:
        return f"dtype: {a.dtype} became {b.dtype}"
    if a.shape != b.shape:
        return f"shape: {a.shape} became {b.shape}"
    if a.ndim > 1 and first.order != second.order and first.kind == "array":
        result.notes["memory order"] += 1
    if same_bits(first, second):
        return None
    bad = unequal(a, b)
    if first.path in policy.unset:
        bad = bad & ~policy.unset[first.path]
    if a.dtype.kind in "fc":
        _note_zeros(a, b, result)
        outcome = judge_floats(first.path, a, b, bad, policy)
        bad = outcome.bad
        if outcome.weak:
            result.compared -= 1
            result.notes["too ill-conditioned to tell anything"] += 1
        result.errors = result.errors.join(outcome.errors)
        result.looseness.update(outcome.looseness)
        result.notes.update(outcome.notes)
    return _left(first.path, a, b, bad, policy, result)


def _note_zeros(a: NDArray[Any], b: NDArray[Any], result: Comparison) -> None:
    for x, y in ((a.real, b.real), (a.imag, b.imag)) if a.dtype.kind == "c" else ((a, b),):
        if bool(((x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))).any()):
            result.notes["signed zero"] += 1


def _left(
    path: str, a: NDArray[Any], b: NDArray[Any], bad: Mask, policy: Policy, result: Comparison
) -> str | None:
    """What stays unequal; few elements that the original itself decides by one ULP do not."""
    if not bad.any():
        return None
    if policy.smooth and not policy.exact:
        excluded = bad & jumps(path, a, policy)
        if excluded.sum() <= EXCLUDED_SHARE * a.size:
            bad = bad & ~excluded
            if not bad.any():
                result.looseness[JUMP] += 1
                return None
    where = np.unravel_index(int(np.argmax(bad)), bad.shape)
    place = f" at {tuple(int(i) for i in where)}" if bad.ndim else ""
    exact = _OFF if policy.exact and a.dtype.kind in "fc" else ""
    return (
        f"value: {a[where]!r} became {b[where]!r}{place} "
        f"({int(bad.sum())} of {bad.size} elements differ){exact}"
    )
