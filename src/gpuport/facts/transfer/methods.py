"""Methods of arrays, numbers, lists, dicts, texts and of objects of libraries."""

from __future__ import annotations

import numpy as np

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.knowledge import askable, knowledge
from gpuport.facts.texts import called_on_text
from gpuport.facts.transfer.asking import asked, size_of
from gpuport.facts.transfer.containers import copied, values_of_dict
from gpuport.facts.transfer.elements import element
from gpuport.facts.transfer.escaping import (
    change_dict,
    change_list,
    escape,
    escape_functions,
    new_list,
)
from gpuport.ir.extents import Affine
from gpuport.ir.types import (
    INT,
    NONE,
    STRING,
    UNKNOWN,
    Type,
    assumptions,
    join_all,
)

Named = dict[str, Type]
PYTHON_NUMBERS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def call_method(here: Evaluation, method: Type, arguments: list[Type], named: Named) -> Type | None:
    """What a method of something that is no object of the program gives."""
    assert method.items is not None
    receiver, name = method.items[0], method.path or ""
    every = [*arguments, *named.values()]
    if receiver.kind == "list":
        return _of_list(here, receiver, name, arguments, every)
    if receiver.kind == "dict":
        return _of_dict(here, receiver, name, every)
    if receiver.kind == "string":
        escape_functions(here, every)
        return _of_text(here, receiver, name, None if named else arguments)
    assumed = assumptions([receiver, *every])
    if receiver.kind in ("array", "scalar", "number"):
        escape_functions(here, every)
        return _of_array(here, receiver, name, arguments, named).under(assumed)
    if receiver.kind == "instance" and receiver.path in knowledge().generators.values():
        escape_functions(here, every)
        path = f"{receiver.path}.{name}"
        answer = asked(here, path, [receiver, *every], tuple(named))
        return (answer or UNKNOWN).under(assumed)
    for t in every:
        escape(here, t)
    return UNKNOWN.under(assumed)


def _of_text(here: Evaluation, receiver: Type, name: str, given: list[Type] | None) -> Type:
    """What a method of a text gives; where all of it stands in the program, which text."""
    parts, gives = (knowledge().methods[kind].get(name) for kind in ("text_parts", "string"))
    if parts:
        return new_list(here, STRING) if parts == "list" else Type("tuple", items=(STRING,) * 3)
    if gives != "str":
        return Type("number", gives) if gives else UNKNOWN
    made = called_on_text(receiver, name, given) if given is not None else None
    return STRING.but(constant=(made,)) if isinstance(made, str) else STRING


def _of_array(
    here: Evaluation, receiver: Type, name: str, arguments: list[Type], named: Named
) -> Type:
    unknown = UNKNOWN.but(sites=receiver.sites)
    if name == "item" and receiver.dtype and receiver.kind != "number":
        return Type("number", PYTHON_NUMBERS[np.dtype(receiver.dtype).kind])
    if name == "reshape" and receiver.kind == "array" and arguments and not named:
        return _reshaped(receiver, arguments) or unknown
    if name in knowledge().reshapes_in_place:
        here.inference.reshape(receiver)
        return NONE
    path = f"numpy.ndarray.{name}"
    if receiver.kind != "number" and not askable(path):
        return unknown
    every = [receiver, *arguments, *named.values()]
    return asked(here, path, every, tuple(named)) or unknown


def _reshaped(receiver: Type, arguments: list[Type]) -> Type | None:
    """An array in a shape that is given as whole numbers; -1 is not worked out."""
    sizes = arguments[0].items if arguments[0].kind == "tuple" else tuple(arguments)
    if sizes is None or not all(t.kind == "number" and t.dtype == "int" for t in sizes):
        return None
    rest = Affine((), -1)
    shape = tuple(None if t.integer == rest else t.integer for t in sizes)
    order = "C" if receiver.order == "C" or len(shape) < 2 else None
    made = Type("array", receiver.dtype, shape, order, sites=receiver.sites)
    # one that is -1 when the program runs is worked out, too
    return made.under(frozenset(size_of(e) for e in shape if e is not None and e.terms))


def _of_list(
    here: Evaluation, receiver: Type, name: str, arguments: list[Type], every: list[Type]
) -> Type | None:
    does = knowledge().methods["list"].get(name)
    if does == "adds":
        change_list(here, receiver, arguments[-1] if arguments else UNKNOWN)
        return NONE
    if does == "adds_all":
        more = element(here, arguments[0]) if arguments else None
        change_list(here, receiver, more or UNKNOWN)
        return NONE
    if does == "changes":
        escape_functions(here, every)
        change_list(here, receiver, None)
        return NONE
    if does == "takes":
        change_list(here, receiver, None)
        return element(here, receiver)
    if does == "counts":
        return INT
    return copied(here, receiver) if name == "copy" else UNKNOWN


def _of_dict(here: Evaluation, receiver: Type, name: str, every: list[Type]) -> Type | None:
    value = (values_of_dict(here, receiver) if receiver.sites else None) or UNKNOWN
    stored = [here.load(Place.KEYS, site) for site in receiver.sites or ()]
    keys = join_all(t for t in stored if t is not None) or UNKNOWN
    items = {"items": Type("tuple", items=(keys, value)), "keys": keys, "values": value}
    if name in items:
        return Type("iterator", element=items[name])
    change_dict(here, receiver)
    for t in every:
        escape(here, t)
    return UNKNOWN
