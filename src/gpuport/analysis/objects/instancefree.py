"""Methods that loops call, as functions without an instance.

What such a method reads of its own, ``self.k``, the function around the loop has under local names
in the lines before it, ``k = self.k``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping

from gpuport.analysis.functions.outsidecalls import stays_outside
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.methodbodies import Attribute, Method, methods_called
from gpuport.loops.facts import FunctionFact
from gpuport.source import syntax
from gpuport.source.names import Scope
from gpuport.source.syntax import dotted, inside, is_name


def without_instance(unit: Unit, loop: ast.stmt) -> dict[str, FunctionFact]:
    """The methods that a loop calls, as functions that read the names of the function around it.

    Parameters
    ----------
    unit : Unit
    loop : ast.stmt
    """
    methods = methods_called(unit, loop)
    if not methods:
        return {}
    names = _named_before(unit, loop)
    found: dict[str, FunctionFact] = {}
    for text, method in methods.items():
        read = {one: names[method.instance, one] for one in method.reads
                if (method.instance, one) in names}  # fmt: skip
        if read.keys() == method.reads:
            made = _Free(method, read).made()
            found[text] = FunctionFact(text, made, closure=True, same=True)
    return found


def _named_before(unit: Unit, loop: ast.stmt) -> dict[Attribute, str]:
    """The names that the lines right before a loop give to attributes: ``k = self.k``.

    Before the loops around it as well, where all that these do is arithmetic.
    """
    found: dict[Attribute, str] = {}
    inner: ast.stmt | None = loop
    while inner is not None:
        block, owner = _block_of(unit.node, inner)
        for statement in reversed(block[: block.index(inner)]):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            value = statement.value if isinstance(statement, ast.Assign) else None
            if not isinstance(target, ast.Name) or not isinstance(value, ast.Attribute):
                break
            instance = dotted(value.value)
            if instance is None or unit.scope.bound.get(target.id) != 1:
                break
            found.setdefault((instance, value.attr), target.id)
        plain = isinstance(owner, ast.For | ast.While) and keeps_attributes(unit, owner)
        inner = owner if plain else None  # type: ignore[assignment]
    return found


def keeps_attributes(
    unit: Unit,
    loop: ast.stmt,
    harmless: Callable[[ast.Call], bool] = lambda call: False,
    same: Collection[int] = (),
) -> bool:
    """Whether attributes are what they were before a loop all the way through it.

    Parameters
    ----------
    unit : Unit
    loop : ast.stmt
    harmless : callable
        Tells of a call that it changes none, whatever it calls.
    same : collection of int
        Ids of the targets of statements that give an attribute what it holds.
    """
    methods = methods_called(unit, loop)

    def known(call: ast.Call) -> bool:
        return harmless(call) or ast.unparse(call.func) in methods

    return _stores_none(unit, loop, unit.scope, known, frozenset(), same) and all(
        _of_method(unit, one) for one in methods.values()
    )


def _of_method(unit: Unit, method: Method) -> bool:
    """Whether a method keeps attributes, the methods of its instance that it calls left aside."""
    assert unit.objects is not None
    own = {f"{method.receiver}.{name}" for name in method.calls}
    scope = unit.objects.program.scope_of(method.definition)
    return _stores_none(
        unit, method.definition, scope, lambda call: ast.unparse(call.func) in own, frozenset()
    )


def _stores_none(
    unit: Unit,
    node: ast.AST,
    scope: Scope,
    known: Callable[[ast.Call], bool],
    active: frozenset[str],
    same: Collection[int] = (),
) -> bool:
    """Whether a loop or a function stores no attribute, nor do functions of the module it calls."""
    root = unit.project.root
    for part in inside(node):
        stores = isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load)
        if (stores and id(part) not in same) or isinstance(
            part, (ast.Yield, ast.YieldFrom, ast.Lambda, ast.GeneratorExp)
        ):
            return False
        if not isinstance(part, ast.Call) or known(part):
            continue
        path = scope.resolve(part.func)
        name = part.func.id if isinstance(part.func, ast.Name) else ""
        definition = root.functions.get(name) if scope.owner(name) is root else None
        if path is not None or definition is None:
            if path is None or not stays_outside(unit.knowledge.words, path):
                return False
        elif name not in active and not _stores_none(
            unit, definition, unit.project.scope_of(definition), lambda call: False,
            active | {name},
        ):  # fmt: skip
            return False
    return True


def _block_of(function: ast.AST, statement: ast.stmt) -> tuple[list[ast.stmt], ast.AST]:
    """The list of statements that one is in, and what has that list."""
    for node in ast.walk(function):
        for _, field in ast.iter_fields(node):
            if isinstance(field, list) and any(one is statement for one in field):
                return field, node
    return [statement], function


class _Free(ast.NodeTransformer):
    """Rewrites a method as a function without an instance.

    Its own names that the function with the loop gives to attributes become others.
    """

    def __init__(self, method: Method, names: Mapping[str, str]) -> None:
        self.method, self.names = method, names
        taken = set(names.values())
        used = {node.id for node in inside(method.definition) if isinstance(node, ast.Name)}
        self.renamed: dict[str, str] = {}
        for name in sorted(method.bound & taken):
            other = f"{name}_"
            while other in used | taken | method.bound:
                other += "_"
            self.renamed[name] = other
            taken.add(other)

    def made(self) -> ast.FunctionDef:
        made = syntax.copied(self.method.definition)
        made.decorator_list = []
        if self.method.receiver:
            made.args.args = made.args.args[1:]
        if None not in made.args.kw_defaults:  # as well given by position
            made.args.args += made.args.kwonlyargs
            made.args.defaults += [one for one in made.args.kw_defaults if one is not None]
            made.args.kwonlyargs, made.args.kw_defaults = [], []
        made.args = self.visit(made.args)
        body = [one for one in made.body if not self._names_attribute(one)]
        made.body = [self.visit(statement) for statement in body]
        return ast.fix_missing_locations(made)

    def _names_attribute(self, statement: ast.stmt) -> bool:
        """Whether a statement only gives an attribute a name: ``u = self.u``."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        value = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name) or not isinstance(value, ast.Attribute):
            return False
        bound = [
            node
            for node in inside(self.method.definition)
            if is_name(node, target.id) and not isinstance(node.ctx, ast.Load)  # type: ignore[attr-defined]
        ]
        name = self.names.get(value.attr) if is_name(value.value, self.method.receiver) else None
        if name is None or len(bound) != 1 or target.id in self.method.parameters:
            return False
        self.renamed[target.id] = name
        return True

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.renamed.get(node.arg, node.arg)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.renamed.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not is_name(node.value, self.method.receiver):
            return self.generic_visit(node)
        name = self.names.get(node.attr)
        if name is not None:
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        instance = ast.parse(self.method.instance, mode="eval").body
        for part in ast.walk(instance):
            if isinstance(part, ast.expr):
                ast.copy_location(part, node.value)
        node.value = instance
        return node


__all__ = ["keeps_attributes", "without_instance"]
