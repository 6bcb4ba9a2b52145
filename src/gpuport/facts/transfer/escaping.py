"""Values that go to code that is not read: it may call them, change them and keep them."""

from __future__ import annotations

from gpuport.facts.contexts import Location, Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.transfer.families import family, subclasses
from gpuport.ir.structure import Function, Op
from gpuport.ir.types import NONE, UNKNOWN, Type


def escape(here: Evaluation, t: Type, around: frozenset[object] = frozenset()) -> None:
    """A value goes to code that is not read.

    Parameters
    ----------
    here : Evaluation
    t : Type
    around : frozenset, optional
        The sites of the containers that hold it, which go there already.
    """
    if t.kind in ("function", "class", "unknown"):
        expose(here, t)
    elif t.kind in ("method", "descriptor") and t.targets:
        _expose_method(here, t)
    elif t.kind == "method":  # of a list, it may change it
        escape(here, t.items[0] if t.items else UNKNOWN, around)
    elif t.kind == "list":
        _escape_held(here, t, around, Place.ITEMS)
        change_list(here, t, UNKNOWN)
    elif t.kind == "dict":
        _escape_held(here, t, around, Place.OTHER, Place.ANY_KEY)
        change_dict(here, t)
    elif t.kind == "record":
        for cls in t.targets:
            expose_class(here, cls)
    if t.kind == "tuple":
        for part in t.items or ():
            escape(here, part, around)


def _escape_held(here: Evaluation, t: Type, around: frozenset[object], *places: Place) -> None:
    """What a container holds goes along with it: containers may hold one another."""
    for site in (t.sites or frozenset()) - around:
        for place in places:
            held = here.load(place, site)
            if held is not None:
                escape(here, held, around | {site})


def expose(here: Evaluation, t: Type, cls: Op | None = None) -> None:
    """Somebody may call these functions with anything; with instances of a class as the first."""
    for target in t.targets:
        if isinstance(target, Op):
            expose_class(here, target)
        elif isinstance(target, Function):
            types = [UNKNOWN] * len(target.parameters)
            takes_self = t.kind == "function" or t.path == "property"
            if cls is not None and takes_self and types:
                types[0] = Type("record", targets=frozenset(subclasses(here, cls)))
            here.inference.context(target, tuple(types))


def _expose_method(here: Evaluation, t: Type) -> None:
    """A bound method is called on its object."""
    bound = t.items[0] if t.items else None
    for target in t.targets:
        if isinstance(target, Function):
            types = [UNKNOWN] * len(target.parameters)
            if bound is not None and bound.kind == "record" and types:
                types[0] = bound
            here.inference.context(target, tuple(types))


def expose_class(here: Evaluation, cls: Op) -> None:
    """Instances of a class go to code that is not read: fields may change, methods be called."""
    seen = Location(Place.EXPOSED, cls)
    if seen in here.inference.memory:
        return
    here.inference.store(seen, NONE)
    here.store(Place.ESCAPED, family(here, cls), NONE)
    for location, t in list(here.inference.memory.items()):
        if location.place is Place.CLASS and location.owner is cls:
            expose(here, t, cls)


def new_list(here: Evaluation, item: Type) -> Type:
    """A list that an operation makes, of nobody knows how many items."""
    here.store(Place.ITEMS, here.op, item)
    here.store(Place.CHANGED, here.op, NONE)
    return Type("list", sites=frozenset([here.op]))


def change_list(here: Evaluation, t: Type, item: Type | None) -> None:
    """A list gets an item, or another order or length: it is no longer as its display says."""
    for site in t.sites or ():
        here.store(Place.CHANGED, site, NONE)
        if item is not None:
            here.store(Place.ITEMS, site, item)
    if t.sites is None and item is not None:
        escape(here, item)


def change_dict(here: Evaluation, t: Type) -> None:
    """A dict gets unknown values under unknown keys."""
    for site in t.sites or ():
        here.store(Place.OTHER, site, UNKNOWN)
        here.store(Place.KEYS, site, UNKNOWN)


def escape_functions(here: Evaluation, types: list[Type]) -> None:
    """Values go to a library that keeps nothing; functions among them are called all the same."""
    for t in types:
        if t.kind in ("function", "method", "class", "record", "unknown"):
            escape(here, t)
