"""Statements of a chain as its kernel will have them, with what they read and change."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from itertools import chain, count

from gpuport.analysis.chains.elementwise import (
    Unfit,
)
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.values.lattice import Array, Either, Value


@dataclass
class Leaf:
    """Something that a chain reads.

    Attributes
    ----------
    name : str
        What the kernel calls it.
    expression : ast.expr
        What is passed.
    held : str
        Text of what a guard can look at: the name behind a view. Empty for a number that is
        computed.
    value : Value
    array : bool
        Whether it is one of the device, of whatever rank.
    nodes : list of ast.Name
        Where the chain reads it.
    """

    name: str
    expression: ast.expr
    held: str
    value: Value
    array: bool
    nodes: list[ast.Name] = field(default_factory=list)

    def read(self, node: ast.expr) -> ast.Name:
        """The name, in the place of an expression."""
        self.nodes.append(ast.copy_location(ast.Name(self.name, ast.Load()), node))
        return self.nodes[-1]

    def rename(self, name: str) -> None:
        """Give it another name: the user's is bound in the chain."""
        self.name = name
        for node in self.nodes:
            node.id = name


@dataclass
class Run:
    """Statements read so far, as the kernel will have them.

    Attributes
    ----------
    statements : list of ast.stmt
        The user's.
    body : list of ast.stmt
        The kernel's.
    leaves, written : dict of str to Leaf
        By text: what is read, and the arrays that are changed in place.
    bound : dict of str to frozenset of str
        Names that the chain binds, with the arrays that they are made of.
    numbers : dict of str to ast.expr
        Names that numbers are computed from before the launch.
    unread : set of str
        Names whose values nothing in the chain has read.
    made : list of str or None
        What a ``return`` at the end gives.
    launches : int
        Operations so far.
    names : set of str
        Names that are taken in the kernel.
    covered : set of int
        Ids of the operations.
    """

    statements: list[ast.stmt] = field(default_factory=list)
    body: list[ast.stmt] = field(default_factory=list)
    leaves: dict[str, Leaf] = field(default_factory=dict)
    bound: dict[str, frozenset[str]] = field(default_factory=dict)
    written: dict[str, Leaf] = field(default_factory=dict)
    numbers: dict[str, ast.expr] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    made: list[str] | None = None
    launches: int = 0
    names: set[str] = field(default_factory=set)
    covered: set[int] = field(default_factory=set)

    def copy(self) -> Run:
        """One that can be added to on its own."""
        return replace(
            self,
            statements=list(self.statements),
            body=list(self.body),
            leaves=dict(self.leaves),
            bound=dict(self.bound),
            written=dict(self.written),
            numbers=dict(self.numbers),
            unread=set(self.unread),
            names=set(self.names),
            covered=set(self.covered),
        )

    def fresh(self, wanted: str) -> str:
        """A name that nothing else of the kernel has."""
        names = chain([wanted], (f"{wanted}_{k}" for k in count(2)))
        name = next(n for n in names if n not in self.names and n not in self.bound)
        self.names.add(name)
        return name

    def bind(self, node: ast.stmt, name: str, value: ast.expr, behind: frozenset[str]) -> None:
        """``name = value``."""
        if name in self.unread:
            raise Unfit  # what it was before is lost, with the arrays that it was made of
        self.bound[name] = behind
        self.unread.add(name)
        self.names.add(name)
        self.store(node, name, value)

    def store(self, node: ast.stmt, name: str, value: ast.expr) -> None:
        """Add an assignment to the kernel's statements."""
        made = ast.Assign([ast.Name(name, ast.Store())], value)
        self.body.append(ast.fix_missing_locations(ast.copy_location(made, node)))

    def write(self, rehearsal: Rehearsal, target: ast.expr) -> Leaf:
        """An array from outside is changed in place."""
        if not isinstance(target, ast.Name) or target.id in self.bound:
            raise Unfit
        name = target.id
        if name not in self.written:
            known = self.leaves.pop(name, None)
            value = rehearsal.value(target) if known is None else known.value
            if not isinstance(value, (Array, Either)) or not rehearsal.keeps(target):
                raise Unfit
            if any(leaf.held == name for leaf in self.leaves.values()):
                raise Unfit  # a view of it is read as well
            loaded = ast.copy_location(ast.Name(name, ast.Load()), target)
            self.written[name] = known or Leaf(self.fresh(name), loaded, name, value, True)
        return self.written[name]


__all__ = ["Leaf", "Run"]
