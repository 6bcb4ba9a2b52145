"""What a NumPy or SciPy operation returns: ask NumPy or SciPy.

The real function is called on tiny arrays of the inferred dtypes and ranks and the answer is
read back. Where a dtype or a rank is unknown several stand-ins are tried and the answers are
joined, so that only what all of them agree on is claimed. Only functions that exist on the
device (hence are pure) are probed, in a process of their own (`gpuport.probing`,
`gpuport.analysis.knowledge.asked`); answers are kept.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gpuport.analysis.knowledge.encoding import NotData, decoded, encoded
from gpuport.analysis.knowledge.standins import RANKS, moderate
from gpuport.analysis.knowledge.tables import placement_words
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    join,
    join_all,
)
from gpuport.probing import Prober, Question, ask
from gpuport.probing.library import has_function
from gpuport.source.literals import literal_value

_PROBER = Prober(
    "gpuport.analysis.knowledge.asked",
    (
        "gpuport.analysis.knowledge", "gpuport.analysis.values.lattice", "gpuport.source.literals",
        "gpuport._frozen",
    ),
)  # fmt: skip
_MATRIX = frozenset(("",))
"""Whichever parameter it is that makes it one."""

Ask = Callable[[tuple[Value, ...]], Value]


def probe_operator(name: str, operands: tuple[Value, ...], relied: set[str] | None = None) -> Value:
    """Value of ``operands[0] <name> operands[1]``, or of a unary operator.

    Parameters
    ----------
    name : str
        Class name of the ``ast`` operator, such as ``Add``.
    operands : tuple of Value
        Two, or one.
    relied : set of str, optional
        Gets the parameters that have to be matrices for the answer to hold; without it, the
        answer holds whatever they are.
    """
    if any(isinstance(operand, Unknown) for operand in operands):
        return UNKNOWN
    kinds = tuple(Scalar(o.type) if isinstance(o, Scalar) else o for o in operands)
    return _claim(("operator", name), kinds, relied)


def probe_call(
    path: str, arguments: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...],
    relied: set[str] | None = None,
) -> Value:  # fmt: skip
    """Value of a call of a function (``numpy.mean``, ``scipy.fft.fft``) or a method.

    For a method (``numpy.ndarray.mean``) the first argument is the array itself. ``relied``: as
    in `probe_operator`.
    """
    names = tuple(name for name, _ in keywords)
    if not any(isinstance(v, (Array, Either, Number)) for v in arguments):
        arguments = tuple(map(moderate, arguments))  # nothing but how large the result is
        keywords = tuple((name, moderate(value)) for name, value in keywords)
    return _claim(("call", path, names), arguments + tuple(v for _, v in keywords), relied)


def probe_index(
    base: Value, index: tuple[Value | str, ...], relied: set[str] | None = None
) -> Value:
    """Value of ``base[index]``; entries: a `Value`, ``":"``, ``"..."`` or ``"None"``.

    ``relied``: as in `probe_operator`.
    """
    if isinstance(base, Either):
        plain = tuple(i if isinstance(i, str) else _plain(i) for i in index)
        result = _probe_index(_plain(base), plain)
        if isinstance(result, Array):  # a number would not have taken the index
            return replace(result, sources=base.sources)
    values = (i for i in index if not isinstance(i, str))
    form = tuple(i if isinstance(i, str) else "" for i in index)
    return _claim(("index", form), (base, *values), relied)


def probe_object(path: str, index: ast.expr, kinds: dict[int, str | None]) -> Value:
    """Value of ``np.mgrid[index]``; small numbers stand in for what is no literal.

    ``kinds``: the Python types of the expressions in the index, where they are known.
    """
    found = {_probe_object(path, index, kinds, unknown) for unknown in ("int", "float")}
    return join_all(list(found))


_LARGEST_BOUND = 64
_BOUNDS: dict[str, dict[str, complex]] = {
    "int": {"lower": 0, "upper": 3, "step": 1},
    "float": {"lower": 0.0, "upper": 3.0, "step": 1.0},
    "complex": {"lower": 0.0, "upper": 3.0, "step": 4j},
}


def _probe_object(path: str, index: ast.expr, kinds: dict[int, str | None], unknown: str) -> Value:
    def stand_in(entry: ast.expr) -> Any:  # nothing of the user's text is ever run
        if isinstance(entry, ast.Tuple):
            return tuple(map(stand_in, entry.elts))
        if not isinstance(entry, ast.Slice):
            return literal_value(entry)
        return ("slice", *(bound(getattr(entry, name), name) for name in _BOUNDS["int"]))

    def bound(node: ast.expr | None, name: str) -> Any:
        if node is not None and not _is_literal(node):
            return _BOUNDS[kinds.get(id(node)) or unknown][name]
        value = None if node is None else literal_value(node)
        return _BOUNDS[type(value).__name__][name] if _is_large(value) else value

    try:
        return _asked("object", path, stand_in(index))
    except (ValueError, TypeError):  # no literal
        return UNKNOWN


def _is_large(bound: object) -> bool:
    return isinstance(bound, (int, float, complex)) and abs(bound) > _LARGEST_BOUND


def _is_literal(node: ast.expr) -> bool:
    try:
        literal_value(node)
    except (ValueError, TypeError):
        return False
    return True


def _asking(what: tuple[Any, ...]) -> Ask:
    """What gives the value of an operator, a call or an index of plain values."""

    def ask(given: tuple[Value, ...]) -> Value:
        if what[0] == "operator":
            return _probe(what, given, ())
        if what[0] == "index":
            rest = iter(given[1:])
            return _probe_index(given[0], tuple(part or next(rest) for part in what[1]))
        kind, path, names = what
        count = len(given) - len(names)
        keywords = tuple(zip(names, given[count:], strict=True))
        return _probe((kind, path), given[:count], keywords)

    return ask


@lru_cache(maxsize=20000)
def _rested(what: tuple[Any, ...], operands: tuple[Value, ...]) -> Value:
    return _with_sources(_asking(what), tuple(map(_plain, operands)), operands)


def _claim(what: tuple[Any, ...], operands: tuple[Value, ...], relied: set[str] | None) -> Value:
    """Attach to a result the parameters on whose being arrays, or matrices, it rests."""
    if relied is None or not any(map(_matrices, operands)):
        return _rested(what, operands)
    ask, plain = _asking(what), tuple(map(_plain, operands))
    needed = frozenset().union(*map(_matrices, operands))
    of_matrices = tuple(map(_as_matrix, operands))
    value, other = (_with_sources(ask, one, operands) for one in (of_matrices, plain))
    if _without_least(value) == _without_least(other):
        value = other  # nothing rests on their being matrices
    else:
        relied |= needed
    if isinstance(value, Array) and value.rank is None and _gives_matrices(ask, operands):
        return replace(value, matrices=needed)
    return value


def _without_least(value: Value) -> Value:
    """A claim without the fewest axes, or items."""
    if isinstance(value, Array):
        return replace(value, least=1)
    if isinstance(value, Tuple):
        return replace(value, items=tuple(map(_without_least, value.items)))
    if isinstance(value, Sequence):
        return replace(value, of=_without_least(value.of), least=0)
    return value


def _gives_matrices(ask: Ask, operands: tuple[Value, ...]) -> bool:
    """Whether matrices, and stacks of them, give as many axes or more."""
    for rank in (2, 3):
        given = tuple(_as_matrix(operand, rank) for operand in operands)
        value = ask(given)
        if not isinstance(value, Array) or value.rank is None or value.rank < 2:
            return False
    return True


def _matrices(value: Value) -> frozenset[str]:
    return value.matrices if isinstance(value, Array) else frozenset()


def _as_matrix(value: Value, rank: int | None = None) -> Value:
    """What stands in for an operand that is known to have two axes or more."""
    if isinstance(value, Array) and value.matrices:
        if rank is not None:
            return Array(value.dtype, rank)
        return Array(value.dtype, matrices=_MATRIX, least=value.least)
    return _plain(value)


def _with_sources(ask: Ask, plain: tuple[Value, ...], operands: tuple[Value, ...]) -> Value:
    result = ask(plain)
    if not isinstance(result, (Array, Either)):
        return result
    sources: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    proven = False
    either = False
    for operand in operands:
        inner = elements(operand) if isinstance(operand, (Sequence, Tuple)) else operand
        if isinstance(inner, Array):
            proven = proven or not inner.sources
            sources |= inner.sources
        elif isinstance(inner, Either):
            either = True
            numbers |= inner.sources
    if isinstance(result, Array):
        # Where it would be an array of a number too, it rests on nothing.
        return result if proven else replace(result, sources=sources)
    # `x @ y` of arrays may be a number all the same.
    rests = either and isinstance(ask(tuple(map(_as_array, plain))), Array)
    return replace(result, sources=sources | numbers if rests else frozenset())


def _plain(value: Value) -> Value:
    """What the stand-ins of a value depend on: the same question is asked only once."""
    if isinstance(value, Array):
        return Array(value.dtype, value.rank, least=value.least if value.rank is None else 1)
    if isinstance(value, Either):
        return Either(value.dtype)
    if isinstance(value, Number):
        return Number(value.dtype)
    if isinstance(value, Sequence):
        return Sequence(_plain(value.of), value.list, value.literal, least=value.least)
    if isinstance(value, Tuple):
        return Tuple(tuple(map(_plain, value.items)), value.literal)
    return UNKNOWN if isinstance(value, Unknown) else value


def _as_array(value: Value) -> Value:
    return Array(value.dtype, None, value.sources) if isinstance(value, Either) else value


@lru_cache(maxsize=20000)
def _probe(
    what: tuple[str, str], arguments: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]
) -> Value:
    kind, path = what
    names = tuple(k for k, _ in keywords)
    values = arguments + tuple(v for _, v in keywords)
    if kind == "operator":
        return _sure(_asked(kind, path, values), values)
    words = placement_words()
    if path in words.unprobed:
        return UNKNOWN
    if words.is_without_result(path):
        return Scalar("None") if has_function(path) else UNKNOWN
    return _sure(_asked(kind, path, values, names, path not in words.of_variables), values)


@lru_cache(maxsize=20000)
def _probe_index(base: Value, index: tuple[Value | str, ...]) -> Value:
    values = (base, *(i for i in index if not isinstance(i, str)))
    parts = tuple(i if isinstance(i, str) else None for i in index)
    found = _sure(_asked("index", values, parts), values)
    taken = len(index) - index.count("None") - index.count("...")
    if isinstance(base, Array) and base.rank is None and taken >= max(RANKS):
        more = (replace(base, rank=taken + 1), *values[1:])
        found = join(found, _sure(_asked("index", more, parts), more))  # an element, or a row
    return found


def _asked(*question: object) -> Value:
    """The answer of the worker process; `Unknown` where it cannot be asked, or died of it."""
    try:
        found = decoded(ask(Question(_PROBER, encoded(question))))
    except NotData:
        return UNKNOWN
    return UNKNOWN if found is None else found


def _sure(result: Value, operands: tuple[Value, ...]) -> Value:
    """An answer without the fewest axes, where a shape may be shorter than what stood in for it."""
    if not any(map(_may_be_empty, operands)):
        return result
    if isinstance(result, Array) and result.rank is None:
        return replace(result, least=min(result.least, 1))
    if isinstance(result, Tuple):
        return replace(result, items=tuple(_sure(item, operands) for item in result.items))
    if isinstance(result, Sequence):
        return replace(result, of=_sure(result.of, operands), least=0)
    return result


def _may_be_empty(value: Value) -> bool:
    """Whether a list or tuple that may be a shape may have no items."""
    if isinstance(value, Tuple):
        return any(map(_may_be_empty, value.items))
    if isinstance(value, Sequence) and value.literal is None:
        arrays = isinstance(value.of, (Array, Either, Tuple, Sequence))
        return _may_be_empty(value.of) if arrays else value.least == 0
    return False
