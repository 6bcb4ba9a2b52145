"""What operations return: NumPy and SciPy are asked here, in the worker process.

`gpuport.analysis.knowledge.probing` sends the questions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuport.analysis.knowledge.answers import answer as answered
from gpuport.analysis.knowledge.encoding import decoded, encoded
from gpuport.analysis.knowledge.readings import read
from gpuport.analysis.knowledge.vagueness import may_be_word
from gpuport.analysis.values.lattice import UNKNOWN, Value
from gpuport.probing.functions import OPERATORS, function_of, takes_subscripts, words_of


def answer(question: list[Any]) -> Any:
    """The answer to a question, in the worker process; both are encoded."""
    kind, *data = decoded(question)
    return encoded(_ASKED[kind](*data))


def _operator(name: str, values: tuple[Value, ...]) -> Value:
    function = OPERATORS[name]
    return answered(values, lambda stand_ins: function(*stand_ins))


def _call(path: str, values: tuple[Value, ...], names: tuple[str, ...], short: bool) -> Value:
    """What a function gives for arguments, the last of which have names."""
    function = function_of(path)
    count = len(values) - len(names)
    if function is None or (any(map(may_be_word, values[:count])) and takes_subscripts(path)):
        return UNKNOWN  # of subscripts, what the words say decides

    def run(stand_ins: tuple[Any, ...]) -> Any:
        keywords = dict(zip(names, stand_ins[count:], strict=True))
        return function(*stand_ins[:count], **keywords)

    long = path.startswith("scipy.")
    return answered(values, run, long=long, short=short, words=lambda: words_of(path))


def _index(values: tuple[Value, ...], index: tuple[str | None, ...]) -> Value:
    """What the first value gives for an index, whose parts that are None are the other values."""
    fixed = {":": slice(None), "...": Ellipsis, "None": None}

    def run(stand_ins: tuple[Any, ...]) -> Any:
        rest = iter(stand_ins[1:])
        key = tuple(next(rest) if part is None else fixed[part] for part in index)
        return stand_ins[0][key if len(key) != 1 else key[0]]

    return answered(values, run, index=True)


def _object(path: str, index: Any) -> Value:
    """What ``np.mgrid`` and its kin give for an index of numbers and slices."""
    import numpy as np

    maker: Any = getattr(np, path.partition(".")[2], None)
    try:
        return read(maker[_indexed(index)])
    except Exception:
        return UNKNOWN


def _indexed(index: Any) -> Any:
    """An index, of which slices are sent as tuples that say so."""
    if not isinstance(index, tuple):
        return index
    if index[:1] == ("slice",):
        return slice(*index[1:])
    return tuple(map(_indexed, index))


_ASKED: dict[str, Callable[..., Value]] = {
    "operator": _operator,
    "call": _call,
    "index": _index,
    "object": _object,
}

__all__ = ["answer"]
