"""Operations with regions, and terminators: what regions hand on."""

from __future__ import annotations

from gpuport.facts.evaluation import Evaluation, transfer
from gpuport.facts.transfer.elements import element
from gpuport.facts.transfer.escaping import escape
from gpuport.ir.queries import arms
from gpuport.ir.structure import Op
from gpuport.ir.types import UNKNOWN, Type, join

Handed = list[Type | None]


@transfer("For")
def _for(here: Evaluation, operands: Handed) -> None:
    source, *inits = operands
    body, orelse = here.op.regions
    if source is not None:
        item = element(here, source)
        if item is not None:
            here.learn(body.parameters[0], item)
    here.give(body.parameters[1:], inits)
    here.give(orelse.parameters, inits)


@transfer("While")
def _while(here: Evaluation, operands: Handed) -> None:
    here.give(here.op.regions[0].parameters, operands)


@transfer("Continue")
def _continue(here: Evaluation, operands: Handed) -> None:
    loop = here.inference.index.loop[here.op]
    if loop.kind == "For":
        here.give(loop.regions[0].parameters[1:], operands)
        here.give(loop.regions[1].parameters, operands)
    else:
        here.give(loop.regions[0].parameters, operands)


@transfer("Break")
def _break(here: Evaluation, operands: Handed) -> None:
    here.give(here.inference.index.loop[here.op].results, operands)


@transfer("Yield")
def _yield(here: Evaluation, operands: Handed) -> None:
    region = here.op.parent
    owner = region.owner
    assert isinstance(owner, Op), "a function ends in no Yield"
    if owner.kind == "While" and region is owner.regions[0]:
        here.give(owner.regions[1].parameters, operands[1:])
        here.give(owner.regions[2].parameters, operands[1:])
    elif owner.kind == "Try" and not any(region is arm for arm in arms(owner)):
        if region is owner.regions[0]:  # what its `else` is given
            orelse = owner.regions[1 + 2 * owner.attributes["handlers"]]
            here.give(orelse.parameters, operands)
    elif owner.kind != "MakeClass":
        here.give(owner.results, operands)


@transfer("Try")
def _try(here: Evaluation, operands: list[Type]) -> None:
    for handler in range(here.said("handlers")):
        here.learn(here.op.regions[2 + 2 * handler].parameters[0], UNKNOWN)


@transfer("With")
def _with(here: Evaluation, operands: list[Type]) -> None:
    escape(here, operands[0])
    here.learn(here.op.regions[0].parameters[0], UNKNOWN)


@transfer("Return")
def _return(here: Evaluation, operands: list[Type]) -> None:
    context, given = here.context, operands[0]
    if context.function.is_generator:
        given = UNKNOWN
    if context.result is not None:
        given = join(context.result, given)
    if given != context.result:
        context.result = given
        for caller, call in context.callers:
            here.inference.enqueue(caller, call)


@transfer("Raise")
def _raise(here: Evaluation, operands: list[Type]) -> None:
    for t in operands:
        escape(here, t)


@transfer("If", "Unreachable")
def _nothing(here: Evaluation, operands: list[Type]) -> None:
    """The results of an ``If`` come from the ``Yield`` of its arms."""
