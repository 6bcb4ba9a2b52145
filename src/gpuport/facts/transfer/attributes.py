"""Attributes: of arrays, of instances and classes of the program, of modules and libraries."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation, transfer
from gpuport.facts.index import annotated_fields
from gpuport.facts.knowledge import is_of, knowledge
from gpuport.facts.modules import member_of_module
from gpuport.facts.operations import ATTRIBUTE
from gpuport.facts.transfer.entering import enter_any
from gpuport.facts.transfer.escaping import escape, expose, expose_class
from gpuport.facts.transfer.families import (
    NAMED_TUPLE,
    bases,
    family,
    is_made_for_each,
    is_named_tuple,
)
from gpuport.facts.transfer.lookup import library_attribute
from gpuport.ir.structure import Op
from gpuport.ir.types import INT, NONE, NOWHERE, UNKNOWN, Type, join_all, of_constant

#: Python classes whose methods values of these kinds have.
OWNERS: dict[str, type] = {
    "array": np.ndarray,
    "scalar": np.float64,
    "number": complex,
    "string": str,
    "tuple": tuple,
    "list": list,
    "dict": dict,
    "set": set,
}
ARRAY_NUMBERS = frozenset({"size", "nbytes", "itemsize", "ndim"})
BY_NAME = frozenset({"__dict__", "__setattr__"})  #: by which attributes are stored by name
OF_NAMED_TUPLES = frozenset(dir(namedtuple("_Pair", "")))  #: attributes that are no fields
PROBED = frozenset({"T", "mT", "real", "imag", "size"})


@transfer("GetAttr")
def _get_attr(here: Evaluation, operands: list[Type]) -> Type | None:
    return attribute(here, operands[0], here.said("name"))


def attribute(here: Evaluation, t: Type, name: str) -> Type | None:
    """What an attribute gives; None while that is not known yet."""
    if name in BY_NAME:
        _open_up(here, t)
    if t.kind == "library":
        return library_attribute(here, t.path or "", name)
    if t.kind == "module":
        found = [member_of_module(here, module, name) for module in t.targets]
        return join_all(x for x in found if x is not None)
    if t.kind == "record":
        return _field(here, t, name)
    if t.kind == "class":
        return of_class(here, t, name, None)
    if t.kind in ("array", "scalar", "number"):
        found_here = _of_numbers(here, t, name)
        if found_here is not None:
            return found_here
    if t.kind == "unknown":
        return _of_unknown(here, t, name)
    return _method(t, name)


def _open_up(here: Evaluation, t: Type) -> None:
    """Attributes may be stored under any name: of one object, or of nobody knows which."""
    if t.kind == "unknown":
        for cls in here.inference.index.classes:
            expose_class(here, cls)
    escape(here, t)


def _method(t: Type, name: str) -> Type:
    owner = OWNERS.get(t.kind)
    if owner is None:
        has_it = t.kind in ("instance", "iterator")
    else:
        has_it = callable(getattr(owner, name, None))
        has_it |= t.kind == "number" and callable(getattr(0, name, None))
    if not has_it:
        return UNKNOWN.but(assumed=t.assumed, sites=t.sites)
    return Type("method", path=name, items=(t,), assumed=t.assumed, sites=t.sites)


def _of_numbers(here: Evaluation, t: Type, name: str) -> Type | None:
    """Attributes of arrays and numbers that are no methods; None for others."""
    if name == "shape" and t.kind == "array":
        if t.shape is None:
            return UNKNOWN.under(t.assumed)
        return Type("tuple", items=tuple(INT.but(integer=e) for e in t.shape), assumed=t.assumed)
    if name == "ndim" and t.kind == "array" and t.rank is not None:
        return of_constant(t.rank).under(t.assumed)
    if name in PROBED:
        answer = here.inference.prober.ask(f"{ATTRIBUTE}{name}", [t])
        if answer is not None:
            return answer.type.but(assumed=t.assumed, sites=t.sites if answer.shares else NOWHERE)
    return INT.under(t.assumed) if name in ARRAY_NUMBERS else None


def _of_unknown(here: Evaluation, t: Type, name: str) -> Type:
    """It may be an object of the program: its methods are called with who knows what."""
    for cls in here.inference.index.classes:
        found = here.load(Place.CLASS, cls, name)
        if found is not None:
            expose(here, found, cls)
    return UNKNOWN.under(t.assumed)


def _field(here: Evaluation, t: Type, name: str) -> Type | None:
    """An attribute of an instance: a field of its family, or of its class."""
    found: list[Type | None] = []
    for cls in t.targets:
        root = family(here, cls)
        if here.load(Place.ESCAPED, root) is not None or name.startswith("__"):
            return UNKNOWN.under(t.assumed)
        found.append(here.load(Place.FIELD, root, name))
        found.append(here.load(Place.FIELD, None, name))
        if not is_made_for_each(here, cls, name):
            found.append(of_class(here, Type("class", targets=frozenset([cls])), name, t))
    total = join_all(x for x in found if x is not None)
    return total.under(t.assumed) if total is not None else None


def as_tuple(here: Evaluation, t: Type) -> Type | None:
    """A named tuple as the tuple of its fields, anything else as it is; None if not known yet."""
    classes = [one for one in t.targets if isinstance(one, Op)] if t.kind == "record" else []
    if len(classes) != 1 or not is_named_tuple(here, classes[0]):
        return t
    items = [_field(here, t, name) for name in annotated_fields(classes[0])]
    known = tuple(item for item in items if item is not None)
    return Type("tuple", items=known, assumed=t.assumed) if len(known) == len(items) else None


def of_class(
    here: Evaluation, t: Type, name: str, instance: Type | None, origin: Type | None = None
) -> Type | None:
    """A name of a class, of its bases, or what a store on an unknown object may have made of it.

    Parameters
    ----------
    instance : Type or None
        The object, where the name is looked up on one.
    origin : Type or None
        The class where the look-up began: what a ``classmethod`` is given.
    """
    origin = origin or t
    found = [_of_one_class(here, cls, name, instance, origin) for cls in t.targets]
    known = [x for x in found if x is not None]
    wild = here.load(Place.FIELD, None, name)
    return join_all([*known, wild] if known and wild is not None else known)


def _of_one_class(
    here: Evaluation, cls: Op, name: str, instance: Type | None, origin: Type
) -> Type | None:
    found = here.load(Place.CLASS, cls, name)
    if found is None:
        return _inherited(here, cls, name, instance, origin)
    if found.kind == "function" and instance is not None:
        return Type("method", targets=found.targets, items=(instance,), sites=instance.sites)
    if found.kind == "descriptor":
        return _descriptor(here, found, instance, origin)
    if found.kind == "record" and of_class(here, found.but(kind="class"), "__get__", found):
        return UNKNOWN
    return found if _keeps_attributes(here, cls, frozenset()) else UNKNOWN


def _keeps_attributes(here: Evaluation, cls: Op, derived: frozenset[Op]) -> bool:
    """Whether what the body of a class binds stays what it is: enumerations make members of it."""
    if cls.attributes["keywords"] or cls in derived:  # a metaclass, or what bases are told
        return False
    for base in bases(here, cls):
        path = base.path or ""
        known = path.startswith("builtins.") or path in knowledge().keeps_attributes
        own = [one for one in base.targets if isinstance(one, Op)]
        if base.kind == "class":
            known = all(_keeps_attributes(here, one, derived | {cls}) for one in own)
        if not known:
            return False
    return True


def _inherited(
    here: Evaluation, cls: Op, name: str, instance: Type | None, origin: Type
) -> Type | None:
    found: list[Type] = []
    for base in bases(here, cls):
        if base.kind == "class":
            given = of_class(here, base, name, instance, origin)
            found += [given] if given is not None else []
        elif base.path != "builtins.object" and not (
            base.path == NAMED_TUPLE and name not in OF_NAMED_TUPLES
        ):
            found.append(UNKNOWN)
    return join_all(found)  # of several bases any: which comes first is for Python to say


def _descriptor(here: Evaluation, found: Type, instance: Type | None, origin: Type) -> Type | None:
    if found.path == "staticmethod":
        return Type("function", targets=found.targets)
    if found.path == "classmethod":
        bound = origin.but(kind="class", items=None)
        return Type("method", targets=found.targets, items=(bound,))
    if instance is None:
        return UNKNOWN
    return enter_any(here, found.targets, [instance], {})


@transfer("SetAttr")
def _set_attr(here: Evaluation, operands: list[Type]) -> None:
    set_attribute(here, operands[0], here.said("name"), operands[1])


def set_attribute(here: Evaluation, t: Type, name: str, value: Type) -> None:
    """An attribute is stored to."""
    if t.kind in ("array", "unknown") and name in knowledge().reshapes_in_place:
        here.inference.reshape(t)
    if t.kind == "record":
        for cls in t.targets:
            here.store(Place.FIELD, family(here, cls), value, name)
    elif t.kind == "class":
        for cls in t.targets:
            here.store(Place.CLASS, cls, value, name)
    elif t.kind == "function" and name in ("__defaults__", "__kwdefaults__"):
        for function in t.targets:
            for parameter in function.signature:
                here.store(Place.DEFAULT, function, UNKNOWN, parameter.name)
    elif t.kind == "module":
        for module in t.targets:
            here.store(Place.GLOBAL, module, value, name)
    elif t.kind == "library" and is_of(t.path or "", (*knowledge().resolved, "builtins")):
        here.store(Place.PATCHED, f"{t.path}.{name}", NONE)
        escape(here, value)
    else:
        _on_unknown(here, name, value)


def _on_unknown(here: Evaluation, name: str, value: Type) -> None:
    """A store on an unknown object counts for every class and module with that name."""
    for module, names in here.inference.index.stored.items():
        if name in names:
            here.store(Place.GLOBAL, module, UNKNOWN, name)
    here.store(Place.FIELD, None, value, name)
    escape(here, value)
