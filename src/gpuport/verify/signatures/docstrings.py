"""Types of parameters and attributes from docstrings: numpydoc, Google's style, Sphinx fields."""

from __future__ import annotations

import re
from dataclasses import replace

from gpuport.verify.signatures.tables import tables, written
from gpuport.verify.slots import DIMENSION, Slot

_UNDERLINED = r"^(?:{names})[ \t]*\n-{{3,}}[ \t]*\n(?P<body>.*?)(?=^\S[^\n]*\n-{{3,}}|\Z)"
_GOOGLE = re.compile(
    r"^(?:Args|Arguments|Parameters):[ \t]*\n(?P<body>(?:[ \t]+[^\n]*\n?|\n)+)", re.M
)
_ENTRY = re.compile(r"^(?P<names>\*{0,2}\w+(?:\s*,\s*\w+)*)\s*:\s*(?P<type>[^\n]+)$", re.M)
_GOOGLE_ENTRY = re.compile(
    r"^\s+(?P<names>\*{0,2}\w+)\s*\((?P<type>[^)\n]*(?:\([^)\n]*\)[^)\n]*)*)\):", re.M
)
_SPHINX_ENTRY = re.compile(r"^\s*:type\s+(?P<names>\w+)\s*:\s*(?P<type>[^\n]+)$", re.M)
_SHAPE = re.compile(r"[(\[]\s*(?:shape\s*=\s*)?\(?(?P<dims>[\w.\s,+*-]*)\)")
_DTYPE = re.compile(r"\b(float(?:16|32|64)?|u?int(?:8|16|32|64)?|complex(?:64|128)?|bool)s?\b")
_INTEGERS = re.compile(r"\b(?:of|integer) ?(?:integers|ints|indices)\b|\binteger array\b")
_WIDEST = {"float": "float64", "int": "int64", "uint": "uint64", "complex": "complex128"}
_ARRAYS = re.compile(r"array|matrix|series|numeric|dataframe|\bvectors?\b|\btensor\b")
_KINDS = (
    ("bool", re.compile(r"\bbool")),
    ("int", re.compile(r"\bint(?:eger)?\b")),
    ("complex", re.compile(r"\bcomplex")),
    ("float", re.compile(r"\b(?:float|number|numeric|scalar|real)")),
    ("callable", re.compile(r"\b(?:callable|function)\b")),
    ("str", re.compile(r"\bstr(?:ing)?\b")),
)
# what says something of an array's elements or shape
_OF_ARRAYS = re.compile(
    r"\([^)]*\)|\[[^\]]*\]|\bof \w+|dtype\s*=\s*\w+|\b(?:float|int|bool)\w* (?:nd)?array"
)
_CHOICES = re.compile(r"\{(?P<items>[^{}]*)\}")
_TEXT = re.compile(r"""(['"])(?P<text>[^'"]*)\1""")


def documented_types(
    docstring: str, sections: str = "Parameters|Other Parameters"
) -> dict[str, str]:
    """The type text of each documented parameter.

    Parameters
    ----------
    docstring : str
        As `ast.get_docstring` gives it, indentation cleaned.
    sections : str
        Names of the numpydoc sections that are read, separated by ``|``.

    Examples
    --------
    >>> documented_types("Sum.\\n\\nParameters\\n----------\\nx, y : (n,) ndarray\\n    Data.\\n")
    {'x': '(n,) ndarray', 'y': '(n,) ndarray'}
    """
    found: dict[str, str] = {}
    underlined = re.compile(_UNDERLINED.format(names=sections), re.M | re.S)
    for section in underlined.finditer(docstring):
        _collect(_ENTRY, section["body"], found)
    if not found and "Parameters" in sections:
        for section in _GOOGLE.finditer(docstring):
            _collect(_GOOGLE_ENTRY, section["body"], found)
        _collect(_SPHINX_ENTRY, docstring, found)
    return found


def _collect(entries: re.Pattern[str], text: str, found: dict[str, str]) -> None:
    for entry in entries.finditer(text):
        for name in entry["names"].split(","):
            found.setdefault(name.strip().lstrip("*"), entry["type"].strip())


def slots_from_text(name: str, text: str) -> list[Slot]:
    """Slots for a type text such as ``ndarray of float, shape (n, 3)``; empty where unclear.

    All that the text names come in turn: arrays first, then numbers, functions and texts.
    """
    lower = text.lower()
    nullable = bool(re.search(r"\bnone\b", lower))
    choices = _choices(text)
    if choices:
        return [Slot(name, "choice", choices=choices, nullable=nullable)]
    plain = lower.partition("default")[0]
    if plain.startswith(("list", "sequence", "tuple", "dict")):
        return []
    found = [] if re.search(r"\bof str", plain) else _arrays(name, plain, text)
    named = list(tables(name, written(text)))
    found = [*found, *named] if "array" in plain or "numeric" in plain else [*named, *found]
    besides = _OF_ARRAYS.sub(" ", plain)
    found += [Slot(name, kind) for kind, pattern in _KINDS if pattern.search(besides)]
    return [replace(s, nullable=nullable) for s in found]


def _arrays(name: str, plain: str, text: str) -> list[Slot]:
    if not _ARRAYS.search(plain):
        return []
    numeric = "numeric" in plain and "array" not in plain
    dtype = None if numeric else _dtype(plain)
    ranks = _shapes(name, text) if _SHAPE.search(text) else _any_rank(name)
    return [Slot(name, "array", dtype, dims) for dims in ranks]


def _choices(text: str) -> tuple[object, ...]:
    """The texts of ``{'a', 'b'}``."""
    match = _CHOICES.search(text)
    return tuple(t["text"] for t in _TEXT.finditer(match["items"])) if match else ()


def _dtype(text: str) -> str | None:
    if _INTEGERS.search(text):
        return "int64"
    # a number beside an array is an alternative to it: `float or array`
    match = None if re.search(r"\bor\b|,\s*array", text.partition("[")[0]) else _DTYPE.search(text)
    return _WIDEST.get(match[1], match[1]) if match else None


def _any_rank(name: str) -> list[tuple[str, ...]]:
    return [tuple(f"{name}.{axis}" for axis in range(rank)) for rank in (1, 2, 3)]


def _shapes(name: str, text: str) -> list[tuple[str, ...]]:
    """``(n, 3)`` gives ``("n", "=3")``; for ``...`` no axis first, then one."""
    match = _SHAPE.search(text)
    words = [w.strip() for w in match["dims"].split(",") if w.strip()] if match else []
    if "..." not in words:
        return [_dims(name, words)]
    at = words.index("...")
    return [_dims(name, [*words[:at], *more, *words[at + 1 :]]) for more in ([], [f"{name}.more"])]


def _dims(name: str, words: list[str]) -> tuple[str, ...]:
    """A dimension that is no plain name, or follows from one, stands for itself."""
    dims = []
    for axis, word in enumerate(words):
        compact = word.replace(" ", "")
        if word.isdigit():
            dims.append(f"={word}")
        else:
            dims.append(compact if DIMENSION.fullmatch(compact) else f"{name}.{axis}")
    return tuple(dims)
