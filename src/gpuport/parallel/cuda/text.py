"""Pieces of C++: literals, conversions, operators with no more parentheses than they need."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from gpuport.parallel.typing import Number, kind, width

C_TYPES = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
    "float32": "float",
    "float64": "double",
    "complex64": "complex<float>",
    "complex128": "complex<double>",
}
"""C++'s name of each dtype, as CuPy has it."""

CONDITIONAL, OR, AND, BITS, EQUALITY, RELATION, SUM, PRODUCT, UNARY, ATOM = range(10)
"""How tightly C++ binds; the bit operators and shifts are one group, always in parentheses."""

BINDING = {
    "||": OR,
    "&&": AND,
    "|": BITS,
    "^": BITS,
    "&": BITS,
    "<<": BITS,
    ">>": BITS,
    "==": EQUALITY,
    "!=": EQUALITY,
    "<": RELATION,
    "<=": RELATION,
    ">": RELATION,
    ">=": RELATION,
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "/": PRODUCT,
    "%": PRODUCT,
}


@dataclass(frozen=True, slots=True)
class Text:
    """An expression in C++.

    Attributes
    ----------
    text : str
    binding : int
        How tightly its outermost operator binds.
    dtype : str
        The type that C++ gives it.
    literal : number or None
        Its value, where it is a literal.
    loose : bool
        A ``ptrdiff_t``, which is as wide as ``long long`` and not the same type.
    """

    text: str
    binding: int
    dtype: str
    literal: Number | None = None
    loose: bool = False

    def within(self, binding: int) -> str:
        """The text as an operand of something that binds so tightly."""
        return self.text if self.binding >= binding else f"({self.text})"


def literal(value: Number, dtype: str, exact: bool = False) -> Text:
    """A literal of a dtype.

    Parameters
    ----------
    value : number
    dtype : str
    exact : bool
        The literal's own C++ type must be this one; a small ``long long`` is plain otherwise.
    """
    value = _converted_value(value, dtype)
    letter = kind(dtype)
    if letter == "c":
        number = complex(value)
        part = "float32" if dtype == "complex64" else "float64"
        real, imag = literal(number.real, part), literal(number.imag, part)
        return Text(f"{C_TYPES[dtype]}({real.text}, {imag.text})", ATOM, dtype, value)
    if letter == "b":
        return Text("true" if value else "false", ATOM, dtype, value)
    assert not isinstance(value, complex)
    text = _floating(float(value), dtype) if letter == "f" else _whole(int(value), dtype, exact)
    return Text(text, UNARY if text.startswith(("-", "(")) else ATOM, dtype, value)


def _converted_value(value: Number, dtype: str) -> Number:
    """A constant as the dtype holds it; whole numbers are known to fit."""
    letter = kind(dtype)
    if letter == "c":
        return complex(value)
    if letter == "b":
        return bool(value)
    assert not isinstance(value, complex)
    return float(value) if letter == "f" else int(value)


def _floating(value: float, dtype: str) -> str:
    import numpy as np

    suffix = "f" if dtype == "float32" else ""
    if math.isnan(value):
        return "CUDART_NAN_F" if suffix else "CUDART_NAN"
    if math.isinf(value):
        return ("-" if value < 0 else "") + ("CUDART_INF_F" if suffix else "CUDART_INF")
    text = str(np.float32(value)) if suffix else repr(value)
    if math.isinf(float(text)):
        return _floating(float(text), dtype)
    return text + suffix if "." in text or "e" in text else f"{text}.0{suffix}"


def _whole(value: int, dtype: str, exact: bool) -> str:
    if width(dtype) < 4:
        return f"({C_TYPES[dtype]}){value}"
    small = -(2**31) < value < 2**31
    suffix = {"int32": "", "uint32": "u", "uint64": "ull"}.get(dtype)
    if suffix is None:
        suffix = "LL" if exact or not small else ""
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    mask = value > 255 and value & (value + 1) == 0
    return (hex(value).replace("x", "!").upper().replace("!", "x") if mask else str(value)) + suffix


def cast(text: Text, dtype: str, exact: bool = False) -> Text:
    """An expression converted as NumPy converts it.

    Parameters
    ----------
    text : Text
    dtype : str
    exact : bool
        As for :func:`literal`.
    """
    if text.literal is not None:
        return literal(text.literal, dtype, exact)
    if text.dtype == dtype and not (exact and text.loose):
        return text
    if kind(dtype) == "b":
        zero = literal(0, text.dtype) if kind(text.dtype) == "c" else literal(0, "int32")
        return Text(f"{text.within(RELATION)} != {zero.text}", EQUALITY, "bool")
    if kind(dtype) == "c":
        return Text(f"{C_TYPES[dtype]}({_converted(text, dtype)})", ATOM, dtype)
    if kind(text.dtype) == "f" and kind(dtype) in "iu" and (kind(dtype) == "u" or width(dtype) < 4):
        # as processors do it: through a wide integer, whose low bits are kept
        return Text(f"({C_TYPES[dtype]})(long long){text.within(UNARY)}", UNARY, dtype)
    return Text(f"({C_TYPES[dtype]}){text.within(UNARY)}", UNARY, dtype)


def _converted(text: Text, dtype: str) -> str:
    part = "float32" if dtype == "complex64" else "float64"
    return text.text if kind(text.dtype) in "c" else implicit(text, part).text


def implicit(text: Text, dtype: str) -> Text:
    """An expression where C++ converts by itself: assigned to a variable of that type."""
    if text.literal is not None or text.dtype == dtype:
        return cast(text, dtype)
    both = kind(text.dtype) + kind(dtype)
    if both[1] == "b" or "c" in both or (both[0] == "f" and both[1] in "iu"):
        return cast(text, dtype)
    return replace(text, dtype=dtype)


def arithmetic(a: str, b: str) -> str:
    """The dtype that C++ computes in for operands of these."""
    if "c" in kind(a) + kind(b):
        return a if a == b else "mixed"
    for wide in ("float64", "float32"):
        if wide in (a, b):
            return wide
    a, b = (x if kind(x) in "iu" and width(x) >= 4 else "int32" for x in (a, b))
    if width(a) != width(b):
        return a if width(a) > width(b) else b
    return a if kind(a) == "u" else b


def infix(symbol: str, operands: tuple[Text, Text], computed: str, output: str) -> Text:
    """``a + b`` computed in a dtype.

    Parameters
    ----------
    symbol : str
        C++'s operator.
    operands : tuple of Text
    computed : str
        The dtype in which NumPy computes.
    output : str
        The dtype of the result.
    """
    if symbol == "+" and operands[0].literal == 0 and kind(computed) in "iu":
        return cast(operands[1], computed)
    a, b = prepared(symbol, operands, computed)
    binding = BINDING[symbol]
    left = a.within(ATOM if binding == BITS and a.binding < UNARY else binding)
    inner = ATOM if binding == BITS and b.binding < UNARY else binding + 1
    right = b.within(inner)
    if binding == OR:
        left, right = (f"({t.text})" if t.binding in (AND, CONDITIONAL) else t.text for t in (a, b))
    loose = all(t.loose or t.literal is not None for t in (a, b))
    text = Text(f"{left} {symbol} {right}", binding, output, loose=loose and a.loose | b.loose)
    if kind(output) in "iu" and width(output) < 4:
        return Text(f"({C_TYPES[output]}){text.within(UNARY)}", UNARY, output)
    return text


def prepared(symbol: str, operands: tuple[Text, Text], computed: str) -> tuple[Text, Text]:
    """Operands converted so far that C++ computes in the dtype in which NumPy does."""
    if symbol in ("||", "&&"):
        return cast(operands[0], "bool"), cast(operands[1], "bool")
    if kind(computed) == "c":
        return cast(operands[0], computed), cast(operands[1], computed)
    if operands[0].literal is not None and operands[1].literal is not None:
        return cast(operands[0], computed, exact=True), cast(operands[1], computed, exact=True)
    if symbol in ("<<", ">>"):
        by = operands[1]
        by = (
            cast(by, computed)
            if kind(by.dtype) not in "biu"
            else _operand(by, operands[0], computed)
        )
        return cast(operands[0], computed, exact=True), by
    a, b = (_operand(x, y, computed) for x, y in (operands, operands[::-1]))
    if symbol == "*" and computed == "uint16":  # the product of two would overflow an int
        return cast(a, "uint32"), b
    promoted = "int32" if kind(computed) in "biu" and width(computed) < 4 else computed
    if arithmetic(a.dtype, b.dtype) != promoted:
        first = b if a.literal is not None else a
        if first is a:
            a = cast(a, computed)
        else:
            b = cast(b, computed)
    if arithmetic(a.dtype, b.dtype) != promoted:
        a, b = cast(a, computed), cast(b, computed)
    return a, b


def _operand(text: Text, other: Text, computed: str) -> Text:
    if text.literal is None:
        narrower = kind(computed) == "f" and kind(text.dtype) == "f"
        return cast(text, computed) if narrower and width(text.dtype) > width(computed) else text
    whole = isinstance(text.literal, int) and not isinstance(text.literal, bool)
    plain = whole and abs(int(text.literal)) < 2**24  # type: ignore[arg-type]
    if plain and other.literal is None:
        if kind(computed) == "f" and other.dtype == computed:
            return Text(str(text.literal), text.binding, "int32", text.literal)
        if kind(computed) in "iu" and width(other.dtype) <= width(computed):
            return Text(str(text.literal), text.binding, "int32", text.literal)
    return literal(text.literal, computed)


def call(name: str, arguments: list[Text], dtype: str) -> Text:
    """A call of a function."""
    return Text(f"{name}({', '.join(a.text for a in arguments)})", ATOM, dtype)
