"""The text of a kernel as `gpuport.runtime.kernel` is given it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from gpuport.parallel.cuda.helpers import used_by
from gpuport.runtime.kernels.domains import parse_over
from gpuport.runtime.kernels.indices import indices_of
from gpuport.runtime.kernels.intervals import bounds_of
from gpuport.runtime.kernels.provided import PROVIDED

_WIDE = re.compile(r"(?<=\d)LL\b|\(long long\)(?=\w+(?![\w\[]))")


def body_of(text: str, arrays: Collection[str], shares: Iterable[str]) -> str:
    """The text as people write it: the runtime gives indices one type, and outputs an index.

    Parameters
    ----------
    text : str
    arrays : collection of str
        Arrays that it indexes.
    shares : iterable of str
        Outputs of which each iteration makes its own element.
    """
    for name in shares:
        text = re.sub(rf"(?<![\w.]){name}\[i\]", name, text)
    text = text.replace(".shape()[", ".shape[")
    for one in reversed(indices_of(text, set(arrays), "kernel")):
        for start, end in reversed(one.places):
            if "(" not in text[start:end].replace("(long long)", ""):  # a function is given a type
                text = text[:start] + _WIDE.sub("", text[start:end]) + text[end:]
    return text


def preamble_of(text: str, functions: str) -> str:
    """The functions that a text calls, those of the project among them, but for the runtime's."""
    helpers = used_by(f"{text}\n{functions}", without=PROVIDED)
    return "\n".join(part for part in (helpers, functions) if part)


def open_arrays(
    body: str, over: str, arrays: Collection[str], numbers: Collection[str]
) -> set[str]:
    """The arrays with an index of which the runtime cannot say how far it goes."""
    domain = {axis.name: ("low", "high") for axis in parse_over(over, "kernel")}
    indices = indices_of(body, set(arrays), "kernel")
    return {array for array, _ in bounds_of(body, indices, domain, {*arrays, *numbers})[1]}


_EXTENT = re.compile(r"\w+\.shape\[\d+\]")


def extents(numbers: Iterable[str]) -> set[str]:
    """Those of some numbers that are extents, ``x.shape[0]``: arrays store them as well."""
    return {text for text in numbers if _EXTENT.fullmatch(text)}


def stored_numbers(facts: Mapping[str, object]) -> set[str]:
    """The numbers that arguments store, ``p.dx``: read where no code of theirs runs for it."""
    return {name for name, one in facts.items() if getattr(one, "provided", "")}


__all__ = ["body_of", "extents", "open_arrays", "preamble_of", "stored_numbers"]
