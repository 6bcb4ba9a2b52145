"""Values of expressions: their types from NumPy, their bounds, and how each is computed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product

from gpuport.loops.cuda import bounds as cuda_bounds
from gpuport.loops.cuda.agreement import COMPARISONS, common, fits_float
from gpuport.loops.cuda.calls import Calls
from gpuport.loops.cuda.operands import (
    Computed,
    Outgrown,
    check_exponent,
    folded,
    outgrown,
    too_large,
)
from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.names import dotted, subscript_indices
from gpuport.loops.reasons import UNKNOWN_CALL, UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.ranges import (
    LIMIT,
    NOTHING,
    Alternative,
    Value,
    dtype_bounds,
    fits,
    join,
    of_constant,
    of_type,
)
from gpuport.parallel.typing import (
    PYTHON,
    Computation,
    Type,
    TypeRefusal,
    compute,
    kind,
    operate,
)

_MOST_COMBINATIONS = 64


class Expressions:
    """Values of a body's expressions.

    Attributes
    ----------
    values : dict of ast.AST to Value
        Of each expression.
    computed : dict of (ast.AST, int) to Computed
        Of each operation; a chained comparison has several.
    cut : dict of ast.AST to int
        Calls that make a float an integer, with what it has to be smaller than.
    callee : Callable or None
        Gives the value of a call of a project's function; set by who generates those.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.values: dict[ast.AST, Value] = {}
        self.computed: dict[tuple[ast.AST, int], Computed] = {}
        self.cut: dict[ast.AST, int] = {}
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
        found = self._from_outside(node, state)
        if found is not None:
            return self.settle(node, found)
        visit = getattr(self, method_for(node), None)
        if visit is None:
            what = ast.unparse(node)
            raise Refused(UNSUPPORTED, node, f"a kernel has no form for `{what}`")
        return self.settle(node, visit(node, state))

    def _from_outside(self, node: ast.expr, state: Mapping[str, Value]) -> Value | None:
        """The value of a number that is known, or passed, before the kernel is launched."""
        if isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
            constant = self.symbols.constant(node) if isinstance(node, ast.Attribute) else None
            if constant is not None:
                return constant
            if self.symbols.length_of(node) is not None:
                return self.symbols.length()
            outer = self.symbols.outer_length(node)
            if outer is not None:
                return self.symbols.scalars[outer]
        name = node.id if isinstance(node, ast.Name) else dotted(node)
        return None if name is None or name in state else self.symbols.scalars.get(name)

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
        return self.symbols.element_of(array)

    def _attribute(self, node: ast.Attribute, state: Mapping[str, Value]) -> Value:
        part = functions().parts.get(node.attr)
        if part is None:
            raise Refused(UNKNOWN_TYPE, node, f"nothing is known of `{ast.unparse(node)}`")
        value = self.value(node.value, state)
        alternatives = {Alternative(_part_type(t)) for t in value.types}
        found, computed = _checked(node, [value], frozenset(alternatives), [_same(value)])
        self.computed[node, 0] = computed
        return found

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
            check_exponent(node, operands)
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
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            shown = ast.unparse(node.func)
            raise Refused(UNKNOWN_CALL, node, f"`{shown}` is called with keywords")
        arguments = [self.value(a, state) for a in node.args]
        if NOTHING in arguments:  # of an extreme of which nothing was found yet
            return next((one for one in arguments if one != NOTHING), NOTHING)
        if self.symbols.function(node.func) is not None and self.callee is not None:
            return self.callee(node, arguments)
        path = self.symbols.path(node.func)
        if path is None:
            shown = ast.unparse(node.func)
            raise Refused(UNKNOWN_CALL, node, f"it is not known what `{shown}` does")
        found = Calls(self).value(node, path, arguments)
        if found is None:
            shown = ast.unparse(node.func)
            raise Refused(UNKNOWN_CALL, node, f"a kernel has no form for `{shown}`")
        return found

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
        if NOTHING in operands:
            return of_type(PYTHON["bool"]) if ufunc in COMPARISONS else NOTHING
        known = _in_one_way(ufunc, tuple(operands), python)
        if known is None:
            found, ways = _alternatives(node, ufunc, operands, python)
            _fitting(node, ufunc, operands, ways, self.symbols.scalars)
            known = _checked(node, operands, found, list(ways), ufunc)
        self.computed[node, part] = known[1]
        return known[0]


@lru_cache(maxsize=2**13)
def _in_one_way(
    ufunc: str, operands: tuple[Value, ...], python: bool
) -> tuple[Value, Computed] | None:
    """The value of an operation where nothing depends on where it stands; None elsewhere."""
    try:
        found, ways = _alternatives(_NOWHERE, ufunc, operands, python)
        if len(ways) > 1:
            return None
        _fitting(_NOWHERE, ufunc, operands, ways, {})
        return _checked(_NOWHERE, operands, found, list(ways), ufunc)
    except Refused:
        return None


_NOWHERE = ast.Pass()


def _alternatives(
    node: ast.AST, ufunc: str, operands: Sequence[Value], python: bool
) -> tuple[frozenset[Alternative], set[Computation]]:
    """What an operation gives, and the ways in which it is computed."""
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
        found.add(Alternative(way.output, folded(ufunc, combination, way.output)))
    return frozenset(found), ways


def _fitting(
    node: ast.AST, ufunc: str, operands: Sequence[Value], ways: set[Computation],
    scalars: Mapping[str, Value],
) -> None:  # fmt: skip
    """Python's integers must fit NumPy's type, as NumPy would check.

    Python divides two of its integers exactly, however large; by a floating number, it
    rounds them first, as C++ does.
    """
    if ufunc in COMPARISONS:
        kinds = {t.kind for v in operands for t in v.types if t.weak}
        if kinds >= {"i", "f"} and not all(fits_float(v) for v in operands):
            raise Outgrown(UNKNOWN_TYPE, node, too_large(node, PYTHON["float"]))
        return
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [None, None]
    for way in sorted(ways, key=lambda way: way.inputs):
        for k, (operand, dtype) in enumerate(zip(operands, way.inputs, strict=True)):
            weak = any(t.weak and t.dtype == "int64" for t in operand.types)
            if weak and kind(dtype) in "iu" and not fits(operand, *dtype_bounds(dtype)):
                side = sides[k] if len(sides) == len(operands) else None
                known = isinstance(side, ast.Name) and side.id in scalars
                raise outgrown(node, side if known else None, dtype)
            both = all(any(t.weak and t.kind in "iub" for t in v.types) for v in operands)
            if weak and both and ufunc == "true_divide" and not fits_float(operand):
                raise Outgrown(UNKNOWN_TYPE, node, too_large(node, Type(dtype)))


def _checked(
    node: ast.AST, operands: Sequence[Value], found: frozenset[Alternative],
    ways: list[Computation], ufunc: str = "",
) -> tuple[Value, Computed]:  # fmt: skip
    way = ways[0] if len(ways) == 1 else common(node, ufunc, list(operands), ways)
    computed = Computed(way.inputs, way.output.dtype)
    bounds = cuda_bounds.result(ufunc, list(operands)) if ufunc not in COMPARISONS else (0, 1)
    result = Value(found, *bounds)
    if not any(t.kind in "iu" for t in result.types):
        return Value(found, *((0, 1) if result.boolean else (None, None))), computed
    low, high = dtype_bounds(way.output.dtype if kind(way.output.dtype) in "iu" else "int64")
    if fits(result, low, high):
        return result, computed
    weak = [a for a in found if a.type.weak and a.type.dtype == "int64"]
    if any(a.constant is None for a in weak):
        raise Outgrown(UNKNOWN_TYPE, node, too_large(node, PYTHON["int"]))
    return Value(found, low, high), computed


def method_for(node: ast.AST) -> str:
    """What a method for nodes of a kind is called."""
    return _method_for(type(node).__name__)


@cache
def _method_for(kind: str) -> str:
    return f"_{kind.lower()}"


def _part_type(type_: Type) -> Type:
    dtype = {"complex64": "float32", "complex128": "float64", "bool": "int64"}
    if type_.dtype == "bool" and not type_.weak:
        return type_
    return Type(dtype.get(type_.dtype, type_.dtype), type_.weak)


def _same(value: Value) -> Computation:
    dtypes = sorted(t.dtype for t in value.types)
    return Computation((dtypes[0],), _part_type(Type(dtypes[0])))
