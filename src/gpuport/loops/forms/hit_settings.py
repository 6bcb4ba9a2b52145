"""What a search sets where it hits, as Python that stands behind the launch.

The number of the hit is known there, and elements are read from the device at it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from gpuport.loops.context.given import given_once, worked_in
from gpuport.loops.facts import ArrayFact, Fact, ModuleFact, ScalarFact, UnknownFact
from gpuport.loops.forms.returns import Returned
from gpuport.loops.names import (
    dotted,
    function_path,
    is_shape,
    stored,
    subscript_indices,
    walk,
)
from gpuport.source import syntax

_INTEGERS = frozenset(("builtins.int", "math.floor", "math.ceil", "math.trunc"))


_NUMBERS = frozenset(f"builtins.{name}" for name in ("abs", "min", "max", "int", "float"))


class HitSetting:
    """Writes the statements.

    Parameters
    ----------
    variable : str
        What holds the number of the hit there.
    loop : ast.For
    facts : mapping of str to Fact
    tests : sequence of expr
        What every iteration computes: elements that it reads are known to be there.

    Attributes
    ----------
    reads : dict of str to int
        Arrays of which an element is read that the loop's tests do not read, with their axes.
    """

    def __init__(
        self, variable: str, loop: ast.For, facts: Mapping[str, Fact], tests: Sequence[ast.expr]
    ) -> None:
        assert isinstance(loop.target, ast.Name)
        self.variable = variable
        self.counter = loop.target.id
        self.names = stored(loop.body)
        self.facts = facts
        self.values = given_once(loop)
        self.ranks = _ranks([worked_in(one, self.values) for one in tests])
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
        return ast.unparse(made)

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


__all__ = ["HitSetting"]
