"""A class as its text tells it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gpuport.analysis.objects.claims import literal
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import Unknown
from gpuport.source.names import FunctionNode, Scope


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a dataclass: a parameter of its ``__init__`` where ``given``."""

    name: str
    given: bool
    default: ast.expr | None = None


@dataclass(slots=True, eq=False)
class ClassFacts:
    """A class as its text tells it.

    Attributes
    ----------
    name : str
    node : ast.ClassDef
        The call that makes a named tuple, where that does; a function that is handed on, or its
        name where it is one of a library.
    scope : Scope
    base : str, optional
        The class of the module that it is made of.
    methods : dict
        Methods with a first parameter for the instance, properties included.
    properties, cached : set of str
        Those of them that are read like attributes; and of these, those that run once.
    static, class_methods, setters : dict
        Functions that take no instance, or the class; those that run where a property is stored.
    fields : tuple of Field, optional
        Of a dataclass whose ``__init__`` is made for it.
    constants : dict
        What the class body binds: shared by all instances.
    items : bool
        Whether it is a named tuple: its fields are items as well, in their order.
    """

    name: str
    node: ast.ClassDef | ast.expr | FunctionNode
    scope: Scope
    base: str | None = None
    methods: dict[str, FunctionNode] = field(default_factory=dict)
    properties: set[str] = field(default_factory=set)
    cached: set[str] = field(default_factory=set)
    static: dict[str, FunctionNode] = field(default_factory=dict)
    class_methods: dict[str, FunctionNode] = field(default_factory=dict)
    setters: dict[str, FunctionNode] = field(default_factory=dict)
    fields: tuple[Field, ...] | None = None
    constants: dict[str, ast.expr | None] = field(default_factory=dict)
    items: bool = False

    @property
    def shows_fields(self) -> bool:
        """Whether the text that Python makes of an instance is that of its fields."""
        return self.items or bool(getattr(self.node, "decorator_list", ()))

    @property
    def functions(self) -> list[FunctionNode]:
        """All functions that the class defines."""
        kinds = self.methods, self.static, self.class_methods, self.setters
        return [node for kind in kinds for node in kind.values()]

    def takes_instance(self, node: FunctionNode) -> bool:
        """Whether the first parameter of a function of the class is an instance."""
        return node in (self.methods.get(node.name), self.setters.get(node.name))

    def defines(self, name: str) -> bool:
        """Whether a name is that of a function of the class."""
        return any(name in kind for kind in (self.methods, self.static, self.class_methods))

    def without_instance(self, name: str) -> tuple[FunctionNode, bool] | None:
        """The function that ``Class.name`` is; and whether it is given the class."""
        if name in self.class_methods:
            return self.class_methods[name], True
        return (self.static[name], False) if name in self.static else None

    def worked_out(self) -> list[tuple[str, ast.expr]]:
        """What the class body binds to more than what is written out."""
        return [
            (name, node) for name, node in self.constants.items()
            if node is not None and isinstance(literal(node), Unknown)
        ]  # fmt: skip

    def has_field(self, name: str) -> bool:
        """Whether a dataclass or named tuple has a field of a name."""
        return any(one.name == name for one in self.fields or ())


class Open(Exception):
    """Not every use of a class can be seen; the reason says which."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


def opening(node: ast.AST, why: str, help: str | None = None) -> Open:
    """A class whose attributes stay on the host, and why."""
    message = f"attributes stay NumPy arrays: {why}"
    return Open(Reason("GP913", message, node, "attributes-on-host", help=help))


__all__ = ["ClassFacts", "Field", "Open", "opening"]
