"""Rewrites of small programs, before and after."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.hoisting import hoist
from gpuport.canonicalise.inlining import inline_calls
from gpuport.canonicalise.nests import ParallelRegion, map_of_nest
from gpuport.facts import Facts, infer
from gpuport.ir import Function, Module, Region, check
from gpuport.ir.interpreter import Interpreter
from gpuport.lower import lower


@dataclass
class Rewritten:
    """A program whose loop nests over elements are maps, where they can be."""

    module: Module
    facts: Facts
    regions: list[ParallelRegion] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def run(self) -> Any:
        """The value of RESULT."""
        namespace: dict[str, Any] = {"__name__": "sample"}
        Interpreter(self.module, namespace).run()
        return namespace["RESULT"]


def rewritten(text: str) -> Rewritten:
    module = lower(text, "sample")
    made = Rewritten(module, infer([module]))
    for function in module.functions:
        if made.facts.contexts.get(function):
            _visit(made, function, function.body)
            check(function, nested=False)
    return made


def _visit(made: Rewritten, function: Function, region: Region) -> None:
    for op in list(region.ops):
        if op.kind == "For":
            inline_calls(function, made.facts.contexts[function], op)
            hoist(function, made.facts.contexts[function], op)
            try:
                found = map_of_nest(function, made.facts.contexts[function], op)
            except Blocked as blocked:
                made.left.append(blocked.reason)
            else:
                found.put_in()
                made.regions.append(found)
                continue
        for inner in op.regions:
            _visit(made, function, inner)


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
