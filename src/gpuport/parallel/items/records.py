"""What is said of a loop over items: how it becomes a function, or why it does not."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Comprehension = ast.ListComp | ast.GeneratorExp | ast.DictComp

Loop = ast.For | ast.While | Comprehension | ast.Call
"""A loop, a comprehension, or a call of ``map``."""

FORM = "GP301"
CARRIED = "GP302"
NO_STACKED_FORM = "GP303"
UNKNOWN_SHAPE = "GP304"
SIDE_EFFECT = "GP305"


class Source(Protocol):
    """What the text of the file and the names in it are."""

    def segment(self, node: ast.AST) -> str:
        """Text of a node."""

    def resolve(self, node: ast.expr) -> str | None:
        """Dotted path that a name stands for."""

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        """The function of the module that a call is of."""

    def inside(self, function: ast.FunctionDef) -> Source:
        """The names in a function of the module."""

    def properties(self, name: str) -> Sequence[ast.FunctionDef]:
        """Functions of the module's classes that give an attribute with this name."""

    def is_passed(self, name: str) -> bool:
        """Whether a name is a value that a function elsewhere has to be given."""


class Refused(Exception):
    """Raised where a loop stays one call for each item.

    Parameters
    ----------
    code : str
        The finding's code.
    node : ast.AST
        Where.
    message : str
        Why, in the user's own names.
    """

    def __init__(self, code: str, node: ast.AST, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.node = node
        self.message = message


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a loop stays one call for each item: what stands in the way, and the loop."""

    code: str
    node: ast.AST
    message: str
    loop: Loop


@dataclass(frozen=True, slots=True)
class ItemLoop:
    """A loop or comprehension as a function of the names that it reads.

    Attributes
    ----------
    node : Loop
    parameters : tuple of str
        In the order in which the text names them.
    writes : tuple of str
        Those whose elements, items or entries the loop stores to, or appends to.
    sums : tuple of str
        Those that every item adds to.
    returns : tuple of str
        Names that are read after the loop, as its last iteration leaves them.
    axes : int
        Of how many nested loops the iterations are independent.
    ends : tuple of (str, ast.expr)
        What leaves the loop for each item, and where to: a parameter, or nothing for what a
        comprehension gives.
    hosted : tuple of str
        Those parameters, or ``return``, for whose new items NumPy's own values are wanted.
    moved : tuple of str
        Those that are moved to the device for it.
    """

    node: Loop
    parameters: tuple[str, ...]
    writes: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    axes: int = 1
    ends: tuple[tuple[str, ast.expr], ...] = ()
    hosted: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Helped:
    """A loop that is one call for each item, with the call of the runtime's for all of them.

    Attributes
    ----------
    node : Loop
    text : str
        ``{batched}`` stands for the runtime's module.
    """

    node: Loop
    text: str


def element(node: Comprehension) -> ast.expr:
    """What a comprehension makes of each item."""
    return node.value if isinstance(node, ast.DictComp) else node.elt
