"""Enumerations that a module defines, as the numbers behind their members."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.values.lattice import Scalar
from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit

_COUNTING = frozenset({"enum.IntEnum", "enum.IntFlag"})
_KINDS = _COUNTING | {"enum.Enum", "enum.Flag"}
_POWERS = frozenset({"enum.IntFlag", "enum.Flag"})
_HARMLESS = frozenset({"__str__", "__repr__", "__doc__"})


@dataclass(frozen=True, slots=True)
class Enumeration:
    """An enumeration.

    Attributes
    ----------
    members : dict
        Those of which the text tells the number.
    counts : bool
        A member is a whole number itself, and compares as one.
    """

    members: dict[str, int | float]
    counts: bool


def enumeration_of(root: Scope, name: str) -> Enumeration | None:
    """The enumeration of the module that a name is bound to, and to nothing else; or None."""
    node = root.classes.get(name)
    if node is None or root.bound.get(name) != 1 or name in root.imports:
        return None
    bases = [root.resolve(base) for base in node.bases]
    if len(bases) != 1 or bases[0] not in _KINDS or node.keywords or node.decorator_list:
        return None
    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    if "value" in methods or any(one[0] == "_" and one not in _HARMLESS for one in methods):
        return None  # how members come about, or compare, is its own affair
    members = _members(root, node, follows=bases[0] not in _POWERS)
    found = {one: value for one, value in members.items() if one not in methods}
    return Enumeration(found, bases[0] in _COUNTING)


def enumeration_named(unit: Unit, name: str) -> Enumeration | None:
    """The enumeration that a name means where a unit reads it; None where it may mean another."""
    root = unit.project.root
    if name not in root.classes or unit.scope.owner(name) is not root:
        return None
    return enumeration_of(root, name)


def number_behind(unit: Unit, node: ast.Attribute) -> Scalar | None:
    """What ``State.ON.value`` is, where the text tells; None of anything else."""
    member = _member(unit, node.value) if node.attr == "value" else None
    return None if member is None else Scalar(type(member[1]).__name__)


def is_counting_member(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression is a member of an enumeration that counts as a number."""
    member = _member(unit, node)
    return member is not None and member[0].counts


def _member(unit: Unit, node: ast.expr) -> tuple[Enumeration, int | float] | None:
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    found = enumeration_named(unit, node.value.id)
    number = None if found is None else found.members.get(node.attr)
    return None if found is None or number is None else (found, number)


def _members(root: Scope, node: ast.ClassDef, *, follows: bool) -> dict[str, int | float]:
    """The numbers that a class body gives its names, up to the first that it does not show."""
    found: dict[str, int | float] = {}
    for statement in node.body:
        if not isinstance(statement, ast.Assign):
            continue
        target = statement.targets[0]
        if len(statement.targets) != 1 or not isinstance(target, ast.Name):
            break
        value = _number(root, statement.value)
        counted = all(isinstance(one, int) for one in found.values())
        if value is None and follows and counted and _is_next(root, statement.value):
            value = max(found.values(), default=0) + 1
        if value is None:
            break
        found[target.id] = value
    return found


def _number(root: Scope, node: ast.expr) -> int | float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(root, node.operand)
        return None if value is None else -value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
        left, right = _number(root, node.left), _number(root, node.right)
        both = isinstance(left, int) and isinstance(right, int) and 0 <= right < 62
        return left << right if both else None  # type: ignore[operator]
    plain = isinstance(node, ast.Constant) and type(node.value) in (int, float)
    return node.value if plain else None  # type: ignore[attr-defined]


def _is_next(root: Scope, node: ast.expr) -> bool:
    """Whether it is ``auto()``."""
    plain = isinstance(node, ast.Call) and not node.args and not node.keywords
    return plain and root.resolve(node.func) == "enum.auto"  # type: ignore[attr-defined]


__all__ = ["Enumeration", "enumeration_named", "is_counting_member", "number_behind"]
