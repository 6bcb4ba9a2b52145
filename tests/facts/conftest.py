"""Facts of small programs, by function and name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuport.facts import Facts, infer
from gpuport.ir import check
from gpuport.ir.structure import Function
from gpuport.ir.types import Type, join_all
from gpuport.lower import lower


class Known:
    """The facts of a program of one or several files."""

    def __init__(self, files: dict[str, str]) -> None:
        modules = [lower(text, name) for name, text in files.items()]
        for module in modules:
            for function in module.functions:
                check(function)
        self.facts: Facts = infer(modules)

    def function(self, name: str) -> Function:
        return next(f for f in self.facts.contexts if f.qualname == name)

    def result(self, name: str) -> Type | None:
        """What a function returns, in all its contexts."""
        known = [context.result for context in self.facts.contexts[self.function(name)]]
        return join_all(t for t in known if t is not None)

    def named(self, function: str, name: str) -> Type | None:
        """What a name of a function may be."""
        found = [
            t
            for context in self.facts.contexts[self.function(function)]
            for value, t in context.types.items()
            if value.name == name
        ]
        return join_all(found)


@pytest.fixture
def known() -> Callable[[str | dict[str, str]], Known]:
    """Infer the facts of a program: its text, or the texts of its files by their names."""
    return lambda text: Known({"main": text} if isinstance(text, str) else text)
