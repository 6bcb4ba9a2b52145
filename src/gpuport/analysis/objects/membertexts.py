"""Methods that are found by how their names begin: ``getattr(self, "step_" + scheme)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.functions.functionvalues import holds_arguments, is_function, made_by
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Object

if TYPE_CHECKING:
    from gpuport.analysis.objects.families import Family
    from gpuport.analysis.objects.instances import Objects

_ASKING = ("__getattr__", "__getattribute__")


def member_by_text(unit: Unit, node: ast.Call) -> Flow | None:
    """One of the methods of an instance whose names begin alike, as if a dict chose it.

    Parameters
    ----------
    unit : Unit
    node : ast.Call
        Of ``getattr``.

    Returns
    -------
    Flow or None
        None where an attribute may be meant that is no such method.
    """
    if unit.objects is None or node.keywords or len(node.args) != 2:
        return None
    owner, text = node.args
    start = _beginning(text)
    if not isinstance(owner, ast.Name) or not start or start.startswith("__"):
        return None
    held = unit.load(owner.id)
    value = None if held is None else held.value
    if not isinstance(value, Object) or value.optional:
        return None
    family = unit.objects.classes.get(value.name)
    if family is None or is_function(family) or holds_arguments(family) or made_by(family, value):
        return None
    names = _methods(unit.objects, family, start)
    if not names:
        return None
    chosen = unit.project.equivalents.chosen_member(node, names)
    flow = evaluate(unit, chosen)
    unit.follow(chosen)  # the call itself goes on to where it is seen
    return flow


def _beginning(text: ast.expr) -> str:
    """What a text begins with, whatever the rest of it is."""
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add):
        return _beginning(text.left)
    if isinstance(text, ast.JoinedStr) and text.values:
        return _beginning(text.values[0])
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return text.value
    return ""


def _methods(objects: Objects, family: Family, start: str) -> list[str]:
    """The names that begin so, where all of them are those of plain methods of the module."""
    found: dict[str, None] = {}
    for one in family.classes.values():
        node = one.node
        if not isinstance(node, ast.ClassDef) or len(node.bases) != (one.base is not None):
            return []
        others = (one.static, one.class_methods, one.setters, one.constants, one.properties)
        fields = [f.name for f in one.fields or ()]
        if any(n.startswith(start) for names in (*others, fields) for n in names):
            return []
        for name, method in one.methods.items():
            if name in _ASKING or (name.startswith(start) and method.decorator_list):
                return []
            if name.startswith(start):
                found[name] = None
    stored = (*objects.before.attributes, *objects.now.attributes)
    if any(owner == family.name and name.startswith(start) for owner, name in stored):
        return []
    return list(found)
