"""What the other modules of a project give to the one that is ported: a question, not an answer.

Who answers knows where the files lie and what a run makes of them; the analysis only asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gpuport.analysis.values.lasting import holding
from gpuport.analysis.values.lattice import Instance, Mapping, Scalar, Sequence, Tuple, Value
from gpuport.source.names import FunctionNode

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


@dataclass(frozen=True, slots=True)
class Definition:
    """A function of another module of the project.

    Attributes
    ----------
    project : Project
        The module that defines it.
    node : FunctionDef or AsyncFunctionDef
    arrays : frozenset of str, optional
        Parameters by which it takes arrays of the device and gives such, as its decorator says;
        None where it works with NumPy arrays alone.
    """

    project: Project
    node: FunctionNode
    arrays: frozenset[str] | None = None


class Outside(Protocol):
    """Names of other modules, by their dotted paths as `Scope.resolve` gives them."""

    @property
    def apart(self) -> str | None:
        """Why the file is not ported together with those that import it, where that is known."""

    def function(self, path: str) -> Definition | None:
        """The function that an imported name stands for; None for anything else."""

    @property
    def imports(self) -> tuple[Path, ...]:
        """The files of the project that the module imports."""

    @property
    def replaced(self) -> frozenset[str]:
        """Names of libraries that the modules replace which the module imports, over any way."""

    def place(self, path: str) -> tuple[Path, tuple[str, ...]] | None:
        """The file of the project that a path leads to, and the names that are left."""

    def public_names(self, module: str) -> frozenset[str] | None:
        """What a module of the project gives to ``from module import *``; None for others."""

    def leads_to(self, path: str) -> str | None:
        """Where a path through modules of the project ends outside of it; None for others."""

    def taken(self) -> frozenset[str] | None:
        """Names that other files take from the module; None where they may take all of them."""

    def is_ported(self, path: str) -> bool:
        """Whether an imported name is a function that takes arrays of the device."""

    def constant(self, path: str) -> Value:
        """What an imported name of a module is; unknown for what is bound more than once."""

    def overloads(self, path: str) -> bool:
        """Whether an imported class says what operators, or NumPy, do with its instances."""

    def fields(self, path: str) -> dict[str, Value]:
        """The fields of an imported class that are numbers; empty for other names."""


def widened(value: Value, module: str = "") -> Value:
    """A claim about what another module holds, without the text of it.

    The port of this module stays as it is when a constant of the other one is given another value:
    only what kind of thing it is may be relied on. Its classes are those of ``module``.
    """
    if isinstance(value, Scalar):
        return Scalar(value.type)
    if isinstance(value, Tuple):
        items = tuple(widened(item, module) for item in value.items)
        return Tuple(items, optional=value.optional)
    if isinstance(value, Instance) and module:
        return Instance(f"{module}.{value.path}")
    if isinstance(value, (Sequence, Mapping)):
        return holding(value, widened(value.of, module))
    return value


__all__ = ["Definition", "Outside", "widened"]
