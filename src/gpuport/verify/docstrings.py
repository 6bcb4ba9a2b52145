"""Parameter types from numpydoc "Parameters" sections."""

from __future__ import annotations

import re

from gpuport.verify.slots import Slot

_SECTION = re.compile(
    r"^Parameters\s*\n-{3,}\s*\n(?P<body>.*?)(?=^\S[^\n]*\n-{3,}|\Z)", re.M | re.S
)
_ENTRY = re.compile(r"^(?P<names>\*{0,2}\w+(?:\s*,\s*\w+)*)\s*:\s*(?P<type>[^\n]+)$", re.M)
_SHAPE = re.compile(r"\(\s*(?P<dims>[\w.\s,]*)\)")
_DTYPE = re.compile(r"\b(float(?:16|32|64)?|u?int(?:8|16|32|64)?|complex(?:64|128)?|bool)s?\b")
_WIDEST = {"float": "float64", "int": "int64", "uint": "uint64", "complex": "complex128"}


def documented_types(docstring: str) -> dict[str, str]:
    """The type text of each documented parameter.

    Examples
    --------
    >>> documented_types("Sum.\\n\\nParameters\\n----------\\nx, y : (n,) ndarray\\n    Data.\\n")
    {'x': '(n,) ndarray', 'y': '(n,) ndarray'}
    """
    section = _SECTION.search(docstring)
    if section is None:
        return {}
    found = {}
    for entry in _ENTRY.finditer(section["body"]):
        for name in entry["names"].split(","):
            found[name.strip().lstrip("*")] = entry["type"].strip()
    return found


def slots_from_text(name: str, text: str) -> list[Slot]:
    """Slots for a type text such as ``ndarray of float, shape (n, 3)``; empty where unclear."""
    lower = text.lower()
    nullable = "none" in lower
    dtype = _dtype(lower)
    if "array" in lower or "ndarray" in lower or "matrix" in lower:
        ranks = [_dims(name, text)] if _SHAPE.search(text) else _any_rank(name)
        return [Slot(name, "array", dtype, dims, nullable=nullable) for dims in ranks]
    if lower.startswith(("callable", "function", "list", "sequence", "tuple", "dict", "str")):
        return []
    for kind in ("bool", "int", "complex", "float"):
        if re.search(rf"\b{kind}", lower):
            return [Slot(name, kind, nullable=nullable)]
    if "scalar" in lower:
        return [Slot(name, "float", nullable=nullable)]
    return []


def _dtype(text: str) -> str | None:
    match = _DTYPE.search(text)
    return _WIDEST.get(match[1], match[1]) if match else None


def _any_rank(name: str) -> list[tuple[str, ...]]:
    return [tuple(f"{name}.{axis}" for axis in range(rank)) for rank in (1, 2, 3)]


def _dims(name: str, text: str) -> tuple[str, ...]:
    """``(n, 3)`` gives ``("n", "=3")``; a dimension that is no plain name stands for itself."""
    match = _SHAPE.search(text)
    words = [w.strip() for w in match["dims"].split(",") if w.strip()] if match else []
    dims = []
    for axis, word in enumerate(words):
        if word.isdigit():
            dims.append(f"={word}")
        else:
            dims.append(word if word.isidentifier() else f"{name}.{axis}")
    return tuple(dims)
