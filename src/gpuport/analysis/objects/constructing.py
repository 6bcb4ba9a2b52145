"""How instances are made: by ``__init__``, or by what a dataclass writes for it."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.matching import Parameters, matched
from gpuport.analysis.expressions.evaluation import evaluate, kept
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import literal
from gpuport.analysis.objects.classfacts import Field
from gpuport.analysis.objects.families import Family
from gpuport.analysis.objects.membercalls import Callee, call_member
from gpuport.analysis.values.lattice import UNKNOWN, Object

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.objects.instances import Objects


def construct(
    objects: Objects, unit: Unit, node: ast.Call, made: tuple[str, bool], args: list[Argument]
) -> Flow:
    """``Class(...)``; ``cls(...)`` makes an instance of a class or of one made of it."""
    objects.seen.update((id(node), id(node.func)))  # that of `default_factory=Class` stands alone
    name, exact = made
    family = objects.classes[name]
    owners = [name] if exact else list(family.descendants(name))
    for owner in owners:
        maker = family.maker(owner)
        if isinstance(maker, tuple):
            _fill(objects, unit, node, family, maker, args)
            after = family.exactly(owner, "__post_init__")
            if after is not None:
                call_member(objects, unit, node, Callee(after, 1), [])
        elif maker is not None:
            call_member(objects, unit, node, Callee(maker, 1), args)
    return Flow(Object(family.name, kinds=frozenset(owners)))


def _fill(
    objects: Objects, unit: Unit, node: ast.Call, family: Family, fields: tuple[Field, ...],
    args: list[Argument],
) -> None:  # fmt: skip
    """The ``__init__`` of a dataclass."""
    given = Parameters(tuple(field.name for field in fields if field.given))
    found = matched(unit, given, args)
    if found is None:
        objects.open(family.name, node, "what it is made with cannot be told")
        return
    for name, each in found.single:  # of `*values` each field may hold any
        whole = replace(each.flow, fresh=False)
        flow = whole if each.whole else kept(unit, each.expression, each.flow)
        objects.store(unit, node, family.name, name, each.expression, flow)
    for one in fields:
        if one.default is not None and not family.binds(one):
            flow = _default(objects, unit, node, family, one.default)
            objects.store(unit, node, family.name, one.name, one.default, flow)


def _default(
    objects: Objects, unit: Unit, node: ast.Call, family: Family, default: ast.expr
) -> Flow:
    """What a field holds for which nothing is given; its text is that of the class."""
    if not isinstance(default, ast.Call):
        return Flow(literal(default) or UNKNOWN)
    if objects.program.home(family.scope) is unit.project:
        return evaluate(unit, default)
    name = default.func.id if isinstance(default.func, ast.Name) else ""
    if name in objects.classes and not (default.args or default.keywords):
        return construct(objects, unit, default, (name, True), [])
    if name in ("list", "dict"):
        return evaluate(unit, default)
    objects.open(family.name, node, "a field of it is made by code of another file")
    return Flow(UNKNOWN)


__all__ = ["construct"]
