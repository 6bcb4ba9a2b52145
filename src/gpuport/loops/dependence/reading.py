"""Walks a region in plain form and records every element that it reads or writes."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from gpuport.loops.context.scalars import exposed
from gpuport.loops.context.subscripted import array_ranks, refuse_rebound
from gpuport.loops.cuda.element_extremes import element_extreme
from gpuport.loops.dependence.element_reads import Around, ElementReads, given
from gpuport.loops.facts import Fact
from gpuport.loops.names import BOUNDS, constant_int, dotted, function_path, stored
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.loops.sets.accesses import Choice, Dim, Region
from gpuport.loops.sets.affine import Condition, Symbols, Whole, together
from gpuport.loops.sets.wholes import Wholes


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
        refuse_rebound(loop, ranks, facts)
        self.region = Region(Symbols(), ranks)
        self.wholes = Wholes(facts, ranks, self.region.symbols, self.assigned, integers)
        self.elements = ElementReads(self.region, self.wholes, facts, self.assigned)
        self.given: dict[str, list[Choice | None]] = {}

    def read(self) -> Region:
        """The region's dimensions and accesses.

        Raises
        ------
        Refused
            Where a call or a use of an array is not understood.
        """
        self._statement(self.loop, Around(place=(0,)))
        self.region.choices = self._all_known()
        return self.region

    def _all_known(self) -> dict[str, tuple[Choice, ...]]:
        """The names of which every value is known that they are given, and that get one first."""
        first = exposed([self.loop])
        found: dict[str, tuple[Choice, ...]] = {}
        for name, values in self.given.items():
            known = tuple(one for one in values if one is not None)
            if len(known) == len(values) and name not in first:
                found[name] = known
        return found

    def _block(self, statements: Sequence[ast.stmt], around: Around) -> bool:
        """Walk consecutive statements; whether control reaches their end."""
        for position, statement in enumerate(statements):
            here = Around(around.dims, around.conditions, (*around.place, position))
            extreme = element_extreme(statement, self._path)
            if extreme is not None:
                self.elements.extreme(extreme, here)
            elif isinstance(statement, ast.If):
                more = self._if(statement, here)
                if more is None:
                    return False
                around = Around(around.dims, (*around.conditions, *more), around.place)
            elif isinstance(statement, ast.Break | ast.Continue):
                return False
            else:
                self._statement(statement, here)
        return True

    def _path(self, node: ast.expr) -> str | None:
        return function_path(node, self.facts)

    def _statement(self, node: ast.stmt, here: Around) -> None:
        if isinstance(node, ast.For):
            self._for(node, here)
        elif isinstance(node, ast.While):
            self._while(node, here)
        elif isinstance(node, ast.Assign):
            self._assign(node, here)
        elif isinstance(node, ast.AugAssign):
            self._augmented(node, here)

    def _if(self, node: ast.If, here: Around) -> list[Condition] | None:
        """Walk both branches; what holds after them, None where nothing comes after."""
        self.elements.reads(node.test, here)
        test = self.wholes.condition(node.test)
        otherwise = self.wholes.condition(node.test, negated=True)
        before = dict(self.wholes.values)
        splits, reaches = dict(self.wholes.splits), dict(self.wholes.reaches)
        goes_on = self._block(node.body, _inside(here, 0, test))
        first = self.wholes.values
        self.wholes.values = before
        kept, same = self.wholes.splits, self.wholes.reaches
        self.wholes.splits, self.wholes.reaches = splits, dict(reaches)
        falls_through = self._block(node.orelse, _inside(here, 1, otherwise))
        second = self.wholes.values
        # A split lasts where neither branch has touched its name.
        kept = {name: one for name, one in kept.items() if splits.get(name) is one}
        self.wholes.splits = {
            name: one for name, one in self.wholes.splits.items() if kept.get(name) is one
        }
        same = {name: one for name, one in same.items() if reaches.get(name) is one}
        self.wholes.reaches = {
            name: one for name, one in self.wholes.reaches.items() if same.get(name) is one
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
        for name in {**first, **second}:
            a, b = first.get(name), second.get(name)
            if a is None or b is None:
                merged[name] = None
            elif a == b:
                merged[name] = a
            else:
                merged[name] = self.wholes.either(test, otherwise, a, b)
        return merged

    def _for(self, node: ast.For, here: Around) -> None:
        assert isinstance(node.target, ast.Name)
        assert isinstance(node.iter, ast.Call)
        arguments = node.iter.args
        for item in arguments:
            self.elements.reads(item, here)
        start, stop = self.wholes.place(arguments[0]), self.wholes.place(arguments[1])
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
        known = all(one is not None and not one.vague for one in (start, stop))
        dim = Dim(node, node.target.id, name, text, sides, step, known)
        self._loop(node, dim, here)

    def _while(self, node: ast.While, here: Around) -> None:
        name = f"i{len(self.region.dims)}"
        dim = Dim(node, None, name, f"{name} >= 0", (), 1, False)
        self._forget(node)
        self.elements.reads(
            node.test, Around((*here.dims, dim), here.conditions, (*here.place, dim, -1))
        )
        self._loop(node, dim, here, self.wholes.condition(node.test))

    def _loop(
        self, node: ast.For | ast.While, dim: Dim, here: Around, test: Condition | None = None
    ) -> None:
        self.region.dims.append(dim)
        self._forget(node)
        if dim.variable is not None:
            self.wholes.values[dim.variable] = Whole(dim.name)
            self.given.setdefault(dim.variable, []).append(None)
        conditions = here.conditions if test is None else (*here.conditions, test)
        self._block(node.body, Around((*here.dims, dim), conditions, (*here.place, dim)))
        self._forget(node)

    def _forget(self, node: ast.stmt) -> None:
        for name in stored([node]):
            self.wholes.values[name] = None
            self.wholes.splits.pop(name, None)
            self.wholes.reaches.pop(name, None)

    def _assign(self, node: ast.Assign, here: Around) -> None:
        target, value = node.targets[0], node.value
        self.elements.reads(value, here)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            wholes = [self.wholes.whole(item) for item in value.elts]
            for item, whole in zip(target.elts, wholes, strict=True):
                self._write(item, here, whole)
            return
        split, reach = self.wholes.split(value), self.wholes.reach(value)
        bound = isinstance(target, ast.Name) and BOUNDS.fullmatch(target.id)
        self._write(target, here, (self.wholes.place if bound else self.wholes.whole)(value))
        if isinstance(target, ast.Name) and split is not None:
            self.wholes.splits[target.id] = split
        if isinstance(target, ast.Name) and reach is not None:
            self.wholes.reaches[target.id] = reach

    def _write(self, target: ast.expr, here: Around, value: Whole | None) -> None:
        if isinstance(target, ast.Name):
            self._give(target.id, here, value)
            self.wholes.splits.pop(target.id, None)
            self.wholes.reaches.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            self.elements.indices(target, here)
            self.elements.access(target, here, write=True)

    def _give(self, name: str, here: Around, value: Whole | None) -> None:
        self.wholes.values[name] = value
        choice = None if value is None else Choice(value, here.dims, here.conditions)
        self.given.setdefault(name, []).append(choice)

    def _augmented(self, node: ast.AugAssign, here: Around) -> None:
        self.elements.reads(node.value, here)
        target = node.target
        if isinstance(target, ast.Name):
            both = ast.BinOp(ast.Name(target.id, ast.Load()), node.op, node.value)
            self.wholes.splits.pop(target.id, None)
            self.wholes.reaches.pop(target.id, None)
            self._give(target.id, here, self.wholes.whole(both))
        elif isinstance(target, ast.Subscript):
            array = dotted(target.value)
            added = isinstance(node.op, ast.Add | ast.Sub) and not any(
                isinstance(child, ast.Subscript) and dotted(child.value) == array
                for child in ast.walk(node.value)
            )
            joins = "+" if added else ""
            self.elements.indices(target, here)
            self.elements.access(target, here, write=False, joins=joins)
            self.elements.access(target, here, write=True, joins=joins)


def _inside(here: Around, branch: int, test: Condition | None) -> Around:
    within = given(here, test)
    return Around(within.dims, within.conditions, (*here.place, branch))


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
