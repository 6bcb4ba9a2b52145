"""Tuples, lists, dicts, sets, texts: what they hold, and what goes into them."""

from __future__ import annotations

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation, transfer
from gpuport.facts.transfer.attributes import as_tuple
from gpuport.facts.transfer.elements import element, indexed
from gpuport.facts.transfer.escaping import change_list, escape, new_list
from gpuport.ir.types import (
    NONE,
    STRING,
    UNKNOWN,
    Type,
    assumptions,
    join_all,
)


@transfer("Tuple")
def _tuple(here: Evaluation, operands: list[Type]) -> Type:
    if here.said("stars"):
        return Type("tuple", sites=None, assumed=assumptions(operands))
    return Type("tuple", items=tuple(operands), assumed=assumptions(operands))


@transfer("List")
def _list(here: Evaluation, operands: list[Type]) -> Type:
    if here.said("stars"):
        here.store(Place.ITEMS, here.op, UNKNOWN)
        here.store(Place.CHANGED, here.op, NONE)
    for t in operands:
        here.store(Place.ITEMS, here.op, t)
    sites = frozenset([here.op])
    return Type("list", items=tuple(operands), sites=sites, assumed=assumptions(operands))


@transfer("Set")
def _set(here: Evaluation, operands: list[Type]) -> Type:
    for t in operands:
        escape(here, t)
    return Type("set", sites=frozenset([here.op]))


@transfer("Dict")
def _dict(here: Evaluation, operands: list[Type]) -> Type:
    for place, spread in enumerate(here.said("spread")):
        key, value = operands[2 * place], operands[2 * place + 1]
        if spread:
            here.store(Place.OTHER, here.op, UNKNOWN)
            here.store(Place.KEYS, here.op, UNKNOWN)
            escape(here, value)
        else:
            put(here, here.op, key, value)
    return Type("dict", sites=frozenset([here.op]))


def put(here: Evaluation, site: object, key: Type, value: Type) -> None:
    """Store a value into a dict."""
    here.store(Place.KEYS, site, key.but(constant=None))
    if key.kind == "string" and key.constant is not None:
        here.store(Place.KEY, site, value, key.constant[0])
        here.store(Place.ANY_KEY, site, value)
    else:
        here.store(Place.OTHER, site, value)


def values_of_dict(here: Evaluation, t: Type, key: Type | None = None) -> Type | None:
    """What a dict holds under a key, or under any."""
    exact = key.constant[0] if key is not None and key.kind == "string" and key.constant else None
    found: list[Type | None] = []
    for site in t.sites or ():
        found.append(here.load(Place.OTHER, site))
        if exact is None:
            found.append(here.load(Place.ANY_KEY, site))
        else:
            found.append(here.load(Place.KEY, site, exact))
    return join_all(x for x in found if x is not None)


def copied(here: Evaluation, t: Type) -> Type:
    """A new list with the items of another."""
    return new_list(here, element(here, t) or UNKNOWN)


@transfer("Slice")
def _slice(here: Evaluation, operands: list[Type]) -> Type:
    return Type("slice", items=tuple(operands), assumed=assumptions(operands))


@transfer("Format")
def _format(here: Evaluation, operands: list[Type]) -> Type:
    return STRING


@transfer("Unpack")
def _unpack(here: Evaluation, operands: list[Type]) -> list[Type] | None:
    t, count, star = as_tuple(here, operands[0]), len(here.op.results), here.said("star")
    if t is None:
        return None
    if star is None and t.kind == "tuple" and t.items is not None and len(t.items) == count:
        return [item.under(t.assumed) for item in t.items]
    item = element(here, t)
    if item is None:
        return None
    found = [item] * count
    if star is not None:
        found[star] = new_list(here, item)
    return found


@transfer("GetItem")
def _get_item(here: Evaluation, operands: list[Type]) -> Type | None:
    t, by = as_tuple(here, operands[0]), operands[1]
    if t is None:
        return None
    if t.kind == "array":
        return indexed(here, t, by)
    if t.kind == "tuple" and t.items is not None:
        return _of_tuple(t.items, by)
    if t.kind == "list":
        if by.kind in ("number", "scalar", "numeric"):
            return element(here, t)
        return copied(here, t) if by.kind == "slice" else UNKNOWN
    if t.kind == "dict" and t.sites:
        return values_of_dict(here, t, by)
    return STRING if t.kind == "string" else UNKNOWN


def _of_tuple(items: tuple[Type, ...], by: Type) -> Type:
    if by.number is not None and -len(items) <= by.number < len(items):
        return items[by.number]
    if by.kind == "slice" and by.items is not None:
        bounds = [None if bound.kind == "none" else bound.number for bound in by.items]
        if all(b is not None or t.kind == "none" for b, t in zip(bounds, by.items, strict=True)):
            return Type("tuple", items=items[slice(*bounds)]) if bounds[2] != 0 else UNKNOWN
    return (join_all(items) or UNKNOWN) if by.kind == "number" else UNKNOWN


@transfer("SetItem")
def _set_item(here: Evaluation, operands: list[Type]) -> None:
    t, by, value = operands
    if t.kind == "dict" and t.sites:
        for site in t.sites:
            put(here, site, by, value)
    elif t.kind == "list":
        change_list(here, t, value if by.kind != "slice" else UNKNOWN)
    elif t.kind != "array":
        escape(here, value)


@transfer("DelItem")
def _del_item(here: Evaluation, operands: list[Type]) -> None:
    if operands[0].kind == "list":
        change_list(here, operands[0], None)


@transfer("Collect")
def _collect(here: Evaluation, operands: list[Type]) -> None:
    container, *items = operands
    if here.said("how") == "append":
        change_list(here, container, items[0])
    elif here.said("how") == "put":
        for site in container.sites or ():
            put(here, site, *items)
    else:
        escape(here, items[0])
