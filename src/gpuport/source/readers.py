"""Who reads a number, and whether they can tell one of NumPy's from Python's of the same value.

Text, conversions, functions of numbers and conditions cannot; what is given back, stored in
something or calculated with can: a division by zero raises for Python's alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from gpuport.source.bindings import sources_of
from gpuport.source.syntax import children, walk

_BY_NAME = frozenset(("locals", "globals", "vars", "eval", "exec"))
"""What reads names that are not written."""
_DEEPEST = 8


@dataclass(frozen=True)
class Readers:
    """The readers of the numbers of a function, or of a module that nothing else reads.

    Attributes
    ----------
    around : ast.AST
    takes : callable
        Whether a call does the same with either number.
    is_plain : callable
        Whether a name that the function does not bind is a number of Python's.
    """

    around: ast.AST
    takes: Callable[[ast.Call], bool]
    is_plain: Callable[[str], bool]
    _asked: set[str] = field(default_factory=set)

    def alike(self, node: ast.expr) -> bool:
        """Whether what reads an expression cannot tell which of the two it is."""
        return self._alike(node, 0)

    def _alike(self, node: ast.expr, depth: int) -> bool:
        parent = _parents(self.around).get(id(node))
        if depth > _DEEPEST or parent is None or isinstance(parent, ast.Starred | ast.keyword):
            return False
        if isinstance(parent, ast.Call):
            return node is not parent.func and (_formats(parent) or self.takes(parent))
        if isinstance(parent, ast.FormattedValue):
            return node is parent.value and parent.conversion in (-1, ord("s"))
        if isinstance(parent, ast.Tuple | ast.BinOp):
            return self._in_percent(node, parent)
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            return node is parent.value and self._bound(parent, depth)
        if isinstance(parent, ast.Compare):
            others = (one for one in (parent.left, *parent.comparators) if one is not node)
            return self._tested(parent) and all(map(self._plain, others))
        return self._tested(node)

    def _tested(self, node: ast.expr) -> bool:
        """Whether an expression is asked for its truth alone."""
        parent = _parents(self.around).get(id(node))
        if isinstance(parent, ast.BoolOp):
            return self._tested(parent)
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not)
        return isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert) and (
            node is parent.test
        )

    def _in_percent(self, node: ast.expr, parent: ast.Tuple | ast.BinOp) -> bool:
        """``"%.3f of %d" % (x, n)``."""
        whole = _parents(self.around).get(id(parent)) if isinstance(parent, ast.Tuple) else parent
        if not isinstance(whole, ast.BinOp) or not isinstance(whole.op, ast.Mod):
            return False
        text = whole.left.value if isinstance(whole.left, ast.Constant) else None
        return isinstance(text, str) and not any(word in text for word in ("%r", "%a"))

    def _bound(self, statement: ast.Assign | ast.AnnAssign, depth: int) -> bool:
        """Whether all that read the name that a statement binds cannot tell."""
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        target = targets[0]
        if len(targets) > 1 or not isinstance(target, ast.Name):
            return False
        if target.id in self._asked:
            return True
        self._asked.add(target.id)
        try:
            return not _is_shared(self.around, target.id) and all(
                self._alike(read, depth + 1) for read in _reads(self.around, target.id)
            )
        finally:
            self._asked.discard(target.id)

    def _plain(self, node: ast.expr) -> bool:
        """Whether an expression is a number of Python's."""
        if isinstance(node, ast.UnaryOp):
            return self._plain(node.operand)
        if isinstance(node, ast.Constant):
            return type(node.value) in (int, float, bool)
        if not isinstance(node, ast.Name):
            return False
        bound = sources_of(self.around).get(node.id, [])
        if not bound:
            return self.is_plain(node.id)
        return all(isinstance(one, ast.Constant) and self._plain(one) for one in bound)


def _formats(call: ast.Call) -> bool:
    """``"{:.3f}".format(x)``."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "format":
        return False
    text = function.value.value if isinstance(function.value, ast.Constant) else None
    return isinstance(text, str) and not any(word in text for word in ("!r", "!a", "["))


@lru_cache(maxsize=4)
def _parents(around: ast.AST) -> dict[int, ast.AST]:
    return {id(child): node for node in walk(around) for child in children(node)}


@lru_cache(maxsize=4)
def _shared(around: ast.AST) -> frozenset[str] | None:
    """Names that are read or changed elsewhere, or as parts of what changes them; None for all."""
    found: set[str] = set()
    for node in walk(around):
        if isinstance(node, ast.Global | ast.Nonlocal):
            found.update(node.names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Name) and node.id in _BY_NAME:
            return None
    return frozenset(found)


def _is_shared(around: ast.AST, name: str) -> bool:
    shared = _shared(around)
    return shared is None or name in shared


def _reads(around: ast.AST, name: str) -> Iterator[ast.Name]:
    for node in walk(around):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node


__all__ = ["Readers"]
