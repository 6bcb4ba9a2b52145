"""Calls of Python's built-in functions."""

from __future__ import annotations

from collections.abc import Callable

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.knowledge import knowledge
from gpuport.facts.transfer.attributes import attribute, set_attribute
from gpuport.facts.transfer.containers import put
from gpuport.facts.transfer.elements import element
from gpuport.facts.transfer.escaping import change_dict, escape, escape_functions, new_list
from gpuport.facts.transfer.operators import each_way
from gpuport.ir.extents import Affine
from gpuport.ir.types import (
    INT,
    NONE,
    NUMBERS,
    STRING,
    UNKNOWN,
    Type,
    assumptions,
    join,
    join_all,
)

Named = dict[str, Type]
Answer = Type | None


def call_builtin(here: Evaluation, name: str, arguments: list[Type], named: Named) -> Answer:
    """What a call of a built-in function gives; None while that is not known yet."""
    every = [*arguments, *named.values()]
    special = SPECIAL.get(name)
    if special is not None:
        found = special(here, arguments, named)
        return found.under(assumptions(every)) if found is not None else None
    known = knowledge()
    if name not in known.reads:
        escape_functions(here, every)
    if name in known.gives:
        return known.gives[name].under(assumptions(every))
    for t in every:
        escape(here, t)
    return UNKNOWN


def _descriptor(name: str) -> Callable[[Evaluation, list[Type], Named], Answer]:
    def make(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
        if len(arguments) == 1 and arguments[0].kind == "function" and not named:
            return Type("descriptor", path=name, targets=arguments[0].targets)
        for t in [*arguments, *named.values()]:
            escape(here, t)
        return UNKNOWN

    return make


def _len(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    t = arguments[0] if arguments else UNKNOWN
    if t.kind == "array" and t.shape:
        return INT.but(integer=t.shape[0])
    if t.kind == "tuple" and t.items is not None:
        return INT.but(integer=Affine((), len(t.items)))
    return INT


def _int(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    if len(arguments) == 1 and arguments[0].kind == "number" and arguments[0].dtype == "int":
        return arguments[0]
    escape_functions(here, arguments)
    return INT


def _getattr(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    if len(arguments) < 2 or arguments[1].constant is None:
        escape_functions(here, arguments)
        return UNKNOWN
    found = attribute(here, arguments[0], arguments[1].constant[0])
    return found if len(arguments) == 2 or found is None else join(found, arguments[2])


def _setattr(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    if len(arguments) == 3:
        owner, name, value = arguments
        if name.constant is None:
            escape(here, owner)
        else:
            set_attribute(here, owner, name.constant[0], value)
        escape(here, value)
    return NONE


def _range(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    return Type("iterator", element=INT)


def items_of(here: Evaluation, arguments: list[Type]) -> list[Type] | None:
    """What each of several iterables holds; None while one is not known yet."""
    found = [element(here, t) for t in arguments]
    known = [t for t in found if t is not None]
    return known if len(known) == len(found) else None


def _list(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    escape_functions(here, list(named.values()))
    items = items_of(here, arguments[:1])
    if items is None:
        return None
    if not items:
        here.store(Place.CHANGED, here.op, NONE)
        return Type("list", sites=frozenset([here.op]))
    return new_list(here, items[0])


def _iterator(
    make: Callable[[list[Type]], Type],
) -> Callable[[Evaluation, list[Type], Named], Answer]:
    def call(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
        items = items_of(here, arguments)
        if items is None:
            return None
        return Type("iterator", element=make(items)) if items else UNKNOWN

    return call


def enumerated(items: list[Type]) -> Type:
    """What ``enumerate`` gives, item by item."""
    return Type("tuple", items=(INT, items[0]))


def _zipped(items: list[Type]) -> Type:
    return Type("tuple", items=tuple(items))


def _next(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    item = element(here, arguments[0]) if arguments else UNKNOWN
    if item is None or len(arguments) < 2:
        return item
    return join(item, arguments[1])


def _extreme(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    if named:
        escape_functions(here, [*arguments, *named.values()])
        return UNKNOWN
    pool = arguments if len(arguments) > 1 else items_of(here, arguments)
    if pool is None:
        return None
    if pool and all(t.kind in NUMBERS for t in pool):
        found = join_all(pool)
        return found.but(integer=None, constant=None) if found else UNKNOWN
    escape_functions(here, pool)
    return UNKNOWN


def _sum(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    items = items_of(here, arguments[:1])
    if items is None:
        return None
    if len(arguments) == 1 and items[0].kind == "number":
        return INT if items[0].dtype in ("int", "bool") else Type("number")
    escape_functions(here, items)
    return UNKNOWN


def _numeric(name: str) -> Callable[[Evaluation, list[Type], Named], Answer]:
    def call(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
        every = [*arguments, *named.values()]
        if not all(t.kind == "array" or t.kind in NUMBERS for t in every):
            escape_functions(here, every)
            return UNKNOWN
        return each_way(lambda given: ask(here, given, tuple(named)), every)

    def ask(here: Evaluation, given: list[Type], keywords: tuple[str, ...]) -> Type:
        answer = here.inference.prober.ask(f"builtins.{name}", given, keywords)
        if answer is None or answer.type.kind == "tuple":
            return UNKNOWN
        return answer.type.but(integer=None)

    return call


def _collection(kind: str) -> Callable[[Evaluation, list[Type], Named], Answer]:
    def call(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
        for t in [*arguments, *named.values()]:
            escape(here, t)
        made = Type(kind, sites=frozenset([here.op]) if kind == "dict" else None)
        if kind == "dict":
            change_dict(here, made)
        return made

    return call


def _dict(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    """A dict of pairs, ``dict(zip(keys, values))``, or of names."""
    pairs = items_of(here, arguments)
    if pairs is None:
        return None
    given = [t.items for t in pairs if t.kind == "tuple" and t.items and len(t.items) == 2]
    if len(arguments) > 1 or len(given) < len(pairs):
        return _collection("dict")(here, arguments, named)
    for key, value in given:
        put(here, here.op, key, value)
    for name, value in named.items():
        put(here, here.op, STRING.but(constant=(name,)), value)
    return Type("dict", sites=frozenset([here.op]))


def _tuple(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    if len(arguments) == 1 and not named:
        item = element(here, arguments[0])
        if item is None:
            return None
        if arguments[0].kind == "tuple" and arguments[0].items is not None:
            return arguments[0]
        if item.kind in NUMBERS or item.kind == "string":
            return Type("tuple", element=item.but(integer=None, constant=None))
    return _collection("tuple")(here, arguments, named)


def _super(here: Evaluation, arguments: list[Type], named: Named) -> Answer:
    return UNKNOWN


SPECIAL: dict[str, Callable[[Evaluation, list[Type], Named], Answer]] = {
    "property": _descriptor("property"),
    "staticmethod": _descriptor("staticmethod"),
    "classmethod": _descriptor("classmethod"),
    "len": _len,
    "int": _int,
    "getattr": _getattr,
    "setattr": _setattr,
    "range": _range,
    "list": _list,
    "sorted": _list,
    "reversed": _iterator(lambda items: items[0]),
    "iter": _iterator(lambda items: items[0]),
    "enumerate": _iterator(enumerated),
    "zip": _iterator(_zipped),
    "next": _next,
    "min": _extreme,
    "max": _extreme,
    "sum": _sum,
    "abs": _numeric("abs"),
    "round": _numeric("round"),
    "tuple": _tuple,
    "set": _collection("set"),
    "dict": _dict,
    "super": _super,
}
