"""Strict comparison of two outcomes; what floats may deviate is in `tolerance`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.aftermath.leaves import (
    EARLIER_RESULT,
    HELD,
    PRINTED,
    VALUE_KINDS,
    Leaf,
    Observation,
    same_bits,
)
from gpuport.verify.aftermath.modulestate import STATE
from gpuport.verify.aftermath.observed import EARLIER, EMPTY, KEPT, OF_MODULE
from gpuport.verify.comparison.printed import LAST_DIGITS, compare_texts
from gpuport.verify.execution.tolerance import (
    EXCLUDED_SHARE,
    JUMP,
    Mask,
    Policy,
    judge_floats,
    jumps,
    unequal,
)
from gpuport.verify.records import Errors

# leaves that a program makes: its texts may have numbers in them
_OF_THE_PROGRAM = ("result", "argument ", STATE)
_GIVEN = "argument "
IDENTITY = "identity of results and arguments"
OPEN_IDENTITY = "left open: whether arrays on the device are the same"
WEAK = "too ill-conditioned to tell anything"
_WHERE_LOWEST = 4  # bytes of the integers that an impossible cast gives the lowest value of
_OFF = " (neither side rounds anything on this input)"

__all__ = ["Comparison", "Policy", "compare"]


@dataclass(slots=True)
class Comparison:
    """The outcome: ``difference`` is None where everything holds, else what differs and where.

    ``compared`` counts what the call made and was compared with success: arguments that went
    through, and results too ill-conditioned to tell anything, are not among it. ``told`` are the
    places of floats, not all of them zero, that were compared with success, ``vague`` those of the
    ill-conditioned ones. ``opaque`` is the type of a part of the result that nothing is known of.
    """

    difference: str | None = None
    where: str = ""
    compared: int = 0
    told: set[str] = field(default_factory=set)
    vague: set[str] = field(default_factory=set)
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
    for step in (_compare_objects, _compare_memory, _compare_leaves, _compare_printed):
        step(original, port, policy, result)
        if result.difference is not None:
            break
    return result


def _compare_objects(
    original: Observation, port: Observation, policy: Policy, result: Comparison
) -> None:
    if not _same_objects(original, port, policy, result):
        result.difference = (
            f"{IDENTITY}: {_listed(original.identity)} in the original, "
            f"{_listed(port.identity)} in the port"
        )
        result.where = "result"


def _compare_memory(
    original: Observation, port: Observation, policy: Policy, result: Comparison
) -> None:
    """Which results share memory with what others hold."""
    lost = _views_lost(original, port)
    if lost and not policy.device and all(leaf.kind != "device" for leaf in port.leaves):
        # who writes into the one changes the other no more
        result.difference, result.where = f"memory: a copy, no view ({lost[0]})", "result"
        return
    for missing in lost:
        result.notes[f"view lost: {missing}"] += 1
    more = (view for view in set(port.views) - set(original.views) if not view.endswith(EMPTY))
    other = next(more, None)
    if other is not None:
        # who writes into such a result changes what the original's callers keep as it is
        shared = other.endswith((EARLIER, KEPT, OF_MODULE))
        kind = "memory shared" if shared else "a view of an argument"
        result.difference, result.where = f"memory: {kind} ({other})", "result"


def _compare_leaves(
    original: Observation, port: Observation, policy: Policy, result: Comparison
) -> None:
    """What the call returns, and what it leaves in what others hold."""
    made = {leaf.path for leaf in original.produced}
    held = _held(original) & _held(port) - _left_alone(original, port)
    leaves, others = _compared(original, held), _compared(port, held)
    for first, second in zip(leaves, others, strict=False):
        before = result.compared
        result.difference = _compare_leaf(first, second, policy, result)
        if first.path not in made:
            result.compared = before
        if result.difference is not None:
            result.where = first.path
            return
    if len(leaves) != len(others):
        result.difference, result.where = f"structure: {_more(leaves, others)}", "result"


def _views_lost(original: Observation, port: Observation) -> list[str]:
    """Views that are none any more; an argument itself, or what has no elements, may be one."""
    same = {pair.replace(" is ", " of ", 1) for pair in port.identity}
    lost = set(original.views) - set(port.views) - same
    return sorted(pair for pair in lost if not pair.endswith(EMPTY))


def _held(outcome: Observation) -> set[str]:
    """Where arrays are that others than the call's own arguments hold."""
    return {leaf.path for leaf in outcome.leaves if leaf.path.startswith(HELD)}


def _left_alone(original: Observation, port: Observation) -> set[str]:
    """What earlier calls returned and neither side changed: right or wrong, it is their doing."""
    changed = {leaf.path for one in (original, port) for leaf in one.produced}
    every = _held(original) | _held(port)
    return {path for path in every - changed if path.startswith(EARLIER_RESULT)}


def _compared(outcome: Observation, held: set[str]) -> list[Leaf]:
    """All leaves, of those that others hold the ones that they hold on both sides.

    What an earlier call returns is compared where that function is the one under test.
    """
    return [x for x in outcome.leaves if x.path in held or not x.path.startswith(HELD)]


def _same_objects(
    original: Observation, port: Observation, policy: Policy, result: Comparison
) -> bool:
    """Whether the same results are arguments; an argument may stand for a view of all of it."""
    more = set(port.identity) - set(original.identity)
    lost = set(original.identity) - set(port.identity)
    if policy.device:  # what is on the device alone is no array of the host
        moved = {x.path.removeprefix(_GIVEN) for x in port.leaves if x.kind == "device"}
        open_ = {pair for pair in lost if moved & set(pair.split(" is "))}
        if open_:
            result.notes[OPEN_IDENTITY] += 1
        lost -= open_
    seen = {pair.removesuffix(EMPTY).replace(" of ", " is ", 1) for pair in original.views}
    # a view of what the instance keeps, or that itself: who writes into it writes into both
    seen |= {pair for pair in more if f"{pair.partition(' is ')[2]} of {KEPT}" in original.views}
    if lost or not more <= seen:
        return False
    if more:
        result.notes["an argument itself in the place of a view of it"] += 1
    return True


def _listed(pairs: Sequence[str]) -> str:
    return ", ".join(pairs) or "none"


def _compare_printed(
    original: Observation, port: Observation, policy: Policy, result: Comparison
) -> None:
    moved = (response.printed for response in policy.responses)
    found = compare_texts(original.printed, port.printed, moved, policy.factor)
    result.compared += bool(original.printed)
    if found.loose:
        result.looseness[LAST_DIGITS] += 1
    if found.difference is not None:
        result.difference, result.where = f"printed {found.difference}", "stdout"


def _compare_written(first: Leaf, second: Leaf, policy: Policy, result: Comparison) -> str | None:
    moved = (
        str(leaf.value)
        for response in policy.responses
        for leaf in response.leaves
        if leaf.path == first.path
    )
    found = compare_texts(str(first.value), str(second.value), moved, policy.factor)
    if found.loose:
        result.looseness[LAST_DIGITS] += 1
    return found.difference


def _more(leaves: Sequence[Leaf], others: Sequence[Leaf]) -> str:
    """What one side has beyond the other, as a file that it wrote."""
    side, rest = "original", leaves[len(others) :]
    if not rest:
        side, rest = "port", others[len(leaves) :]
    return f"{rest[0].path} in the {side} alone"


def _compare_leaf(first: Leaf, second: Leaf, policy: Policy, result: Comparison) -> str | None:
    if first.path != second.path:
        return f"structure: {first.path} against {second.path}"
    if _became_number(first, second):
        result.notes["an array without axes became a NumPy scalar"] += 1
    elif not _same_kind(first, second, policy):
        return f"type: {_kind(first)} became {_kind(second)}"
    if first.kind == "opaque":
        result.notes[f"not compared: {first.value}"] += 1
        if first.path.startswith("result"):
            result.opaque = str(first.value)
        return None if first.value == second.value else f"type: {first.value} -> {second.value}"
    if first.kind == PRINTED:
        result.compared += 1
        return _compare_written(first, second, policy, result)
    if first.kind not in VALUE_KINDS:
        result.compared += first.kind == "text"
        texts = first.kind == "text" and {type(first.value), type(second.value)} == {str}
        if texts and first.path.startswith(_OF_THE_PROGRAM):
            return _compare_written(first, second, policy, result)
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


def _became_number(first: Leaf, second: Leaf) -> bool:
    """Whether a result without axes is a scalar, as all of them are behind the boundary."""
    given = first.kind == "array" and first.value.ndim == 0 and first.path.startswith("result")
    return given and second.kind == "numpy scalar"


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
    frozen = _frozen(first, second, result)
    if frozen is not None:
        return frozen
    if a.ndim > 1 and first.order != second.order and first.kind == "array":
        result.notes["memory order"] += 1
    if same_bits(first, second):
        result.told |= _tells(first.path, a)
        return None
    bad = unequal(a, b)
    if first.path in policy.unset:
        bad = bad & ~policy.unset[first.path]
    if a.dtype.kind in "fc":
        _note_zeros(a, b, result)
        outcome = judge_floats(first.path, a, b, bad, policy)
        bad = outcome.bad
        if not outcome.weak:
            result.told |= _tells(first.path, a)
        else:
            result.vague.add(first.path)
            result.compared -= 1
            result.notes[WEAK] += 1
        result.errors = result.errors.join(outcome.errors)
        result.looseness.update(outcome.looseness)
        result.notes.update(outcome.notes)
    elif a.dtype.kind == "i" and a.dtype.itemsize >= _WHERE_LOWEST and not policy.lowest:
        bad = _of_casts(a, b, bad, result)
    return _left(first.path, a, b, bad, policy, result)


def _tells(path: str, a: NDArray[Any]) -> set[str]:
    """The place of floats of which some are finite and not zero."""
    return {path} if a.dtype.kind in "fc" and bool((np.isfinite(a) & (a != 0)).any()) else set()


def _of_casts(a: NDArray[Any], b: NDArray[Any], bad: Mask, result: Comparison) -> Mask:
    """Without elements that come of a float which no integer holds, or of a NaN.

    What becomes of one is fixed nowhere: processors give the lowest integer, devices the nearest
    one, or 0 for a NaN.
    """
    limits = np.iinfo(a.dtype)
    cast = bad & (a == limits.min) & ((b == limits.max) | (b == 0))
    if cast.any():
        result.notes["floats cast to integers that cannot hold them"] += 1
    return np.asarray(bad & ~cast)


def _frozen(first: Leaf, second: Leaf, result: Comparison) -> str | None:
    """Whether a result that may be written into has become one that may not."""
    if first.writeable == second.writeable:
        return None
    if not first.writeable:
        result.notes["a read-only array may be written into"] += 1
        return None
    return "memory: an array that may be written into became read-only"


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
