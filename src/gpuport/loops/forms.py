"""A loop in plain form: each ``for`` over a ``range``, one target per assignment, flat indices."""

from __future__ import annotations

import ast
import copy
from collections import Counter as Counts
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuport.source import syntax

from .counting import Counter, counted_name, counting, leaves, nonempty
from .definitions import last_literal
from .expressions import Plain
from .heads import Head, Row, parse
from .inlining import written_in
from .iteration import Heads
from .literals import as_range, literal_items, without_continue
from .names import Fresh, function_path, loaded, stored
from .reasons import DATA_EXIT, SIDE_EFFECT, UNKNOWN_CALL, UNSUPPORTED, Refused
from .records import Fact
from .scalars import exposed
from .slices import Slices
from .vectors import written_out

_UNROLLED = 9
_STATEMENT = {
    ast.Try: "`try`",
    ast.TryStar: "`try`",
    ast.With: "`with`",
    ast.Raise: "`raise`",
    ast.Assert: "`assert`",
    ast.Delete: "`del`",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.FunctionDef: "a function definition",
    ast.AsyncFunctionDef: "a function definition",
    ast.ClassDef: "a class definition",
    ast.Match: "`match`",
    ast.AsyncFor: "`async for`",
    ast.AsyncWith: "`async with`",
}


@dataclass(frozen=True)
class PlainLoop:
    """The outermost loop of a region in plain form.

    Attributes
    ----------
    statement : ast.For or ast.While
        A copy; the user's tree is left alone.
    guards : tuple of str
        What unpacking in loop heads takes for granted.
    counter : Counter or None
    joint : frozenset of str
        Variables of one loop over several indices: all are bound, or none is.
    spread : frozenset of str
        Variables of loops over parts of arrays that threads have to share.
    """

    statement: ast.For | ast.While
    guards: tuple[str, ...]
    counter: Counter | None
    joint: frozenset[str]
    spread: frozenset[str]


class Plainer:
    """Brings loops into plain form.

    Parameters
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
    ranks : mapping of str to int
        How many axes arrays are shown to have.
    live : frozenset of str
        Names that something reads after the region.
    """

    def __init__(
        self,
        facts: Mapping[str, Fact],
        fresh: Fresh,
        ranks: Mapping[str, int],
        live: frozenset[str],
    ) -> None:
        self.live = live
        self.heads = Heads(facts, fresh, ranks)
        self.fresh = fresh
        self.rows: dict[str, Row] = {}
        self.guards: list[str] = []
        self.joint: set[str] = set()
        self._reads: Counts[str] = Counts()
        self._stored: set[str] = set()
        self._exposed: set[str] = set()
        self._outermost: ast.stmt | None = None
        self.slices = Slices(facts, fresh, self.rows, ranks)

    def region(self, node: ast.For | ast.While, start: ast.expr | None) -> PlainLoop:
        """The plain form of a region's outermost loop.

        Parameters
        ----------
        node : ast.For or ast.While
        start : expr or None
            The value that a counting ``while``'s variable has before it, where it is a literal.
        """
        node = syntax.copied(node)
        written_in(node, self.heads.facts)
        written_out(node, self.slices.parts, self.live, self.fresh)
        self._reads, self._stored = _reads(node), stored([node])
        self._exposed = exposed(node.body)
        counter = None
        plain: ast.stmt = node
        if isinstance(node, ast.While):
            counted = counting(node, start, self.fresh)
            if counted is not None:
                plain, counter = counted
        if isinstance(plain, ast.For) and literal_items(plain.iter) is not None:
            raise Refused(
                UNSUPPORTED, plain, "a loop over a few written-out values stays a Python loop"
            )
        self._outermost = plain
        made = self.statement(plain)
        self._nothing_before(plain)
        assert len(made) == 1
        loop = made[0]
        assert isinstance(loop, ast.For | ast.While)
        self.guards += self.slices.guards
        spread = frozenset(self.slices.spread)
        return PlainLoop(loop, tuple(self.guards), counter, frozenset(self.joint), spread)

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The plain form of consecutive statements."""
        made: list[ast.stmt] = []
        waiting, self.slices.made = self.slices.made, []
        for statement in statements:
            if isinstance(statement, ast.While):
                made += self._inner_while(statement, made)
                continue
            one = self.statement(statement)
            before, self.slices.made = self.slices.made, []
            made += [*(self.block(before) if before else []), *one]
        self.slices.made = waiting
        return made

    def _nothing_before(self, node: ast.stmt) -> None:
        if self.slices.made:
            message = "a part of an array is taken where each iteration asks again"
            raise Refused(UNSUPPORTED, node, message)

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """The plain form of one statement."""
        if isinstance(node, ast.Assign):
            return self._assign(node)
        if isinstance(node, ast.AnnAssign):
            if node.value is None:
                return []
            made = ast.Assign([node.target], node.value)
            return self._assign(ast.copy_location(made, node))
        if isinstance(node, ast.AugAssign):
            stored = self.slices.store(node)
            if stored is not None:
                return self._after_slices(stored)
            self._target(node.target)
            node.value = self.expression(node.value)
            if not isinstance(node.target, ast.Name):
                target = self.expression(node.target)
                assert isinstance(target, ast.Subscript)
                node.target = target
            return [node]
        if isinstance(node, ast.If):
            node.test = self.expression(node.test)
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            node.body = node.body or [ast.copy_location(ast.Pass(), node)]
            return [node]
        if isinstance(node, ast.For):
            return self._for(node)
        if isinstance(node, ast.While):
            return self._while(node)
        return self._other(node)

    def expression(self, node: ast.expr) -> ast.expr:
        """The plain form of an expression."""
        found = Plain(self.rows).visit(self.slices.replaced(node))
        assert isinstance(found, ast.expr)
        return found

    def _other(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.Pass):
            return []
        if isinstance(node, ast.Break | ast.Continue):
            return [node]
        if isinstance(node, ast.Return):
            raise Refused(
                DATA_EXIT,
                node,
                "`return` inside the loop: a data-dependent exit, later iterations must not run",
            )
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant):
                return []
            if not isinstance(node.value, ast.Call):
                self.expression(node.value)
            text = ast.unparse(node.value)
            raise Refused(
                SIDE_EFFECT,
                node,
                f"`{text}` has a side effect in each iteration, in the order of the iterations",
            )
        what = _STATEMENT.get(type(node), f"`{type(node).__name__}`")
        raise Refused(UNSUPPORTED, node, f"{what} in the loop is not turned into a kernel")

    def _target(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name) and target.id not in self.rows:
            return
        if isinstance(target, ast.Subscript):
            return
        raise Refused(
            SIDE_EFFECT if isinstance(target, ast.Attribute) else UNSUPPORTED,
            target,
            f"assignment to `{ast.unparse(target)}` in the loop is not turned into a kernel",
        )

    def _assign(self, node: ast.Assign) -> list[ast.stmt]:
        if len(node.targets) > 1:
            return self._chained(node)
        target, value = node.targets[0], node.value
        if isinstance(target, ast.List):
            target = ast.copy_location(ast.Tuple(target.elts, ast.Store()), target)
        if isinstance(target, ast.Tuple):
            return self._unpacking(node, target, value)
        if isinstance(target, ast.Subscript) and isinstance(value, ast.Tuple):
            return self._row_of_numbers(node, target, value)
        stored = self.slices.store(node) if isinstance(target, ast.Subscript) else None
        if stored is not None:
            return self._after_slices(stored)
        self._target(target)
        node.value = self.expression(value)
        if isinstance(target, ast.Subscript):
            node.targets = [self.expression(target)]
        return [node]

    def _after_slices(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Loops over elements, after the loops that make what they read."""
        before, self.slices.made = self.slices.made, []
        return self.block([*before, *statements])

    def _chained(self, node: ast.Assign) -> list[ast.stmt]:
        """``a = b = f`` evaluates ``f`` once and assigns from left to right."""
        value, made = node.value, []
        if not isinstance(value, ast.Constant):
            name = self.fresh.name("value")
            first = ast.Assign([ast.Name(name, ast.Store())], value)
            made.append(ast.fix_missing_locations(ast.copy_location(first, node)))
            value = ast.copy_location(ast.Name(name, ast.Load()), value)
        for target in node.targets:
            one = ast.Assign([target], copy.deepcopy(value))
            made.append(ast.copy_location(one, node))
        return self.block(made)

    def _unpacking(self, node: ast.Assign, target: ast.Tuple, value: ast.expr) -> list[ast.stmt]:
        if isinstance(value, ast.IfExp):
            sides: list[list[ast.stmt]] = []
            for side in (value.body, value.orelse):
                one = ast.Assign([copy.deepcopy(target)], side)
                sides.append([ast.copy_location(one, node)])
            made = ast.copy_location(ast.If(value.test, sides[0], sides[1]), node)
            return self.statement(made)
        values: list[ast.expr] = []
        if isinstance(value, ast.Tuple | ast.List):
            values = list(value.elts)
        elif isinstance(value, ast.Call) and self._is_divmod(value):
            left, right = (f"({ast.unparse(argument)})" for argument in value.args)
            values = [parse(f"{left} {sign} {right}", value) for sign in ("//", "%")]
        elif isinstance(value, ast.Attribute) and value.attr == "shape":
            text = ast.unparse(value)
            values = [parse(f"{text}[{axis}]", value) for axis in range(len(target.elts))]
            self.guards.append(f"len({text}) == {len(values)}")
        elif (row := self.slices.parts.row(value)) is not None:
            # ``x, y, z = points[i]``
            values = [row.element([str(k)], ast.Load()) for k in range(len(target.elts))]
            self.guards.append(f"{row.axes[0].high} == {len(values)}")
        elif (vector := self.slices.vector(value)) is not None:
            # ``dx, dy, dz = points[i] - points[j]``
            values = [vector.element([str(k)]) for k in range(len(target.elts))]
            lengths = dict.fromkeys(part.axes[0].length for part in vector.parts.values())
            self.guards += [f"{length} == {len(values)}" for length in lengths]
        if not values and isinstance(value, ast.Call):
            message = f"unknown call: `{ast.unparse(value)}` gives several values at once"
            raise Refused(UNKNOWN_CALL, node, message)
        plain = all(isinstance(item, ast.Name | ast.Subscript) for item in target.elts)
        if len(values) != len(target.elts) or not plain:
            raise Refused(
                UNSUPPORTED, node, f"`{ast.unparse(node)}`: the number of values is not evident"
            )
        for item in target.elts:
            self._target(item)
        node.targets = [
            ast.copy_location(
                ast.Tuple([self.expression(item) for item in target.elts], ast.Store()), target
            )
        ]
        together = ast.Tuple([self.expression(item) for item in values], ast.Load())
        node.value = ast.copy_location(together, value)
        return [node]

    def _is_divmod(self, call: ast.Call) -> bool:
        path = function_path(call.func, self.heads.facts)
        return path == "builtins.divmod" and len(call.args) == 2 and not call.keywords

    def _row_of_numbers(
        self, node: ast.Assign, target: ast.Subscript, value: ast.Tuple
    ) -> list[ast.stmt]:
        """``points[i] = x, y, z``: NumPy makes an array of the numbers first."""
        row = self.slices.parts.sliced(target) or self.slices.parts.row(target)
        if row is None or len(row.axes) != 1 or row.axes[0].low != "0":
            shown = ast.unparse(node)
            raise Refused(UNSUPPORTED, node, f"`{shown}`: a tuple is stored in an element")
        held = self.slices.parts.dtype(row)
        if held not in (None, "float64", "complex128"):
            message = f"`{ast.unparse(node)}`: store the numbers one by one, for each index"
            raise Refused(UNSUPPORTED, node, message)
        self.guards.append(f"{row.axes[0].length} == {len(value.elts)}")
        places = [row.element([str(k)], ast.Store()) for k in range(len(value.elts))]
        targets = ast.copy_location(ast.Tuple(list(places), ast.Store()), target)
        made = ast.copy_location(ast.Assign([targets], value), node)
        return self.statement(made)

    def _for(self, node: ast.For) -> list[ast.stmt]:
        if node.orelse:
            raise Refused(
                UNSUPPORTED, node.orelse[0], "`else` of a loop is not turned into a kernel"
            )
        items = literal_items(node.iter)
        if items is not None:
            counted = as_range(node, items)
            if counted is None:
                return self._unrolled(node, items)
            node.iter = counted
        head = self.heads.read(node)
        for name, count in head.replaced.items():
            if name in self.live or self._reads[name] != count:
                message = f"`{name}` is read outside of the loop that counts with it"
                raise Refused(UNSUPPORTED, node, message)
        shadowed = set(head.rows) & set(self.rows)
        if shadowed:
            raise Refused(UNSUPPORTED, node, f"`{shadowed.pop()}` names a row twice")
        if len(head.ranges) > 1 and leaves(node.body):
            raise Refused(UNSUPPORTED, node, "`break` out of several index ranges at once")
        for name, arguments in head.ranges:
            head_names = loaded(arguments)
            if name in head_names:
                raise Refused(
                    UNSUPPORTED, node, f"`{name}` is both the loop's variable and in its range"
                )
        first = self._kept_after(node, head)
        self.rows |= head.rows
        self.slices.around += head.ranges
        body = self.block(list(head.bindings)) + self.block(node.body)
        for name in head.rows:
            del self.rows[name]
        del self.slices.around[len(self.slices.around) - len(head.ranges) :]
        self.guards += head.guards
        if len(head.ranges) > 1:
            self.joint |= {name for name, _ in head.ranges}
        for name, arguments in reversed(head.ranges):
            made = self._ranged(node, name, arguments, body)
            body = [made]
        return [*first, *body]

    def _kept_after(self, node: ast.For, head: Head) -> list[ast.stmt]:
        """``for n in range(m)`` whose variable is read after it: it has to run at least once."""
        name, arguments = head.ranges[0]
        target = node.target
        if len(head.ranges) > 1 or not isinstance(target, ast.Name) or target.id != name:
            return []
        within = node is not self._outermost and name in self._exposed
        if not within or loaded(arguments) & self._stored:
            return []
        call = ast.Call(ast.Name("range", ast.Load()), arguments, [])
        guard = nonempty(ast.For(target, call, [], []))
        if not loaded(arguments):
            if not eval(guard, {}):  # of numbers alone
                return []
            guard = "True"
        index = self.fresh.name(name)
        head.ranges[0] = (index, arguments)
        value = ast.copy_location(ast.Name(index, ast.Load()), node)
        head.bindings.insert(0, _bound(name, value, node))
        head.guards.append(guard)
        return [_bound(name, copy.deepcopy(arguments[0]), node)]

    def _ranged(
        self, node: ast.For, name: str, arguments: list[ast.expr], body: list[ast.stmt]
    ) -> ast.For:
        plain = [self.expression(item) for item in arguments]
        call = ast.Call(ast.Name("range", ast.Load()), plain, [])
        made = ast.For(
            ast.Name(name, ast.Store()), call, body or [ast.copy_location(ast.Pass(), node)], []
        )
        ast.copy_location(made.target, node.target)
        ast.copy_location(call, node.iter)
        ast.copy_location(call.func, node.iter)
        return ast.copy_location(made, node)

    def _unrolled(self, node: ast.For, items: list[ast.expr]) -> list[ast.stmt]:
        body = without_continue(node.body)
        if leaves(body) or len(items) > _UNROLLED:
            shown = ast.unparse(node.iter)
            why = "`break` leaves it" if len(items) <= _UNROLLED else "it is long"
            raise Refused(UNSUPPORTED, node, f"the loop over `{shown}` is not written out: {why}")
        made: list[ast.stmt] = []
        for item in items:
            one = ast.Assign([copy.deepcopy(node.target)], item)
            made.append(ast.copy_location(one, node))
            made += copy.deepcopy(body)
        return self.block(made)

    def _while(self, node: ast.While) -> list[ast.stmt]:
        if node.orelse:
            raise Refused(
                UNSUPPORTED, node.orelse[0], "`else` of a loop is not turned into a kernel"
            )
        waiting = len(self.slices.made)
        node.test = self.expression(node.test)
        if len(self.slices.made) > waiting:
            self._nothing_before(node)
        node.body = self.block(node.body) or [ast.copy_location(ast.Pass(), node)]
        return [node]

    def _only_inside(self, node: ast.While, name: str) -> bool:
        return self._reads[name] == _reads(node)[name]

    def _inner_while(self, node: ast.While, before: list[ast.stmt]) -> list[ast.stmt]:
        """A counting ``while`` whose variable nothing else reads is a ``for``."""
        name = counted_name(node)
        start = last_literal(before, name) if name is not None else None
        counted = counting(node, start, self.fresh) if start is not None else None
        if counted is None or not self._only_inside(node, counted[1].variable):
            return self._while(node)
        return self.statement(counted[0])


def _reads(node: ast.AST) -> Counts[str]:
    names = [child for child in syntax.walk(node) if isinstance(child, ast.Name)]
    return Counts(name.id for name in names if isinstance(name.ctx, ast.Load))


def _bound(name: str, value: ast.expr, where: ast.For) -> ast.stmt:
    made = ast.Assign([ast.copy_location(_store(name), where.target)], value)
    return ast.copy_location(made, where)


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())
