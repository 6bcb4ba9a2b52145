"""What a ``for`` runs over, as index ranges: ``enumerate``, ``zip``, arrays and parts of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.loops.facts import ArrayFact, Fact
from gpuport.loops.heads.heads import Head, assignment, element, not_understood, parse
from gpuport.loops.heads.index_heads import IndexHeads
from gpuport.loops.heads.iterables import Source, source
from gpuport.loops.names import Fresh, constant_int, dotted, function_path, loaded, stored, walk
from gpuport.source import syntax


class Heads:
    """Reads loop heads.

    Parameters
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
        Where index names come from.
    ranks : mapping of str to int
        How many axes arrays are shown to have.
    index : str
        What indices without a name are called.
    """

    def __init__(
        self,
        facts: Mapping[str, Fact],
        fresh: Fresh,
        ranks: Mapping[str, int] | None = None,
        index: str = "i",
    ) -> None:
        self.facts = facts
        self.index = index
        self.fresh = fresh
        self.indices = IndexHeads(facts, fresh, ranks)

    def read(self, node: ast.For) -> Head:
        """The plain form of a loop's head.

        Raises
        ------
        Refused
            Where the iteration is not understood.
        """
        head = self.indices.read(node)
        if head is None:
            head = Head()
            self._elements(head, node, node.target, node.iter)
        return head

    def is_plain(self, node: ast.For) -> bool:
        """Whether a loop goes over a ``range`` as it stands."""
        return self._called(node.iter) == "builtins.range"

    def _called(self, node: ast.expr) -> str | None:
        return function_path(node.func, self.facts) if isinstance(node, ast.Call) else None

    def _elements(self, head: Head, node: ast.For, target: ast.expr, iterated: ast.expr) -> None:
        count: tuple[ast.expr, ast.expr] | None = None
        if self._called(iterated) == "builtins.enumerate" and isinstance(iterated, ast.Call):
            count, target, iterated = self._enumerate(target, iterated)
        pairs = self._pairs(target, iterated)
        lengths: list[str] = []
        for _, taken in pairs:
            text = ast.unparse(taken.length)
            if text not in lengths:
                lengths.append(text)
        if self._is_strict(iterated):
            head.guards += [f"{lengths[0]} == {other}" for other in lengths[1:]]
            lengths = lengths[:1]
        elif any(self._is_strict(part) for part in getattr(iterated, "args", ())):
            raise not_understood(iterated)
        stop = parse(lengths[0] if len(lengths) == 1 else f"min({', '.join(lengths)})", node.iter)
        index = self._index(node, count)
        head.ranges.append((index, [parse("0", node.iter), stop, parse("1", node.iter)]))
        if count is not None and not (isinstance(count[0], ast.Name) and count[0].id == index):
            value = parse(f"{index} + {ast.unparse(count[1])}", node.iter)
            if constant_int(count[1]) == 0:
                value = ast.Name(index, ast.Load())
            head.bindings.append(assignment(count[0], value, node))
        for item, taken in pairs:
            self._bind(head, node, item, taken, index)

    def _index(self, node: ast.For, count: tuple[ast.expr, ast.expr] | None) -> str:
        if count is not None and isinstance(count[0], ast.Name) and constant_int(count[1]) == 0:
            if count[0].id not in stored(node.body):
                return count[0].id
            return self.fresh.name(count[0].id)
        return self.fresh.name(self.index)

    def _enumerate(
        self, target: ast.expr, call: ast.Call
    ) -> tuple[tuple[ast.expr, ast.expr], ast.expr, ast.expr]:
        start: ast.expr = call.args[1] if len(call.args) == 2 else parse("0", call)
        for keyword in call.keywords:
            if keyword.arg != "start" or len(call.args) != 1:
                raise not_understood(call)
            start = keyword.value
        two = isinstance(target, ast.Tuple) and len(target.elts) == 2
        if not two or not 1 <= len(call.args) <= 2 or not isinstance(target, ast.Tuple):
            raise not_understood(call)
        if not isinstance(target.elts[0], ast.Name) or not isinstance(
            start, ast.Constant | ast.Name
        ):
            raise not_understood(call)
        return (target.elts[0], start), target.elts[1], call.args[0]

    def _pairs(self, target: ast.expr, iterated: ast.expr) -> list[tuple[ast.expr, Source]]:
        if self._called(iterated) != "builtins.zip" or not isinstance(iterated, ast.Call):
            return [(target, source(iterated, self.facts))]
        if not isinstance(target, ast.Tuple) or not iterated.args:
            raise not_understood(iterated)
        self._is_strict(iterated)
        if len(target.elts) != len(iterated.args):
            raise not_understood(iterated)
        pairs: list[tuple[ast.expr, Source]] = []
        for item, one in zip(target.elts, iterated.args, strict=True):
            pairs += self._pairs(item, one)
        return pairs

    def _is_strict(self, node: ast.expr) -> bool:
        """Whether a ``zip`` raises where lengths differ."""
        if not isinstance(node, ast.Call) or self._called(node) != "builtins.zip":
            return False
        words = {k.arg: k.value for k in node.keywords}
        strict = words.pop("strict", None)
        if words or not (strict is None or isinstance(strict, ast.Constant)):
            raise not_understood(node)
        return strict is not None and bool(strict.value)

    def _bind(self, head: Head, node: ast.For, target: ast.expr, taken: Source, index: str) -> None:
        if taken.array is None:
            head.bindings.append(assignment(target, taken.at(index, node.iter), node))
            return
        if set(loaded(list(taken.before))) & stored(node.body):
            raise not_understood(node.iter)  # the row is taken once, before the first iteration
        places = (*map(syntax.copied, taken.before), taken.at(index, node.iter))
        if isinstance(target, ast.Tuple):
            self._unpack(head, node, target, taken.array, places)
            return
        if not isinstance(target, ast.Name):
            raise not_understood(node.iter)
        if self._is_row(node, target.id, taken.array, len(places)):
            if target.id in stored(node.body):
                raise not_understood(node.iter)
            head.rows[target.id] = (syntax.copied(taken.array), places)
            return
        head.bindings.append(assignment(target, element(taken.array, [*places], node), node))

    def _is_row(self, node: ast.For, name: str, array: ast.expr, axes: int) -> bool:
        fact = self.facts.get(dotted(array) or "")
        if isinstance(fact, ArrayFact) and fact.rank is not None:
            return fact.rank > axes
        for child in walk(node.body):
            if isinstance(child, ast.Subscript | ast.Attribute) and isinstance(
                child.value, ast.Name
            ):
                # A single complex number has parts, too.
                part = isinstance(child, ast.Attribute) and child.attr in _PARTS
                if child.value.id == name and not part:
                    return True
            elif isinstance(child, ast.Call) and name in _taken_whole(child, self.facts):
                return True
            elif isinstance(child, ast.For) and name in loaded([child.iter]):
                named = not isinstance(child.iter, ast.Call)
                if named or self._called(child.iter) in ("builtins.enumerate", "builtins.zip"):
                    return True
        return False

    def _unpack(
        self, head: Head, node: ast.For, target: ast.Tuple, array: ast.expr,
        places: tuple[ast.expr, ...],
    ) -> None:  # fmt: skip
        if not all(isinstance(item, ast.Name) for item in target.elts):
            raise not_understood(node.iter)
        head.guards.append(f"{dotted(array)}.shape[{len(places)}] == {len(target.elts)}")
        for position, item in enumerate(target.elts):
            column = parse(str(position), node.iter)
            value = element(array, [*map(syntax.copied, places), column], node)
            head.bindings.append(assignment(item, value, node))


_PARTS = ("real", "imag", "conj", "conjugate")
_SUMMING = frozenset(("sum", "mean", "max", "min", "dot", "vdot", "inner", "norm"))


def _taken_whole(call: ast.Call, facts: Mapping[str, Fact]) -> set[str]:
    """What a call takes for vectors: ``np.sum((a - b) ** 2)``, ``np.dot(a, b)``, ``len(a)``."""
    path = function_path(call.func, facts) or ""
    if path == "builtins.len":
        return loaded(call.args)
    if not path.startswith("numpy.") or path.rpartition(".")[2] not in _SUMMING:
        return set()
    return loaded(call.args)
