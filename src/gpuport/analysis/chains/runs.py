"""Statements of a chain as its kernel will have them, with what they read and change."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from itertools import chain, count

from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.values.lattice import Array, Either, Number, Value
from gpuport.loops.names import dotted
from gpuport.source.subscripts import apart, loaded_target


@dataclass(eq=False)
class Leaf:
    """Something that a chain reads.

    Attributes
    ----------
    name : str
        What the kernel calls it.
    word : str
        What the user calls what it is, or is a part of.
    expression : ast.expr
        What is passed.
    owner : str
        Text of the array behind a view; empty for a number.
    value : Value
    array : bool
        Whether it is one of the device, of whatever rank.
    constant : bool
        Whether it is a number of the module, which the kernel reads there.
    nodes : list of ast.Name
        Where the chain reads it.
    """

    name: str
    word: str
    expression: ast.expr
    owner: str
    value: Value
    array: bool
    constant: bool = False
    nodes: list[ast.Name] = field(default_factory=list)

    def read(self, node: ast.expr) -> ast.Name:
        """The name, in the place of an expression."""
        self.nodes.append(ast.copy_location(ast.Name(self.name, ast.Load()), node))
        return self.nodes[-1]

    def rename(self, name: str) -> None:
        """Give it another name."""
        self.name = name
        for node in self.nodes:
            node.id = name


@dataclass(frozen=True)
class Target:
    """Where a statement of the user's stores into an array.

    Attributes
    ----------
    node : ast.expr
        The target, or the argument of ``out=``.
    leaf : Leaf
    suffix : str
        What stands behind the array's name in the kernel's Python.
    given_back : bool
        Whether the statement binds what it changed: ``x += 1`` may bind another number.
    """

    node: ast.expr
    leaf: Leaf
    suffix: str
    given_back: bool


@dataclass(frozen=True)
class Shifted:
    """An array that is read shifted around its edges.

    Attributes
    ----------
    leaf : Leaf
        What is read, which is no parameter.
    array : Leaf
    shifts : tuple of int
        By axis, as far as there are shifts.
    flat : bool
        Whether the array has to have one axis.
    """

    leaf: Leaf
    array: Leaf
    shifts: tuple[int, ...]
    flat: bool


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
    shifted : dict of str to Shifted
        By what they are called.
    mentioned : list of ast.expr
        With the parameters in what is left of the user's calls and masks in the function.
    targets : list of Target
        Where the statements store into arrays.
    masked : bool
        Whether something is stored at a mask, so that all arrays have to be of one shape.
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
    shifted: dict[str, Shifted] = field(default_factory=dict)
    mentioned: list[ast.expr] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    masked: bool = False
    unread: set[str] = field(default_factory=set)
    made: list[str] | None = None
    launches: int = 0
    names: set[str] = field(default_factory=set)
    covered: set[int] = field(default_factory=set)

    @property
    def of_numbers(self) -> bool:
        """Whether it works on nothing but numbers, which may be the device's."""
        arrays = (one.array and not isinstance(one.value, Number) for one in self.leaves.values())
        return not (self.written or self.shifted or any(arrays))

    @property
    def computed_before(self) -> bool:
        """Whether arrays are among what it reads that other launches compute for it."""
        return any(
            leaf.array and not leaf.owner and not isinstance(leaf.value, Number)
            for leaf in self.leaves.values()
        )

    def copy(self) -> Run:
        """One that can be added to on its own."""
        return replace(
            self,
            statements=list(self.statements),
            body=list(self.body),
            leaves=dict(self.leaves),
            bound=dict(self.bound),
            written=dict(self.written),
            shifted=dict(self.shifted),
            mentioned=list(self.mentioned),
            targets=list(self.targets),
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
        self.store(node, ast.Name(name, ast.Store()), value)

    def store(self, node: ast.stmt, target: ast.Name, value: ast.expr) -> None:
        """Add an assignment to the kernel's statements."""
        self.add(node, ast.Assign([target], value))

    def add(self, node: ast.stmt, made: ast.stmt) -> None:
        """Add a statement, in the place of one of the user's."""
        self.body.append(ast.fix_missing_locations(ast.copy_location(made, node)))

    def target(
        self, leaf: Leaf, node: ast.expr, suffix: str = "", *, given_back: bool = False
    ) -> ast.Name:
        """An array as the target of a statement of the kernel's."""
        name = ast.Name(leaf.name, ast.Store())
        leaf.nodes.append(name)
        self.targets.append(Target(node, leaf, suffix, given_back))
        return name

    def write(self, rehearsal: Rehearsal, target: ast.expr, owner: ast.expr) -> Leaf:
        """An array from outside, or a part of one, is changed in place."""
        held, text = dotted(owner), ast.unparse(target)
        if held is None or held in self.bound:
            raise Unfit
        if text not in self.written:
            known = self.leaves.pop(text, None)
            value = rehearsal.value(owner) if known is None else known.value
            if not isinstance(value, (Array, Either)) or not rehearsal.keeps(owner):
                raise Unfit
            self._refuse_read(held, text)
            loaded = loaded_target(target)
            word = held.rpartition(".")[2]
            self.written[text] = known or Leaf(self.fresh(word), word, loaded, held, value, True)
            self.written[text].expression = loaded
        return self.written[text]

    def _refuse_read(self, owner: str, text: str) -> None:
        """Refuse to write to an array of which other elements are read."""
        others = [
            leaf for leaf in self.leaves.values() if leaf.owner == owner
            and not apart(leaf.expression, text)
        ]  # fmt: skip
        if others or any(leaf.owner == owner for leaf in self.written.values()):
            raise Unfit  # a thread would read what another one writes


__all__ = ["Leaf", "Run", "Shifted", "Target"]
