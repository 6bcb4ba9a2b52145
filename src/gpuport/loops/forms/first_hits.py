"""Loops that look for the first hit: ``for i in ...: if test: k = i; break``.

All iterations test at once, and the least number among those that hit is the first one. What the
loop sets there is set after the launch.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.loops.context.given import given_once, worked_in
from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import ArrayFact, Fact, ModuleFact, ScalarFact, UnknownFact
from gpuport.loops.forms.returns import Returned
from gpuport.loops.heads.counting import leaves
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import (
    Fresh,
    constant_int,
    dotted,
    function_path,
    is_shape,
    stored,
    subscript_indices,
    walk,
)
from gpuport.loops.records import FirstHit
from gpuport.source import syntax

_INTEGERS = frozenset(("builtins.int", "math.floor", "math.ceil", "math.trunc"))
_NUMBERS = frozenset(f"builtins.{name}" for name in ("abs", "min", "max", "int", "float"))


@dataclass(frozen=True)
class _Search:
    """The parts of a loop that ends at the first hit."""

    before: Sequence[ast.stmt]
    branch: ast.If
    test: ast.expr
    setting: Sequence[ast.Assign]


def first_hit(
    loop: ast.For,
    live: frozenset[str],
    facts: Mapping[str, Fact],
    fresh: Fresh,
    returned: Returned | None = None,
    otherwise: Sequence[ast.stmt] = (),
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
    returned : Returned or None
        What it returns at the hit.
    otherwise : sequence of stmt
        Its ``else``.

    Returns
    -------
    FirstHit or None
        None where the loop is another one, which is left as it is.
    """
    nodes = list(walk(loop.body))
    elements = any(isinstance(n, ast.Subscript) and not _is_read(n) for n in nodes)
    # Iterations after the first hit run too: those that wait for something might wait for ever.
    if elements or any(isinstance(n, ast.While) for n in nodes):
        return None
    last = _without_hit(otherwise, loop, facts)
    if last is None:
        return None
    if returned is not None and returned.constant:
        (flag,) = returned.names
        return FirstHit(flag, "False", flag, (f"return {returned.constant}",), (), last)
    found = _least(loop, live, facts, fresh, returned)
    return None if found is None else replace(found, otherwise=last)


def _without_hit(
    otherwise: Sequence[ast.stmt], loop: ast.For, facts: Mapping[str, Fact]
) -> tuple[str, ...] | None:
    """The statements of an ``else`` that sets names to numbers, of nothing that the loop binds."""
    bound = stored([loop])
    for node in otherwise:
        value = getattr(node, "value", None)
        if not (_is_setting(node) or isinstance(node, ast.Return)) or value is None:
            return None
        parts = [part for part in ast.walk(value) if not isinstance(part, ast.expr_context)]
        plain = (ast.Constant, ast.Name, ast.UnaryOp, ast.unaryop, ast.Tuple)
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        known = (isinstance(facts.get(n, UnknownFact()), ScalarFact | UnknownFact) for n in names)
        if not all(isinstance(part, plain) for part in parts) or names & bound or not all(known):
            return None
    return tuple(ast.unparse(node) for node in otherwise)


def _least(
    loop: ast.For,
    live: frozenset[str],
    facts: Mapping[str, Fact],
    fresh: Fresh,
    returned: Returned | None,
) -> FirstHit | None:
    """Let each iteration that hits keep the first of its number and those before."""
    found = _search(loop)
    assert isinstance(loop.iter, ast.Call)
    stop, step = loop.iter.args[1:]
    amount = constant_int(step)
    if found is None or not amount or not isinstance(loop.target, ast.Name):
        return None
    names = stored(loop.body)
    set_ = {n for one in found.setting for n in stored([one])}
    carried = exposed(loop.body) & names
    first, sign = ("min", "<") if amount > 0 else ("max", ">")
    if carried or (names - set_) & live or facts.get(first) is not None:
        return None
    variable = fresh.exactly("first")
    setting = _Setting(variable, loop, facts, found)
    lines = setting.lines(found.setting, returned)
    if lines is None:
        return None
    if loop.target.id in live:
        lines.insert(0, f"{loop.target.id} = {variable}")
    value = parse(f"{first}({variable}, {loop.target.id})", found.branch)
    made = ast.Assign([ast.Name(variable, ast.Store())], value)
    found.branch.test = found.test
    found.branch.body = [ast.fix_missing_locations(ast.copy_location(made, found.branch))]
    for child in walk([made]):
        ast.copy_location(child, found.branch)
    none = ast.unparse(stop)
    test = f"{variable} {sign} {none}"
    return FirstHit(variable, none, test, tuple(lines), tuple(setting.reads.items()))


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
    """Writes what a hit sets as Python that stands behind the launch.

    Parameters
    ----------
    variable : str
        What holds the number of the hit there.
    loop : ast.For
    facts : mapping of str to Fact
    found : _Search

    Attributes
    ----------
    reads : dict of str to int
        Arrays of which an element is read that the loop's tests do not read, with their axes.
    """

    def __init__(
        self, variable: str, loop: ast.For, facts: Mapping[str, Fact], found: _Search
    ) -> None:
        assert isinstance(loop.target, ast.Name)
        self.variable = variable
        self.counter = loop.target.id
        self.names = stored(loop.body)
        self.facts = facts
        self.values = given_once(loop)
        self.ranks = _ranks([worked_in(one, self.values) for one in _expressions(found)])
        self.reads: dict[str, int] = {}

    def lines(self, setting: Sequence[ast.Assign], returned: Returned | None) -> list[str] | None:
        """The statements; None where more than numbers are in them."""
        texts: dict[str, str] = {}
        for node in setting:
            target = node.targets[0]
            assert isinstance(target, ast.Name)
            text = self._text(node.value, target.id)
            if text is None:
                return None
            texts[target.id] = text
        if returned is None:
            return [f"{name} = {text}" for name, text in texts.items()]
        values = ", ".join(texts.pop(name) for name in returned.names)
        if returned.packed and len(returned.names) == 1:
            values += ","
        return [*(f"{name} = {text}" for name, text in texts.items()), f"return {values}"]

    def _text(self, node: ast.expr, target: str) -> str | None:
        own = {name: value for name, value in self.values.items() if name != target}
        value = worked_in(node, own)
        if not self._plain(value):
            return None
        made = _Reads(self.variable, self.counter).visit(syntax.copied(value))
        return ast.unparse(made).replace("cupy_", "{cupy}")

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
            return self._plain(node.slice) if is_shape(node.value) else self._element(node)
        if isinstance(node, ast.Attribute):
            name = (dotted(node) or "").partition(".")[0]
            return isinstance(self.facts.get(name), ModuleFact)
        if isinstance(node, ast.Call) and not node.keywords:
            path = function_path(node.func, self.facts) or ""
            known = path in _NUMBERS or path.startswith("math.")
            return known and all(map(self._plain, node.args))
        return False

    def _element(self, node: ast.Subscript) -> bool:
        """Whether it is a number of an array, and where it is not said to be one, that it is."""
        array, indices = dotted(node.value), subscript_indices(node)
        if array is None or array in self.names or not all(map(self._plain, indices)):
            return False
        if not all(map(self._is_whole, indices)):
            return False  # NumPy raises IndexError for a place that is no integer, CuPy cuts it off
        if array in self.ranks:
            return self.ranks[array] == len(indices)
        fact = self.facts.get(array, UnknownFact())
        if not isinstance(fact, ArrayFact | UnknownFact) or "." in array:
            return False
        if isinstance(fact, ArrayFact) and fact.rank not in (None, len(indices)):
            return False
        return self.reads.setdefault(array, len(indices)) == len(indices)

    def _is_whole(self, node: ast.expr) -> bool:
        """Whether a plain expression gives an integer for certain."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.Name):
            fact = self.facts.get(node.id)
            return node.id == self.counter or (
                isinstance(fact, ScalarFact) and _is_integer(fact.type)
            )
        if isinstance(node, ast.BinOp):
            kept = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod)
            return kept and self._is_whole(node.left) and self._is_whole(node.right)
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.Not) and self._is_whole(node.operand)
        if isinstance(node, ast.Subscript):
            fact = self.facts.get(dotted(node.value) or "")
            return is_shape(node.value) or (isinstance(fact, ArrayFact) and _is_integer(fact.dtype))
        if isinstance(node, ast.Call):
            path = function_path(node.func, self.facts)
            chosen = path in ("builtins.abs", "builtins.min", "builtins.max")
            return path in _INTEGERS or (chosen and all(map(self._is_whole, node.args)))
        return False


def _is_integer(type_: str | None) -> bool:
    return type_ is not None and type_.startswith(("int", "uint"))


def _ranks(expressions: Sequence[ast.expr]) -> dict[str, int]:
    """How many axes arrays have of which elements are read."""
    return {
        name: len(subscript_indices(node))
        for node in walk(expressions)
        if isinstance(node, ast.Subscript) and (name := dotted(node.value)) is not None
    }


class _Reads(ast.NodeTransformer):
    """Elements are read from the device, at the hit."""

    def __init__(self, variable: str, counter: str) -> None:
        self.variable = variable
        self.counter = counter

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.variable, ast.Load()) if node.id == self.counter else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if is_shape(node.value):
            return node
        self.generic_visit(node)
        return ast.parse(f"cupy_.asnumpy({ast.unparse(node)})[()]", mode="eval").body


__all__ = ["first_hit"]
