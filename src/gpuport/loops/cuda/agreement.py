"""One way to compute what different paths would compute in different types."""

from __future__ import annotations

import ast
from itertools import product

from gpuport.loops.cuda import bounds as cuda_bounds
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.parallel.ranges import Value, dtype_bounds, fits
from gpuport.parallel.typing import Computation, kind, operate
from gpuport.probing.library import narrow_alike

COMPARISONS = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})
_SAME_AS_FLOAT = COMPARISONS | {"add", "subtract"}


def common(
    node: ast.AST,
    ufunc: str,
    operands: list[Value],
    ways: list[Computation],
) -> Computation:
    """One way to compute what would be computed in several, where nobody can tell them apart."""
    floats = [w for w in ways if w.inputs[0] == "float64"]
    others = [w for w in ways if w.inputs[0] != "float64"]
    exact = ufunc in _SAME_AS_FLOAT or (ufunc == "multiply" and _unsigned_zero(node, operands))
    square = ufunc == "power" and operands[1].constant == 2  # which is a product in C++
    exact = exact or (square and fits(operands[0], -(2**26), 2**26))
    exact = exact and all(_stays_whole(ufunc, w, operands) for w in others)
    exact = exact or (ufunc == "power" and _powers_of_constants(*operands))
    if len(floats) == 1 and exact and all(fits_float(v) for v in operands):
        return floats[0]
    if ufunc in COMPARISONS and all(_within_int64(way) for way in ways):
        return Computation(("int64", "int64"), ways[0].output)
    narrow = _constant_alternative(ufunc, operands, ways)
    if narrow is not None:
        return narrow
    types = " and ".join(shown(v) for v in operands)
    remedy = ": `float(...)` around what is whole gives it one" if floats else ""
    text = f"the type of `{ast.unparse(node)}` depends on the path taken ({types}){remedy}"
    raise Refused(UNKNOWN_TYPE, node, text)


def _within_int64(way: Computation) -> bool:
    """Whether whole numbers are compared that int64 holds all."""
    return all(kind(dtype) in "biu" and dtype != "uint64" for dtype in way.inputs)


def _stays_whole(ufunc: str, way: Computation, operands: list[Value]) -> bool:
    """Whether an operation of whole numbers does not wrap around."""
    dtype = way.inputs[0]
    if ufunc in COMPARISONS:
        return kind(dtype) in "biu"
    if kind(dtype) not in "iu":
        return False
    low, high = cuda_bounds.result(ufunc, operands)
    least, most = dtype_bounds(dtype)
    return low is not None and high is not None and least <= low <= high <= most


def _powers_of_constants(base: Value, exponent: Value) -> bool:
    """Whether the whole numbers that are raised are written out, and their powers exact.

    As in ``max(a, 0) ** 2``.
    """
    power = exponent.constant
    if not isinstance(power, int) or isinstance(power, bool) or not 0 < power < 64:
        return False
    whole = [one for one in base.alternatives if one.type.kind in "biu"]
    return all(isinstance(c := one.constant, int) and abs(c) ** power <= 2**53 for one in whole)


def _unsigned_zero(node: ast.AST, operands: list[Value]) -> bool:
    """Whether a product is -0.0 for floats only where it is 0 for no integers."""
    if any(isinstance(v.constant, int) and v.constant > 0 for v in operands):
        return True
    return isinstance(node, ast.BinOp) and ast.dump(node.left) == ast.dump(node.right)


def _constant_alternative(
    ufunc: str, operands: list[Value], ways: list[Computation]
) -> Computation | None:
    """float32, where Python's float64 would come in with constants alone, and exactly so."""
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
        if not narrow_alike(ufunc, tuple(weak)):
            return None
    return narrow[0]


def fits_float(value: Value) -> bool:
    """Whether its whole numbers are exact in float64."""
    return not any(t.kind in "iu" for t in value.types) or fits(value, -(2**53), 2**53)


def shown(value: Value) -> str:
    """Types of a value, for a message."""
    return " or ".join(sorted(map(str, value.types)))
