"""Walks a region in plain form and records every element that it reads or writes."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuport.source import syntax

from .accesses import Access, Dim, Place, Region
from .affine import Condition, Symbols, Whole, together
from .names import constant_int, dotted, is_shape, stored, subscript_indices
from .purity import check_call
from .reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from .records import ArrayFact, Fact, FunctionFact, ModuleFact, ScalarFact, UnknownFact
from .wholes import Wholes


@dataclass(frozen=True)
class _Around:
    """What surrounds a statement."""

    dims: tuple[Dim, ...] = ()
    conditions: tuple[Condition, ...] = ()
    place: Place = ()


def array_ranks(loop: ast.stmt, facts: Mapping[str, Fact]) -> dict[str, int]:
    """Axes of every array that the loop subscripts.

    Raises
    ------
    Refused
        Where subscripts disagree, or leave axes open.
    """
    ranks: dict[str, int] = {}
    for node in ast.walk(loop):
        if not isinstance(node, ast.Subscript) or is_shape(node.value):
            continue
        name = dotted(node.value)
        if name is None:
            raise Refused(
                UNSUPPORTED, node, f"`{ast.unparse(node)}`: subscript of an unnamed value"
            )
        count = len(subscript_indices(node))
        fact = facts.get(name)
        if isinstance(fact, ScalarFact | FunctionFact | ModuleFact):
            raise Refused(UNKNOWN_TYPE, node, f"`{name}` is subscripted and is not an array")
        known = fact.rank if isinstance(fact, ArrayFact) and fact.rank is not None else None
        expected = known if known is not None else ranks.get(name, count)
        if expected != count:
            raise Refused(
                UNSUPPORTED,
                node,
                f"`{ast.unparse(node)}` has {count} of {expected} indices: it is a part of the "
                "array, not one element",
            )
        if isinstance(fact, ArrayFact) and fact.dtype == "object":
            raise Refused(
                UNKNOWN_TYPE, node, f"`{name}` is an array of Python objects, not of numbers"
            )
        ranks[name] = count
    return ranks


class Reader:
    """Walks a region in plain form.

    Parameters
    ----------
    loop : ast.For or ast.While
    facts : mapping of str to Fact
    integers : set of str
        Names known to be whole numbers by the way the loop uses them.
    """

    def __init__(
        self, loop: ast.For | ast.While, facts: Mapping[str, Fact], integers: set[str]
    ) -> None:
        self.facts = facts
        self.loop = loop
        self.assigned = stored([loop])
        ranks = array_ranks(loop, facts)
        for node in ast.walk(loop):
            if (
                isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Store)
                and (node.id in ranks or isinstance(facts.get(node.id), ArrayFact))
            ):
                raise Refused(
                    UNSUPPORTED,
                    node,
                    f"`{node.id}` is another array in each iteration: where it is room to work in, "
                    "make it before the loop, with a row for each iteration",
                )
        self.region = Region(Symbols(), ranks)
        self.wholes = Wholes(facts, ranks, self.region.symbols, self.assigned, integers)

    def read(self) -> Region:
        """The region's dimensions and accesses.

        Raises
        ------
        Refused
            Where a call or a use of an array is not understood.
        """
        self._statement(self.loop, _Around(place=(0,)))
        return self.region

    def _block(self, statements: Sequence[ast.stmt], around: _Around) -> bool:
        """Walk consecutive statements; whether control reaches their end."""
        for position, statement in enumerate(statements):
            here = _Around(around.dims, around.conditions, (*around.place, position))
            if isinstance(statement, ast.If):
                more = self._if(statement, here)
                if more is None:
                    return False
                around = _Around(around.dims, (*around.conditions, *more), around.place)
            elif isinstance(statement, ast.Break | ast.Continue):
                return False
            else:
                self._statement(statement, here)
        return True

    def _statement(self, node: ast.stmt, here: _Around) -> None:
        if isinstance(node, ast.For):
            self._for(node, here)
        elif isinstance(node, ast.While):
            self._while(node, here)
        elif isinstance(node, ast.Assign):
            self._assign(node, here)
        elif isinstance(node, ast.AugAssign):
            self._augmented(node, here)

    def _if(self, node: ast.If, here: _Around) -> list[Condition] | None:
        """Walk both branches; what holds after them, None where nothing comes after."""
        self._reads(node.test, here)
        test = self.wholes.condition(node.test)
        otherwise = self.wholes.condition(node.test, negated=True)
        before = dict(self.wholes.values)
        splits = dict(self.wholes.splits)
        goes_on = self._block(node.body, _inside(here, 0, test))
        first = self.wholes.values
        self.wholes.values = before
        kept = self.wholes.splits
        self.wholes.splits = splits
        falls_through = self._block(node.orelse, _inside(here, 1, otherwise))
        second = self.wholes.values
        # A split lasts where neither branch has touched its name.
        kept = {name: one for name, one in kept.items() if splits.get(name) is one}
        self.wholes.splits = {
            name: one for name, one in self.wholes.splits.items() if kept.get(name) is one
        }
        if goes_on and falls_through:
            self.wholes.values = self._merged(first, second, test, otherwise)
            return []
        if not goes_on and not falls_through:
            return None
        self.wholes.values = first if goes_on else second
        holds = test if goes_on else otherwise
        return [holds] if holds is not None else []

    def _merged(
        self,
        first: dict[str, Whole | None],
        second: dict[str, Whole | None],
        test: Condition | None,
        otherwise: Condition | None,
    ) -> dict[str, Whole | None]:
        merged: dict[str, Whole | None] = {}
        for name in {*first, *second}:
            a, b = first.get(name), second.get(name)
            if a is None or b is None:
                merged[name] = None
            elif a == b:
                merged[name] = a
            else:
                merged[name] = self.wholes.either(test, otherwise, a, b)
        return merged

    def _for(self, node: ast.For, here: _Around) -> None:
        assert isinstance(node.target, ast.Name)
        assert isinstance(node.iter, ast.Call)
        arguments = node.iter.args
        for item in arguments:
            self._reads(item, here)
        start, stop = self.wholes.whole(arguments[0]), self.wholes.whole(arguments[1])
        step = constant_int(arguments[2])
        if step == 0:
            raise Refused(UNSUPPORTED, node, "the step of `range` is 0")
        name = f"i{len(self.region.dims)}"
        if step is None:
            step_whole = self.wholes.whole(arguments[2])
            if step_whole is None or set(_names(arguments[2])) & self.assigned:
                start = stop = None
            else:
                self.region.symbols.positive[ast.unparse(arguments[2])] = step_whole
        text = _bounds(name, start, stop, step)
        sides = together(*(w.sides for w in (start, stop) if w is not None))
        known = start is not None and stop is not None
        dim = Dim(node, node.target.id, name, text, sides, step, known)
        self._loop(node, dim, here)

    def _while(self, node: ast.While, here: _Around) -> None:
        name = f"i{len(self.region.dims)}"
        dim = Dim(node, None, name, f"{name} >= 0", (), 1, False)
        self._forget(node)
        self._reads(node.test, _Around((*here.dims, dim), here.conditions, (*here.place, dim, -1)))
        self._loop(node, dim, here, self.wholes.condition(node.test))

    def _loop(
        self, node: ast.For | ast.While, dim: Dim, here: _Around, test: Condition | None = None
    ) -> None:
        self.region.dims.append(dim)
        self._forget(node)
        if dim.variable is not None:
            self.wholes.values[dim.variable] = Whole(dim.name)
        conditions = here.conditions if test is None else (*here.conditions, test)
        self._block(node.body, _Around((*here.dims, dim), conditions, (*here.place, dim)))
        self._forget(node)

    def _forget(self, node: ast.stmt) -> None:
        for name in stored([node]):
            self.wholes.values[name] = None
            self.wholes.splits.pop(name, None)

    def _assign(self, node: ast.Assign, here: _Around) -> None:
        target, value = node.targets[0], node.value
        self._reads(value, here)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            wholes = [self.wholes.whole(item) for item in value.elts]
            for item, whole in zip(target.elts, wholes, strict=True):
                self._write(item, here, whole)
            return
        split = self.wholes.split(value)
        self._write(target, here, self.wholes.whole(value))
        if isinstance(target, ast.Name) and split is not None:
            self.wholes.splits[target.id] = split

    def _write(self, target: ast.expr, here: _Around, value: Whole | None) -> None:
        if isinstance(target, ast.Name):
            self.wholes.values[target.id] = value
            self.wholes.splits.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            self._indices(target, here)
            self._access(target, here, write=True, added=False)

    def _augmented(self, node: ast.AugAssign, here: _Around) -> None:
        self._reads(node.value, here)
        target = node.target
        if isinstance(target, ast.Name):
            both = ast.BinOp(ast.Name(target.id, ast.Load()), node.op, node.value)
            self.wholes.splits.pop(target.id, None)
            self.wholes.values[target.id] = self.wholes.whole(both)
        elif isinstance(target, ast.Subscript):
            array = dotted(target.value)
            added = isinstance(node.op, ast.Add | ast.Sub) and not any(
                isinstance(child, ast.Subscript) and dotted(child.value) == array
                for child in ast.walk(node.value)
            )
            self._indices(target, here)
            self._access(target, here, write=False, added=added)
            self._access(target, here, write=True, added=added)

    def _indices(self, node: ast.Subscript, here: _Around) -> None:
        for index in subscript_indices(node):
            self._reads(index, here)

    def _access(self, node: ast.Subscript, here: _Around, write: bool, added: bool) -> None:
        array = dotted(node.value)
        assert array is not None
        indices = tuple(self.wholes.whole(item) for item in subscript_indices(node))
        place = (*here.place, 1 if write else 0)
        split = self.wholes.split(node.slice) if indices == (None,) else None
        self.region.accesses.append(
            Access(array, node, indices, write, added, here.dims, here.conditions, place, split)
        )

    def _reads(self, node: ast.expr, here: _Around) -> None:
        """The elements that an expression reads; its branches are taken for evaluated."""
        if isinstance(node, ast.Subscript):
            if not is_shape(node.value):
                self._indices(node, here)
                self._access(node, here, write=False, added=False)
        elif isinstance(node, ast.Attribute):
            self._attribute(node, here)
        elif isinstance(node, ast.Name):
            self._bare(node, node.id)
        elif isinstance(node, ast.Call):
            self._call(node, here)
        elif isinstance(node, ast.IfExp):
            self._reads(node.test, here)
            self._reads(node.body, _given(here, self.wholes.condition(node.test)))
            self._reads(node.orelse, _given(here, self.wholes.condition(node.test, negated=True)))
        elif isinstance(node, ast.BoolOp):
            self._junction(node, here)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self._reads(child, here)

    def _junction(self, node: ast.BoolOp, here: _Around) -> None:
        """Later operands are read only where the earlier ones did not decide."""
        for item in node.values:
            self._reads(item, here)
            here = _given(here, self.wholes.condition(item, isinstance(node.op, ast.Or)))

    def _call(self, node: ast.Call, here: _Around) -> None:
        check_call(node, self.facts, self.assigned)
        if isinstance(node.func, ast.Name) and node.func.id == "len":
            if dotted(node.args[0]) is None:
                raise Refused(UNSUPPORTED, node, f"`{ast.unparse(node)}` is not understood")
            return
        for item in node.args:
            self._reads(item, here)
        for keyword in node.keywords:
            self._reads(keyword.value, here)

    def _attribute(self, node: ast.Attribute, here: _Around) -> None:
        name = dotted(node)
        if name is None or (node.attr in ("real", "imag") and name not in self.facts):
            if node.attr not in ("real", "imag"):
                raise Refused(UNKNOWN_TYPE, node, f"`{ast.unparse(node)}`: unknown attribute")
            self._reads(node.value, here)
            return
        if isinstance(self.facts.get(name.partition(".")[0]), ModuleFact):
            return
        if node.attr in ("size", "ndim") and dotted(node.value) in self.region.ranks:
            return
        if isinstance(self.facts.get(name), ScalarFact | UnknownFact | ArrayFact):
            self._bare(node, name)
            return
        raise Refused(UNKNOWN_TYPE, node, f"what `{name}` is, is not known")

    def _bare(self, node: ast.expr, name: str) -> None:
        if name in self.region.ranks or isinstance(self.facts.get(name), ArrayFact):
            raise Refused(
                UNSUPPORTED,
                node,
                f"`{name}` is used as a whole in the loop, not element by element",
            )
        if isinstance(self.facts.get(name), FunctionFact | ModuleFact):
            raise Refused(UNSUPPORTED, node, f"`{name}` is used as a value in the loop")


def _inside(here: _Around, branch: int, test: Condition | None) -> _Around:
    given = _given(here, test)
    return _Around(given.dims, given.conditions, (*here.place, branch))


def _given(here: _Around, test: Condition | None) -> _Around:
    if test is None:
        return here
    return _Around(here.dims, (*here.conditions, test), here.place)


def _names(node: ast.expr) -> list[str]:
    return [child.id for child in ast.walk(node) if isinstance(child, ast.Name)]


def _bounds(name: str, start: Whole | None, stop: Whole | None, step: int | None) -> str:
    upward = step is None or step > 0
    parts = []
    if start is not None:
        parts.append(f"{name} {'>=' if upward else '<='} {start.text}")
        if step is not None and abs(step) > 1:
            parts.append(f"({name} - {start.text}) mod {abs(step)} = 0")
    if stop is not None:
        parts.append(f"{name} {'<' if upward else '>'} {stop.text}")
    return " and ".join(parts) or "true"


def integer_names(loop: ast.stmt) -> set[str]:
    """Names that stand in a range or a subscript, outside calls and comparisons: whole numbers."""
    found: set[str] = set()

    def collect(node: ast.expr) -> None:
        if isinstance(node, ast.Name | ast.Attribute):
            name = dotted(node)
            if name is not None:
                found.add(name)
        elif isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod):
                collect(node.left)
                collect(node.right)
        elif isinstance(node, ast.UnaryOp):
            collect(node.operand)

    for node in syntax.walk(loop):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            for item in node.iter.args:
                collect(item)
        elif isinstance(node, ast.Subscript) and not is_shape(node.value):
            for item in subscript_indices(node):
                collect(item)
    return found
