"""What the names of a function stand for, as its text tells: those that are bound once and stay so.

A name counts where one thing is bound to it and nothing that reads it could change that thing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Instance, Scalar, Value
from gpuport.rules.numpynames import as_numpy
from gpuport.source.syntax import children, walk

_MEASURES = ("size", "shape", "ndim", "dtype")


@dataclass(frozen=True)
class Binding:
    """What a name is bound to, and at which place of how many where a tuple is unpacked."""

    value: ast.expr
    position: int | None = None
    of: int = 0


@dataclass(frozen=True)
class _Text:
    """A function as it is written: where its names stand.

    Attributes
    ----------
    named : dict of str to list of ast.Name
    parents : dict of int to ast.AST
        What a node stands in, by the node's id.
    parameters : frozenset of str
        Parameters of the function, and of functions in it.
    """

    named: dict[str, list[ast.Name]]
    parents: dict[int, ast.AST]
    parameters: frozenset[str]


@lru_cache(maxsize=4)
def _text_of(function: ast.AST) -> _Text:
    named: dict[str, list[ast.Name]] = {}
    parents: dict[int, ast.AST] = {}
    parameters = set()
    for node in walk(function):
        if isinstance(node, ast.Name):
            named.setdefault(node.id, []).append(node)
        elif isinstance(node, ast.arg):
            parameters.add(node.arg)
        parents.update((id(child), node) for child in children(node))
    return _Text(named, parents, frozenset(parameters))


class Names:
    """The names of one function."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    @cached_property
    def text(self) -> _Text:
        """Where they stand."""
        return _text_of(self.unit.node)

    def path(self, node: ast.Call) -> str:
        """NumPy's name of what is called, methods of what a name is among them; or nothing."""
        found = self.unit.scope.resolve(node.func)
        if found is not None:
            return as_numpy(found)
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            value = self._value(node.func.value)
            if isinstance(value, Instance):
                return f"{value.path}.{node.func.attr}"
            if isinstance(value, Array):
                return f"numpy.ndarray.{node.func.attr}"
        return ""

    def _value(self, node: ast.expr) -> Value | None:
        """What a name is, wherever it is read."""
        if not isinstance(node, ast.Name) or not self.is_one(node.id):
            return None
        flow = self.unit.env.get(node.id)
        return None if flow is None else flow.value

    def is_one(self, name: str) -> bool:
        """Whether a name is bound once, or a parameter that is never bound anew."""
        named = self.text.named.get(name, ())
        stores = sum(not isinstance(node.ctx, ast.Load) for node in named)
        return stores == (name not in self.text.parameters)

    def rank(self, node: ast.expr) -> int | None:
        """How many axes a name has, or a comparison of it with a literal; None: not known."""
        if isinstance(node, ast.Compare) and len(node.comparators) == 1:
            known = isinstance(node.comparators[0], ast.Constant)
            return self.rank(node.left) if known else None
        return getattr(self._value(node), "rank", None)

    def is_mask(self, node: ast.expr) -> bool:
        """Whether a name is one of truth values."""
        return getattr(self._value(node), "dtype", None) == "bool"

    def is_int(self, node: ast.expr) -> bool:
        """Whether a literal, a length or a name is one integer."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.Call):
            return self.unit.scope.resolve(node.func) == "builtins.len"
        value = self._value(node)
        return isinstance(value, Scalar) and value.type == "int"

    def binding(self, name: str) -> Binding | None:
        """What a name stands for wherever it is read, give or take a number added in place."""
        if name in self.text.parameters or name in self.unit.scope.outside:
            return None
        found: list[Binding] = []
        for node in self.text.named.get(name, ()):
            if isinstance(node.ctx, ast.Load):
                continue
            parent = self.text.parents[id(node)]
            if isinstance(parent, ast.AugAssign):
                if isinstance(parent.op, ast.Add) and is_whole(parent.value):
                    continue
                return None
            found.append(self._bound_by(node, parent))
        known = len(found) == 1 and found[0].position != -1 and self._unchanged(name)
        return found[0] if known else None

    def _bound_by(self, node: ast.Name, parent: ast.AST) -> Binding:
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            return Binding(parent.value)
        if isinstance(parent, ast.Tuple):
            above = self.text.parents[id(parent)]
            plain = all(isinstance(one, ast.Name) for one in parent.elts)
            if isinstance(above, ast.Assign) and len(above.targets) == 1 and plain:
                return Binding(above.value, parent.elts.index(node), len(parent.elts))
        return Binding(node, -1)

    def _unchanged(self, name: str) -> bool:
        """Whether nothing that reads a name could change the array, or keep it to do so later."""
        return all(
            self._only_reads(node) for node in self.text.named.get(name, ())
            if isinstance(node.ctx, ast.Load)
        )  # fmt: skip

    def _only_reads(self, node: ast.expr) -> bool:
        parent = self.text.parents.get(id(node))
        if isinstance(parent, ast.Subscript):
            inside = parent.slice is node
            return inside or (isinstance(parent.ctx, ast.Load) and self._only_reads(parent))
        if isinstance(parent, ast.Tuple):
            above = self.text.parents.get(id(parent))
            return isinstance(above, ast.Return) or (
                isinstance(above, ast.Subscript) and above.slice is parent
            )
        if isinstance(parent, ast.Attribute):
            return parent.attr in _MEASURES
        if isinstance(parent, ast.Call):
            path = self.path(parent)
            if path in self._makers:
                return not parent.keywords
            return path == "builtins.len" or self._computes(parent, node, path)
        if isinstance(parent, ast.For):
            return parent.iter is node
        if isinstance(parent, ast.AugAssign):
            return parent.value is node
        return isinstance(parent, (ast.BinOp, ast.Compare, ast.UnaryOp, ast.Return, ast.Slice))

    @cached_property
    def _makers(self) -> frozenset[str]:
        return frozenset().union(*self.unit.knowledge.words.distinct_indices.values())

    def _computes(self, call: ast.Call, node: ast.expr, path: str) -> bool:
        """A function of NumPy's that makes something new of its first argument."""
        if not path.startswith("numpy.") or any(k.arg in ("out", None) for k in call.keywords):
            return False
        effect = self.unit.knowledge.rules.effect(path)
        harmless = effect is None or (not effect.view and set(effect.mutates) <= {"out"})
        return harmless and bool(call.args) and call.args[0] is node


def is_whole(node: ast.expr) -> bool:
    """A literal of no less than zero."""
    return least(node) >= 0


def least(node: ast.expr) -> int:
    """An integer literal; -1 for anything else."""
    known = isinstance(node, ast.Constant) and type(node.value) is int
    return int(node.value) if known else -1  # type: ignore[attr-defined]


__all__ = ["Names", "is_whole", "least"]
