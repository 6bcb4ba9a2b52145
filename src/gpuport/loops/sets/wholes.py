"""Reads whole-number expressions of a loop as isl text over its dimensions and parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from gpuport.loops.facts import Fact, ScalarFact
from gpuport.loops.names import constant_int, dotted, is_shape, loaded
from gpuport.loops.sets.affine import VAGUE, Condition, Split, Symbols, Whole, together
from gpuport.loops.sets.reaches import Reach, reach_of
from gpuport.loops.sets.splits import split_of

_INTEGERS = frozenset(("int", "int64", "intp"))
"""Types of numbers with which arithmetic is that of Python's integers, short of 2**63."""

_RELATION = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "=",
    ast.NotEq: "!=",
}


class Wholes:
    """Reads whole-number expressions.

    Parameters
    ----------
    facts : mapping of str to Fact
    ranks : mapping of str to int
        Axes of the nest's arrays.
    symbols : Symbols
    assigned : set of str
        Names that the region binds: they are no parameters.
    integers : set of str
        Names that are whole numbers because the region uses them as such.
    """

    def __init__(
        self,
        facts: Mapping[str, Fact],
        ranks: Mapping[str, int],
        symbols: Symbols,
        assigned: set[str],
        integers: set[str],
    ) -> None:
        self.facts = facts
        self.ranks = ranks
        self.symbols = symbols
        self.assigned = assigned
        self.integers = integers
        self.values: dict[str, Whole | None] = {}
        self.splits: dict[str, Split] = {}
        self.reaches: dict[str, Reach] = {}
        self._auxiliary = 0
        self._surely_whole = False

    def auxiliary(self, constraint: Callable[[str], str], kind: str = "e") -> Whole:
        """A new auxiliary variable."""
        name = f"{kind}{self._auxiliary}"
        self._auxiliary += 1
        return Whole(name, ((name, constraint(name)),))

    def whole(self, node: ast.expr) -> Whole | None:
        """The expression, or None where it is not affine in the loops' variables."""
        constant = constant_int(node)
        if constant is not None:
            return Whole(f"({constant})")
        if isinstance(node, ast.Name):
            return self._name(node.id)
        found: Whole | None = None
        if isinstance(node, ast.UnaryOp):
            found = self._unary(node)
        elif isinstance(node, ast.BinOp):
            found = self._binary(node)
        elif isinstance(node, ast.Call):
            found = self._call(node)
        elif isinstance(node, ast.IfExp):
            found = self._choice(node)
        elif isinstance(node, ast.Subscript | ast.Attribute):
            found = self._extent(node)
        return found if found is not None else self._invariant(node)

    def place(self, node: ast.expr) -> Whole | None:
        """An expression that is a whole number for sure, as an index or a bound is.

        Of ``max(p[i], 0)`` no more is known than that it is not negative. Of what may be no whole
        number, that would say too much: ``0 < max(x[i], 0) < 1`` has no whole numbers.
        """
        before, self._surely_whole = self._surely_whole, True
        try:
            return self.whole(node)
        finally:
            self._surely_whole = before

    def reach(self, node: ast.expr) -> Reach | None:
        """The expression as a sum with elements of arrays in it; None where it is none."""
        return reach_of(self, node)

    def within(self, period: Whole, text: str) -> Whole:
        """What is taken modulo a period: it is not negative, and less than that."""
        self.symbols.positive[text] = period
        return self.auxiliary(lambda e: f"{e} >= 0 and {e} < {period.text}", VAGUE)

    def split(self, node: ast.expr) -> Split | None:
        """The expression by its digits; None where it has none."""
        return split_of(self, node)

    def integer_name(self, name: str) -> bool:
        """Whether a name bound before the loop is known to be a whole number."""
        fact = self.facts.get(name)
        if isinstance(fact, ScalarFact) and fact.type is not None:
            return fact.type in _INTEGERS
        return name in self.integers

    def _name(self, name: str) -> Whole | None:
        if name in self.values:
            return self.values[name]
        if name in self.assigned or name in self.ranks or not self.integer_name(name):
            return None
        fact = self.facts.get(name)
        if isinstance(fact, ScalarFact) and type(fact.value) is int:
            return Whole(f"({fact.value})")
        return Whole(self.symbols.parameter(name))

    def _unary(self, node: ast.UnaryOp) -> Whole | None:
        inner = self.whole(node.operand)
        if inner is None or not isinstance(node.op, ast.USub | ast.UAdd):
            return None
        return Whole(f"(-{inner.text})", inner.sides) if isinstance(node.op, ast.USub) else inner

    def _binary(self, node: ast.BinOp) -> Whole | None:
        left, right = self.whole(node.left), self.whole(node.right)
        if left is None or right is None:
            return None
        sides = together(left.sides, right.sides)
        if isinstance(node.op, ast.Add | ast.Sub):
            sign = "+" if isinstance(node.op, ast.Add) else "-"
            return Whole(f"({left.text} {sign} {right.text})", sides)
        if isinstance(node.op, ast.Mult):
            factor, other = _literal(left.text), right
            if factor is None:
                factor, other = _literal(right.text), left
            return None if factor is None else Whole(f"({factor} * {other.text})", sides)
        divisor = _literal(right.text)
        if isinstance(node.op, ast.FloorDiv) and divisor is not None and divisor > 0:
            return Whole(f"(floor({left.text} / {divisor}))", sides)
        if isinstance(node.op, ast.Mod):
            if divisor is not None and divisor > 0:
                return Whole(f"(({left.text}) mod {divisor})", sides)
            if divisor is None:
                return self._wrapped(left, right, node.right)
        return None

    def _wrapped(self, value: Whole, divisor: Whole, node: ast.expr) -> Whole | None:
        """``value % n``: exact within one period to either side, anything below n beyond.

        n is taken for positive, which a guard has to prove.
        """
        if loaded([node]) & self.assigned:
            return None
        self.symbols.positive[ast.unparse(node)] = divisor
        v, n = value.text, divisor.text
        made = self.auxiliary(
            lambda e: (
                f"(({v} >= 0 and {v} < {n} and {e} = {v})"
                f" or ({v} < 0 and {v} >= -{n} and {e} = {v} + {n})"
                f" or ({v} >= {n} and {v} < 2*{n} and {e} = {v} - {n})"
                f" or (({v} < -{n} or {v} >= 2*{n}) and {e} >= 0 and {e} < {n}))"
            )
        )
        return Whole(made.text, together(value.sides, divisor.sides, made.sides))

    def _call(self, node: ast.Call) -> Whole | None:
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if name in self.facts or name in self.assigned or node.keywords:
            return None
        if name == "len" and len(node.args) == 1:
            array = dotted(node.args[0])
            if array is None:
                return None
            if array in self.ranks:
                return Whole(self.symbols.extent(array, 0))
            # Something that the loop never subscripts may be a list: it has no shape.
            length = self.symbols.parameter(f"len({array})")
            self.symbols.extents.add(length)
            return Whole(length)
        if name == "int" and len(node.args) == 1:
            return self.whole(node.args[0])
        if name in ("min", "max") and len(node.args) > 1:
            fixed = self._fixed_extreme(node, name)
            if fixed is not None:
                return fixed
            return self._extreme([self.whole(item) for item in node.args], name == "min")
        if name == "abs" and len(node.args) == 1:
            inner = self.whole(node.args[0])
            if inner is None:
                return None
            minus = Whole(f"(-{inner.text})", inner.sides)
            return self._extreme([inner, minus], smallest=False)
        return None

    def _fixed_extreme(self, node: ast.Call, name: str) -> Whole | None:
        """The least of values that the loop does not change, as one parameter."""
        if loaded(node.args) & self.assigned:
            return None
        items = [self.whole(item) for item in node.args]
        made = Whole(self.symbols.parameter(ast.unparse(node)))
        sign = "<=" if name == "min" else ">="
        for item in items:
            if item is None or item.sides:
                return None
            self.symbols.constraints.append(f"{made.text} {sign} {item.text}")
        return made

    def _extreme(self, items: list[Whole | None], smallest: bool) -> Whole | None:
        known = [item for item in items if item is not None]
        if not known or (len(known) < len(items) and not self._surely_whole):
            return None
        result = known[0]
        for item in known[1:]:
            result = self._of_two(result, item, smallest)
        return result if len(known) == len(items) else self._beyond(result, smallest)

    def _beyond(self, limit: Whole, smallest: bool) -> Whole:
        """A number of which nothing else is known than that it is not more, or not less."""
        made = self.auxiliary(lambda e: f"{e} {'<=' if smallest else '>='} {limit.text}", VAGUE)
        return Whole(made.text, together(limit.sides, made.sides))

    def _of_two(self, a: Whole, b: Whole, smallest: bool) -> Whole:
        sign = "<=" if smallest else ">="
        made = self.auxiliary(
            lambda e: (
                f"(({a.text} {sign} {b.text} and {e} = {a.text})"
                f" or ({b.text} {sign} {a.text} and {e} = {b.text}))"
            )
        )
        return Whole(made.text, together(a.sides, b.sides, made.sides))

    def _choice(self, node: ast.IfExp) -> Whole | None:
        yes, no = self.whole(node.body), self.whole(node.orelse)
        if yes is None or no is None:
            return None
        return self.either(self.condition(node.test), self.condition(node.test, True), yes, no)

    def either(
        self, test: Condition | None, otherwise: Condition | None, yes: Whole, no: Whole
    ) -> Whole:
        """One of two values, as a condition decides; any of both where it is not affine."""
        first = test.text if test is not None else "true"
        second = otherwise.text if otherwise is not None else "true"
        sides = [part.sides for part in (test, otherwise) if part is not None]
        made = self.auxiliary(
            lambda e: f"((({first}) and {e} = {yes.text}) or (({second}) and {e} = {no.text}))"
        )
        return Whole(made.text, together(yes.sides, no.sides, *sides, made.sides))

    def _extent(self, node: ast.Subscript | ast.Attribute) -> Whole | None:
        if isinstance(node, ast.Attribute):
            array = dotted(node.value)
            if node.attr == "size" and array is not None and self.ranks.get(array) == 1:
                return Whole(self.symbols.extent(array, 0))
            name = dotted(node)
            if name is not None and self.integer_name(name):
                return Whole(self.symbols.parameter(name))
            return None
        if not is_shape(node.value) or not isinstance(node.value, ast.Attribute):
            return None
        array, axis = dotted(node.value.value), constant_int(node.slice)
        if array is None or axis is None:
            return None
        if axis < 0:
            if array not in self.ranks:
                return None
            axis += self.ranks[array]
        return Whole(self.symbols.extent(array, axis))

    def _invariant(self, node: ast.expr) -> Whole | None:
        """One opaque parameter for a whole number that the loop does not change: ``n * m``."""
        if not isinstance(node, ast.BinOp | ast.UnaryOp | ast.Attribute):
            return None
        return Whole(self.symbols.parameter(ast.unparse(node))) if self._stays(node) else None

    def _stays(self, node: ast.expr) -> bool:
        """Whether an expression is a whole number that the loop does not change.

        What stands last in it is looked at first: long sums of elements are told at once.
        """
        if isinstance(node, ast.BinOp):
            whole = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod)
            return whole and self._stays(node.right) and self._stays(node.left)
        if isinstance(node, ast.UnaryOp):
            return self._stays(node.operand)
        if isinstance(node, ast.Subscript):
            return self._stays(node.slice) and self._stays(node.value)
        if isinstance(node, ast.Attribute):
            named = isinstance(node.value, ast.Name) and node.value.id in self.ranks
            of = self._is_fixed(node.value.id) if named else self._stays(node.value)  # type: ignore[attr-defined]
            return node.attr in ("size", "shape", "ndim") and of
        if isinstance(node, ast.Name):
            array = node.id in self.ranks
            return not array and self._is_fixed(node.id) and self.integer_name(node.id)
        return isinstance(node, ast.Constant) and type(node.value) is int

    def _is_fixed(self, name: str) -> bool:
        return name not in self.values and name not in self.assigned

    def condition(self, node: ast.expr, negated: bool = False) -> Condition | None:
        """What an affine condition says of the loops' variables; None for nothing."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node.operand, not negated)
        if isinstance(node, ast.BoolOp):
            return self._junction(node, negated)
        if isinstance(node, ast.Compare):
            return self._comparison(node, negated)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return Condition("true" if node.value != negated else "false")
        return None

    def _junction(self, node: ast.BoolOp, negated: bool) -> Condition | None:
        parts = [self.condition(item, negated) for item in node.values]
        known = [part for part in parts if part is not None]
        sides = together(*(part.sides for part in known))
        if isinstance(node.op, ast.And) != negated:
            if not known:
                return None
            exact = len(known) == len(parts) and all(part.exact for part in known)
            text = " and ".join(f"({part.text})" for part in known)
            return Condition(text, sides, exact)
        if len(known) != len(parts):
            return None
        text = " or ".join(f"({part.text})" for part in known)
        return Condition(text, sides, all(part.exact for part in known))

    def _comparison(self, node: ast.Compare, negated: bool) -> Condition | None:
        before, self._surely_whole = self._surely_whole, False  # of anything, as conditions are
        values = [self.whole(item) for item in (node.left, *node.comparators)]
        self._surely_whole = before
        texts, sides = [], []
        for value in values:
            if value is None:
                return None
            texts.append(value.text)
            sides.append(value.sides)
        signs = [_RELATION.get(type(operator)) for operator in node.ops]
        if None in signs:
            return None
        pairs = zip(texts, signs, texts[1:], strict=False)
        text = " and ".join(f"{a} {sign} {b}" for a, sign, b in pairs)
        exact = not any(value.vague for value in values if value is not None)
        return Condition(f"not ({text})" if negated else text, together(*sides), exact)


def _literal(text: str) -> int | None:
    try:
        return int(text.strip("()").replace(" ", ""))
    except ValueError:
        return None
