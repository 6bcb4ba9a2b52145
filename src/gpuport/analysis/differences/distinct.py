"""Stores through indices of which no two are alike: there is no order in which they could differ.

What makes such indices is data (`distinct_indices` in ``rules/placement.yaml``); here a store is
followed back to it, through names that are bound once and that nothing else can change.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.analysis.differences.standingnames import Names, is_whole, least
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import (
    Number,
    Scalar,
    Tuple,
    Value,
    is_number,
)
from gpuport.analysis.values.lattice import Sequence as Listed
from gpuport.rules.numpynames import as_numpy


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
    return finder.together(arrays) or finder.counted(arrays, parts) or finder.beside(arrays)


class _Finder:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.words = unit.knowledge.words.distinct_indices
        self.names = Names(unit)

    # ------------------------------------------------------------------ what is distinct

    def each(self, node: ast.expr) -> bool:
        """Whether an array of one dimension holds no number twice, and none below zero."""
        if _written_out(node):
            return True
        if isinstance(node, ast.Name):
            binding = self.names.binding(node.id)
            return binding is not None and binding.position is None and self.each(binding.value)
        if isinstance(node, ast.Subscript):
            return self._part(node)
        if isinstance(node, ast.BinOp):
            moved = is_whole(node.right) or self._counts(node.right)
            return isinstance(node.op, ast.Add) and moved and self.each(node.left)
        if not isinstance(node, ast.Call):
            return False
        path = self.names.path(node)
        if path in self.words["counters"]:
            return self._counts_up(node)
        if path in self.words["displays"]:
            return bool(node.args) and bool(_written_out(node.args[0]))
        if path in self.words["places"]:
            return True
        if path in self.words["orders"]:
            of = _only_argument(node, path)
            return of is not None and self.names.rank(of) == 1
        if path in self.words["draws"]:
            return len(node.args) == 1 and not node.keywords and self.names.is_int(node.args[0])
        if path in self.words["chosen"]:
            once = [k.arg for k in node.keywords] == ["replace"]
            numbers = len(node.args) > 0 and all(map(self.names.is_int, node.args))
            return once and numbers and _is_false(node.keywords[0].value)
        return False

    def pairs(self, node: ast.expr) -> bool:
        """Whether a tuple of index arrays, used as it is, names each place once."""
        if isinstance(node, ast.Name):
            binding = self.names.binding(node.id)
            return binding is not None and binding.position is None and self.pairs(binding.value)
        return self._gives_all(node)

    def together(self, nodes: Sequence[ast.expr]) -> bool:
        """Whether index arrays are all that one call gives: it gives each place once."""
        bindings = [self.names.binding(n.id) if isinstance(n, ast.Name) else None for n in nodes]
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
                binding = self.names.binding(rows.id)
                if binding is None or binding.position is not None:
                    continue
                counter = binding.value
            if not isinstance(counter, ast.Call) or not self.each(counter):
                continue
            if self.names.path(counter) not in self.words["counters"] or len(counter.args) != 1:
                continue
            if least(counter.args[0]) > 1 or self._length_of(counter.args[0], others):
                return True
        return False

    def beside(self, nodes: Sequence[ast.expr]) -> bool:
        """``x[i, i + 1]``: where no two of one index are alike, no two places are."""
        names = [node.id for node in nodes if isinstance(node, ast.Name) and self.each(node)]
        return any(all(self._goes_with(node, name) for node in nodes) for name in names)

    def _goes_with(self, node: ast.expr, name: str) -> bool:
        """Whether an index has an element for each of another: it, with numbers beside it."""
        if not isinstance(node, ast.BinOp):
            return isinstance(node, ast.Name) and node.id == name
        sides = (node.left, node.right), (node.right, node.left)
        return any(self._goes_with(a, name) and self.names.is_int(b) for a, b in sides)

    # ------------------------------------------------------------------ forms

    def _part(self, node: ast.Subscript) -> bool:
        """``order[:n]``, ``order[keep]``, ``np.nonzero(mask)[0]``."""
        first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
        if isinstance(node.value, ast.Call) and first:
            path = self.names.path(node.value)
            of = _only_argument(node.value, path) if path in self.words["nonzero"] else None
            return of is not None and self.names.rank(of) == 1
        sliced = isinstance(node.slice, (ast.Slice, ast.Compare)) or self.names.is_mask(node.slice)
        return sliced and self.each(node.value)

    def _gives_all(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Subscript):
            path = as_numpy(self.unit.scope.resolve(node.value) or "")
            entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
            return path in self.words["grids"] and bool(entries) and all(map(_goes_up, entries))
        if not isinstance(node, ast.Call):
            return False
        path = self.names.path(node)
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
        return is_whole(node.args[0]) and (len(node.args) == 2 or least(node.args[2]) > 0)

    def _counts(self, node: ast.expr) -> bool:
        """Whether a name is the counter of one loop, from a number on that is not below zero."""
        if not isinstance(node, ast.Name) or not self.names.is_one(node.id):
            return False
        for named in self.names.text.named.get(node.id, ()):
            loop = self.names.text.parents[id(named)]
            if isinstance(named.ctx, ast.Store):
                head = loop.iter if isinstance(loop, ast.For) and loop.target is named else None
                counted = isinstance(head, ast.Call) and not head.keywords
                if not isinstance(head, ast.Call) or not counted:
                    return False
                first = head.args[:-1]
                from_zero = len(head.args) == 1 or (len(first) == 1 and is_whole(first[0]))
                return self.unit.scope.resolve(head.func) == "builtins.range" and from_zero
        return False

    def _length_of(self, node: ast.expr, array: ast.expr) -> bool:
        """Whether a number is the length of an array, perhaps by a name."""
        if not isinstance(array, ast.Name) or not self.names.is_one(array.id):
            return False
        if isinstance(node, ast.Name):
            binding = self.names.binding(node.id)
            if binding is None or binding.position is not None:
                return False
            node = binding.value
        text = ast.unparse(node)
        return text in (f"len({array.id})", f"{array.id}.size", f"{array.id}.shape[0]")


def _only_argument(node: ast.Call, path: str) -> ast.expr | None:
    """What a function, or a method, is applied to, where that is all that it is given."""
    if node.keywords:
        return None
    if path.startswith("numpy.ndarray.") and isinstance(node.func, ast.Attribute):
        return None if node.args else node.func.value
    return node.args[0] if len(node.args) == 1 else None


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
    places = {least(one) for one in node.elts}
    return len(places) if len(places) == len(node.elts) and -1 not in places else 0


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _goes_up(node: ast.expr) -> bool:
    """``0:n``: from a place to later ones."""
    if not isinstance(node, ast.Slice):
        return False
    starts = node.lower is None or is_whole(node.lower)
    return starts and (node.step is None or least(node.step) > 0)


__all__ = ["names_each_place_once"]
