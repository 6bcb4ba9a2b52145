"""Operations on parts of arrays, as loops inside: ``x[i:i + w].sum()``, ``y[i, :] = 2 * x[i, :]``.

``x[lo:hi]`` stands for the elements from ``lo`` on where nothing is cut off at an end and no bound
counts from the end: both are guarded. Sums are added one after another where NumPy adds in pairs.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gpuport.loops.context.terms import Linear, factors, minus, plus, shown, terms_of
from gpuport.loops.facts import Fact, ModuleFact
from gpuport.loops.heads.heads import Row, parse, range_arguments
from gpuport.loops.names import Fresh, constant_int, decided, dotted
from gpuport.loops.parts.part_reductions import PartReduction, bound_inside
from gpuport.loops.parts.parts import Operation, Part, Parts, operation
from gpuport.loops.parts.reductions import Reductions, may_reduce

MOST_AXES = 4
"""Axes of a part that is reduced inside a thread: channels, rows and columns of a patch."""


@dataclass
class Slices:
    """Replaces reductions of parts by names, and keeps the loops that make these.

    Attributes
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
    rows : mapping of str to Row
        Names that stand for a row of an array.
    ranks : mapping of str to int
        How many axes arrays are shown to have.
    around : list of (str, list of expr)
        The loops around the statement, outermost first, with ``range``'s arguments.
    guards : list of str
    made : list of stmt
        What has to stand before the statement.
    spread : set of str
        Variables of loops over elements that have to be among the threads' own.
    assigned : set of str
        Names that the loop gives values to.
    written : set of str
        Arrays of which the loop writes elements.
    integers : set of str
        Names that stand in bounds of parts: whole numbers.
    unfilled : dict of str to (str or None)
        Variables of loops over parts that may hold no element, and what makes sure that each holds
        one; None where no guard does.
    """

    facts: Mapping[str, Fact]
    fresh: Fresh
    rows: Mapping[str, Row]
    ranks: Mapping[str, int]
    around: list[tuple[str, list[ast.expr]]] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)
    made: list[ast.stmt] = field(default_factory=list)
    spread: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    integers: set[str] = field(default_factory=set)
    unfilled: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.parts = Parts(self.facts, self.rows, self.ranks)

    def replaced(self, node: ast.expr) -> ast.expr:
        """The expression without reductions of parts that are understood."""
        if not any(may_reduce(child) for child in ast.walk(node)):
            return node
        changed = Reductions(self).visit(node)
        assert isinstance(changed, ast.expr)
        return changed

    def reduction(
        self, operator: str, found: Operation | None, where: ast.expr, less: int = 0
    ) -> ast.expr | None:
        """The name that holds a reduction; None where it is not understood.

        Parameters
        ----------
        operator : str
            As of `PartReduction`.
        found : Operation or None
        where : expr
        less : int
            As of `PartReduction`.
        """
        one = None if found is None else PartReduction.of(self, operator, found, less)
        if one is None or found is None:
            return None
        parts = list(found.parts.values())
        if len(parts[0].axes) > MOST_AXES:
            return None
        result = self.fresh.name("part")
        inside = self.assigned - {name for name, _ in self.around}
        if not bound_inside(found, inside) and self.bounded(parts, filled=True):
            lines: list[str] | None = one.between_guarded_bounds(result)
        else:
            lines = one.cut_off(result)
        if lines is None:
            return None
        self.add(lines, where)
        return parse(result, where)

    def add(self, lines: list[str], where: ast.expr) -> None:
        """Let statements stand before the one that is gone through."""
        self.made += _statements(lines, where)

    def store(self, node: ast.Assign | ast.AugAssign) -> list[ast.stmt] | None:
        """``x[i, :] = f`` as a loop over its elements; None where it is not understood."""
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        part = self.parts.sliced(target) or self.parts.short(target)
        if part is None or len(part.axes) > 1:
            return None  # operations on whole matrices fill the device by themselves
        value = self.replaced(node.value)
        found = operation(value, self.parts, len(part.axes))
        if found is None:
            found = Operation(value, {})
            if any(isinstance(child, ast.Slice) for child in ast.walk(value)):
                return None
        others = list(found.parts.values())
        itself = sum(ast.dump(one.node) == _loaded(target) for one in others)
        alone = self._mentions(value, dotted(part.array)) == itself
        if not alone or (isinstance(node, ast.AugAssign) and not self._adds(part)):
            return None  # its elements would be read after some of them have changed
        if not self.bounded([part, *others], filled=False):
            return None
        place = self.fresh.place()
        element, each = part.element([place], ast.Store()), found.element([place])
        inner: ast.stmt = ast.Assign([element], each)
        if isinstance(node, ast.AugAssign):
            inner = ast.AugAssign(element, node.op, each)
        call = parse(f"range(0, {part.axes[0].length})", target)
        made = ast.For(ast.Name(place, ast.Store()), call, [inner], [])
        for child in ast.walk(made):
            if not hasattr(child, "lineno"):
                ast.copy_location(child, node)
        if not all(one.by_rows for one in [part, *others]):
            self.spread.add(place)
        least = self._least(parse(part.axes[0].length, target))
        self.unfilled[place] = None if least is None else f"{least} >= 1"
        return [made]

    def vector(self, value: ast.expr) -> Operation | None:
        """An expression of rows that are shown to be such: ``x[i] - y[j]``."""
        found = operation(value, self.parts, None)
        if found is None or found.axes != 1 or not any(map(self.parts.is_part, found.parts)):
            return None
        return found

    def _mentions(self, value: ast.expr, array: str | None) -> int:
        """How often an array, or a row of it, is read in an expression."""
        count = 0
        for node in ast.walk(value):
            name = dotted(node) if isinstance(node, ast.Name | ast.Attribute) else None
            row = self.rows.get(name or "")
            count += array == (name if row is None else dotted(row[0])) and name is not None
        return count

    def _adds(self, part: Part) -> bool:
        """Whether an operation in place may give any type: an array of integers refuses some."""
        dtype = self.parts.dtype(part)
        return dtype is None or dtype.startswith(("float", "complex"))

    def numpy(self) -> str | None:
        """The name of NumPy."""
        return next(
            (n for n, f in self.facts.items() if isinstance(f, ModuleFact) and f.path == "numpy"),
            None,
        )

    def bounded(self, parts: Sequence[Part], *, filled: bool) -> bool:
        """Guard that no bound counts from the end, none is cut off, and there is an element."""
        guards = []
        for part in parts:
            for axis in part.axes:
                for text in (axis.low, axis.high):
                    least = self._least(parse(text, part.node))
                    if least is None:
                        return False
                    guards.append(f"{least} >= 0")
        for k, axis in enumerate(parts[0].axes):
            first = terms_of(parse(axis.length, parts[0].node))
            for part in parts:
                length = terms_of(parse(part.axes[k].length, part.node))
                if length is None or first is None:
                    return False
                difference = minus(length, first)
                if {n for k, v in difference.items() if v for n in factors(k)} & {
                    *self._variables()
                }:
                    return False
                guards.append(_vanishes(difference))
            least = self._least(parse(axis.length, parts[0].node))
            if least is None:
                return False
            if filled:
                guards.append(f"{least} >= 1")
        fixed = [g for g in map(_decided, guards) if g is not True]
        if False in fixed:
            return False
        self.guards += [str(g) for g in fixed]
        return True

    def _variables(self) -> Iterator[str]:
        for name, _ in self.around:
            yield name

    def _least(self, node: ast.expr) -> str | None:
        """The least value of a bound over all iterations around it."""
        terms = terms_of(node)
        if terms is None:
            return None
        for name, (start, stop, step) in reversed([(n, range_(a)) for n, a in self.around]):
            amount = constant_int(step)
            of_it = {k: v for k, v in terms.items() if name in factors(k) and v}
            if not of_it:
                continue
            if amount not in (1, -1):
                return None
            lowest: Linear | None
            if set(of_it) == {name}:
                if (of_it[name] > 0) == (amount > 0):
                    lowest = terms_of(start)
                else:
                    last = terms_of(stop)
                    lowest = None if last is None else plus(last, {"": -amount}, 1)
                if lowest is None:
                    return None
                terms = plus({k: v for k, v in terms.items() if k != name}, lowest, of_it[name])
                continue
            # ``i * stride``, from 0 on: it is least at 0 where ``stride`` is not negative
            if amount != 1 or constant_int(start) != 0 or min(of_it.values()) < 0:
                return None
            for product in of_it:
                rest = factors(product)
                rest.remove(name)
                if {name, *self._variables()} & {*rest}:
                    return None
                if rest:
                    self.guards.append(f"{' * '.join(rest)} >= 0")
            terms = {k: v for k, v in terms.items() if k not in of_it}
        return shown(terms)


def _loaded(target: ast.expr) -> str:
    read = copy.copy(target)
    read.ctx = ast.Load()  # type: ignore[attr-defined]
    return ast.dump(read)


def range_(arguments: list[ast.expr]) -> tuple[ast.expr, ast.expr, ast.expr]:
    """Start, stop and step of a loop."""
    call = ast.Call(ast.Name("range", ast.Load()), arguments, [])
    start, stop, step = range_arguments(ast.copy_location(call, arguments[0]))
    return start, stop, step


def _vanishes(difference: Linear) -> str:
    """That two lengths of which this is the difference are equal, as Python text."""
    more = {name: factor for name, factor in difference.items() if factor > 0}
    less = {name: -factor for name, factor in difference.items() if factor < 0}
    return f"{shown(more)} == {shown(less)}"


def _decided(guard: str) -> bool | str:
    """A guard about numbers alone is decided here."""
    found = decided(guard)
    return found == "True" if found in ("True", "False") else guard


def _statements(lines: list[str], where: ast.AST) -> list[ast.stmt]:
    made = [statement for line in lines for statement in ast.parse(line).body]
    for statement in made:
        for child in ast.walk(statement):
            ast.copy_location(child, where)
    return made
