"""Loops that stay since what they work on has a few elements: that is the reason to be told.

Why no kernel can be made of such a loop is true as well, but to mend it would gain nothing.
"""

from __future__ import annotations

import ast

import gpuport.cost.fewelements as cost
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Place
from gpuport.cost.shapes import FEW, FEW_IN_NESTS
from gpuport.passes.findings import info
from gpuport.records import Finding
from gpuport.source.syntax import LOOPS, walk

_OF_LOOPS = ("GP2", "GP3")
"""How the codes begin that say why a loop is no kernel, and no stack."""

FEW_ELEMENTS = (
    "its arrays have a few elements each: NumPy is done with them before a kernel has begun"
)


def of_few_elements(analysed: Analysed, findings: list[Finding]) -> list[Finding]:
    """The findings of a function, with this reason for the outermost loops of which it holds."""
    unit, inside = analysed.unit, set[int]()
    shapes = unit.project.calls.shapes(unit.project, unit.scope)
    for node in walk(unit.node):
        if id(node) not in unit.forms.refusals or id(node) in inside:
            continue
        loops = [one for one in walk(node) if id(one) in unit.forms.refusals]
        many = isinstance(node, ast.For | ast.While) and cost.fills_many(node, shapes)
        if not many and all(is_little(analysed, one, arrays=True) for one in loops):
            inside |= {id(one) for one in loops}
            places = [unit.module.span(one) for one in loops]
            message = f"the loop stays in Python: {FEW_ELEMENTS}"
            told = (f for f in findings if f.span not in places or f.code[:3] not in _OF_LOOPS)
            findings = [*told, info(analysed, "GP407", message, node)]
    return findings


def is_little(analysed: Analysed, within: ast.AST, *, arrays: bool = False) -> bool:
    """Whether all array work in a part of a function is on a few elements, and on the host.

    ``arrays``: work on single elements alone tells nothing, since they may be of large arrays.
    """
    unit, parts = analysed.unit, {id(node) for node in walk(within)}
    shapes = unit.project.calls.shapes(unit.project, unit.scope)
    nested = shapes.repeated or any(isinstance(n, LOOPS) for n in walk(within) if n is not within)
    few, _ = cost.few_elements(unit.node, shapes, FEW_IN_NESTS if nested else FEW)
    work = [one for one in unit.work.operations.values() if id(one.node) in parts]
    work = [one for one in work if not one.only_numbers]
    on_host = (analysed.placement.of(one.graph_node) is not Place.DEVICE for one in work)
    if not work or not all(id(one.node) in few for one in work) or not all(on_host):
        return False
    values = (one.node for one in work if isinstance(one.node, ast.expr))
    return not arrays or any((shapes.elements(value) or 0) > 1 for value in values)


__all__ = ["FEW_ELEMENTS", "is_little", "of_few_elements"]
