"""Calls of CuPy's functions to record: every name of the generated table, on arrays of many kinds.

An expression is text over ``X`` (the cupy module), ``S`` (``cupyx.scipy``), ``np`` and the arrays
of `ARRAYS`. They are made from the table of CuPy's names and parameters: each function gets arrays
of each kind for the parameters that it must have, and then each of its other parameters one value
at a time, by the parameter's name. Many of the calls make no sense; what CuPy says to them is
recorded as well.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from values import ASKED, FIRST, INDEXING, KINDS, OPTIONS, PAIRS, RAW, TRIPLES

TABLE = Path(__file__).resolve().parents[3] / "rules" / "api" / "cupy-14.json"

SPACES = (
    "cupy", "cupy.linalg", "cupy.fft", "cupy.ndarray", "cupyx.scipy.special", "cupyx.scipy.fft",
    "cupyx.scipy.ndimage", "cupyx.scipy.linalg", "cupyx.scipy.signal.windows", "cupyx.scipy.stats",
    "cupyx.scipy.spatial.distance", "cupyx.scipy.signal", "cupyx.scipy.interpolate", "cupyx",
    "cupy.polynomial.polynomial", "cupy.lib.stride_tricks",
)  # fmt: skip
"""Modules whose functions are called."""

SKIPPED = frozenset(
    [
        "cupy.save",
        "cupy.savez",
        "cupy.savez_compressed",
        "cupy.savetxt",
        "cupy.load",
        "cupy.loadtxt",
        "cupy.genfromtxt",
        "cupy.fromfile",
        "cupy.show_config",
        "cupy.get_include",
        "cupy.ndarray.dump",
        "cupy.ndarray.tofile",
        "cupy.set_printoptions",
        "cupy.empty",
        "cupy.empty_like",
        "cupy.fuse",
        "cupy.disable_experimental_feature_warning",
        "cupy.asnumpy",
        "cupy.is_available",
        "cupy.memoize",
        "cupy.clear_memo",
        "cupy.from_dlpack",
        "cupy.ndarray.toDlpack",
        "cupy.fromDlpack",
        "cupy.test",
        "cupyx.seterr",
        "cupyx.empty_pinned",
        "cupyx.empty_like_pinned",
        "cupyx.allow_synchronize",
        "cupyx.errstate",
        "cupyx.optimizing",
        "cupyx.geterr",
        "cupy.cuda",
        "cupy.vectorize",
        "cupy.apply_along_axis",
        "cupy.apply_over_axes",
        "cupy.piecewise",
        "cupy.bytes",
        "cupy.base_repr",
        "cupy.binary_repr",
    ]
)
"""Functions that touch files or settings, give no values, or take functions."""


def expressions() -> Iterator[tuple[str, str]]:
    """The function and the text of each call."""
    entries: Mapping[str, Mapping[str, Any]] = json.loads(TABLE.read_text())["entries"]
    for name, entry in entries.items():
        space = name.rpartition(".")[0]
        if space not in SPACES or name in SKIPPED or name.rpartition(".")[2].startswith("_"):
            continue
        if entry["kind"] not in ("function", "ufunc", "method", "attribute"):
            continue
        for text in dict.fromkeys(_calls(name, entry)):
            yield name, text
    yield from (("indexing", text) for text in INDEXING)
    yield from (("operators", text) for text in _operators())


def _calls(name: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """Calls of one function or method."""
    space, _, leaf = name.rpartition(".")
    if space == "cupy.ndarray":
        yield from _of_arrays(leaf, entry)
        return
    function = name.replace("cupyx.scipy", "S").replace("cupyx.", "XX.").replace("cupy.", "X.")
    if entry["kind"] == "ufunc":
        yield from _of_a_ufunc(function, entry)
        return
    parameters = entry.get("parameters")
    if parameters is None:
        return
    required = [one for one in parameters if len(one) == 2 and one[1] in ("p", "pk")]
    choices = [RAW.get(one[0]) for one in required]
    optional = [one for one in parameters if one not in required]
    for given in _given(choices):
        yield from _with(function, given, optional, few=given not in FIRST)


def _of_arrays(leaf: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """A method or an attribute of arrays of each kind."""
    for one in KINDS[:-7]:
        if entry["kind"] == "attribute":
            yield f"{one}.{leaf}"
            continue
        parameters = entry.get("parameters") or []
        yield from _with(f"{one}.{leaf}", "", parameters, few=one not in tuple("fmitc"))


def _of_a_ufunc(function: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """Calls of a ufunc, and of its methods."""
    options = ("dtype='f4'", "dtype='i4'", "out=o", "casting='no'", "where=b")
    if entry["nin"] == 1:
        for one in KINDS:
            yield f"{function}({one})"
        for option in (*options, "f"):
            yield f"{function}(f, {option})"
        return
    for pair in PAIRS:
        yield f"{function}({', '.join([*pair, 'f'][: entry['nin']])})"
    for option in options:
        yield f"{function}({', '.join(['f', 'i', 'f'][: entry['nin']])}, {option})"
    for method in entry.get("methods", ()):
        for given in METHODS.get(method, ()):
            if method == "at":
                yield f"({function}.at({given}), {given.split(',')[0]})"
            else:
                yield f"{function}.{method}({given})"


METHODS: Mapping[str, tuple[str, ...]] = {
    "reduce": ("f", "m", "m, 1", "i8", "e", "m, None"),
    "accumulate": ("f", "m", "m, 1", "i8"),
    "outer": ("f, i", "f32, 2"),
    "at": ("o, q, f", "o, [0, 0], 2", "i, q, i"),
    "reduceat": ("f, q", "m, [0, 1]"),
}
"""Arguments of a ufunc's methods."""

LEADING = frozenset(
    ["f", "f32", "i", "u", "b", "c", "m", "mf", "mt", "t", "e", "z", "s", "n", "st", "h"]
)
"""Arrays that go with arguments which are none."""


def _given(choices: list[tuple[str, ...] | None]) -> Iterator[str]:
    """Arguments for the parameters that must be given."""
    free = [at for at, one in enumerate(choices) if one is None]
    arrays: tuple[tuple[str, ...], ...]
    arrays = {
        0: ((),), 1: tuple((one,) for one in KINDS), 2: PAIRS, 3: TRIPLES
    }.get(len(free), tuple((*one, *["1"] * (len(free) - 3)) for one in TRIPLES))  # fmt: skip
    if len(free) < len(choices) and free:
        arrays = tuple(one for one in arrays if one[0] in LEADING)
    for some in arrays:
        rows = [(some[free.index(at)],) if one is None else one for at, one in enumerate(choices)]
        for whole in itertools.product(*rows):
            yield ", ".join(whole)


def _with(function: str, given: str, optional: list[Any], *, few: bool) -> Iterator[str]:
    """The call, and the call with each other parameter."""
    yield f"{function}({given})"
    if few:
        return
    for parameter in optional:
        for value in OPTIONS.get(parameter[0], ()) or RAW.get(parameter[0], ()):
            comma = ", " if given else ""
            if parameter[1] == "p":
                yield f"{function}({given}{comma}{value})"
            elif parameter[1] in ("pk", "k"):
                yield f"{function}({given}{comma}{parameter[0]}={value})"
    named = {parameter[0] for parameter in optional}
    if {"axis", "keepdims"} <= named:
        yield f"{function}({given}, axis=-1, keepdims=True)"
    if {"axis", "dtype"} <= named:
        yield f"{function}({given}, axis=0, dtype='f4')"


def _operators() -> Iterator[str]:
    """Operators, in place as well, and what Python asks of an array."""
    for sign in ("+", "-", "*", "/", "//", "%", "**", "<", "==", "&", "|", "^", "<<", ">>", "@"):
        for one, two in (*PAIRS, ("s", "f[:3]"), ("i", "i8"), ("i8", "i8")):
            yield f"{one} {sign} {two}"
            if sign not in ("<", "==") and one.isidentifier() and one not in ("True", "h"):
                yield f"_s('{one} {sign}= {two}', '{one}')"
    for one in KINDS:
        for text in ASKED:
            yield text.format(one, one)
