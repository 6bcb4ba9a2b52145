"""Values of expressions: their types from NumPy, their bounds, and how each is computed."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product

from . import cuda_bounds
from .cuda_rules import functions
from .cuda_symbols import Symbols
from .cuda_values import (
    LIMIT,
    Alternative,
    Number,
    Value,
    dtype_bounds,
    fits,
    join,
    of_constant,
    of_type,
)
from .names import dotted, subscript_indices
from .reasons import UNKNOWN_CALL, UNKNOWN_TYPE, UNSUPPORTED, Refused
from .typing import (
    PYTHON,
    Computation,
    Type,
    TypeRefusal,
    compute,
    host_ufunc,
    kind,
    named,
    operate,
)

_MOST_COMBINATIONS = 64


class Outgrown(Refused):
    """A whole number that may not fit; it does where the numbers from outside are small."""


@dataclass(frozen=True, slots=True)
class Computed:
    """How an expression is computed.

    Attributes
    ----------
    inputs : tuple of str
        The dtype that each operand is converted to.
    output : str
        The dtype of the result.
    """

    inputs: tuple[str, ...]
    output: str


class Expressions:
    """Values of a body's expressions.

    Attributes
    ----------
    values : dict of ast.AST to Value
        Of each expression.
    computed : dict of (ast.AST, int) to Computed
        Of each operation; a chained comparison has several.
    cut : set of ast.AST
        Calls that make a float an integer.
    callee : Callable or None
        Gives the value of a call of a project's function; set by who generates those.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.values: dict[ast.AST, Value] = {}
        self.computed: dict[tuple[ast.AST, int], Computed] = {}
        self.cut: set[ast.AST] = set()
        self.callee: Callable[[ast.Call, list[Value]], Value] | None = None

    def known(self, node: ast.AST) -> Value:
        """The value of an expression that was met."""
        return self.values[node]

    def settle(self, node: ast.AST, value: Value) -> Value:
        """Record a value."""
        self.values[node] = value
        return value

    def value(self, node: ast.expr, state: Mapping[str, Value]) -> Value:
        """The value of an expression in a state.

        Raises
        ------
        Refused
            Where a kernel has no form for it.
        """
        constant = self.symbols.constant(node) if isinstance(node, ast.Attribute) else None
        if constant is not None:
            return self.settle(node, constant)
        if self.symbols.length_of(node) is not None:
            return self.settle(node, self.symbols.length())
        name = dotted(node)
        if name is not None and name in self.symbols.scalars and name not in state:
            return self.settle(node, self.symbols.scalars[name])
        visit = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is None:
            what = ast.unparse(node)
            raise Refused(UNSUPPORTED, node, f"a kernel has no form for `{what}`")
        return self.settle(node, visit(node, state))

    def _constant(self, node: ast.Constant, state: Mapping[str, Value]) -> Value:
        if type(node.value) not in (bool, int, float, complex):
            raise Refused(UNKNOWN_TYPE, node, f"`{node.value!r}` is not a number")
        if type(node.value) is int and abs(node.value) >= LIMIT:
            raise Refused(UNKNOWN_TYPE, node, f"{node.value} does not fit 64 bits")
        return of_constant(node.value, PYTHON[type(node.value).__name__])  # type: ignore[arg-type]

    def _name(self, node: ast.Name, state: Mapping[str, Value]) -> Value:
        if node.id in state:
            return state[node.id]
        if node.id in self.symbols.arrays:
            raise Refused(UNSUPPORTED, node, f"the whole array `{node.id}` is used as a value")
        raise Refused(UNKNOWN_TYPE, node, f"nothing is known of `{node.id}`")

    def _subscript(self, node: ast.Subscript, state: Mapping[str, Value]) -> Value:
        name = dotted(node.value)
        array = self.symbols.arrays.get(name or "")
        if array is None:
            raise Refused(
                UNKNOWN_TYPE, node, f"`{ast.unparse(node.value)}` is not known as an array"
            )
        indices = subscript_indices(node)
        for index in indices:
            value = self.value(index, state)
            if not value.whole:
                found = " or ".join(sorted(map(str, value.types)))
                raise Refused(
                    UNSUPPORTED, node, f"`{ast.unparse(index)}` is an index of type {found}"
                )
        if len(indices) != array.rank:
            raise Refused(UNSUPPORTED, node, f"`{ast.unparse(node)}` is not a single element")
        return of_type(Type(array.dtype))

    def _attribute(self, node: ast.Attribute, state: Mapping[str, Value]) -> Value:
        part = functions().parts.get(node.attr)
        if part is None:
            raise Refused(UNKNOWN_TYPE, node, f"nothing is known of `{ast.unparse(node)}`")
        value = self.value(node.value, state)
        alternatives = {Alternative(_part_type(t)) for t in value.types}
        return self._checked(node, 0, [value], frozenset(alternatives), [_same(value)])

    def _unaryop(self, node: ast.UnaryOp, state: Mapping[str, Value]) -> Value:
        if isinstance(node.op, ast.Not):
            self.truth(node.operand, state)
            return of_type(PYTHON["bool"])
        operand = self.value(node.operand, state)
        return self.apply(node, functions().operators[type(node.op).__name__], [operand])

    def _binop(self, node: ast.BinOp, state: Mapping[str, Value]) -> Value:
        return self.binary(node, node.left, node.op, node.right, state)

    def binary(
        self,
        node: ast.AST,
        left: ast.expr,
        op: ast.operator,
        right: ast.expr,
        state: Mapping[str, Value],
    ) -> Value:
        """The value of ``left op right``, recorded for `node`."""
        ufunc = functions().operators.get(type(op).__name__)
        if ufunc is None:
            raise Refused(UNSUPPORTED, node, "a kernel has no form for this operator")
        operands = [self.value(left, state), self.value(right, state)]
        if ufunc == "power":
            _exponent(node, operands)
        return self.settle(node, self.apply(node, ufunc, operands))

    def _compare(self, node: ast.Compare, state: Mapping[str, Value]) -> Value:
        operands = [self.value(e, state) for e in (node.left, *node.comparators)]
        found: Value | None = None
        for k, op in enumerate(node.ops):
            ufunc = functions().operators.get(type(op).__name__)
            if ufunc is None:
                raise Refused(UNSUPPORTED, node, "a kernel has no form for this comparison")
            one = self.apply(node, ufunc, operands[k : k + 2], part=k)
            found = one if found is None else join(found, one)
        assert found is not None
        return found

    def _boolop(self, node: ast.BoolOp, state: Mapping[str, Value]) -> Value:
        values = [self.value(e, state) for e in node.values]
        if not all(v.boolean for v in values):
            raise Refused(UNSUPPORTED, node, "`and` or `or` that gives a number, not a truth value")
        found = values[0]
        for value in values[1:]:
            found = join(found, value)
        return Value(frozenset(Alternative(t) for t in found.types), 0, 1)

    def truth(self, node: ast.expr, state: Mapping[str, Value]) -> None:
        """Go through an expression of which only the truth counts."""
        if isinstance(node, ast.BoolOp):
            for value in node.values:
                self.truth(value, state)
            self.settle(node, of_type(PYTHON["bool"]))
        else:
            self.value(node, state)

    def _ifexp(self, node: ast.IfExp, state: Mapping[str, Value]) -> Value:
        self.truth(node.test, state)
        return join(self.value(node.body, state), self.value(node.orelse, state))

    def _call(self, node: ast.Call, state: Mapping[str, Value]) -> Value:
        shown = ast.unparse(node.func)
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise Refused(UNKNOWN_CALL, node, f"`{shown}` is called with keywords")
        arguments = [self.value(a, state) for a in node.args]
        if self.symbols.function(node.func) is not None and self.callee is not None:
            return self.callee(node, arguments)
        path = self.symbols.path(node.func)
        if path is None:
            raise Refused(UNKNOWN_CALL, node, f"it is not known what `{shown}` does")
        found = self._function(node, path, arguments)
        if found is None:
            raise Refused(UNKNOWN_CALL, node, f"a kernel has no form for `{shown}`")
        return found

    def _function(self, node: ast.Call, path: str, arguments: list[Value]) -> Value | None:
        rules = functions()
        count = len(arguments)
        ufunc = rules.ufunc(path)
        if ufunc is not None:
            self._arity(node, count, _arity(ufunc))
            if ufunc == "power":
                _exponent(node, arguments)
            return self.apply(node, ufunc, arguments, python=False)
        if path in rules.operations:
            self._arity(node, count, _arity(rules.operations[path]))
            return self.apply(node, rules.operations[path], arguments)
        if path in rules.floating:
            return self._floating(node, path, arguments)
        if path in rules.chosen and count > 1:
            found = arguments[0]
            for argument in arguments[1:]:
                found = join(found, argument)
            return found
        if path in rules.conversions and (count == 1 or (count == 2 and path.endswith("complex"))):
            return self._converted(node, rules.conversions[path], path, arguments)
        if path in rules.rounding and count == 1:
            return self._rounded(node, path, arguments[0])
        return None

    def _arity(self, node: ast.Call, count: int, wanted: int) -> None:
        if count != wanted:
            shown = ast.unparse(node.func)
            raise Refused(UNKNOWN_CALL, node, f"`{shown}` is called with {count} arguments")

    def _floating(self, node: ast.Call, path: str, arguments: list[Value]) -> Value:
        rule = functions().floating[path]
        self._arity(node, len(arguments), rule.get("arguments", 1))
        if any(t.kind == "c" for a in arguments for t in a.types):
            raise Refused(UNKNOWN_TYPE, node, f"`{path}` of a complex number")
        self.computed[node, 0] = Computed(("float64",) * len(arguments), "float64")
        gives = rule.get("gives", "float")
        if gives == "int" and arguments[0].whole:
            self._within_int64(node, arguments[0])
            self.computed[node, 0] = Computed(("int64",), "int64")
            return Value(
                frozenset({Alternative(PYTHON["int"])}), arguments[0].low, arguments[0].high
            )
        return self._cut(node) if gives == "int" else of_type(PYTHON[gives])

    def _cut(self, node: ast.AST) -> Value:
        """A float made an integer: the launch checks that it has a value, and not too large."""
        self.cut.add(node)
        return of_type(PYTHON["int"], -(2**53), 2**53)

    def _quotient(self, node: ast.expr) -> Value | None:
        """Bounds of ``int(n / 100)``, which then needs no check."""
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            return None
        left, right = self.known(node.left), self.known(node.right)
        divisor = right.constant
        known = left.whole and left.low is not None and left.high is not None
        if not known or not isinstance(divisor, int) or divisor == 0:
            return None
        most = max(abs(left.low or 0), abs(left.high or 0)) // abs(divisor) + 1
        return of_type(PYTHON["int"], -most, most) if most <= 2**53 else None

    def _within_int64(self, node: ast.AST, value: Value) -> None:
        if not fits(value, *dtype_bounds("int64")):
            raise Outgrown(UNKNOWN_TYPE, node, _too_large(node, PYTHON["int"]))

    def _converted(self, node: ast.Call, to: str, path: str, arguments: list[Value]) -> Value:
        type_ = PYTHON[to] if path.startswith("builtins.") else named(to)
        argument = arguments[0]
        if type_.kind != "c" and type_.kind != "b" and any(t.kind == "c" for t in argument.types):
            raise Refused(UNKNOWN_TYPE, node, f"`{path}` of a complex number")
        if type_.kind in "iu":
            if argument.whole or argument.boolean:
                low, high = dtype_bounds(type_.dtype)
                if fits(argument, low, high):
                    return of_type(type_, argument.low, argument.high)
                if any(t.weak for t in argument.types) or type_.weak:
                    raise Outgrown(UNKNOWN_TYPE, node, _too_large(node, type_))
                return of_type(type_)
            if not type_.weak:
                return of_type(type_)
            quotient = self._quotient(node.args[0])
            return quotient if quotient is not None else self._cut(node)
        if argument.constant is not None and type_.kind == "f" and not type_.weak:
            return of_constant(float(argument.constant), type_)  # type: ignore[arg-type]
        return of_type(type_)

    def _rounded(self, node: ast.Call, path: str, argument: Value) -> Value:
        gives = functions().rounding[path].get("gives")
        if any(t.kind in "bc" for t in argument.types):
            raise Refused(UNKNOWN_TYPE, node, f"`{path}` of {_shown(argument)}")
        if argument.whole:
            alternatives = {Alternative(PYTHON["int"])} if gives else argument.alternatives
            self._within_int64(node, argument)
            return Value(frozenset(alternatives), argument.low, argument.high)
        if gives:
            if any(t.kind in "iu" for t in argument.types):
                raise Refused(UNKNOWN_TYPE, node, f"`{path}` of {_shown(argument)}")
            return self._cut(node)
        return self.apply(node, "rint", [argument], python=False)

    def apply(
        self,
        node: ast.AST,
        ufunc: str,
        operands: list[Value],
        part: int = 0,
        python: bool = True,
    ) -> Value:
        """The value of a NumPy function, or of the operator that it stands for.

        Parameters
        ----------
        node : ast.AST
            Where it stands.
        ufunc : str
        operands : list of Value
        part : int
            Which one of the operations of `node`.
        python : bool
            Whether Python's numbers stay Python's.

        Raises
        ------
        Refused
            Where the types have no such operation, or paths that meet here would compute it
            differently.
        """
        found: set[Alternative] = set()
        ways: set[Computation] = set()
        combinations = list(product(*(sorted(v.alternatives, key=repr) for v in operands)))
        if len(combinations) > _MOST_COMBINATIONS:
            raise Refused(UNKNOWN_TYPE, node, "a value has too many types")
        for combination in combinations:
            types = tuple(a.type for a in combination)
            try:
                way = (operate if python else compute)(ufunc, types)
            except TypeRefusal as error:
                raise Refused(UNKNOWN_TYPE, node, str(error)) from error
            ways.add(Computation(way.inputs, Type(way.output.dtype)))
            found.add(Alternative(way.output, _folded(ufunc, combination, way.output)))
        self._fitting(node, ufunc, operands, ways)
        return self._checked(node, part, operands, frozenset(found), list(ways), ufunc)

    def _fitting(
        self, node: ast.AST, ufunc: str, operands: list[Value], ways: set[Computation]
    ) -> None:
        """Python's integers must fit NumPy's type, as NumPy would check."""
        if ufunc in _COMPARISONS:
            kinds = {t.kind for v in operands for t in v.types if t.weak}
            if kinds >= {"i", "f"} and not all(fits_float(v) for v in operands):
                raise Outgrown(UNKNOWN_TYPE, node, _too_large(node, PYTHON["float"]))
            return
        for way in ways:
            for operand, dtype in zip(operands, way.inputs, strict=True):
                weak = any(t.weak and t.dtype == "int64" for t in operand.types)
                if weak and kind(dtype) in "iu" and not fits(operand, *dtype_bounds(dtype)):
                    raise Outgrown(UNKNOWN_TYPE, node, _too_large(node, Type(dtype)))
                both = all(any(t.weak for t in v.types) for v in operands)
                if weak and both and ufunc == "true_divide" and not fits_float(operand):
                    raise Outgrown(UNKNOWN_TYPE, node, _too_large(node, Type(dtype)))

    def _checked(
        self,
        node: ast.AST,
        part: int,
        operands: list[Value],
        found: frozenset[Alternative],
        ways: list[Computation],
        ufunc: str = "",
    ) -> Value:
        way = ways[0] if len(ways) == 1 else _common(node, ufunc, operands, ways)
        self.computed[node, part] = Computed(way.inputs, way.output.dtype)
        bounds = cuda_bounds.result(ufunc, operands) if ufunc not in _COMPARISONS else (0, 1)
        result = Value(found, *bounds)
        if not any(t.kind in "iu" for t in result.types):
            return Value(found, *((0, 1) if result.boolean else (None, None)))
        low, high = dtype_bounds(way.output.dtype if kind(way.output.dtype) in "iu" else "int64")
        if fits(result, low, high):
            return result
        if any(t.weak and t.dtype == "int64" for t in result.types):
            raise Outgrown(UNKNOWN_TYPE, node, _too_large(node, PYTHON["int"]))
        return Value(found, low, high)


_COMPARISONS = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})
_SAME_AS_FLOAT = _COMPARISONS | {"add", "subtract"}


def _common(
    node: ast.AST,
    ufunc: str,
    operands: list[Value],
    ways: list[Computation],
) -> Computation:
    """One way to compute what would be computed in several, where nobody can tell them apart."""
    floats = [w for w in ways if w.inputs[0] == "float64"]
    others = [w for w in ways if w.inputs[0] != "float64"]
    exact = ufunc in _SAME_AS_FLOAT or (ufunc == "multiply" and _unsigned_zero(node, operands))
    exact = exact and all(_stays_whole(ufunc, w, operands) for w in others)
    if len(floats) == 1 and exact and all(fits_float(v) for v in operands):
        return floats[0]
    narrow = _constant_alternative(ufunc, operands, ways)
    if narrow is not None:
        return narrow
    shown = " and ".join(_shown(v) for v in operands)
    raise Refused(
        UNKNOWN_TYPE, node, f"the type of `{_text(node)}` depends on the path taken ({shown})"
    )


def _stays_whole(ufunc: str, way: Computation, operands: list[Value]) -> bool:
    """Whether an operation of whole numbers does not wrap around."""
    dtype = way.inputs[0]
    if ufunc in _COMPARISONS:
        return kind(dtype) in "biu"
    if kind(dtype) not in "iu":
        return False
    low, high = cuda_bounds.result(ufunc, operands)
    least, most = dtype_bounds(dtype)
    return low is not None and high is not None and least <= low <= high <= most


def _unsigned_zero(node: ast.AST, operands: list[Value]) -> bool:
    """Whether a product is -0.0 for floats only where it is 0 for no integers."""
    if any(isinstance(v.constant, int) and v.constant > 0 for v in operands):
        return True
    return isinstance(node, ast.BinOp) and ast.dump(node.left) == ast.dump(node.right)


def _constant_alternative(
    ufunc: str, operands: list[Value], ways: list[Computation]
) -> Computation | None:
    """float32, where Python's float64 would come in with constants alone, and exactly so."""
    import numpy as np

    narrow = [w for w in ways if w.inputs[0] == "float32"]
    wide = [w for w in ways if w.inputs[0] == "float64"]
    if len(narrow) != 1 or len(wide) != 1 or len(ways) != 2:
        return None
    for combination in product(*(v.alternatives for v in operands)):
        if operate(ufunc, tuple(a.type for a in combination)).inputs[0] == "float32":
            continue
        if not all(a.type.weak for a in combination):
            return None
        if any(a.constant is None for a in combination):
            return None
        weak = [float(a.constant) for a in combination]  # type: ignore[arg-type]
        function = host_ufunc(ufunc)
        with np.errstate(all="ignore"):
            once = function(*weak)
            same = np.float32(once) == function(*(np.float32(w) for w in weak))
        if not same:
            return None
    return narrow[0]


def fits_float(value: Value) -> bool:
    """Whether its whole numbers are exact in float64."""
    return not any(t.kind in "iu" for t in value.types) or fits(value, -(2**53), 2**53)


_FOLD: dict[str, Callable[..., Number]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "true_divide": operator.truediv,
    "negative": operator.neg,
    "positive": operator.pos,
}


def _folded(ufunc: str, combination: tuple[Alternative, ...], output: Type) -> Number | None:
    constants = [a.constant for a in combination]
    if ufunc not in _FOLD or not output.weak or any(c is None for c in constants):
        return None
    try:
        value = _FOLD[ufunc](*constants)
    except ArithmeticError:
        return None
    return of_constant(value, output).constant


def _exponent(node: ast.AST, operands: list[Value]) -> None:
    base, exponent = operands
    if base.whole and exponent.whole and not exponent.nonnegative:
        raise Refused(
            UNKNOWN_TYPE,
            node,
            f"`{_text(node)}`: the exponent may be negative, and the result then is no integer",
        )


def _part_type(type_: Type) -> Type:
    dtype = {"complex64": "float32", "complex128": "float64", "bool": "int64"}
    if type_.dtype == "bool" and not type_.weak:
        return type_
    return Type(dtype.get(type_.dtype, type_.dtype), type_.weak)


def _same(value: Value) -> Computation:
    dtypes = sorted(t.dtype for t in value.types)
    return Computation((dtypes[0],), _part_type(Type(dtypes[0])))


def _arity(ufunc: str) -> int:
    return int(host_ufunc(ufunc).nin)


def _shown(value: Value) -> str:
    return " or ".join(sorted(map(str, value.types)))


def _text(node: ast.AST) -> str:
    return ast.unparse(node)


def _too_large(node: ast.AST, type_: Type) -> str:
    return f"`{_text(node)}` may be an integer that does not fit {type_}"
