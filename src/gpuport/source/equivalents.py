"""Calls and targets read as others that mean the same.

What is learned of syntax is kept by the identity of its node: such a node is made once.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gpuport.source.names import FunctionNode
from gpuport.source.syntax import copied


def _name_of_item(place: int) -> str:
    """What the items of the lists that ``map`` goes over are called: no name of Python's."""
    return f"<item {place}>"


@dataclass(slots=True)
class Equivalents:
    """The nodes that were made for a module."""

    _calls: dict[int, ast.Call] = field(default_factory=dict)
    _targets: dict[int, ast.Tuple] = field(default_factory=dict)
    _choices: dict[tuple[object, ...], ast.Subscript] = field(default_factory=dict)
    _made: dict[tuple[int, str | None], ast.expr] = field(default_factory=dict)
    _returns: dict[int, ast.Return] = field(default_factory=dict)

    def call_of_each(self, node: ast.Call) -> ast.Call:
        """The call that ``map(function, items, ...)`` makes for each item, called ``<item>``."""
        found = self._calls.get(id(node))
        if found is None:
            items: list[ast.expr] = [
                ast.copy_location(ast.Name(_name_of_item(k), ast.Load()), one)
                for k, one in enumerate(node.args[1:])
            ]
            found = ast.copy_location(ast.Call(node.args[0], items, []), node)
            self._calls[id(node)] = found
        return found

    def decorated(self, decorator: ast.expr, below: FunctionNode | ast.ClassDef) -> ast.Call:
        """The call that a decorator stands for above a function or class: ``decorator(below)``."""
        found = self._calls.get(id(decorator))
        if found is None:
            name = ast.copy_location(ast.Name(below.name, ast.Load()), decorator)
            found = ast.copy_location(ast.Call(decorator, [name], []), decorator)
            self._calls[id(decorator)] = found
        return found

    def as_map(self, node: ast.Call) -> ast.Call | None:
        """``starmap(function, zip(a, b))`` as ``map(function, a, b)``; None for other calls."""
        pairs = node.args[1] if len(node.args) == 2 and not node.keywords else None
        if not isinstance(pairs, ast.Call) or getattr(pairs.func, "id", "") != "zip":
            return None
        if pairs.keywords or not pairs.args or any(isinstance(a, ast.Starred) for a in pairs.args):
            return None
        found = self._calls.get(id(node))
        if found is None:
            name = ast.copy_location(ast.Name("map", ast.Load()), node.func)
            made = ast.Call(name, [node.args[0], *pairs.args], [])
            found = self._calls[id(node)] = ast.copy_location(made, node)
        return found

    def made_when_asked(self, node: ast.Call, key: str | None) -> ast.expr | None:
        """What ``defaultdict(list)`` puts under a key that is asked for: ``list()``, of its own.

        None where its argument is no name and no function that is written out.
        """
        factory = node.args[0] if len(node.args) == 1 and not node.keywords else None
        found = self._made.get((id(node), key))
        if found is None and isinstance(factory, ast.Lambda) and not ast.unparse(factory.args):
            found = copied(factory.body)
        elif found is None and isinstance(factory, ast.Name):
            found = ast.copy_location(ast.Call(factory, [], []), factory)
        if found is not None:
            self._made[id(node), key] = found
        return found

    def chosen_member(self, node: ast.Call, names: list[str]) -> ast.Subscript:
        """``getattr(x, text)`` as ``{"a": x.a, "b": x.b}[text]``, for the names that it may be."""
        found = self._choices.get((id(node), *names))
        if found is None:
            owner, text = node.args
            keys: list[ast.expr | None] = [ast.Constant(name) for name in names]
            members: list[ast.expr] = [ast.Attribute(owner, n, ast.Load()) for n in names]
            found = ast.Subscript(ast.Dict(keys, members), text, ast.Load())
            for made in (*keys, *members, found.value, found):
                if made is not None:
                    ast.copy_location(made, node)
            self._choices[id(node), *names] = found
        return found

    def handed_out(self, node: ast.Yield) -> ast.Return:
        """What a generator hands out, as a function that returns it."""
        found = self._returns.get(id(node))
        if found is None:
            found = self._returns[id(node)] = ast.copy_location(ast.Return(node.value), node)
        return found

    def without_rest(self, target: ast.Tuple | ast.List) -> ast.Tuple:
        """The target ``a, *_`` without what it is starred for."""
        found = self._targets.get(id(target))
        if found is None:
            kept = [e for e in target.elts if not isinstance(e, ast.Starred)]
            found = ast.copy_location(ast.Tuple(kept, ast.Store()), target)
            self._targets[id(target)] = found
        return found


__all__ = ["Equivalents"]
