"""Where each name lives: an SSA value, a cell that functions share, a global, or a class body.

Comprehensions run where they stand: their variables are renamed and become values of the function
around them. Only generator expressions that nothing uses up on the spot are functions of their own.
"""

from __future__ import annotations

import ast
from enum import Enum

from gpuport._frozen import frozen
from gpuport.lower.knowledge import CLASS_NAMES


class Kind(Enum):
    """What opens a scope."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    COMPREHENSION = "comprehension"  #: runs where it stands


FRAMES = (Kind.MODULE, Kind.FUNCTION)


class Home(Enum):
    """Where the value of a name is kept."""

    VALUE = "Value"  #: an SSA value
    CELL = "Cell"
    GLOBAL = "Global"
    NAME = "Name"  #: the namespace of a class body


@frozen
class Variable:
    """A name, resolved: where it lives, and under which key."""

    home: Home
    key: str


class Scope:
    """One scope of names.

    Attributes
    ----------
    bound, used, globals, nonlocals : set of str
        What its text does with names.
    paths : dict
        Each name bound here, with the library path that every import of it gives, else None.
    cells : set of str
        Names bound here that are kept in cells (of a module: in its dictionary alone).
    free : dict
        Keys of cells that the function takes along from around it, with the scopes that bind them.
    private : str or None
        The class whose private names are meant here.
    depth : int
        How many statements stand around it.
    """

    def __init__(self, kind: Kind, node: ast.AST, parent: Scope | None, number: int) -> None:
        self.kind, self.node, self.parent, self.number = kind, node, parent, number
        self.bound: set[str] = set()
        self.used: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.paths: dict[str, str | None] = {}
        self.cells: set[str] = set()
        self.free: dict[str, Scope] = {}
        self.children: dict[ast.AST, Scope] = {}
        self.private: str | None = parent.private if parent is not None else None
        self.depth = 0
        self.is_generator = False
        self.is_annotated = False
        self.is_reflective = False
        self._known: dict[str, Variable] = {}

    @property
    def activation(self) -> Scope:
        """The function or module in whose frame this scope runs."""
        here = self
        while here.kind not in FRAMES:
            assert here.parent is not None
            here = here.parent
        return here

    def key(self, name: str) -> str:
        """The key of a name that is bound here, unique among those of its frame."""
        return name if self.kind in FRAMES else f"{name}.{self.number}"

    def mangled(self, name: str) -> str:
        """A private name of a class, as Python stores it."""
        if self.private is None or not name.startswith("__") or name.endswith("__"):
            return name
        owner = self.private.lstrip("_")
        return f"_{owner}{name}" if owner and "." not in name else name

    def find(self, name: str) -> Scope | None:
        """The scope that binds a name; None for a global that the module's own text does not."""
        here: Scope | None = self
        while here is not None:
            if here.kind is Kind.CLASS and here is not self:
                if name == "__class__":
                    return here
            elif name in here.globals:
                return None
            elif name in here.bound and name not in here.nonlocals:
                return here
            here = here.parent
        return None

    def resolve(self, name: str) -> Variable:
        """Where a (mangled) name lives."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._resolve(name)
        return known

    def _resolve(self, name: str) -> Variable:
        owner = self.find(name)
        if self.kind is Kind.CLASS and (owner is self or self._may_hold(name, owner)):
            return Variable(Home.NAME, name)
        if owner is None:
            return Variable(Home.GLOBAL, name)
        if owner.kind is Kind.MODULE:
            is_value = self.activation is owner and not owner.is_reflective
            return Variable(
                Home.VALUE if is_value and name not in owner.cells else Home.GLOBAL, name
            )
        shared = name in owner.cells or owner.kind is Kind.CLASS
        shared = shared or owner.activation is not self.activation
        return Variable(Home.CELL if shared else Home.VALUE, owner.key(name))

    def _may_hold(self, name: str, owner: Scope | None) -> bool:
        """Whether a class body may begin with a name that its text does not bind."""
        if name in self.globals or (owner is not None and owner.kind is not Kind.MODULE):
            return False
        keywords = self.node.keywords if isinstance(self.node, ast.ClassDef) else []
        return name in CLASS_NAMES or any(one.arg == "metaclass" for one in keywords)


def share(scope: Scope) -> None:
    """Find the names that functions share, in a scope and all inside it."""
    waiting = [scope]
    while waiting:
        one = waiting.pop()
        waiting += one.children.values()
        for name in one.used | one.nonlocals:
            owner = one.find(name)
            if owner is not None and owner.kind is not Kind.MODULE:
                _take_along(one, owner, name)


def _take_along(scope: Scope, owner: Scope, name: str) -> None:
    if owner.kind is Kind.CLASS and owner is not scope:
        owner.cells.add(name)
    home, here = owner.activation, scope.activation
    if home is here and not (scope.kind is Kind.CLASS and name in scope.nonlocals):
        return
    owner.cells.add(name)
    while here is not home:
        here.free[owner.key(name)] = owner
        assert here.parent is not None
        here = here.parent.activation
