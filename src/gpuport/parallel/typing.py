"""Types of the values in a loop: NumPy's, and Python's own numbers, which are weak.

What an operation gives is asked of NumPy itself (``ufunc.resolve_dtypes``, NEP 50) in the process
that asks libraries; there is no promotion table here. Python's numbers obey the same rules among
themselves, once ``bool`` counts as ``int``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gpuport.probing.library import operands_of, resolved

Number = bool | int | float | complex


class TypeRefusal(Exception):
    """An operation that NumPy or Python itself refuses for these types."""


@dataclass(frozen=True, slots=True, order=True)
class Type:
    """The type of a number.

    Attributes
    ----------
    dtype : str
        NumPy's name of the type that holds it.
    weak : bool
        A Python number: it takes the type of the NumPy value that it meets.
    """

    dtype: str
    weak: bool = False

    @property
    def kind(self) -> str:
        """NumPy's letter: ``b``, ``i``, ``u``, ``f`` or ``c``."""
        return kind(self.dtype)

    def __str__(self) -> str:
        names = {"bool": "bool", "int64": "int", "float64": "float", "complex128": "complex"}
        return names[self.dtype] if self.weak else self.dtype


PYTHON = {
    "bool": Type("bool", True),
    "int": Type("int64", True),
    "float": Type("float64", True),
    "complex": Type("complex128", True),
}
"""Python's numbers."""

DEVICE_DTYPES = frozenset(
    {
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float32", "float64", "complex64", "complex128",
    }
)  # fmt: skip
"""Types that a kernel computes with."""

_PYTHON_TYPES = {"int64": "int", "float64": "float", "complex128": "complex"}
_KINDS = {"bool": "b", "float32": "f", "float64": "f", "complex64": "c", "complex128": "c"}


@cache
def kind(dtype: str) -> str:
    """NumPy's letter for a dtype's name."""
    return _KINDS.get(dtype) or dtype[0]


@cache
def width(dtype: str) -> int:
    """Bytes of an element."""
    import numpy as np

    return np.dtype(dtype).itemsize


def named(name: str) -> Type:
    """The type of a fact: ``int`` is Python's, ``int64`` is NumPy's.

    Raises
    ------
    TypeRefusal
        For a type that no kernel computes with.
    """
    if name in PYTHON:
        return PYTHON[name]
    if name not in DEVICE_DTYPES:
        raise TypeRefusal(f"kernels do not compute with {name}")
    return Type(name)


@dataclass(frozen=True, slots=True)
class Computation:
    """How an operation is computed.

    Attributes
    ----------
    inputs : tuple of str
        The dtype that each operand is converted to.
    output : Type
    """

    inputs: tuple[str, ...]
    output: Type


@cache
def compute(ufunc: str, operands: tuple[Type, ...]) -> Computation:
    """Types of a NumPy function of these operands.

    Parameters
    ----------
    ufunc : str
        Its name in ``numpy``, or its whole name elsewhere (``scipy.special.erf``).
    operands : tuple of Type
        Of its arguments. Where all are weak the result is NumPy's all the same.

    Returns
    -------
    Computation

    Raises
    ------
    TypeRefusal
        Where NumPy has no such operation, or the device has no such type.
    """
    shown_name = ufunc if "." in ufunc else f"numpy.{ufunc}"
    weak = {} if all(t.weak for t in operands) else _PYTHON_TYPES
    given = tuple(weak.get(t.dtype, t.dtype) if t.weak else t.dtype for t in operands)
    found = resolved(ufunc, given)
    if found is None:
        arity(ufunc)
        shown = " and ".join(map(str, operands))
        raise TypeRefusal(f"{shown_name} is not defined for {shown}")
    *names, output = found
    if not DEVICE_DTYPES.issuperset(found):
        raise TypeRefusal(f"{shown_name} of these types is computed in {names[0]}")
    return Computation(tuple(names), Type(output))


@cache
def arity(ufunc: str) -> int:
    """Operands of a function, named as for `compute`.

    Raises
    ------
    TypeRefusal
        Where its library is not installed.
    """
    found = operands_of(ufunc)
    if found is None:
        module = ufunc.rpartition(".")[0] or "numpy"
        raise TypeRefusal(f"{module} is not installed, so its types are not known")
    return found


_BITWISE = frozenset({"bitwise_and", "bitwise_or", "bitwise_xor"})


@cache
def operate(ufunc: str, operands: tuple[Type, ...]) -> Computation:
    """Types of an operator of Python, whose NumPy form is `ufunc`.

    Parameters
    ----------
    ufunc : str
        ``add`` for ``+`` and so on.
    operands : tuple of Type

    Returns
    -------
    Computation
        Weak where all operands are: Python computes then.

    Raises
    ------
    TypeRefusal
        Where the operator is not defined for these types.
    """
    if not all(t.weak for t in operands):
        return compute(ufunc, operands)
    bools = all(t.dtype == "bool" for t in operands)
    if not (bools and ufunc in _BITWISE):
        operands = tuple(PYTHON["int"] if t.dtype == "bool" else t for t in operands)
    found = compute(ufunc, operands)
    return Computation(found.inputs, Type(found.output.dtype, True))


def widest(dtypes: frozenset[str]) -> str:
    """The dtype that holds the values of all of them.

    Raises
    ------
    TypeRefusal
        Where there is none on the device.
    """
    import numpy as np

    found = str(np.result_type(*sorted(dtypes)))
    if found not in DEVICE_DTYPES:
        raise TypeRefusal(f"no type holds the values of {' and '.join(sorted(dtypes))}")
    return found
