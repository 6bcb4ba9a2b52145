"""Loops that look for the first hit: ``for i in ...: if test: k = i; break``.

All iterations test at once, and the least number among those that hit is the first one. What the
loop sets there is set after the launch.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .counting import leaves
from .given import given_once, worked_in
from .heads import parse
from .names import Fresh, constant_int, dotted, function_path, stored, walk
from .records import ArrayFact, Fact, FirstHit, ModuleFact
from .scalars import exposed

_NUMBERS = frozenset(f"builtins.{name}" for name in ("abs", "min", "max", "int", "float"))


@dataclass(frozen=True)
class _Search:
    """The parts of a loop that ends at the first hit."""

    before: Sequence[ast.stmt]
    branch: ast.If
    test: ast.expr
    setting: Sequence[ast.Assign]


def first_hit(
    loop: ast.For, live: frozenset[str], facts: Mapping[str, Fact], fresh: Fresh
) -> FirstHit | None:
    """Make a loop that ends at the first hit one that looks for the least, in place.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    live : frozenset of str
        Names that something reads after it.
    facts : mapping of str to Fact
    fresh : Fresh

    Returns
    -------
    FirstHit or None
        None where the loop is another one, which is left as it is.
    """
    found = _search(loop)
    assert isinstance(loop.iter, ast.Call)
    stop, step = loop.iter.args[1:]
    if found is None or (constant_int(step) or 0) < 1 or not isinstance(loop.target, ast.Name):
        return None
    names = stored(loop.body)
    set_ = {n for one in found.setting for n in stored([one])}
    elements = any(isinstance(n, ast.Subscript) and not _is_read(n) for n in walk(loop.body))
    carried = exposed(loop.body) & names
    if elements or carried or (names - set_) & live or facts.get("min") is not None:
        return None
    variable = fresh.exactly("first")
    values = given_once(loop)
    seen = {
        ast.dump(n)
        for n in walk([worked_in(one, values) for one in _expressions(found)])
        if isinstance(n, ast.Subscript)
    }
    writer = _Setting(variable, loop.target.id, names, facts, seen)
    lines = [writer.line(one, values) for one in found.setting]
    if None in lines:
        return None
    if loop.target.id in live:
        lines.insert(0, f"{loop.target.id} = {variable}")
    least = parse(f"min({variable}, {loop.target.id})", found.branch)
    made = ast.Assign([ast.Name(variable, ast.Store())], least)
    found.branch.test = found.test
    found.branch.body = [ast.fix_missing_locations(ast.copy_location(made, found.branch))]
    for child in walk([made]):
        ast.copy_location(child, found.branch)
    return FirstHit(variable, ast.unparse(stop), tuple(line for line in lines if line))


def _search(loop: ast.For) -> _Search | None:
    if not loop.body or loop.orelse:
        return None
    *before, last = loop.body
    if not isinstance(last, ast.If) or last.orelse or leaves(before):
        return None
    tests, inner = [last.test], last
    while len(inner.body) == 1 and isinstance(inner.body[0], ast.If):
        inner = inner.body[0]
        tests.append(inner.test)
        if inner.orelse:
            return None
    *setting, end = inner.body
    if not isinstance(end, ast.Break) or not all(map(_is_setting, setting)):
        return None
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    ast.fix_missing_locations(ast.copy_location(test, tests[0]))
    return _Search(before, last, test, setting)  # type: ignore[arg-type]


def _is_setting(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
    )


def _is_read(node: ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Load)


def _expressions(found: _Search) -> list[ast.expr]:
    """What is computed in every iteration."""
    values = [one.value for one in found.before if isinstance(one, ast.Assign)]
    return [*values, found.test]


class _Setting:
    """Writes what a hit sets as Python that stands behind the launch."""

    def __init__(
        self,
        variable: str,
        counter: str,
        names: set[str],
        facts: Mapping[str, Fact],
        seen: set[str],
    ) -> None:
        self.variable = variable
        self.counter = counter
        self.names = names
        self.facts = facts
        self.seen = seen

    def line(self, node: ast.Assign, values: Mapping[str, ast.expr]) -> str | None:
        """The statement; None where more than numbers are in it."""
        target = node.targets[0]
        assert isinstance(target, ast.Name)
        own = {name: value for name, value in values.items() if name != target.id}
        value = worked_in(node.value, own)
        if not self._plain(value):
            return None
        made = _Reads(self.variable, self.counter).visit(copy.deepcopy(value))
        return f"{target.id} = {ast.unparse(made)}".replace("cupy_", "{cupy}")

    def _plain(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            return isinstance(node.value, bool | int | float) or node.value is None
        if isinstance(node, ast.Name):
            known = not isinstance(self.facts.get(node.id), ArrayFact)
            return known and (node.id == self.counter or node.id not in self.names)
        if isinstance(node, ast.BinOp):
            return self._plain(node.left) and self._plain(node.right)
        if isinstance(node, ast.UnaryOp):
            return self._plain(node.operand)
        if isinstance(node, ast.Subscript):
            return dotted(node.value) is not None and ast.dump(node) in self.seen
        if isinstance(node, ast.Attribute):
            name = (dotted(node) or "").partition(".")[0]
            return isinstance(self.facts.get(name), ModuleFact)
        if isinstance(node, ast.Call) and not node.keywords:
            path = function_path(node.func, self.facts) or ""
            known = path in _NUMBERS or path.startswith("math.")
            return known and all(map(self._plain, node.args))
        return False


class _Reads(ast.NodeTransformer):
    """Elements are read from the device, at the hit."""

    def __init__(self, variable: str, counter: str) -> None:
        self.variable = variable
        self.counter = counter

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.variable, ast.Load()) if node.id == self.counter else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        return ast.parse(f"cupy_.asnumpy({ast.unparse(node)})[()]", mode="eval").body


__all__ = ["first_hit"]
