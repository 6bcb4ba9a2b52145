"""Values of calls: functions of NumPy, of ``math``, of Python itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.loops.cuda import bounds
from gpuport.loops.cuda.agreement import shown
from gpuport.loops.cuda.operands import Computed, Outgrown, check_exponent, too_large
from gpuport.loops.reasons import UNKNOWN_CALL, UNKNOWN_TYPE, Refused
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.ranges import (
    Alternative,
    Value,
    dtype_bounds,
    fits,
    join,
    of_constant,
    of_type,
    within,
)
from gpuport.parallel.typing import PYTHON, arity, named

if TYPE_CHECKING:
    from gpuport.loops.cuda.expressions import Expressions


class Calls:
    """Values of calls among a body's expressions.

    Parameters
    ----------
    expressions : Expressions
    """

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def value(self, node: ast.Call, path: str, arguments: list[Value]) -> Value | None:
        """The value of a call; None where kernels have no form for the function."""
        rules = functions()
        count = len(arguments)
        ufunc = rules.ufunc(path)
        if ufunc is not None:
            self._checkarity(node, count, arity(ufunc))
            if ufunc == "power":
                check_exponent(node, arguments)
            return self.expressions.apply(node, ufunc, arguments, python=False)
        if path in rules.operations:
            self._checkarity(node, count, arity(rules.operations[path]))
            return self.expressions.apply(node, rules.operations[path], arguments)
        if path in rules.floating:
            return self._floating(node, path, arguments)
        if path in rules.chosen and count > 1:
            found = arguments[0]
            for argument in arguments[1:]:
                both = [found, argument]
                found = join(*both)
                if found.whole:
                    found = within(found, *bounds.result(rules.chosen[path]["ufunc"], both))
            return found
        if path in rules.conversions and (count == 1 or (count == 2 and path.endswith("complex"))):
            return self._converted(node, rules.conversions[path], path, arguments)
        if path in rules.rounding and count == 1:
            return self._rounded(node, path, arguments[0])
        return None

    def _checkarity(self, node: ast.Call, count: int, wanted: int) -> None:
        if count != wanted:
            name = ast.unparse(node.func)
            raise Refused(UNKNOWN_CALL, node, f"`{name}` is called with {count} arguments")

    def _floating(self, node: ast.Call, path: str, arguments: list[Value]) -> Value:
        rule = functions().floating[path]
        self._checkarity(node, len(arguments), rule.get("arguments", 1))
        takes, gives = PYTHON[rule.get("takes", "float")], rule.get("gives", "float")
        if takes.kind != "c" and any(t.kind == "c" for a in arguments for t in a.types):
            raise Refused(UNKNOWN_TYPE, node, f"`{path}` of a complex number")
        result = takes.dtype if gives == "complex" else "float64"
        self.expressions.computed[node, 0] = Computed((takes.dtype,) * len(arguments), result)
        if gives == "int" and arguments[0].whole:
            self._within_int64(node, arguments[0])
            self.expressions.computed[node, 0] = Computed(("int64",), "int64")
            return Value(
                frozenset({Alternative(PYTHON["int"])}), arguments[0].low, arguments[0].high
            )
        return self._cut(node) if gives == "int" else of_type(PYTHON[gives])

    def _cut(self, node: ast.AST) -> Value:
        """A float made an integer: the launch checks that it has a value, and not too large."""
        magnitudes = self.expressions.symbols.magnitudes
        most = self.expressions.cut[node] = min(magnitudes.given + 1, 2**53)
        return of_type(PYTHON["int"], -most, most)

    def _quotient(self, node: ast.expr) -> Value | None:
        """Bounds of ``int(n / 100)``, which then needs no check."""
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            return None
        left, right = self.expressions.known(node.left), self.expressions.known(node.right)
        divisor = right.constant
        known = left.whole and left.low is not None and left.high is not None
        if not known or not isinstance(divisor, int) or divisor == 0:
            return None
        most = max(abs(left.low or 0), abs(left.high or 0)) // abs(divisor) + 1
        return of_type(PYTHON["int"], -most, most) if most <= 2**53 else None

    def _within_int64(self, node: ast.AST, value: Value) -> None:
        if not fits(value, *dtype_bounds("int64")):
            raise Outgrown(UNKNOWN_TYPE, node, too_large(node, PYTHON["int"]))

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
                    raise Outgrown(UNKNOWN_TYPE, node, too_large(node, type_))
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
            raise Refused(UNKNOWN_TYPE, node, f"`{path}` of {shown(argument)}")
        if argument.whole:
            alternatives = {Alternative(PYTHON["int"])} if gives else argument.alternatives
            self._within_int64(node, argument)
            return Value(frozenset(alternatives), argument.low, argument.high)
        if gives:
            if any(t.kind in "iu" for t in argument.types):
                raise Refused(UNKNOWN_TYPE, node, f"`{path}` of {shown(argument)}")
            return self._cut(node)
        return self.expressions.apply(node, "rint", [argument], python=False)
