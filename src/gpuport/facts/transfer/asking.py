"""Calls that NumPy answers: arguments as it sees them, and where the result lives."""

from __future__ import annotations

import math

import numpy as np

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.knowledge import Unresolved, knowledge, resolve
from gpuport.facts.scoping import placed
from gpuport.facts.transfer.elements import element
from gpuport.facts.transfer.escaping import new_list
from gpuport.facts.transfer.operators import broadcast
from gpuport.ir.extents import Affine
from gpuport.ir.types import (
    NOWHERE,
    UNKNOWN,
    Assumption,
    Assumptions,
    Sites,
    Type,
    alternatives,
    join_all,
)


def asked(
    here: Evaluation,
    name: str,
    arguments: list[Type],
    keywords: tuple[str, ...],
) -> Type | None:
    """What a call gives, with where it lives; None where nobody can tell."""
    if any(t.kind == "numeric" for t in arguments):
        ways = [asked(here, name, given, keywords) for given in alternatives(arguments)]
        return join_all(t for t in ways if t is not None) if ways and None not in ways else None
    seen = [as_numpy_sees(here, t) for t in arguments]
    if any(map(_has_numeric, seen)):
        return None
    answer = here.inference.prober.ask(name, seen, keywords)
    if answer is None:
        return None
    needed = frozenset(
        Assumption("", repr(e), "fits int64", "a whole number in an array", "int64", (e,))
        for t in seen
        for e in _integers_in(t)
    )
    found = answer.type
    if name in knowledge().sized_by_a_range and found.kind == "array" and not keywords:
        found = found.but(shape=(_of_range(arguments) or _one_extent(found),))
    needed |= _sizes(name, found)
    found = found.but(assumed=needed)
    if not keywords and _is_elementwise(name):
        found = broadcast(found, arguments)
    sites = _sites(here, answer.shares, arguments)
    if found.kind == "list" and found.element is not None:
        return new_list(here, placed(found.element, sites)).under(needed)
    return placed(found, sites)


def _one_extent(t: Type) -> Affine | None:
    return t.shape[0] if t.shape else None


def _of_range(bounds: list[Type]) -> Affine | None:
    """How many numbers lie between bounds: ``ceil((stop - start) / step)``, which is what
    `numpy.arange` makes of them; None where that is not known.
    """
    whole = [t.integer for t in bounds if t.integer is not None]
    if len(whole) == len(bounds) == 2:
        extent = whole[1] - whole[0]
        return extent if extent.terms else Affine((), max(extent.constant, 0))
    said = [t.constant[0] if t.constant else t.number for t in bounds if t.kind == "number"]
    known = [one for one in said if isinstance(one, int | float) and math.isfinite(one)]
    if len(known) != len(bounds) or len(known) not in (2, 3):
        return None
    start, stop, step = (*known, 1)[:3]
    return Affine((), max(math.ceil((stop - start) / step), 0)) if step else None


def _sizes(name: str, t: Type) -> Assumptions:
    """Extents that are no more than told where they are not negative: n - 1 of ``np.diff``."""
    empty = name in knowledge().none_for_negative
    extents = [e for part in (t, *(t.items or ())) for e in part.shape or () if e is not None]
    return frozenset(size_of(e) for e in extents if e.terms and (empty or e.constant < 0))


def size_of(extent: Affine) -> Assumption:
    """That something is no negative size."""
    return Assumption("", repr(extent), ">= 0", "it is a size", "least", (extent, 0))


def _sites(here: Evaluation, shares: frozenset[int], arguments: list[Type]) -> Sites:
    """Where the result lives: anew, or where the arguments live that it may share memory with."""
    if not shares:
        return frozenset([here.op])
    found: Sites = NOWHERE
    for place in shares:
        sites = arguments[place].sites
        found = None if found is None or sites is None else found | sites
    return found


def as_numpy_sees(here: Evaluation, t: Type) -> Type:
    """A list as its parts where nothing changed it, else as some parts of one type."""
    if t.kind == "tuple" and t.items is not None:
        return t.but(items=tuple(as_numpy_sees(here, item) for item in t.items))
    if t.kind == "numeric" and t.dtype in ("float64", "int64", "complex128"):
        return t.but(kind="scalar")  # in a list it makes no difference which of the two it is
    if t.kind != "list":
        return t
    changed = any(here.load(Place.CHANGED, site) is not None for site in t.sites or ())
    if t.sites and t.items is not None and not changed:
        return t.but(items=tuple(as_numpy_sees(here, item) for item in t.items))
    item, filled = element(here, t), (True,) if here.inference.for_sizes else None
    item = as_numpy_sees(here, item) if item else UNKNOWN
    return t.but(items=None, element=item, constant=filled)  # of an empty one NumPy makes floats


def _has_numeric(t: Type) -> bool:
    parts = (*(t.items or ()), *([t.element] if t.element else []))
    return t.kind == "numeric" or any(map(_has_numeric, parts))


def _integers_in(t: Type) -> list[Affine]:
    """Python integers in sequences whose values are not known.

    NumPy makes int64 of them only where they fit.
    """
    if t.kind not in ("list", "tuple"):
        return []
    found = []
    for item in t.items or ():
        if item.kind == "number" and item.integer is not None and item.integer.terms:
            found.append(item.integer)
        found += _integers_in(item)
    return found


def _is_elementwise(path: str) -> bool:
    if path in knowledge().by_element:
        return True
    try:
        found = resolve(path)
    except Unresolved:
        return False
    return isinstance(found, np.ufunc) and found.signature is None
