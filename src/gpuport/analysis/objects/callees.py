"""Functions as calls have them: some of their parameters may be given already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuport.source.names import FunctionNode


@dataclass(frozen=True, slots=True, eq=False)
class Callee:
    """A function that is called.

    Attributes
    ----------
    function : ast.FunctionDef or ast.AsyncFunctionDef
    given : int
        How many of its first parameters are given already.
    named : bool
        Whether others may be given already by their names.
    """

    function: FunctionNode
    given: int = 0
    named: bool = False


def methods_of(functions: Iterable[FunctionNode]) -> list[Callee]:
    """Definitions of a method, which a call gives the instance."""
    return [Callee(one, 1) for one in functions]


__all__ = ["Callee", "methods_of"]
