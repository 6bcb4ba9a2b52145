"""Sums, means, extremes and products of slices, as loops inside: ``x[i:i + w].sum()``.

``x[lo:hi]`` stands for the elements from ``lo`` on where nothing is cut off at an end and no bound
counts from the end: both are guarded. Sums are added one after another where NumPy adds in pairs.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .iteration import parse, range_arguments
from .names import Fresh, constant_int, dotted, function_path, linear, loaded, subscript_indices
from .records import ArrayFact, Fact, ModuleFact

_METHODS = {"sum": "+", "mean": "mean", "max": "maximum", "min": "minimum"}
_FUNCTIONS = {
    "numpy.sum": "+", "numpy.mean": "mean", "numpy.max": "maximum", "numpy.min": "minimum",
    "numpy.amax": "maximum", "numpy.amin": "minimum",
}  # fmt: skip
_PRODUCTS = ("numpy.dot", "numpy.vdot", "numpy.inner")
_FLOATS = (None, "float64", "float32")

Linear = dict[str, int]


@dataclass
class Slices:
    """Replaces reductions of slices by names, and keeps the loops that make these.

    Attributes
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
    around : list of (str, list of expr)
        The loops around the statement, outermost first, with ``range``'s arguments.
    guards : list of str
    made : list of stmt
        What has to stand before the statement.
    """

    facts: Mapping[str, Fact]
    fresh: Fresh
    around: list[tuple[str, list[ast.expr]]] = field(default_factory=list)
    guards: list[str] = field(default_factory=list)
    made: list[ast.stmt] = field(default_factory=list)

    def replaced(self, node: ast.expr) -> ast.expr:
        """The expression without reductions of slices that are understood."""
        if not any(isinstance(child, ast.Slice) for child in ast.walk(node)):
            return node
        changed = _Reductions(self).visit(node)
        assert isinstance(changed, ast.expr)
        return changed

    def reduction(self, operator: str, operand: ast.expr, where: ast.expr) -> ast.expr | None:
        """The name that holds a reduction; None where it is not understood."""
        parts = [n for n in ast.walk(operand) if _sliced(n)]
        if not parts or any(_parent_is_call(operand, part) for part in parts):
            return None
        bounds = [self._bounds(part) for part in parts if isinstance(part, ast.Subscript)]
        known = [one for one in bounds if one is not None]
        if len(known) < len(parts) or not self._bounded(known):
            return None
        index, result = self.fresh.name("k"), self.fresh.name("part")
        first = _Elements(known, "0").visit(copy.deepcopy(operand))
        each = _Elements(known, index).visit(copy.deepcopy(operand))
        length = known[0].length
        step = self._step(operator, result, ast.unparse(each))
        if step is None:
            return None
        lines = [
            f"{result} = {ast.unparse(first)}",
            f"for {index} in range(1, {length}):\n    {result} = {step}",
        ]
        if operator == "mean":
            lines.append(f"{result} = {result} / ({length})")
        self.made += _statements(lines, where)
        return parse(result, where)

    def _step(self, operator: str, result: str, each: str) -> str | None:
        if operator in ("+", "mean"):
            return f"{result} + {each}"
        owner = next(
            (n for n, f in self.facts.items() if isinstance(f, ModuleFact) and f.path == "numpy"),
            None,
        )
        return None if owner is None else f"{owner}.{operator}({result}, {each})"

    def _bounds(self, node: ast.Subscript) -> _Bounds | None:
        array = dotted(node.value)
        fact = self.facts.get(array or "")
        dtype = fact.dtype if isinstance(fact, ArrayFact) else None
        if array is None or dtype not in _FLOATS:
            return None
        indices = subscript_indices(node)
        places = [k for k, index in enumerate(indices) if isinstance(index, ast.Slice)]
        if len(places) != 1:
            return None
        part = indices[places[0]]
        assert isinstance(part, ast.Slice)
        if part.step is not None and constant_int(part.step) != 1:
            return None
        extent = f"{array}.shape[{places[0]}]"
        low = "0" if part.lower is None else _from_start(part.lower, extent)
        high = extent if part.upper is None else _from_start(part.upper, extent)
        length = extent if low == "0" and high == extent else f"({high}) - ({low})"
        return _Bounds(node, low, high, ast.unparse(parse(length, node)))

    def _bounded(self, parts: Sequence[_Bounds]) -> bool:
        """Guard that no bound counts from the end, none is cut off, and there is an element."""
        guards = []
        for part in parts:
            for text in (part.low, part.high):
                least = self._least(parse(text, part.node))
                if least is None:
                    return False
                guards.append(f"{least} >= 0")
        lengths = [_linear(parse(part.length, part.node)) for part in parts]
        for length in lengths:
            if length is None:
                return False
            difference = _minus(length, lengths[0] or {})
            if set(difference) - {""} & set(self._variables()):
                return False
            guards.append(f"{_text(difference)} == 0")
        least = self._least(parse(parts[0].length, parts[0].node))
        if least is None:
            return False
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
        terms = _linear(node)
        if terms is None:
            return None
        for name, (start, stop, step) in reversed([(n, range_(a)) for n, a in self.around]):
            factor, amount = terms.get(name, 0), constant_int(step)
            if not factor:
                continue
            if amount not in (1, -1):
                return None
            first, last = _linear(start), _linear(stop)
            if first is None or last is None:
                return None
            last = _plus(last, {"": -amount}, 1)
            lowest = first if (factor > 0) == (amount > 0) else last
            terms = _plus({k: v for k, v in terms.items() if k != name}, lowest, factor)
        return _text(terms)


@dataclass(frozen=True)
class _Bounds:
    """A slice: its bounds counted from the start, and its length."""

    node: ast.Subscript
    low: str
    high: str
    length: str


class _Reductions(ast.NodeTransformer):
    """Finds the reductions, innermost first."""

    def __init__(self, slices: Slices) -> None:
        self.slices = slices

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        operator, operand = self._reduction(node)
        if operand is None or node.keywords:
            return node
        return self.slices.reduction(operator, operand, node) or node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.MatMult) and _sliced(node.left) and _sliced(node.right):
            return self.slices.reduction("+", _product(node.left, node.right), node) or node
        return node

    def _reduction(self, node: ast.Call) -> tuple[str, ast.expr | None]:
        function = node.func
        path = function_path(function, self.slices.facts)
        if path in _PRODUCTS and len(node.args) == 2 and all(map(_sliced, node.args)):
            return "+", _product(*node.args)
        if path in _FUNCTIONS and len(node.args) == 1:
            return _FUNCTIONS[path], node.args[0]
        if not isinstance(function, ast.Attribute) or path is not None:
            return "", None
        if not node.args and function.attr in _METHODS:
            return _METHODS[function.attr], function.value
        both = [function.value, *node.args]
        if function.attr == "dot" and len(both) == 2 and all(map(_sliced, both)):
            return "+", _product(*both)
        return "", None


class _Elements(ast.NodeTransformer):
    """Puts one element in the place of each slice."""

    def __init__(self, bounds: Sequence[_Bounds], index: str) -> None:
        self.by_text = {ast.dump(one.node): one for one in bounds}
        self.index = index

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        found = self.by_text.get(ast.dump(node))
        if found is None:
            return node
        place = found.low if self.index == "0" else f"({found.low}) + {self.index}"
        place = self.index if found.low == "0" else place
        indices = [
            parse(place, node) if isinstance(index, ast.Slice) else index
            for index in subscript_indices(node)
        ]
        index = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
        return ast.copy_location(ast.Subscript(node.value, index, ast.Load()), node)


def _product(left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.copy_location(ast.BinOp(left, ast.Mult(), right), left)


def _sliced(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and any(
        isinstance(index, ast.Slice) for index in subscript_indices(node)
    )


def _parent_is_call(operand: ast.expr, part: ast.AST) -> bool:
    """Whether a slice is used otherwise than by an operator or a function of one number."""
    for node in ast.walk(operand):
        if part not in list(ast.iter_child_nodes(node)):
            continue
        plain = isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult)
        unary = isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not)
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        called = called and part in node.args and len(node.args) == 1  # type: ignore[attr-defined]
        return not (plain or unary or called)
    return False


def _from_start(bound: ast.expr, extent: str) -> str:
    """A bound that counts from the end, as one that counts from the start."""
    value = constant_int(bound)
    text = ast.unparse(bound)
    return f"{extent} - {-value}" if value is not None and value < 0 else text


def range_(arguments: list[ast.expr]) -> tuple[ast.expr, ast.expr, ast.expr]:
    """Start, stop and step of a loop."""
    call = ast.Call(ast.Name("range", ast.Load()), arguments, [])
    start, stop, step = range_arguments(ast.copy_location(call, arguments[0]))
    return start, stop, step


def _linear(node: ast.expr) -> Linear | None:
    """As :func:`names.linear`, extents of arrays taken for names."""
    atoms: dict[str, str] = {}

    class Atoms(ast.NodeTransformer):
        def visit_Call(self, call: ast.Call) -> ast.AST:
            return _atom(call) if ast.unparse(call.func) == "len" else call

        def visit_Subscript(self, one: ast.Subscript) -> ast.AST:
            shaped = isinstance(one.value, ast.Attribute) and one.value.attr == "shape"
            return _atom(one) if shaped else one

    def _atom(one: ast.expr) -> ast.Name:
        name = f"extent{len(atoms)}@"
        text = ast.unparse(one)
        name = next((k for k, v in atoms.items() if v == text), name)
        atoms[name] = text
        return ast.copy_location(ast.Name(name, ast.Load()), one)

    found = linear(Atoms().visit(copy.deepcopy(node)))
    return None if found is None else {atoms.get(k, k): v for k, v in found.items() if v or not k}


def _plus(terms: Linear, more: Linear, factor: int) -> Linear:
    return {k: terms.get(k, 0) + factor * more.get(k, 0) for k in {**terms, **more}}


def _minus(terms: Linear, others: Linear) -> Linear:
    return _plus(terms, others, -1)


def _text(terms: Linear) -> str:
    parts = []
    for name, factor in terms.items():
        if factor:
            sign = "-" if factor < 0 else "+"
            size = abs(factor)
            shown = str(size) if not name else name if size == 1 else f"{size} * {name}"
            parts.append(f"{sign} {shown}")
    text = " ".join(parts) or "0"
    return f"-{text[2:]}" if text.startswith("- ") else text.removeprefix("+ ")


def _decided(guard: str) -> bool | str:
    """A guard about numbers alone is decided here."""
    return guard if loaded([parse(guard, ast.Pass())]) else bool(eval(guard, {}))


def _statements(lines: list[str], where: ast.AST) -> list[ast.stmt]:
    made = [statement for line in lines for statement in ast.parse(line).body]
    for statement in made:
        for child in ast.walk(statement):
            ast.copy_location(child, where)
    return made
