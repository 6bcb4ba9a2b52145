"""A loop in plain form: each ``for`` over a ``range``, one target per assignment, flat indices."""

from __future__ import annotations

import ast
import copy
from collections import Counter as Counts
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .definitions import last_literal
from .expressions import Plain
from .iteration import Heads, Row, parse
from .names import Fresh, constant_int, loaded, stored, walk
from .reasons import DATA_EXIT, SIDE_EFFECT, UNSUPPORTED, Refused
from .records import Fact

_UNROLLED = 8
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
class Counter:
    """A counting ``while`` that became a ``for``: its variable outlives it with a known value.

    Attributes
    ----------
    variable : str
    final : str
        Python expression over names bound before the loop.
    """

    variable: str
    final: str


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
    """

    statement: ast.For | ast.While
    guards: tuple[str, ...]
    counter: Counter | None
    joint: frozenset[str]


class Plainer:
    """Brings loops into plain form.

    Parameters
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
    """

    def __init__(self, facts: Mapping[str, Fact], fresh: Fresh) -> None:
        self.heads = Heads(facts, fresh)
        self.fresh = fresh
        self.rows: dict[str, Row] = {}
        self.guards: list[str] = []
        self.joint: set[str] = set()
        self._reads: Counts[str] = Counts()

    def region(self, node: ast.For | ast.While, start: ast.expr | None) -> PlainLoop:
        """The plain form of a region's outermost loop.

        Parameters
        ----------
        node : ast.For or ast.While
        start : expr or None
            The value that a counting ``while``'s variable has before it, where it is a literal.
        """
        node = copy.deepcopy(node)
        self._reads = _reads(node)
        counter = None
        plain: ast.stmt = node
        if isinstance(node, ast.While):
            counted = counting(node, start, self.fresh)
            if counted is not None:
                plain, counter = counted
        if isinstance(plain, ast.For) and _literal_items(plain.iter) is not None:
            raise Refused(
                UNSUPPORTED, plain, "a loop over a few written-out values stays a Python loop"
            )
        made = self.statement(plain)
        assert len(made) == 1
        loop = made[0]
        assert isinstance(loop, ast.For | ast.While)
        return PlainLoop(loop, tuple(self.guards), counter, frozenset(self.joint))

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The plain form of consecutive statements."""
        made: list[ast.stmt] = []
        for statement in statements:
            if isinstance(statement, ast.While):
                made += self._inner_while(statement, made)
            else:
                made += self.statement(statement)
        return made

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
        found = Plain(self.rows).visit(node)
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
        self._target(target)
        node.value = self.expression(value)
        if isinstance(target, ast.Subscript):
            node.targets = [self.expression(target)]
        return [node]

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
        elif isinstance(value, ast.Attribute) and value.attr == "shape":
            text = ast.unparse(value)
            values = [parse(f"{text}[{axis}]", value) for axis in range(len(target.elts))]
            self.guards.append(f"len({text}) == {len(values)}")
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

    def _for(self, node: ast.For) -> list[ast.stmt]:
        if node.orelse:
            raise Refused(
                UNSUPPORTED, node.orelse[0], "`else` of a loop is not turned into a kernel"
            )
        items = _literal_items(node.iter)
        if items is not None:
            return self._unrolled(node, items)
        head = self.heads.read(node)
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
        self.rows |= head.rows
        body = self.block(list(head.bindings)) + self.block(node.body)
        for name in head.rows:
            del self.rows[name]
        self.guards += head.guards
        if len(head.ranges) > 1:
            self.joint |= {name for name, _ in head.ranges}
        for name, arguments in reversed(head.ranges):
            made = self._ranged(node, name, arguments, body)
            body = [made]
        return body

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
        if leaves(node.body) or not isinstance(node.target, ast.Name) or len(items) > _UNROLLED:
            raise Refused(UNSUPPORTED, node, f"a loop over `{ast.unparse(node.iter)}`")
        made: list[ast.stmt] = []
        for item in items:
            one = ast.Assign([ast.copy_location(_store(node.target.id), node.target)], item)
            made.append(ast.copy_location(one, node))
            made += copy.deepcopy(node.body)
        return self.block(made)

    def _while(self, node: ast.While) -> list[ast.stmt]:
        if node.orelse:
            raise Refused(
                UNSUPPORTED, node.orelse[0], "`else` of a loop is not turned into a kernel"
            )
        node.test = self.expression(node.test)
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
    names = [child for child in ast.walk(node) if isinstance(child, ast.Name)]
    return Counts(name.id for name in names if isinstance(name.ctx, ast.Load))


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def counted_name(node: ast.While) -> str | None:
    """The variable on the left of a ``while``'s comparison."""
    test = node.test
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name):
        return test.left.id
    return None


def counting(
    node: ast.While, start: ast.expr | None, fresh: Fresh
) -> tuple[ast.For, Counter] | None:
    """``while k < n: ...; k += c`` as a ``for``, and what ``k`` is after it; None for others.

    Where the start is not known, it is what ``k`` holds, and the loop's own variable gets a new
    name.
    """
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or node.orelse or not node.body:
        return None
    if not isinstance(test.left, ast.Name):
        return None
    name, bound = test.left.id, test.comparators[0]
    step = increment(node.body[-1], name)
    body = node.body[:-1]
    if not step or not body or name in stored(body) or leaves(body):
        return None
    upward = {ast.Lt: "", ast.LtE: " + 1"}
    downward = {ast.Gt: "", ast.GtE: " - 1"}
    shift = (upward if step > 0 else downward).get(type(test.ops[0]))
    fixed = not any(
        isinstance(child, ast.Call | ast.Subscript) and not _extent(child)
        for child in ast.walk(bound)
    )
    if shift is None or not fixed or loaded([bound]) & stored(node.body):
        return None
    stop = f"{_operand(bound)}{shift}" if shift else ast.unparse(bound)
    first = ast.unparse(start) if start is not None else name
    call = parse(f"range({first}, {stop}, {step})", node.test)
    local = name
    if start is None:
        local = fresh.name(name)
        for child in walk(body):
            if isinstance(child, ast.Name) and child.id == name:
                child.id = local
    made = ast.For(ast.copy_location(_store(local), test.left), call, body, [])
    final = counted(first, step, ast.unparse(call))
    return ast.copy_location(made, node), Counter(name, final)


def nonempty(loop: ast.For) -> str:
    """Python text that is true where a plain loop has any iteration."""
    assert isinstance(loop.iter, ast.Call)
    start, stop, step = loop.iter.args
    amount = constant_int(step)
    if amount is None:
        return f"len({ast.unparse(loop.iter)}) > 0"
    return f"{ast.unparse(stop)} {'>' if amount > 0 else '<'} {ast.unparse(start)}"


def counted(first: str, step: int, iterated: str) -> str:
    """Python text for what a counter holds after a loop."""
    trips = f"len({iterated})" if step == 1 else f"{step} * len({iterated})"
    return trips if first == "0" else f"{first} + {trips}"


def _operand(node: ast.expr) -> str:
    text = ast.unparse(node)
    return (
        text
        if isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Attribute)
        else f"({text})"
    )


def _extent(node: ast.AST) -> bool:
    """Whether this is ``len(x)`` or ``x.shape[k]``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len"
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)


def increment(node: ast.stmt, name: str) -> int | None:
    """The literal that a statement adds to a name."""
    target: ast.expr
    if isinstance(node, ast.AugAssign):
        target, value, operator = node.target, node.value, node.op
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        target, operator = node.targets[0], node.value.op
        left, value = node.value.left, node.value.right
        if len(node.targets) != 1 or not isinstance(left, ast.Name) or left.id != name:
            return None
    else:
        return None
    amount = constant_int(value)
    if not isinstance(target, ast.Name) or target.id != name or amount is None:
        return None
    if isinstance(operator, ast.Add):
        return amount
    return -amount if isinstance(operator, ast.Sub) else None


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a ``break`` or ``continue`` of this very loop stands in its body."""
    for statement in body:
        if isinstance(statement, ast.Break | ast.Continue):
            return True
        if isinstance(statement, ast.If) and (leaves(statement.body) or leaves(statement.orelse)):
            return True
        if isinstance(statement, ast.Try | ast.With) and any(
            isinstance(child, ast.Break | ast.Continue) for child in walk([statement])
        ):
            return True
    return False


def _literal_items(node: ast.expr) -> list[ast.expr] | None:
    """The items of a written-out tuple or list of numbers."""
    if not isinstance(node, ast.Tuple | ast.List) or not node.elts:
        return None
    for item in node.elts:
        literal = item.operand if isinstance(item, ast.UnaryOp) else item
        if not isinstance(literal, ast.Constant) or isinstance(literal.value, str):
            return None
    return list(node.elts)
