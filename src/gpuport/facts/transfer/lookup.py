"""What paths of libraries name."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.knowledge import Unresolved, is_of, knowledge, resolve
from gpuport.ir.types import UNKNOWN, Type, of_constant


def library_attribute(here: Evaluation, path: str, name: str) -> Type:
    """An attribute of a library's object: a constant, or something with a longer path."""
    full = f"{path}.{name}"
    if here.load(Place.PATCHED, full) is not None:
        return UNKNOWN
    found = _found(full)
    if isinstance(found, (int, float, complex, str)) and not isinstance(found, np.generic):
        return of_constant(found)
    return Type("library", path=full)


def _found(path: str) -> Any:
    if not is_of(path, knowledge().resolved):
        return None
    try:
        return resolve(path)
    except Unresolved:
        return None
