"""Stores through indices of which no two are alike: there is no order in which they could differ.

What makes such indices is data (`distinct_indices` in ``rules/placement.yaml``); here a store is
followed back to it, through names that are bound once and that nothing else can change.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.numpynames import as_numpy
from gpuport.analysis.values.lattice import (
    Array,
    Instance,
    Number,
    Scalar,
    Tuple,
    Value,
    is_number,
)
from gpuport.analysis.values.lattice import Sequence as Listed
from gpuport.source.syntax import children, walk

_MEASURES = ("size", "shape", "ndim", "dtype")


def names_each_place_once(unit: Unit, target: ast.Subscript, parts: Sequence[Value | str]) -> bool:
    """Whether the index arrays of ``x[i, j] = v`` name no place twice, whatever they are.

    Parameters
    ----------
    unit : Unit
    target : ast.Subscript
    parts : sequence of Value or str
        What is known of its entries, in their order.
    """
    entries = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    arrays = [
        entry for entry, part in zip(entries, parts, strict=True)
        if not isinstance(part, (str, Scalar, Number))
    ]  # fmt: skip
    if any(getattr(part, "dtype", None) == "bool" for part in parts):
        return False
    finder = _Finder(unit)
    if len(arrays) == 1:
        return finder.each(arrays[0]) or finder.pairs(arrays[0])
    return finder.together(arrays) or finder.counted(arrays, parts)


@dataclass(frozen=True)
class _Binding:
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


class _Finder:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.words = unit.knowledge.words.distinct_indices

    @cached_property
    def text(self) -> _Text:
        """The function that the unit is about."""
        return _text_of(self.unit.node)

    # ------------------------------------------------------------------ what is distinct

    def each(self, node: ast.expr) -> bool:
        """Whether an array of one dimension holds no number twice, and none below zero."""
        if _written_out(node):
            return True
        if isinstance(node, ast.Name):
            binding = self._binding(node.id)
            return binding is not None and binding.position is None and self.each(binding.value)
        if isinstance(node, ast.Subscript):
            return self._part(node)
        if isinstance(node, ast.BinOp):
            moved = _whole(node.right) or self._counts(node.right)
            return isinstance(node.op, ast.Add) and moved and self.each(node.left)
        if not isinstance(node, ast.Call):
            return False
        path = self._path(node)
        if path in self.words["counters"]:
            return self._counts_up(node)
        if path in self.words["displays"]:
            return bool(node.args) and bool(_written_out(node.args[0]))
        if path in self.words["places"]:
            return True
        if path in self.words["orders"]:
            of = _only_argument(node, path)
            return of is not None and self._rank(of) == 1
        if path in self.words["draws"]:
            return len(node.args) == 1 and not node.keywords and self._is_int(node.args[0])
        if path in self.words["chosen"]:
            once = [k.arg for k in node.keywords] == ["replace"]
            numbers = len(node.args) > 0 and all(map(self._is_int, node.args))
            return once and numbers and _is_false(node.keywords[0].value)
        return False

    def pairs(self, node: ast.expr) -> bool:
        """Whether a tuple of index arrays, used as it is, names each place once."""
        if isinstance(node, ast.Name):
            binding = self._binding(node.id)
            return binding is not None and binding.position is None and self.pairs(binding.value)
        return self._gives_all(node)

    def together(self, nodes: Sequence[ast.expr]) -> bool:
        """Whether index arrays are all that one call gives: it gives each place once."""
        bindings = [self._binding(n.id) if isinstance(n, ast.Name) else None for n in nodes]
        known = [one for one in bindings if one is not None]
        if len(known) < len(nodes) or len({id(one.value) for one in known}) != 1:
            return False
        positions = sorted(-1 if one.position is None else one.position for one in known)
        return positions == list(range(known[0].of)) and self._gives_all(known[0].value)

    def counted(self, nodes: Sequence[ast.expr], parts: Sequence[Value | str]) -> bool:
        """``x[np.arange(len(y)), y]``, ``x[[0, 1], y]``: one place in each row."""
        if len(nodes) != 2 or any(getattr(p, "rank", 1) != 1 for p in parts):
            return False
        if any(_written_out(node) > 1 for node in nodes) and all(map(_is_flat, parts)):
            return True
        for rows, others in (nodes, nodes[::-1]):
            counter = rows
            if isinstance(rows, ast.Name):
                binding = self._binding(rows.id)
                if binding is None or binding.position is not None:
                    continue
                counter = binding.value
            if not isinstance(counter, ast.Call) or not self.each(counter):
                continue
            if self._path(counter) not in self.words["counters"] or len(counter.args) != 1:
                continue
            if _least(counter.args[0]) > 1 or self._length_of(counter.args[0], others):
                return True
        return False

    # ------------------------------------------------------------------ forms

    def _part(self, node: ast.Subscript) -> bool:
        """``order[:n]``, ``order[keep]``, ``np.nonzero(mask)[0]``."""
        first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
        if isinstance(node.value, ast.Call) and first:
            path = self._path(node.value)
            of = _only_argument(node.value, path) if path in self.words["nonzero"] else None
            return of is not None and self._rank(of) == 1
        sliced = isinstance(node.slice, (ast.Slice, ast.Compare)) or self._is_mask(node.slice)
        return sliced and self.each(node.value)

    def _gives_all(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Subscript):
            path = as_numpy(self.unit.scope.resolve(node.value) or "")
            entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
            return path in self.words["grids"] and bool(entries) and all(map(_goes_up, entries))
        if not isinstance(node, ast.Call):
            return False
        path = self._path(node)
        if path in self.words["nonzero"]:
            return _only_argument(node, path) is not None
        if path in self.words["products"]:
            return len(node.args) > 1 and all(map(self.each, node.args))
        return path in self.words["tuples"]

    def _counts_up(self, node: ast.Call) -> bool:
        if node.keywords or not 1 <= len(node.args) <= 3:
            return False
        if len(node.args) == 1:
            return True
        return _whole(node.args[0]) and (len(node.args) == 2 or _least(node.args[2]) > 0)

    def _counts(self, node: ast.expr) -> bool:
        """Whether a name is the counter of one loop, from a number on that is not below zero."""
        if not isinstance(node, ast.Name) or not self._is_one(node.id):
            return False
        for named in self.text.named.get(node.id, ()):
            loop = self.text.parents[id(named)]
            if isinstance(named.ctx, ast.Store):
                head = loop.iter if isinstance(loop, ast.For) and loop.target is named else None
                counted = isinstance(head, ast.Call) and not head.keywords
                if not isinstance(head, ast.Call) or not counted:
                    return False
                first = head.args[:-1]
                from_zero = len(head.args) == 1 or (len(first) == 1 and _whole(first[0]))
                return self.unit.scope.resolve(head.func) == "builtins.range" and from_zero
        return False

    def _length_of(self, node: ast.expr, array: ast.expr) -> bool:
        """Whether a number is the length of an array, perhaps by a name."""
        if not isinstance(array, ast.Name) or not self._is_one(array.id):
            return False
        if isinstance(node, ast.Name):
            binding = self._binding(node.id)
            if binding is None or binding.position is not None:
                return False
            node = binding.value
        text = ast.unparse(node)
        return text in (f"len({array.id})", f"{array.id}.size", f"{array.id}.shape[0]")

    # ------------------------------------------------------------------ what is known

    def _path(self, node: ast.Call) -> str:
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
        if not isinstance(node, ast.Name) or not self._is_one(node.id):
            return None
        flow = self.unit.env.get(node.id)
        return None if flow is None else flow.value

    def _is_one(self, name: str) -> bool:
        """Whether a name is bound once, or a parameter that is never bound anew."""
        named = self.text.named.get(name, ())
        stores = sum(not isinstance(node.ctx, ast.Load) for node in named)
        return stores == (name not in self.text.parameters)

    def _rank(self, node: ast.expr) -> int | None:
        if isinstance(node, ast.Compare) and len(node.comparators) == 1:
            known = isinstance(node.comparators[0], ast.Constant)
            return self._rank(node.left) if known else None
        return getattr(self._value(node), "rank", None)

    def _is_mask(self, node: ast.expr) -> bool:
        return getattr(self._value(node), "dtype", None) == "bool"

    def _is_int(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.Call):
            return self.unit.scope.resolve(node.func) == "builtins.len"
        value = self._value(node)
        return isinstance(value, Scalar) and value.type == "int"

    # ------------------------------------------------------------------ names

    def _binding(self, name: str) -> _Binding | None:
        """What a name stands for wherever it is read, give or take a number added in place."""
        if name in self.text.parameters or name in self.unit.scope.outside:
            return None
        found: list[_Binding] = []
        for node in self.text.named.get(name, ()):
            if isinstance(node.ctx, ast.Load):
                continue
            parent = self.text.parents[id(node)]
            if isinstance(parent, ast.AugAssign):
                if isinstance(parent.op, ast.Add) and _whole(parent.value):
                    continue
                return None
            found.append(self._bound_by(node, parent))
        known = len(found) == 1 and found[0].position != -1 and self._unchanged(name)
        return found[0] if known else None

    def _bound_by(self, node: ast.Name, parent: ast.AST) -> _Binding:
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            return _Binding(parent.value)
        if isinstance(parent, ast.Tuple):
            above = self.text.parents[id(parent)]
            plain = all(isinstance(one, ast.Name) for one in parent.elts)
            if isinstance(above, ast.Assign) and len(above.targets) == 1 and plain:
                return _Binding(above.value, parent.elts.index(node), len(parent.elts))
        return _Binding(node, -1)

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
            path = self._path(parent)
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
        return frozenset().union(*self.words.values())

    def _computes(self, call: ast.Call, node: ast.expr, path: str) -> bool:
        """A function of NumPy's that makes something new of its first argument."""
        if not path.startswith("numpy.") or any(k.arg in ("out", None) for k in call.keywords):
            return False
        effect = self.unit.knowledge.rules.effect(path)
        harmless = effect is None or (not effect.view and set(effect.mutates) <= {"out"})
        return harmless and bool(call.args) and call.args[0] is node


def _only_argument(node: ast.Call, path: str) -> ast.expr | None:
    """What a function, or a method, is applied to, where that is all that it is given."""
    if node.keywords:
        return None
    if path.startswith("numpy.ndarray.") and isinstance(node.func, ast.Attribute):
        return None if node.args else node.func.value
    return node.args[0] if len(node.args) == 1 else None


def _whole(node: ast.expr) -> bool:
    """A literal of no less than zero."""
    return _least(node) >= 0


def _least(node: ast.expr) -> int:
    """An integer literal; -1 for anything else."""
    known = isinstance(node, ast.Constant) and type(node.value) is int
    return int(node.value) if known else -1  # type: ignore[attr-defined]


def _is_flat(part: Value | str) -> bool:
    """Whether an entry of an index is known to have one dimension, or none."""
    if isinstance(part, Tuple):
        return all(map(is_number, part.items))
    if isinstance(part, Listed):
        return is_number(part.of)
    return isinstance(part, (str, Scalar, Number)) or getattr(part, "rank", None) == 1


def _written_out(node: ast.expr) -> int:
    """How many places a display names, all of them known, none below zero and none twice."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return 0
    places = {_least(one) for one in node.elts}
    return len(places) if len(places) == len(node.elts) and -1 not in places else 0


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _goes_up(node: ast.expr) -> bool:
    """``0:n``: from a place to later ones."""
    if not isinstance(node, ast.Slice):
        return False
    starts = node.lower is None or _whole(node.lower)
    return starts and (node.step is None or _least(node.step) > 0)


__all__ = ["names_each_place_once"]
