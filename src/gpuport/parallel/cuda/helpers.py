"""The functions of ``semantics/``, and which of them a kernel's text uses."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from gpuport.runtime.kernels.provided import CHECKS

_WORD = re.compile(r"\b[A-Za-z_]\w*(?=\(|<[\w ]+>\()")
_NAME = re.compile(r"__device__ [\w ]+? (\w+)\(")


@cache
def _library() -> tuple[tuple[str, str], ...]:
    """Name and text of each function, in the order in which they may be defined."""
    found = list(CHECKS.items())
    for path in sorted((Path(__file__).parent / "semantics").glob("*.cuh")):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = block.strip().splitlines()
            code = "\n".join(line for line in lines if not line.startswith("//"))
            match = _NAME.search(code)
            if match:
                found.append((match[1], code))
    return tuple(found)


@cache
def names() -> frozenset[str]:
    """Names of all these functions."""
    return frozenset(name for name, _ in _library())


def used_by(text: str, without: Collection[str] = ()) -> str:
    """Definitions of the functions that a text calls, those that they call included.

    Parameters
    ----------
    text : str
        C++.
    without : collection of str
        Functions that are there already.

    Returns
    -------
    str
        Ready to be a preamble; empty where none is called.
    """
    wanted: set[str] = set()
    todo = [text]
    while todo:
        for word in _WORD.findall(todo.pop()):
            if word in names() and word not in wanted and word not in without:
                wanted.add(word)
                todo += [code for name, code in _library() if name == word]
    return "\n".join(code for name, code in _library() if name in wanted)
