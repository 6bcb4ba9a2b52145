"""Rewrites of small programs, before and after."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from gpuport.canonicalise.nests import ParallelRegion
from gpuport.canonicalise.rewriting import canonicalise
from gpuport.facts import infer
from gpuport.ir import Module, check
from gpuport.ir.interpreter import Interpreter
from gpuport.lower import lower


@dataclass
class Rewritten:
    """A program whose loop nests over elements are maps, where they can be."""

    module: Module
    regions: list[ParallelRegion] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def run(self) -> Any:
        """The value of RESULT."""
        namespace: dict[str, Any] = {"__name__": "sample"}
        Interpreter(self.module, namespace).run()
        return namespace["RESULT"]


# The interpreter takes points in their order: independence is asked where a test does.
def rewritten(
    text: str, accept: Callable[[ParallelRegion], object] = ParallelRegion.vouch
) -> Rewritten:
    module = lower(text, "sample")
    facts = infer([module])
    made = Rewritten(module)
    for function in module.functions:
        if facts.contexts.get(function):
            found = canonicalise(function, facts.contexts[function], accept)
            made.regions += found.regions
            made.left += [left.reason for left in found.left]
            check(function, nested=False)
    return made


def in_python(text: str) -> Any:
    namespace: dict[str, Any] = {"__name__": "sample"}
    exec(compile(text, "sample", "exec", dont_inherit=True), namespace)
    return copy.deepcopy(namespace["RESULT"])


@pytest.fixture
def same() -> Callable[[str], Rewritten]:
    """Rewrite a program, and hold what it computes to Python's results."""

    def compare(text: str) -> Rewritten:
        made = rewritten(text)
        np.testing.assert_allclose(made.run(), in_python(text), rtol=1e-12, atol=1e-12)
        return made

    return compare
