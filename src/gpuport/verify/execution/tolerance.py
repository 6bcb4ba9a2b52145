"""How far a float may deviate: rounding, and the original's own response to one ULP.

``|port - original| <= c * u * |original| + c * (what the original moves under one ULP)`` with
``c = 8 + 2 log2 n``, n the elements of the largest input and u the unit roundoff. Inputs that all
move upwards move a sum by u times the sum of its terms' magnitudes, so that the second term is the
bound of a reordered reduction, and of anything worse conditioned. Among the moves is the
original's own rounding error, its deviation from itself in the next wider precision. Where neither
side rounds (see `exactness`) nothing may deviate at all. There is no tolerance to turn up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.aftermath.leaves import MEMORY, VALUE_KINDS, Leaf, Observation
from gpuport.verify.records import Errors

EXCLUDED_SHARE = 0.05
_WORTHLESS = 1e-3
_FLUSHED_BELOW = 4
_ABOUT_TO_OVERFLOW = 2 / 3  # the largest float to this power: 1e205, or 1e25 of single precision
_AT_ITS_END = 0.95  # of a number that is one itself: 1e292, or 1e36
_MOSTLY, _NOISE = 0.5, 0.5
ROUNDING = "a few roundings of the value itself"
RESPONSE = "what the original itself moves under one ULP of its inputs, or errs by rounding"
JUMP = "the original jumps under one ULP: element left out"
COMPLEX = "infinities and NaN of complex numbers: which part holds them is not fixed"
FACTORISED = "what a factorisation of infinities or NaN leaves beside NaN"
OVERFLOWN = "beside numbers about to overflow: infinity or NaN by the order of a sum"
FLUSHED = "float32 subnormals flushed to zero"

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Policy:
    """What a comparison may use.

    Attributes
    ----------
    responses : iterable of Observation
        The original's outcomes on inputs one ULP beside; as many are taken as are needed.
    elements : int
        Elements of the largest input.
    smooth : bool
        Exact ties have measure zero in this input: a jump under one ULP may be left out.
    edged : bool
        This input was made to lie at the edge of comparisons: a jump under one ULP of the inputs
        is what it is for, and explains nothing.
    rounded : collection of int
        Which of the responses have the very same inputs, and round otherwise.
    turned : collection of int
        Which of the responses come of another course that rounding alone does not take: a jump in
        one of these explains nothing.
    device : bool
        The port was called with device arrays and may answer with them.
    single : bool
        float32 is among the inputs; CuPy flushes its subnormals to zero.
    complex : bool
        Complex numbers are among the inputs, so that a part or magnitude of one may come out.
    factorised : bool
        A matrix with infinities or NaN may have been factorised: LAPACK's loops leave anything
        beside NaN, by the order in which they come to the elements.
    lowest : bool
        The lowest whole number of a type is among the inputs, so that it need come of no cast.
    exact : bool
        Neither side rounded anything: every float must agree.
    unset : mapping of str to array of bool
        By place, the elements that come from uninitialised memory and mean nothing.
    """

    responses: Iterable[Observation] = ()
    elements: int = 1
    smooth: bool = False
    edged: bool = False
    rounded: Collection[int] = ()
    turned: Collection[int] = ()
    device: bool = False
    single: bool = False
    complex: bool = False
    factorised: bool = False
    lowest: bool = False
    exact: bool = False
    unset: Mapping[str, Mask] = field(default_factory=dict)

    @property
    def factor(self) -> float:
        """``c`` of the bound."""
        return 8 + 2 * math.log2(max(self.elements, 2))


@dataclass(slots=True)
class Judgement:
    """Elements that stay unequal, and what was accepted with which reason.

    ``weak`` says that the bound was so wide, against the largest value, that to be inside it says
    little: such a comparison is no evidence.
    """

    bad: Mask
    weak: bool = False
    errors: Errors = field(default_factory=Errors)
    looseness: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)


def unequal(a: NDArray[Any], b: NDArray[Any]) -> Mask:
    """Elements that are not the same value; NaN equals NaN."""
    with np.errstate(all="ignore"):
        if a.dtype.kind == "c":
            return unequal(a.real, b.real) | unequal(a.imag, b.imag)
        if a.dtype.kind in "fmM":
            return np.asarray(~((a == b) | ((a != a) & (b != b))))
        return np.asarray(a != b)


def judge_floats(
    path: str, a: NDArray[Any], b: NDArray[Any], bad: Mask, policy: Policy
) -> Judgement:
    """Accept what rounding explains among the `bad` elements of two float or complex arrays."""
    outcome = Judgement(bad)
    if not bad.any():
        return outcome
    with np.errstate(all="ignore"):
        neither = ~np.isfinite(a) & ~np.isfinite(b)
        if a.dtype.kind == "c" or policy.complex:
            _accept(outcome, outcome.bad & neither, COMPLEX)
        if policy.factorised:
            _accept(outcome, outcome.bad & (neither | np.isnan(b)), FACTORISED)
        if policy.exact:
            return outcome
        _overflown(a, b, outcome)
        _flushed(a, b, policy, outcome)
        finite = np.isfinite(a) & np.isfinite(b)
        deviation = np.abs(b - a)
        unit = float(np.finfo(a.dtype).eps) / 2
        smallest = np.finfo(a.dtype).smallest_subnormal
        rounding = policy.factor * (unit * np.abs(a) + smallest)
        close = outcome.bad & finite & (deviation <= rounding)
        _record(outcome, a[close], deviation[close])
        _accept(outcome, close, ROUNDING)
        if outcome.bad.any():
            unexplained = np.where(outcome.bad & finite, deviation - rounding, 0) / policy.factor
            moved = _effect(path, a, policy, unexplained)
            largest = np.max(np.abs(a), where=np.isfinite(a), initial=0.0)
            outcome.weak = bool((policy.factor * moved > _WORTHLESS * largest).any())
            near = outcome.bad & finite & (deviation <= rounding + policy.factor * moved)
            if not outcome.weak:  # what may be anything is no error of the port's
                _record(outcome, a[near], deviation[near])
            _accept(outcome, near, RESPONSE)
    return outcome


def _accept(outcome: Judgement, accepted: Mask, reason: str) -> None:
    if accepted.any():
        outcome.looseness[reason] += 1
        outcome.bad = outcome.bad & ~accepted


def _overflown(a: NDArray[Any], b: NDArray[Any], outcome: Judgement) -> None:
    """Beside numbers so large, a sum overflows on the way in one order and not in another."""
    finite = np.isfinite(a), np.isfinite(b)
    most = float(np.finfo(a.dtype).max)
    largest = np.max(np.abs(a), where=finite[0], initial=0.0)
    if largest > most**_ABOUT_TO_OVERFLOW:
        _accept(outcome, outcome.bad & ~finite[0] & ~finite[1], OVERFLOWN)
        one = np.where(finite[0], np.abs(a), np.where(finite[1], np.abs(b), 0))
        at_its_end = (finite[0] != finite[1]) & (one > most**_AT_ITS_END)
        _accept(outcome, outcome.bad & at_its_end, OVERFLOWN)


def _flushed(a: NDArray[Any], b: NDArray[Any], policy: Policy, outcome: Judgement) -> None:
    # a float32 intermediate is flushed too, whatever it is promoted to afterwards
    if not policy.single and a.dtype not in (np.float32, np.complex64):
        return
    # what follows may have made it a little larger
    tiny = np.maximum(np.abs(a), np.abs(b)) < _FLUSHED_BELOW * np.finfo(np.float32).tiny
    if (outcome.bad & tiny).any():
        outcome.notes[FLUSHED] += 1
        outcome.bad = outcome.bad & ~tiny


def _record(outcome: Judgement, expected: NDArray[Any], deviation: NDArray[Any]) -> None:
    if expected.size == 0:
        return
    magnitude = np.abs(expected)
    relative = np.where(magnitude != 0, deviation / magnitude, 0)
    errors = Errors(
        float(deviation.max()),
        float(relative.max()),
        float((deviation / np.spacing(magnitude)).max()),
    )
    outcome.errors = outcome.errors.join(errors)


def _effect(path: str, a: NDArray[Any], policy: Policy, wanted: NDArray[Any]) -> NDArray[Any]:
    """How far each element of the original moves in the responses.

    Each of them can only widen the bound: those after the one that explains `wanted` everywhere
    are not needed, and not made.
    """
    effect = np.zeros(a.shape, np.abs(a).dtype)
    unit = _unit_of_inputs(a, policy.single)
    jump = np.sqrt(unit) * np.max(np.abs(a), where=np.isfinite(a), initial=0.0)
    for run, other in _others(path, a, policy):
        change = np.abs(other - a).astype(effect.dtype)
        if run in policy.turned or (policy.edged and run not in policy.rounded):
            change = np.where(change <= jump, change, 0)
        effect = np.maximum(effect, np.where(np.isfinite(change), change, 0))
        if bool((wanted <= effect).all()):
            return effect
    if effect.size:
        # an element may by chance not move enough, or not at all: medians stand in, the absolute
        # one for the latter alone, as it says nothing of elements that are much smaller
        magnitude = np.where(np.isfinite(a), np.abs(a), 0)
        share = np.where(magnitude > 0, effect / magnitude, 0)
        still = np.where(effect == 0, np.median(effect), 0)
        effect = np.maximum(effect, np.maximum(still, np.median(share) * magnitude))
    return effect


def jumps(path: str, a: NDArray[Any], policy: Policy) -> Mask:
    """Elements that the original itself decides by one ULP (of any dtype)."""
    found = np.zeros(a.shape, bool)
    for run, other in _others(path, a, policy):
        if run in policy.turned:
            continue
        if a.dtype.kind in "fc":
            found |= np.isfinite(other) != np.isfinite(a)
            with np.errstate(all="ignore"):
                scale = np.sqrt(_unit_of_inputs(a, policy.single))
                found |= np.abs(other - a) > scale * np.maximum(np.abs(a), np.abs(other))
        else:
            found |= unequal(other, a)
    return found


def decided_by_rounding(
    original: Observation, otherwise: Iterable[Observation], single: bool = False
) -> bool:
    """Whether the original takes another course where it rounds otherwise on the same inputs.

    `single`: there is single precision among these, whose rounding is that of wider results too.

    At a tie of the inputs themselves it does not: only where the sides of a comparison are
    rounded does a port with other roundings find another answer by right.
    """
    for other in otherwise:
        if other.raised is not None:
            continue
        first, second = _besides_memory(original), _besides_memory(other)
        if [leaf.path for leaf in first] != [leaf.path for leaf in second]:
            return True
        pairs = zip(first, second, strict=True)
        if any(_elsewhere(a, b, single) for a, b in pairs if {a.kind, b.kind} <= set(VALUE_KINDS)):
            return True
    return False


def shaky(
    path: str, original: Observation, port: Observation, otherwise: Iterable[Observation]
) -> Mask | None:
    """Elements of one part that are finite or not by rounding alone; None where there are none.

    Those of which nothing but rounding is left are among them where one side is not finite. A
    matrix that is singular but for roundings has an inverse of noise: where that is so of most
    elements, none of them tells anything. How large the noise is is anybody's guess: beside such
    elements, those that lose half of their digits are noise of it as well.
    """
    a, b = (numbers(path, outcome) for outcome in (original, port))
    if a is None or b is None or a.shape != b.shape:
        return None
    apart = np.isfinite(a) != np.isfinite(b)
    found, flips, lost = (np.zeros(a.shape, bool) for _ in range(3))
    with np.errstate(all="ignore"):
        for _, other in _others(path, a, Policy(responses=otherwise)):
            moved = np.abs(other - a)
            flips |= _beyond_numbers(other) != _beyond_numbers(a)
            found |= apart & (moved > _NOISE * np.abs(a))
            lost |= moved > np.sqrt(np.finfo(a.dtype).eps) * np.abs(a)
    found |= flips | (lost if flips.any() else flips)
    if not found.any():
        return None
    return np.ones(a.shape, bool) if found.mean() > _MOSTLY else found


def _beyond_numbers(a: NDArray[Any]) -> NDArray[Any]:
    """0 for numbers, 1 for infinities and 2 for NaN: 0/0 is a rounding over 0 elsewhere."""
    beyond: NDArray[Any] = np.isinf(a) + 2 * np.isnan(a)
    return beyond


def numbers(path: str, outcome: Observation) -> NDArray[Any] | None:
    """The floats at a place."""
    for leaf in outcome.leaves:
        if leaf.path == path and leaf.kind in VALUE_KINDS:
            value = np.asarray(leaf.value)
            return value if value.dtype.kind in "fc" else None
    return None


def _besides_memory(outcome: Observation) -> list[Leaf]:
    """All leaves but the memory behind views: arrays in other precision have their own."""
    return [leaf for leaf in outcome.leaves if not leaf.path.startswith(MEMORY)]


def _elsewhere(first: Leaf, second: Leaf, single: bool) -> bool:
    a, b = np.asarray(first.value), np.asarray(second.value)
    if a.shape != b.shape:
        return True
    if a.dtype.kind not in "fc" or b.dtype.kind not in "fc":
        return a.dtype == b.dtype and bool(unequal(a, b).any())
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(all="ignore"):
        largest = np.max(np.abs(a), where=finite, initial=0.0)
        scale = np.sqrt(_unit_of_inputs(a, single))
        apart = np.abs(np.where(finite, b - a, 0)) > scale * largest
    return bool((apart | (np.isfinite(a) != np.isfinite(b))).any())


def _unit_of_inputs(a: NDArray[Any], single: bool) -> float:
    """What one ULP is: that of a result, or of single precision that it is made from."""
    return max(float(np.finfo(a.dtype).eps), float(np.finfo(np.float32).eps) if single else 0.0)


def _others(path: str, a: NDArray[Any], policy: Policy) -> Iterator[tuple[int, NDArray[Any]]]:
    for run, response in enumerate(policy.responses):
        for leaf in response.leaves if response.raised is None else ():
            if leaf.path == path and leaf.kind in VALUE_KINDS:
                value = np.asarray(leaf.value)
                floats = value.dtype.kind == a.dtype.kind and a.dtype.kind in "fc"
                if value.shape == a.shape and (floats or value.dtype == a.dtype):
                    yield run, value
