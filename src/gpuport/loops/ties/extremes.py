"""Extremes and where they are found, in the one form in which the rest knows them.

That form is ``if f > best: best = f; where = i``: one comparison, one name for each assignment.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gpuport.loops.context.beginnings import Beginning
from gpuport.loops.context.given import given_once, worked_in
from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import Fact
from gpuport.loops.heads.counting import leaves, nonempty
from gpuport.loops.names import (
    Fresh,
    Renamed,
    blocks,
    dotted,
    function_path,
    is_shape,
    loaded,
    mentions,
    stored,
    subscript_indices,
    walk,
)
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.ties.none_first import unsure
from gpuport.loops.ties.packed_places import one_by_one
from gpuport.loops.ties.patterns import extreme
from gpuport.rules.loopfunctions import exact
from gpuport.source import syntax

_PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.USub, ast.UAdd)
_SIGNS = {ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE}


@dataclass(frozen=True)
class Begun:
    """A number that a loop compares with and that has to be worked out before it.

    Attributes
    ----------
    name : str
    value : str
        Python text.
    guards : tuple of str
        What has to hold for that to raise no error.
    """

    name: str
    value: str
    guards: tuple[str, ...]


def plain_extremes(
    loop: ast.For,
    beginning: Beginning,
    facts: Mapping[str, Fact],
    fresh: Fresh,
    first: frozenset[str] = frozenset(),
) -> tuple[list[Begun], list[str]]:
    """Bring a loop's extremes into the one form, in place.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    beginning : Beginning
    facts : mapping of str to Fact
    fresh : Fresh
    first : frozenset of str
        Extremes that begin as the first iteration makes them.

    Returns
    -------
    list of Begun
        Numbers that the loop begins with.

    Raises
    ------
    Refused
        Where that cannot be worked out before the loop.
    list of str
        Guards for what is the same only there.
    """
    for block in blocks(loop):
        block[:] = [one for node in block for one in _assigned_apart(node)]
    for block in blocks(loop):
        block[:] = [_nested(node) for node in block]
    guards: list[str] = []
    for block in blocks(loop):
        block[:] = [one for node in block for one in _both(node, loop, guards)]
    places = _Places(loop, beginning, facts, fresh)
    begun = [one for name in sorted(first) for one in places.from_first(name)]
    return [*begun, *places.found()], guards


def _assigned_apart(node: ast.stmt) -> list[ast.stmt]:
    """``if f > best: best, where = f, i`` with one assignment after the other."""
    if isinstance(node, ast.If) and _compared(node) is not None:
        node.body = [one for inner in node.body for one in one_by_one(inner)]
    return [node]


def _compared(node: ast.If) -> ast.Compare | None:
    """The one comparison of an ``if`` that sets names."""
    tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
    found = [t for t in tests if isinstance(t, ast.Compare) and loaded([t]) & stored(node.body)]
    sign = len(found) == 1 and len(found[0].ops) == 1 and type(found[0].ops[0]) in _SIGNS
    return found[0] if sign else None


def _nested(node: ast.stmt) -> ast.stmt:
    """``if c and f > best: ...`` as ``if c: if f > best: ...``."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.BoolOp) or node.orelse:
        return node
    test = _compared(node)
    if test is None or not isinstance(node.test.op, ast.And):
        return node
    others = [one for one in node.test.values if one is not test]
    later = node.test.values[node.test.values.index(test) + 1 :]
    # What comes after the comparison is asked for more elements then: it must not raise there.
    if loaded(others) & stored(node.body) or not all(map(_only_compares, later)):
        return node
    if not _sets_names(node.body):
        return node
    inner = ast.copy_location(ast.If(test, node.body, []), node)
    asked = others[0] if len(others) == 1 else ast.BoolOp(ast.And(), others)
    return ast.copy_location(ast.If(ast.copy_location(asked, node.test), [inner], []), node)


def _only_compares(node: ast.expr) -> bool:
    """Whether an expression is of names, numbers and comparisons, which raise nothing."""
    plain = (
        ast.Compare, ast.cmpop, ast.Name, ast.Constant, ast.expr_context, ast.BoolOp, ast.boolop,
        ast.UnaryOp, ast.Not, ast.USub,
    )  # fmt: skip
    return all(isinstance(one, plain) for one in ast.walk(node))


def _both(node: ast.stmt, loop: ast.For, guards: list[str]) -> list[ast.stmt]:
    """``if v < low: low = v`` and ``elif v > high: high = v`` one after the other.

    What is less than the least is not more than the most, as long as that is not the lesser one.
    """
    if not isinstance(node, ast.If) or len(node.orelse) != 1:
        return [node]
    (second,) = node.orelse
    if not isinstance(second, ast.If) or second.orelse:
        return [node]
    names = stored([node])
    first_half = ast.copy_location(ast.If(node.test, node.body, []), node)
    one, other = extreme(first_half, names), extreme(second, names)
    if one is None or other is None or {one.operator, other.operator} != {"min", "max"}:
        return [node]
    assert isinstance(second.test, ast.Compare)
    strict = isinstance(second.test.ops[0], ast.Lt | ast.Gt)
    apart = {one.name, *one.followers}.isdisjoint({other.name, *other.followers})
    if not strict or not apart or ast.dump(one.value) != ast.dump(other.value):
        return [node]
    if any(mentions([half], n) for half, n in ((first_half, other.name), (second, one.name))):
        return [node]
    if any(mentions([loop], n) != mentions([node], n) for n in (one.name, other.name)):
        return [node]
    low, high = (one.name, other.name) if one.operator == "min" else (other.name, one.name)
    guards.append(f"{low} <= {high}")
    return [first_half, second]


class _Places:
    """Finds ``if x[i] > x[w]: w = i`` in a loop."""

    def __init__(
        self, loop: ast.For, beginning: Beginning, facts: Mapping[str, Fact], fresh: Fresh
    ) -> None:
        self.loop = loop
        self.beginning = beginning
        self.facts = facts
        self.fresh = fresh
        self.values = {
            name: value
            for name, value in given_once(loop).items()
            if name not in exposed(loop.body)
        }
        heads = [n for n in walk([loop]) if isinstance(n, ast.For)]
        self.variables = stored([one.target for one in heads])
        elements = [n for n in walk([loop]) if isinstance(n, ast.Subscript)]
        self.changed = {dotted(n.value) for n in elements if not isinstance(n.ctx, ast.Load)}

    def found(self) -> Iterator[Begun]:
        """Write each of them as ``if x[i] > best: best = x[i]; w = i``."""
        for block in list(blocks(self.loop)):
            for node in block:
                if isinstance(node, ast.If) and not node.orelse and _sets_names(node.body):
                    made = self._one(node)
                    if made is not None:
                        yield made

    def from_first(self, name: str) -> Iterator[Begun]:
        """What an extreme, and what is set with it, is after the first iteration."""
        loops, at = [self.loop], self.loop
        while len(at.body) == 1 and isinstance(at.body[0], ast.For):
            loops.append(at := at.body[0])
        position = next((k for k, node in enumerate(at.body) if name in stored([node])), None)
        node = at.body[position or 0]
        found = extreme(node, {name}) if isinstance(node, ast.If) else None
        if found is None or leaves(at.body[:position]):
            raise unsure(name, node)
        starts: dict[str, ast.expr] = {}
        for one in loops:
            assert isinstance(one.target, ast.Name)
            assert isinstance(one.iter, ast.Call)
            starts[one.target.id] = one.iter.args[0]
        assert isinstance(node, ast.If)
        guards = tuple(map(nonempty, loops))
        bound = stored([self.loop])
        own = {n: value for n, value in self.values.items() if n not in starts}
        for inner in node.body:
            assert isinstance(inner, ast.Assign)
            (target,) = inner.targets
            assert isinstance(target, ast.Name)
            then = worked_in(worked_in(inner.value, own), starts)
            more = self._guards(then)
            if more is None or loaded([then, *map(_parsed, (*guards, *more))]) & bound:
                raise Refused(
                    UNSUPPORTED,
                    node,
                    f"`{target.id}` begins as `{ast.unparse(inner.value)}` of the first iteration, "
                    "which is not worked out before the loop: begin with a number",
                )
            value = ast.unparse(_Fetched().visit(then))
            yield Begun(target.id, value, (*guards, *more))

    def _one(self, node: ast.If) -> Begun | None:
        places = self._places(node)
        test = node.test
        if not places or not isinstance(test, ast.Compare) or type(test.ops[0]) not in _SIGNS:
            return None
        if len(test.ops) != 1:
            return None
        own = {name: value for name, value in self.values.items() if name not in places.values()}
        for here, there in _both_ways(test):
            value = worked_in(here, own)
            used = {v: p for v, p in places.items() if mentions([value], v)}
            then = _at(value, used)
            if used and ast.unparse(then) == ast.unparse(worked_in(there, own)):
                break
        else:
            return None
        if not all(self._is_apart(node, place) for place in used.values()):
            return None
        if loaded([then]) & (stored([self.loop]) - set(used.values())):
            return None
        guards = self._guards(then)
        return None if guards is None else self._begun(node, here, then, guards)

    def _places(self, node: ast.If) -> dict[str, str]:
        """The names that are set to the loops' variables, by these."""
        found: dict[str, str] = {}
        for one in node.body:
            assert isinstance(one, ast.Assign)
            (target,) = one.targets
            assert isinstance(target, ast.Name)
            if isinstance(one.value, ast.Name) and one.value.id in self.variables:
                found.setdefault(one.value.id, target.id)
        once = {
            v for v in found
            if sum(isinstance(n, ast.Name) and n.id == v and not isinstance(n.ctx, ast.Load)
                   for n in walk([self.loop])) == 1
        }  # fmt: skip
        return {v: place for v, place in found.items() if v in once}

    def _is_apart(self, node: ast.If, place: str) -> bool:
        """Whether nothing else reads or sets a place."""
        inside = mentions([node], place) == mentions([self.loop], place)
        return inside and mentions(node.body, place) == 1

    def _begun(self, node: ast.If, here: ast.expr, then: ast.expr, guards: list[str]) -> Begun:
        assert isinstance(node.test, ast.Compare)
        best = self.fresh.exactly("best")
        sign: ast.cmpop = node.test.ops[0]
        if here is not node.test.left:
            sign = _SIGNS[type(sign)]()
        keep = ast.Assign([ast.Name(best, ast.Store())], syntax.copied(here))
        test = ast.Compare(here, [sign], [ast.Name(best, ast.Load())])
        for made in (keep, test):
            for part in walk([made]):
                if not hasattr(part, "lineno"):
                    ast.copy_location(part, node.test)
        node.test, node.body = test, [keep, *node.body]
        return Begun(best, ast.unparse(_Fetched().visit(then)), tuple(guards))

    def _guards(self, value: ast.expr) -> list[str] | None:
        """What has to hold for a number to be worked out before the loop.

        None where the device might compute another number than the host.
        """
        found: list[str] = []
        for node in walk([value]):
            if isinstance(node, ast.Subscript) and not is_shape(node.value):
                array = dotted(node.value)
                if array is None or array in self.changed:
                    return None
                for axis, index in enumerate(subscript_indices(node)):
                    found.append(self._within(index, f"{array}.shape[{axis}]"))
            elif isinstance(node, ast.Call):
                if function_path(node.func, self.facts) not in exact() or node.keywords:
                    return None
            elif isinstance(node, ast.BinOp | ast.UnaryOp):
                if not isinstance(node.op, _OPERATORS):
                    return None
            elif not isinstance(node, _PLAIN):
                return None
        return found

    def _within(self, index: ast.expr, size: str) -> str:
        text = self.beginning.text(index.id) if isinstance(index, ast.Name) else ast.unparse(index)
        return f"{size} > {text}" if text.isdigit() else f"-{size} <= {text} < {size}"


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _sets_names(body: Sequence[ast.stmt]) -> bool:
    return all(isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) for one in body)


def _both_ways(test: ast.Compare) -> Iterator[tuple[ast.expr, ast.expr]]:
    yield test.left, test.comparators[0]
    yield test.comparators[0], test.left


def _at(value: ast.expr, places: Mapping[str, str]) -> ast.expr:
    """An expression of the loop's variables for the places."""
    made = syntax.copied(value)
    for variable, place in places.items():
        made = Renamed(variable, place).visit(made)
    return made


class _Fetched(ast.NodeTransformer):
    """Elements are read from the device."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if is_shape(node.value):
            return node
        return ast.parse(f"cupy_.asnumpy({ast.unparse(node)})[()]", mode="eval").body
