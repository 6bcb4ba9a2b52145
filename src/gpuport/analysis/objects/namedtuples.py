"""Named tuples that a module defines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import Object, Tuple, is_number
from gpuport.analysis.values.lattice import Sequence as SequenceValue
from gpuport.source.names import Scope
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit

NAMED_TUPLE = "typing.NamedTuple"
_MAKERS = frozenset({"collections.namedtuple", NAMED_TUPLE})


def makes_named_tuple(unit: Unit, node: ast.Call) -> bool:
    """Whether a call makes a named tuple of the module of the values that it lists."""
    if not isinstance(node.func, ast.Name) or has_star(node):
        return False
    name, root = node.func.id, unit.project.root
    if name in unit.env or unit.scope.owner(name) is not root or root.bound.get(name) != 1:
        return False
    made, defined = root.choices.get(name), root.classes.get(name)
    if defined is not None:
        plain = not defined.decorator_list and not defined.keywords
        return plain and [root.resolve(b) for b in defined.bases] == [NAMED_TUPLE]
    return isinstance(made, ast.Call) and root.resolve(made.func) in _MAKERS


def as_plain(unit: Unit, expression: ast.expr, flow: Flow) -> Flow:
    """``np.array(point)``: NumPy takes the numbers of a named tuple as those of a plain one.

    They stay on the host, as NumPy takes them there.
    """
    listed = flow.value if isinstance(flow.value, SequenceValue) else None
    held = listed.of if listed is not None else flow.value
    if not isinstance(held, Object) or unit.objects is None:
        return flow
    items = unit.objects.items(unit, expression, held)
    if not items or not all(is_number(item.value) for item in items):
        return flow
    why = Reason("GP402", f"`{unit.module.segment(expression)[:60]}` is a named tuple", expression)
    for item in items:
        if item.origin is not None:
            unit.graph.pin(item.origin, why)
    for one in (expression, *getattr(expression, "elts", ())):
        unit.follow(one)
    plain = Tuple(tuple(item.value for item in items))
    return replace(flow, value=plain if listed is None else replace(listed, of=plain))


def made_tuples(root: Scope) -> Iterator[tuple[str, tuple[ast.Call, list[str]]]]:
    """``Pair = namedtuple("Pair", "first second")``: each name, the call and the fields."""
    for name, call in root.choices.items():
        if not isinstance(call, ast.Call) or root.bound.get(name) != 1 or name in root.imports:
            continue
        if root.resolve(call.func) not in _MAKERS or len(call.args) != 2 or call.keywords:
            continue  # defaults and renamed fields are not followed
        names = _fields(call.args[1])
        if names and isinstance(call.args[0], ast.Constant) and call.args[0].value == name:
            yield name, (call, names)


def _fields(node: ast.expr) -> list[str]:
    """The names of ``"x y"``, ``["x", "y"]`` or ``[("x", float), ("y", float)]``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace(",", " ").split()
    if not isinstance(node, (ast.List, ast.Tuple)):
        return []
    parts = [e.elts[0] if isinstance(e, ast.Tuple) and e.elts else e for e in node.elts]
    names = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return names if len(names) == len(parts) else []


__all__ = ["NAMED_TUPLE", "as_plain", "made_tuples", "makes_named_tuple"]
