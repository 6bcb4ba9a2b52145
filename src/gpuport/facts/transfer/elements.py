"""What iterating over a value gives, and parts of arrays."""

from __future__ import annotations

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.operations import INDEX
from gpuport.ir.extents import Affine
from gpuport.ir.types import (
    INT,
    NOTHING,
    NOWHERE,
    STRING,
    UNKNOWN,
    Assumption,
    Assumptions,
    Type,
    join_all,
)


def element(here: Evaluation, t: Type) -> Type | None:
    """What iterating over a value gives; None while that is not known yet."""
    if t.kind == "array":
        return indexed(here, t, INT).under(t.assumed)
    if t.kind == "list" and t.sites:
        return _stored(here, Place.ITEMS, t)
    if t.kind == "dict" and t.sites:
        return _stored(here, Place.KEYS, t)
    if t.kind == "tuple" and t.items is not None:
        return join_all(t.items) or UNKNOWN
    if t.kind == "string":
        return STRING
    return t.element or UNKNOWN


def _stored(here: Evaluation, place: Place, t: Type) -> Type | None:
    return join_all(x for site in t.sites or () if (x := here.load(place, site)) is not None)


def indexed(here: Evaluation, t: Type, by: Type) -> Type:
    """What ``t[by]`` gives, for an array."""
    assumed = t.assumed | by.assumed
    parts = by.items if by.kind == "tuple" and by.items is not None else (by,)
    if all(map(_is_basic, parts)):
        return _basic(t, parts).under(assumed)
    if by.kind in ("array", "tuple", "list"):
        answer = here.inference.prober.ask(INDEX, [t, _with_zeros(by)])
        if answer is not None:
            shape = None if answer.type.shape is None else (None,) * len(answer.type.shape)
            return answer.type.but(shape=shape, order=None, sites=NOWHERE, assumed=assumed)
    return UNKNOWN.under(assumed)


def _is_basic(part: Type) -> bool:
    """Whether an index gives a view, or a number."""
    if part.kind in ("slice", "none", "ellipsis"):
        return True
    if part.kind == "number":
        return part.dtype == "int"
    return part.kind == "scalar" and (part.dtype or "").startswith(("int", "uint"))


def _basic(t: Type, parts: tuple[Type, ...]) -> Type:
    used = sum(part.kind not in ("none", "ellipsis") for part in parts)
    if t.shape is None or used > len(t.shape):
        return UNKNOWN.but(sites=t.sites)
    shape, assumed = basic_shape(t.shape, parts)
    if not shape and not any(part.kind == "ellipsis" for part in parts):
        return Type("scalar", t.dtype, assumed=assumed) if t.dtype else UNKNOWN
    order = "C" if len(shape) < 2 else t.order  # leaving out axes and elements keeps it
    return Type("array", t.dtype, shape, order, sites=t.sites, assumed=assumed)


def basic_shape(
    shape: tuple[Affine | None, ...], parts: tuple[Type, ...]
) -> tuple[tuple[Affine | None, ...], Assumptions]:
    """Extents of a basic index, and what has to hold for them."""
    found: list[Affine | None] = []
    assumed: Assumptions = NOTHING
    axis, used = 0, sum(part.kind not in ("none", "ellipsis") for part in parts)
    for part in parts:
        if part.kind == "ellipsis":
            found += shape[axis : axis + len(shape) - used]
            axis += len(shape) - used
        elif part.kind == "none":
            found.append(Affine((), 1))
        else:
            if part.kind == "slice":
                extent, needed = slice_extent(shape[axis], part.items or ())
                found.append(extent)
                assumed |= needed
            axis += 1
    return (*found, *shape[axis:]), assumed


def slice_extent(
    extent: Affine | None, bounds: tuple[Type, ...]
) -> tuple[Affine | None, Assumptions]:
    """How many elements a slice has, and what has to hold: ``x[1:-1]`` has n - 2 where n >= 2."""
    if extent is None or len(bounds) != 3:
        return None, NOTHING
    start, stop, step = (0 if bound.kind == "none" else bound.number for bound in bounds)
    open_ended = bounds[1].kind == "none"
    if step == -1 and open_ended and bounds[0].kind == "none":
        return extent, NOTHING
    if (
        start is None
        or (stop is None and not open_ended)
        or (bounds[2].kind != "none" and step != 1)
    ):
        return None, NOTHING
    length, least = _length(extent, start, None if open_ended else stop)
    if length is None:
        return None, NOTHING
    if extent.number is not None:
        return (length if extent.number >= least else None), NOTHING
    if least <= 0:
        return length, NOTHING
    needed = Assumption("", repr(extent), f">= {least}", "a slice", "least", (extent, least))
    return length, frozenset([needed])


def _length(extent: Affine, start: int, stop: int | None) -> tuple[Affine | None, int]:
    """Length of ``[start:stop]``, and how many elements there have to be for it."""
    if start >= 0 and stop is not None and stop >= 0:
        return Affine((), max(stop - start, 0)), stop
    if start >= 0:
        return extent + ((stop or 0) - start), start - (stop or 0)
    if stop is None:
        return Affine((), -start), -start
    return None, 0


def _with_zeros(by: Type) -> Type:
    """An index in which whole numbers are 0, which is in range whatever the sample is."""
    if not by.items:
        return by
    zero = INT.but(integer=Affine())
    return by.but(items=tuple(zero if item.kind == "number" else item for item in by.items))
