"""Calls: whom they reach, and what goes to which parameter."""

from __future__ import annotations

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation, transfer
from gpuport.facts.index import is_said
from gpuport.facts.knowledge import askable, is_of, knowledge
from gpuport.facts.transfer.asking import asked
from gpuport.facts.transfer.attributes import of_class
from gpuport.facts.transfer.builtin import call_builtin, enumerated, items_of
from gpuport.facts.transfer.elements import element
from gpuport.facts.transfer.entering import Named, enter_any
from gpuport.facts.transfer.escaping import escape, escape_functions
from gpuport.facts.transfer.families import Fields, dataclass_fields, factory, family
from gpuport.facts.transfer.iterators import iterator
from gpuport.facts.transfer.methods import call_method
from gpuport.ir.structure import Op
from gpuport.ir.types import INT, NONE, NUMBERS, UNKNOWN, Type, assumptions

DATACLASS = "dataclasses.dataclass"
ABOVE = "above functions"
OF_ITS_OWN = frozenset({"init", "kw_only"})  #: what field() says of fields that no place gives


@transfer("Call")
def _call(here: Evaluation, operands: list[Type]) -> Type | None:
    callee, *rest = operands
    stars, keywords = here.said("stars"), here.said("keywords")
    positional = _spread(stars, rest[: len(stars)])
    if positional is None or None in keywords:
        return _with_unknown_arguments(here, callee, rest)
    named = dict(zip(keywords, rest[len(stars) :], strict=True))
    return call(here, callee, positional, named)


def _spread(stars: tuple[int, ...], arguments: list[Type]) -> list[Type] | None:
    """Positional arguments; None where a starred one may hold any number of items."""
    found: list[Type] = []
    for star, t in zip(stars, arguments, strict=True):
        if not star:
            found.append(t)
        elif t.kind == "tuple" and t.items is not None:
            found += t.items
        else:
            return None
    return found


def _with_unknown_arguments(here: Evaluation, callee: Type, arguments: list[Type]) -> Type:
    for t in [*arguments, callee]:
        escape(here, t)
    if callee.kind == "class":
        return Type("record", targets=callee.targets)
    return UNKNOWN


def call(here: Evaluation, callee: Type, arguments: list[Type], named: Named) -> Type | None:
    """What a call gives; None while that is not known yet."""
    if callee.kind == "function":
        return enter_any(here, callee.targets, arguments, named)
    if callee.kind == "method" and callee.targets:
        assert callee.items is not None
        return enter_any(here, callee.targets, [callee.items[0], *arguments], named)
    if callee.kind == "class":
        return _construct(here, callee, arguments, named)
    if callee.kind == "record":
        method = of_class(here, callee.but(kind="class"), "__call__", callee)
        return call(here, method, arguments, named) if method else UNKNOWN
    if callee.path == ABOVE and arguments:
        return arguments[0]
    if callee.kind == "library" or callee.path == DATACLASS:
        return _call_library(here, callee.path or "", arguments, named)
    if callee.kind == "method":
        return call_method(here, callee, arguments, named)
    for t in [*arguments, *named.values(), callee]:
        escape(here, t)
    return UNKNOWN.under(callee.assumed)


# -- instances


def _construct(here: Evaluation, callee: Type, arguments: list[Type], named: Named) -> Type:
    made = Type("record", targets=callee.targets, sites=frozenset([here.op]))
    for cls in callee.targets:
        kind = Type("class", targets=frozenset([cls]))
        init = of_class(here, kind, "__init__", made)
        if init is not None and init.kind == "method":
            call(here, init, arguments, named)
        elif fields := dataclass_fields(here, cls):
            _fill_fields(here, cls, fields, arguments, named)
            after = of_class(here, kind, "__post_init__", made)
            if after is not None:
                call(here, after, [], {})
        elif init is not None:
            here.store(Place.ESCAPED, family(here, cls), NONE)
            for t in [*arguments, *named.values()]:
                escape(here, t)
    return made


def _fill_fields(
    here: Evaluation, cls: Op, fields: Fields, arguments: list[Type], named: Named
) -> None:
    """Fields of a dataclass: what is given, and defaults that are made for each instance."""
    if arguments and any(is_said(made, OF_ITS_OWN) for made in fields.values()):
        arguments = [UNKNOWN for _ in fields]  # some are not given by place
    given = dict(zip(fields, arguments, strict=False)) | named
    for name, default in fields.items():
        if name in given:
            here.store(Place.FIELD, family(here, cls), given[name], name)
        elif default is not None and default.kind == "Call":
            if "init" in default.attributes["keywords"]:
                continue  # __post_init__ sets it
            made = _from_factory(here, cls, default)
            if made is not None:
                here.store(Place.FIELD, family(here, cls), made, name)


def _from_factory(here: Evaluation, cls: Op, default: Op) -> Type | None:
    """What ``field(default_factory=f)`` makes for an instance; None while that is not known."""
    made = factory(here, cls, default)
    return UNKNOWN if made is None or made.kind == "unknown" else call(here, made, [], {})


# -- libraries


def _call_library(here: Evaluation, path: str, arguments: list[Type], named: Named) -> Type | None:
    every = [*arguments, *named.values()]
    if path == "builtins.map" and here.inference.for_sizes and len(every) == len(arguments) == 2:
        return _mapped(here, *arguments)
    if path.startswith("builtins."):
        return call_builtin(here, path.removeprefix("builtins."), arguments, named)
    if path == DATACLASS and (not arguments or arguments[0].kind == "class"):
        return _dataclass(here, path, arguments)
    if here.inference.for_sizes and path in knowledge().moves and arguments:
        return arguments[0]
    if here.inference.for_sizes and path in knowledge().above_functions:
        return Type("descriptor", path=ABOVE)
    if path in knowledge().libraries_give and all(t.kind in NUMBERS for t in every):
        return knowledge().libraries_give[path].under(assumptions(every))
    escape_functions(here, every)
    if path in knowledge().iterators and arguments:
        return iterator(here, knowledge().iterators[path], arguments)
    package, _, name = path.rpartition(".")
    if path in knowledge().generators:
        return Type("instance", path=knowledge().generators[path])
    if package in knowledge().shared_generators:
        state = Type("instance", path=knowledge().shared_generators[package])
        method = Type("method", path=name, items=(state,))
        return call_method(here, method, arguments, named)
    answer = _answered(here, path, arguments, named)
    if answer is None and not is_of(path, knowledge().quiet):
        for t in every:
            escape(here, t)
    return (answer or UNKNOWN).under(assumptions(every))


def _mapped(here: Evaluation, function: Type, over: Type) -> Type | None:
    """What ``map`` gives: of a tuple, item by item."""
    if over.kind == "tuple" and over.items is not None:
        found = [call(here, function, [item], {}) for item in over.items]
        known = [t for t in found if t is not None]
        return Type("tuple", items=tuple(known)) if len(known) == len(found) else None
    item = element(here, over)
    made = None if item is None else call(here, function, [item], {})
    return None if made is None else Type("iterator", element=made)


def _dataclass(here: Evaluation, path: str, arguments: list[Type]) -> Type:
    if not arguments:  # with options: what is called with the class
        return Type("descriptor", path=path)
    for cls in arguments[0].targets:
        here.store(Place.DATACLASS, cls, NONE)
    return arguments[0]


def _answered(here: Evaluation, path: str, arguments: list[Type], named: Named) -> Type | None:
    if not askable(path):
        return None
    return asked(here, path, [*arguments, *named.values()], tuple(named))


# -- what loops go over


@transfer("Iterate")
def _iterate(here: Evaluation, operands: list[Type]) -> Type | None:
    form = here.said("form")
    if form == "elements" and operands[0].kind not in ("array", "iterator", "list", "tuple"):
        return operands[0]
    item = _item(here, form, operands)
    if item is None:
        return None
    return Type("iterator", element=item, assumed=assumptions(operands))


def _item(here: Evaluation, form: str, operands: list[Type]) -> Type | None:
    if form in ("elements", "iterator", "reversed"):
        return element(here, operands[0])
    if form == "range":
        return INT
    if form == "ndindex":
        return _index(operands)
    if form == "map":
        items = items_of(here, operands[1:])
        return None if items is None else call(here, operands[0], items, {})
    items = items_of(here, operands[:1] if form == "enumerate" else operands)
    if items is None:
        return None
    return enumerated(items) if form == "enumerate" else Type("tuple", items=tuple(items))


def _index(operands: list[Type]) -> Type:
    axes = operands[0].items if operands[0].kind == "tuple" else operands
    return UNKNOWN if axes is None else Type("tuple", items=tuple(INT for _ in axes))
