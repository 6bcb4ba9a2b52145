"""Shapes in all functions of a program, where one asks what another one passes it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any, Protocol
from weakref import proxy

from gpuport.cost.broadcasting import ANY, Extents, Shape
from gpuport.cost.shapes import Bound, Shapes
from gpuport.source.fields import Fields, fields_of
from gpuport.source.lengths import argument_given, parameters_of
from gpuport.source.names import Scope


class Following(Protocol):
    """What is followed through a program."""

    def every_call(self, function: ast.FunctionDef) -> Iterable[tuple[Scope, ast.Call]]:
        """The calls of a function, and where they are."""


class Program(Protocol):
    """The modules of a program."""

    @property
    def following(self) -> Following | None:
        """What is followed through them, once it is known."""

    def home(self, scope: Scope) -> Any:
        """The module that a scope is in."""

    def why_imported(self, project: Any) -> str | None:
        """Why other code may call the functions of a module."""


class Told(Protocol):
    """What running through a program shows."""

    def __call__(self, module: Any, function: ast.AST, node: ast.expr) -> Extents | None:
        """The extents of an expression."""

    def repeats(self, module: Any, function: ast.AST) -> int:
        """In how many loops a function is called."""


class Everywhere:
    """The shapes of a program's functions.

    Parameters
    ----------
    program : Program
    words : mapping
        As of `Shapes`.
    told : Told

    Attributes
    ----------
    following : Following or None
        What was followed when this was made: calls are looked for in that.
    """

    def __init__(
        self,
        program: Program,
        words: Mapping[str, frozenset[str]],
        told: Told,
    ) -> None:
        self.program = program
        self.told = told
        self.following = program.following
        self.words = words
        self.scopes: dict[int, Shapes] = {}
        self.around: dict[int, Shapes] = {}
        self.fields: dict[int, Fields] = {}

    def known(self, scope: Scope) -> Shapes:
        """What is known in a function, or at the top of a module."""
        if id(scope) not in self.scopes:
            here = proxy(self)  # a tree is let go of without the collector
            self.scopes[id(scope)] = Shapes(
                scope.code,
                self.words,
                lambda name: here._elsewhere(scope, name),
                lambda node: here._told(scope, node),
                repeated=self.told.repeats(self.program.home(scope).module, scope.code),
            )
        return self.scopes[id(scope)]

    def _elsewhere(self, scope: Scope, name: str) -> list[Bound]:
        """What binds a name outside of the function that reads it, or an attribute."""
        if name.startswith("."):
            return self._attribute(scope, name[1:])
        owner = scope.owner(name)
        if owner is not None and owner is not scope:
            return [(self.known(owner), ast.Name(name, ast.Load()))]
        function = scope.node
        if not isinstance(function, ast.FunctionDef) or name not in parameters_of(function):
            return []
        unknown: list[Bound] = [(self.known(scope), None)]
        following = self.program.following
        if following is None or self.program.why_imported(self.program.home(scope)) is not None:
            return unknown
        calls = following.every_call(function)
        given = [(self.known(w), argument_given(function, name, call)) for w, call in calls]
        return given or unknown

    def _told(self, scope: Scope, node: ast.expr) -> Shape:
        found = self.told(self.program.home(scope).module, scope.code, node)
        return ANY if found is None else found

    def _attribute(self, scope: Scope, name: str) -> list[Bound]:
        """What the module puts into an attribute of that name, of whichever object."""
        root = self.program.home(scope).root.code
        if id(root) not in self.fields:
            self.fields[id(root)] = fields_of(root)
        bound = self.fields[id(root)].get(name, [])
        return [(self._alone(around), one) for around, one in bound]

    def _alone(self, node: ast.AST) -> Shapes:
        """What a class or a function shows by itself."""
        if id(node) not in self.around:
            self.around[id(node)] = Shapes(node, self.words)
        return self.around[id(node)]


__all__ = ["Everywhere", "Following", "Program"]
