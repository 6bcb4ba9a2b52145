"""Functions and classes as they are made, what generators yield, and what was not understood."""

from __future__ import annotations

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation, transfer
from gpuport.facts.index import functions_of
from gpuport.facts.transfer.elements import element
from gpuport.facts.transfer.escaping import escape, expose
from gpuport.facts.transfer.families import family
from gpuport.ir.structure import Function, Passing
from gpuport.ir.types import NONE, UNKNOWN, Type

#: Special methods that construction calls with known arguments.
CALLED_BY_CONSTRUCTION = frozenset({"__init__", "__post_init__"})


#: Special methods by which a class looks its attributes up, or stores them, in its own way.
LOOKS_UP = frozenset({"__getattribute__", "__getattr__", "__setattr__"})


@transfer("MakeFunction")
def _make_function(here: Evaluation, operands: list[Type]) -> Type:
    function: Function = here.said("function")
    by_place = [
        parameter.name
        for parameter in function.signature
        if parameter.has_default and parameter.passing is not Passing.KEYWORD
    ]
    for name, t in zip([*by_place, *here.said("keyword")], operands, strict=False):
        here.store(Place.DEFAULT, function, t, name)
    return Type("function", targets=frozenset([function]))


@transfer("MakeClass")
def _make_class(here: Evaluation, operands: list[Type]) -> Type:
    for t in operands[here.said("bases") :]:
        escape(here, t)
    functions = functions_of(here.op)
    odd = any(function.name in LOOKS_UP for function in functions)
    if odd or len(operands) > here.said("bases"):  # a metaclass
        here.store(Place.ESCAPED, family(here, here.op), NONE)
    for function in functions:
        special = function.name.startswith("__") and function.name.endswith("__")
        if special and function.name not in CALLED_BY_CONSTRUCTION:  # Python calls it by itself
            found = here.load(Place.CLASS, here.op, function.name)
            if found is not None:
                expose(here, found, here.op)
    return Type("class", targets=frozenset([here.op]))


@transfer("GeneratorYield")
def _generator_yield(here: Evaluation, operands: list[Type]) -> Type:
    here.store(Place.YIELDS, here.context.function, operands[0])
    return UNKNOWN


@transfer("GeneratorDelegate")
def _generator_delegate(here: Evaluation, operands: list[Type]) -> Type:
    item = element(here, operands[0])
    if item is not None:
        here.store(Place.YIELDS, here.context.function, item)
    return UNKNOWN


@transfer("Opaque")
def _opaque(here: Evaluation, operands: list[Type]) -> list[Type]:
    """What it reads escapes, and it may have stored anything to names of its module."""
    for t in operands:
        escape(here, t)
    module = here.inference.index.module[here.context.function]
    for name in here.inference.index.stored[module]:
        here.store(Place.GLOBAL, module, UNKNOWN, name)
    return [UNKNOWN for _ in here.op.results]
