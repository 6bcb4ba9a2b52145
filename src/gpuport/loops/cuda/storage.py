"""What holds a value: the dtype of a name, and what does not fit the array it is stored in."""

from __future__ import annotations

import ast

from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.parallel.ranges import Value, dtype_bounds, fits, held
from gpuport.parallel.typing import Type, TypeRefusal, compute, kind, widest, width


def storage(value: Value, node: ast.AST) -> str:
    """The dtype that holds a value of several possible types.

    Raises
    ------
    Refused
        Where none holds them all exactly.
    """
    dtypes = {t.dtype for t in value.types}
    weak = [a for a in value.alternatives if a.type.weak and a.type.dtype == "float64"]
    strong_wide = any(t.dtype == "float64" and not t.weak for t in value.types)
    if "float32" in dtypes and weak and not strong_wide:
        constants = [a.constant for a in weak]
        if all(isinstance(c, int | float) and held(c, "float32") for c in constants):
            dtypes.discard("float64")
    try:
        found = widest(frozenset(dtypes))
    except TypeRefusal as error:
        raise Refused(UNKNOWN_TYPE, node, str(error)) from error
    mixed = len(dtypes) > 1 and kind(found) == "f"
    whole = any(kind(d) in "iu" for d in dtypes)
    if mixed and whole and not fits(value, -(2**53), 2**53):
        shown = " or ".join(sorted(map(str, value.types)))
        raise Refused(UNKNOWN_TYPE, node, f"a value is {shown}, depending on the path")
    return found


def stays(value: Value, dtype: str) -> bool:
    """Whether a value compares with what has a dtype as it does once it is stored as that."""
    weak = any(t.weak for t in value.types)
    if kind(dtype) in "iu" and weak and not fits(value, *dtype_bounds(dtype)):
        return False
    try:
        return all(compute("minimum", (t, Type(dtype))).output.dtype == dtype for t in value.types)
    except TypeRefusal:
        return False


def outgrows(value: Value, dtype: str) -> bool:
    """Whether one of NumPy's integers may not fit the signed ones that it is stored in.

    In unsigned ones NumPy wraps it around, as the kernel does.
    """
    if kind(dtype) != "i" or fits(value, *dtype_bounds(dtype)):
        return False
    low, high = dtype_bounds(dtype)
    bounds = (dtype_bounds(t.dtype) for t in value.types if not t.weak and t.kind in "iu")
    return any(least < low or most > high for least, most in bounds)


def cut_off(value: Value, dtype: str) -> str | None:
    """What happens to a floating number that does not fit the integers that it is stored in."""
    constants = [a.constant for a in value.alternatives if a.type.kind == "f"]
    if kind(dtype) not in "iu" or not constants:
        return None
    low, high = dtype_bounds(dtype)
    if all(isinstance(c, float) and low <= c <= high for c in constants):
        return None
    raises = width(dtype) >= 4 or any(t.weak and t.kind == "f" for t in value.types)
    error = "raises ValueError or OverflowError" if raises else "is cut off by the processor"
    return (
        f"{error} where it is nan or does not fit {dtype}; the kernel gives what the GPU's "
        "conversion gives"
    )


def refuse_complex(node: ast.AST, computed: str, dtype: str) -> None:
    """Refuse to store a complex number as a real one, of which NumPy warns and Python raises."""
    if kind(computed) == "c" and kind(dtype) != "c":
        message = f"`{ast.unparse(node)}` is complex and would be stored in an array of {dtype}"
        raise Refused(UNKNOWN_TYPE, node, message)
