"""What an operation gives, found out with small arrays of the types in question.

It runs three times on three sets of extents. What all answers agree on is claimed; an extent of the
answer is whatever explains all of them. Where shapes do not fit each other it runs with all extents
alike, and then only kind, dtype and rank are told. It is called in the process that asks libraries
(`gpuport.facts.answering`), which may die of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport._frozen import frozen
from gpuport.facts.knowledge import knowledge
from gpuport.facts.sampling import LARGE, Impossible, Sampler, sizes_mean, type_of
from gpuport.ir.extents import Affine
from gpuport.ir.types import NOWHERE, UNKNOWN, Type, extents_of, mapped


@frozen
class Answer:
    """What an operation gives, and which arguments the result may share memory with."""

    type: Type
    shares: frozenset[int] = frozenset()


def sampled(
    how: Callable[..., Any], name: str, types: tuple[Type, ...], keywords: tuple[str, ...]
) -> Answer | None:
    """What ``how`` gives for arguments of these types; None where that cannot be told."""
    candidates = list(dict.fromkeys(extent for t in types for extent in extents_of(t)))
    constants = [n for extent in candidates if (n := extent.number) is not None]
    vague = _counts(name, types)
    for same in (0, 5, *dict.fromkeys(n for n in constants if 1 < n < LARGE)):
        try:
            answer = _run(how, types, keywords, _samplers(types, same), candidates)
        except Impossible:
            return None
        except Exception:  # NumPy says that the sample does not fit
            continue
        if answer is None or not vague:
            return answer
        return Answer(mapped(answer.type, lambda extent: None), answer.shares)
    return None


def _run(
    how: Callable[..., Any],
    types: tuple[Type, ...],
    keywords: tuple[str, ...],
    samplers: list[Sampler],
    candidates: list[Affine],
) -> Answer | None:
    results: list[Any] = []
    shares: set[int] = set()
    count = len(types) - len(keywords)
    for sampler in samplers:
        made = [sampler.make(t) for t in types]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            given = dict(zip(keywords, made[count:], strict=True))
            results.append(how(*made[:count], **given))
        shares |= _shared(made, results[-1])
    if not all(_alike(results[0], other) for other in results[1:]):
        return None
    return Answer(_read(results, samplers, candidates), frozenset(shares))


def _counts(name: str, types: tuple[Type, ...]) -> bool:
    """Whether extents of the result depend on values."""
    if name in knowledge().sized_by_its_argument and len(types) == 1:
        return types[0].dtype != "int"
    return name in knowledge().counts


def _samplers(types: tuple[Type, ...], same: int) -> list[Sampler]:
    """Three samples: a large one among them where arrays, and a result over all axes, would fit."""
    ranks = [t.rank or 0 for t in types if t.kind == "array"]
    axes, most = sum(ranks), max(ranks, default=0)
    rows = (0, 1, 2) if axes <= 3 and most <= 2 else (0, 1, 3) if axes <= 4 > most else (0, 4, 5)
    return [Sampler(row, same, order) for row, order in zip(rows, "CCF", strict=True)]


def _shared(arguments: list[Any], result: Any) -> set[int]:
    """Which arguments the result may share memory with."""
    parts = result if isinstance(result, (tuple, list)) else [result]
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    return {
        place
        for place, argument in enumerate(arguments)
        for whole in (argument if isinstance(argument, (tuple, list)) else [argument])
        if isinstance(whole, np.ndarray) and any(np.may_share_memory(a, whole) for a in arrays)
    }


def _alike(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(
        getattr(one, "dtype", 0) == getattr(other, "dtype", 0)
        and getattr(one, "ndim", 0) == getattr(other, "ndim", 0)
    )


def _read(values: list[Any], samplers: list[Sampler], candidates: list[Affine]) -> Type:
    """The type of a result, from the results of all samples."""
    types = [type_of(value) for value in values]
    first = types[0]
    if first.kind == "array":
        shapes = zip(*(value.shape for value in values), strict=True)
        same = any(sampler.same for sampler in samplers)
        shape = tuple(None if same else sizes_mean(sizes, samplers, candidates) for sizes in shapes)
        orders = {t.order for t in types}
        return first.but(shape=shape, order=orders.pop() if len(orders) == 1 else None)
    if first.kind == "number":
        return first.but(integer=None)  # its value may depend on the data
    if first.kind == "tuple":
        parts = zip(*values, strict=True)
        items = tuple(_read(list(part), samplers, candidates) for part in parts)
        return first.but(items=items, sites=NOWHERE)
    if first.kind == "list":
        element = first.element
        if element is None or element.kind not in ("array", "number", "scalar"):
            return UNKNOWN
        return first.but(element=mapped(element, lambda extent: None))
    return first
