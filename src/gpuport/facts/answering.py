"""Answers questions about operations, in the process that asks libraries."""

from __future__ import annotations

from typing import Any

from gpuport.facts.knowledge import Unresolved
from gpuport.facts.operations import operation
from gpuport.facts.questions import Numbering, answered, received
from gpuport.facts.sampled import sampled


def answer(question: list[Any]) -> Any:
    """What an operation gives, and which arguments it may share memory with; False for neither."""
    name, data, keywords = question
    numbering = Numbering()
    types = tuple(received(t, numbering) for t in data)
    try:
        found = sampled(operation(name), name, types, tuple(keywords))
    except Unresolved:
        return False
    if found is None:
        return False
    return [answered(found.type, numbering), sorted(found.shares)]


__all__ = ["answer"]
