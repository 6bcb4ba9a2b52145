"""Attributes of an instance that its class takes for numbers.

Nothing proves what an attribute holds: code outside may store anything there. Where all that the
class itself stores are numbers, methods are ported for numbers, and their boundary asks at each
call whether the attributes are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.functions.evidence import Ground, judge
from gpuport.analysis.functions.uses import Use
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Scalar
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.parameters import default_values
from gpuport.source.syntax import walk

_NUMBERS = {"bool": 0, "int": 1, "float": 2, "complex": 3}
"""Types of numbers, by what takes in what."""

_ANYTHING = "anything"
"""What a parameter is of which nothing is said: as good a number as the other stores are."""

_MAKERS = {
    "builtins.float": "float", "builtins.int": "int", "builtins.len": "int",
    "builtins.complex": "complex", "builtins.bool": "bool",
}  # fmt: skip


def number_of_receiver(unit: Unit, node: ast.Attribute) -> Scalar | None:
    """What ``self.x`` is where the class stores nothing but numbers in it; None elsewhere."""
    owner = unit.scope.parent
    if not unit.decorated or unit.objects is not None or not isinstance(node.value, ast.Name):
        return None
    if owner is None or not isinstance(owner.node, ast.ClassDef):
        return None
    receiver = receiver_of(unit.node)
    if node.value.id != receiver or unit.scope.bound.get(receiver) != 1:
        return None
    memory = unit.project.remembered.numbers
    found = memory.get(id(owner.node))
    if found is None:
        found = memory[id(owner.node)] = numbers_of(owner)
    return found.get(node.attr)


def numbers_read(unit: Unit, node: ast.AST) -> dict[str, Scalar]:
    """Numbers ``self.x`` that stand in a part of a method, by their text."""
    found: dict[str, Scalar] = {}
    for inner in unit.module.nodes.inside(node, ast.Attribute):
        number = number_of_receiver(unit, inner)
        if number is not None:
            found[ast.unparse(inner)] = number
    return found


def receiver_of(node: ast.AST) -> str | None:
    """The parameter that a method gets its instance by."""
    if not isinstance(node, ast.FunctionDef):
        return None
    names = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
    positional = (*node.args.posonlyargs, *node.args.args)
    if names & {"staticmethod", "classmethod"} or not positional:
        return None
    return positional[0].arg


def numbers_of(owner: Scope) -> dict[str, Scalar]:
    """Attributes in which the text of a class stores numbers alone, with their types.

    Parameters
    ----------
    owner : Scope
        The scope of the class.

    Returns
    -------
    dict
        Name to a `Scalar`; the widest type of those that are stored.
    """
    stored: dict[str, list[str | None]] = {}
    for name, kind in _stores(owner):
        stored.setdefault(name, []).append(kind)
    found: dict[str, Scalar] = {}
    for name, kinds in stored.items():
        known = [kind for kind in kinds if kind in _NUMBERS]
        if known and None not in kinds and name not in owner.functions:
            found[name] = Scalar(max(known, key=_rank))
    return found


def plain_fields(owner: Scope) -> dict[str, str | None]:
    """Attributes in which the text of a class stores what may be numbers, and nothing else.

    Parameters
    ----------
    owner : Scope
        The scope of the class.

    Returns
    -------
    dict
        Name to the widest type of the numbers that are stored, None where the text does not tell.
    """
    stored: dict[str, list[str | None]] = {}
    for name, kind in _stores(owner):
        stored.setdefault(name, []).append(kind)
    found: dict[str, str | None] = {}
    for name, kinds in stored.items():
        if None not in kinds and name not in owner.functions:
            told = _ANYTHING not in kinds
            found[name] = max((k for k in kinds if k is not None), key=_rank) if told else None
    return found


_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _stores(owner: Scope) -> Iterator[tuple[str, str | None]]:
    """Each store into an attribute by the class, with the type of a number; None for others."""
    assert isinstance(owner.node, ast.ClassDef)
    for statement in owner.node.body:
        for target, value, annotation in _assigned(statement):
            if isinstance(target, ast.Name):
                yield target.id, _declared(owner, value, annotation) or _number(owner, value)
    for name in owner.imports.keys() | owner.classes.keys():
        yield name, None
    for scope in owner.children:
        receiver = receiver_of(scope.node)
        if receiver is None:
            continue
        pairs: dict[int, tuple[ast.expr | None, ast.expr | None]] = {}
        for node in walk(scope.node):  # statements come before what is in them
            if isinstance(node, _ASSIGNMENTS):
                pairs.update((id(one), (value, given)) for one, value, given in _assigned(node))
            elif (
                isinstance(node, ast.Attribute)
                and not isinstance(node.ctx, ast.Load)
                and isinstance(node.value, ast.Name)
                and node.value.id == receiver
            ):
                value, annotation = pairs.get(id(node), (None, None))
                kind = _declared(scope, value, annotation)
                yield node.attr, kind or _number(scope, value) or _untold(scope, value)


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None, ast.expr | None]]:
    """Targets of a statement that are bound as a whole, with value and annotation."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _one_by_one(target, node.value)
    elif isinstance(node, ast.AnnAssign):
        yield node.target, node.value, node.annotation
    elif isinstance(node, ast.AugAssign):
        yield node.target, node.value, None


def _one_by_one(
    target: ast.expr, value: ast.expr
) -> Iterator[tuple[ast.expr, ast.expr | None, ast.expr | None]]:
    """``a, b = x, y`` as ``a = x`` and ``b = y``."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        starred = any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts))
        if not starred and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                yield from _one_by_one(one, other)
            return
    yield target, value, None


def _declared(scope: Scope, value: ast.expr | None, annotation: ast.expr | None) -> str | None:
    """The type of the number that a field is annotated as; None where its default is none."""
    if isinstance(value, ast.Constant) and type(value.value).__name__ not in _NUMBERS:
        return None
    kind = (scope.resolve(annotation) or "") if annotation is not None else ""
    return kind.removeprefix("builtins.") if kind.removeprefix("builtins.") in _NUMBERS else None


def _number(scope: Scope, node: ast.expr | None) -> str | None:
    """The type of the number that an expression is by its text, or of what it is made of."""
    if isinstance(node, ast.Constant):
        kind = type(node.value).__name__
        return kind if kind in _NUMBERS else None
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return _number(scope, node.operand)
    if isinstance(node, ast.BinOp):
        return _computed(scope, node)
    if isinstance(node, ast.Call):
        path = scope.resolve(node.func) or ""
        return _MAKERS.get(path, "float" if path.startswith("math.") else None)
    if isinstance(node, ast.Name) and isinstance(scope.node, ast.FunctionDef):
        return _parameter(scope, scope.node, node.id)
    return None


def _computed(scope: Scope, node: ast.BinOp) -> str | None:
    """The type of what is computed of numbers, and of parameters of which nothing is said."""
    sides = [_number(scope, e) or _untold(scope, e) for e in (node.left, node.right)]
    known = [side for side in sides if side in _NUMBERS]
    if None in sides:
        return None
    kind = max((*known, "float" if isinstance(node.op, ast.Div) else "int"), key=_rank)
    told = len(known) == len(sides) or (known and _rank(kind) >= _rank("float"))
    return kind if told else _ANYTHING


def _rank(kind: str) -> int:
    return _NUMBERS[kind]


def _untold(scope: Scope, node: ast.expr | None) -> str | None:
    """Whether an expression is a parameter of which nothing is said."""
    if not isinstance(node, ast.Name) or not isinstance(scope.node, ast.FunctionDef):
        return None
    args = scope.node.args
    defaults = default_values(args)
    told = [
        argument.annotation is not None or argument.arg in defaults
        for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs)
        if argument.arg == node.id
    ]
    return _ANYTHING if told == [False] and scope.bound.get(node.id) == 1 else None


def _parameter(scope: Scope, function: FunctionNode, name: str) -> str | None:
    """The type of a parameter that an annotation or its default says is a number."""
    args = function.args
    for argument in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        if argument.arg == name and scope.bound.get(name) == 1:
            value, ground = judge(argument, default_values(args).get(name), None, Use())
            told = ground in (Ground.ANNOTATION, Ground.DEFAULT)
            if told and isinstance(value, Scalar) and value.type in _NUMBERS:
                return value.type
    return None
