"""Operators in C++: the plain one where it means the same, comparisons of whole numbers."""

from __future__ import annotations

import ast

from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.parallel.cuda.text import (
    AND,
    ATOM,
    BINDING,
    C_TYPES,
    UNARY,
    Text,
    arithmetic,
    cast,
    infix,
)
from gpuport.parallel.ranges import Value, dtype_bounds, fits
from gpuport.parallel.typing import kind, width


def relation(
    node: ast.AST, form: str, texts: list[Text], values: list[Value], computed: str
) -> Text:
    """Whole numbers are compared as numbers, whatever their types."""
    if all(kind(t.dtype) in "biu" for t in texts):
        a, b = texts
        signed = [
            kind(t.dtype) in "bi" and not v.nonnegative for t, v in zip(texts, values, strict=True)
        ]
        if "uint64" in (a.dtype, b.dtype) and any(signed):
            raise Refused(UNSUPPORTED, node, "a comparison of uint64 with a signed integer")
        if any(kind(t.dtype) == "u" for t in texts) and any(signed):
            a, b = (t if kind(t.dtype) == "i" else cast(t, "int64") for t in texts)
        computed = arithmetic(a.dtype, b.dtype)
    else:
        a, b = texts
    return Text(infix(form, (a, b), computed, "bool").text, BINDING[form], "bool")


def simpler_form(
    ufunc: str, texts: list[Text], values: list[Value], computed: str
) -> tuple[str, list[Text]] | None:
    """A plain operator of C++, where the values make it mean the same."""
    if kind(computed) in "iu":
        positive = len(values) == 2 and values[0].nonnegative and values[1].nonnegative
        divides = positive and values[1].low is not None and values[1].low > 0
        if ufunc in ("floor_divide", "remainder") and divides:
            return ("/" if ufunc == "floor_divide" else "%"), texts
        bits = 8 * width(computed)
        if ufunc == "right_shift" and fits(values[1], 0, bits - 1):
            return ">>", texts
        most = dtype_bounds(computed)[1]
        high, by = values[0].high, values[1].high if len(values) == 2 else None
        known = positive and high is not None and by is not None
        if ufunc == "left_shift" and known and by < bits and high << by <= most:  # type: ignore[operator]
            return "<<", texts
    if ufunc == "power" and values[1].constant == 2:
        if texts[0].text.isidentifier():
            return "*", [texts[0], texts[0]]
        return "square", texts[:1]
    return None


def prefixed(form: str, text: Text, computed: str, output: str) -> Text:
    text = cast(text, computed, exact=True)
    if form == "+":
        return text
    found = Text(
        f"{form}{text.within(ATOM if text.text.startswith(form) else UNARY)}", UNARY, output
    )
    if kind(output) in "iu" and dtype_bounds(output)[1] < 2**31 - 1:
        return Text(f"({C_TYPES[output]}){found.text}", UNARY, output)
    return found


def joined_by(symbol: str, binding: int, parts: list[Text]) -> Text:
    if len(parts) == 1:
        return parts[0]
    shown = [p.text if p.binding > AND else f"({p.text})" for p in parts]
    return Text(f" {symbol} ".join(shown), binding, "bool")
