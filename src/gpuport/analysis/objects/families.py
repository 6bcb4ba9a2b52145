"""Classes with those that are made of them: an instance of a family may be one of any of them.

What is said of a family holds for each of its classes: its attributes share their places, and a
call of a method is a call of each definition that an instance may have.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import reduce

from gpuport.analysis.objects.claims import literal
from gpuport.analysis.objects.classfacts import ClassFacts, Field
from gpuport.analysis.values.lattice import Unknown, Value, join
from gpuport.source.names import FunctionNode, Scope


@dataclass(slots=True, eq=False)
class Family:
    """A class of the module and what is made of it in the module.

    Attributes
    ----------
    classes : dict of str to ClassFacts
        The class that the others are made of comes first, each class before those made of it.
    """

    classes: dict[str, ClassFacts]

    @property
    def name(self) -> str:
        """The class that the others are made of."""
        return next(iter(self.classes))

    @property
    def node(self) -> ast.AST:
        """The definition of that class."""
        return self.classes[self.name].node

    @property
    def scope(self) -> Scope:
        """Where that class is defined."""
        return self.classes[self.name].scope

    @property
    def items(self) -> bool:
        """Whether it is a named tuple: its fields are items as well, in their order."""
        return self.classes[self.name].items

    @property
    def shows_fields(self) -> bool:
        """Whether the text that Python makes of an instance is that of its fields."""
        return any(one.shows_fields for one in self.classes.values())

    @property
    def functions(self) -> list[FunctionNode]:
        """All functions that the classes define."""
        return [node for one in self.classes.values() for node in one.functions]

    def takes_instance(self, node: FunctionNode) -> bool:
        """Whether the first parameter of a function of the family is an instance."""
        return any(one.takes_instance(node) for one in self.classes.values())

    def takes_class(self, node: FunctionNode) -> bool:
        """Whether the first parameter of a function of the family is a class."""
        return any(one.class_methods.get(node.name) is node for one in self.classes.values())

    def defines(self, name: str) -> bool:
        """Whether a name is that of a function of some class."""
        return any(one.defines(name) for one in self.classes.values())

    def is_property(self, name: str) -> bool:
        """Whether a function is read like an attribute."""
        return any(name in one.properties for one in self.classes.values())

    def is_cached(self, name: str) -> bool:
        """Whether a property runs once."""
        return any(name in one.cached for one in self.classes.values())

    def has_field(self, name: str) -> bool:
        """Whether a dataclass or named tuple has a field of a name."""
        return any(one.has_field(name) for one in self.classes.values())

    def methods(self, name: str, kinds: Collection[str] = ()) -> list[FunctionNode]:
        """What a method of an instance may be; what only says that there is one is left out.

        Parameters
        ----------
        name : str
        kinds : collection of str
            The classes of which the instance may be; any of the family where there are none.
        """
        each = (self.exactly(owner, name) for owner in self._among(kinds))
        found = list({id(node): node for node in each if node is not None}.values())
        return [node for node in found if not _unfinished(node)] or found

    def setters(self, name: str, kinds: Collection[str] = ()) -> list[FunctionNode]:
        """What may run where a property is stored."""
        lines = (self._line(owner) for owner in self._among(kinds))
        each = (next((c.setters[name] for c in line if name in c.setters), None) for line in lines)
        return list({id(node): node for node in each if node is not None}.values())

    def without_instance(self, owner: str, name: str) -> tuple[FunctionNode, bool] | None:
        """The function that ``Class.name`` is; and whether it is given the class."""
        found = (one.without_instance(name) for one in self._line(owner))
        return next((one for one in found if one is not None), None)

    def any_without_instance(self, name: str) -> tuple[FunctionNode, bool] | None:
        """The function without an instance that ``instance.name`` is, where it can only be one."""
        found = [one.without_instance(name) for one in self.classes.values()]
        known = [one for one in found if one is not None]
        return known[0] if len(known) == 1 else None

    def texts(
        self, kinds: Collection[str] = (), *, as_repr: bool
    ) -> tuple[list[FunctionNode], bool]:
        """What is called for the text of an instance; whether some class leaves it to Python."""
        found: dict[int, FunctionNode] = {}
        left = False
        for owner in self._among(kinds):
            method = None if as_repr else self.exactly(owner, "__str__")
            method = method or self.exactly(owner, "__repr__")
            if method is None:
                left = True
            else:
                found[id(method)] = method
        return list(found.values()), left

    def above(self, owner: str, name: str) -> FunctionNode | None:
        """The method that ``super().name`` is in a class."""
        _, *others = self._line(owner)
        return next((one.methods[name] for one in others if name in one.methods), None)

    def exactly(self, owner: str, name: str) -> FunctionNode | None:
        """The method that an instance of just this class has."""
        return next((one.methods[name] for one in self._line(owner) if name in one.methods), None)

    def maker(self, owner: str) -> FunctionNode | tuple[Field, ...] | None:
        """The ``__init__`` of a class, or the fields that it was made for."""
        for one in self._line(owner):
            if "__init__" in one.methods:
                return one.methods["__init__"]
            if one.fields is not None:
                return self.fields(one.name)
        return None

    def fields(self, owner: str) -> tuple[Field, ...]:
        """The fields of a dataclass or named tuple, those of its base first."""
        found: dict[str, Field] = {}
        for one in reversed(self._line(owner)):
            found |= {field.name: field for field in one.fields or ()}
        return tuple(found.values())

    def descendants(self, owner: str) -> Iterator[str]:
        """A class and those that are made of it."""
        return (name for name in self.classes if any(c.name == owner for c in self._line(name)))

    def has_constant(self, name: str) -> bool:
        """Whether a class body binds a name."""
        return any(name in one.constants for one in self.classes.values())

    def stores_plainly(self, name: str) -> bool:
        """Whether an attribute that is stored is the instance's own, and nothing runs then."""
        shared = self.has_constant(name) and not self.has_field(name)
        frozen = (
            word.arg == "frozen" for one in self.classes.values()
            for d in getattr(one.node, "decorator_list", ())
            for word in getattr(d, "keywords", ())
        )  # fmt: skip
        return not (self.items or self.is_property(name) or shared or any(frozen))

    def binds(self, one: Field) -> bool:
        """Whether the default of a field is what the class body binds its name to."""
        return any(c.constants.get(one.name) is one.default for c in self.classes.values())

    def constant(self, name: str) -> Value | None:
        """What class bodies bind a name to by writing it out; None where none does."""
        nodes = [one.constants[name] for one in self.classes.values() if name in one.constants]
        values = [literal(node) for node in nodes]
        known: list[Value] = [v for v in values if not (v is None or isinstance(v, Unknown))]
        return reduce(join, known) if known else None

    def _among(self, kinds: Collection[str]) -> list[str]:
        """The classes of which an instance may be, in the order in which they stand here."""
        return [name for name in self.classes if not kinds or name in kinds]

    def _line(self, owner: str) -> list[ClassFacts]:
        """A class, the one that it is made of, and so on."""
        found: list[ClassFacts] = []
        one = self.classes.get(owner)
        while one is not None:
            found.append(one)
            one = self.classes.get(one.base) if one.base is not None else None
        return found


def families(classes: dict[str, ClassFacts]) -> dict[str, Family]:
    """The family of each class, by the name of the class."""
    found: dict[str, Family] = {}
    waiting = dict(classes)
    while waiting:
        ready = {n: c for n, c in waiting.items() if c.base is None or c.base in found}
        if not ready:
            break  # a base that is not followed: the caller has left such classes out
        for name, one in ready.items():
            family = found[one.base] if one.base is not None else Family({})
            family.classes[name] = one
            found[name] = family
            del waiting[name]
    return found


def mixed(family: Family) -> tuple[str, ast.AST] | None:
    """A name that means things of different kinds in the classes of a family, and where."""
    kinds: dict[str, str] = {}
    for one in family.classes.values():
        for kind, names in _kinds(one):
            for name, node in names.items():
                if kinds.setdefault(name, kind) != kind:
                    return name, node
    return None


def _kinds(one: ClassFacts) -> Iterator[tuple[str, dict[str, ast.AST]]]:
    methods = {name: node for name, node in one.methods.items() if name not in one.properties}
    properties = {name: node for name, node in one.methods.items() if name in one.properties}
    yield "method", dict(methods)
    yield "property", dict(properties)
    yield "static", dict(one.static)
    yield "class method", dict(one.class_methods)
    yield "constant", {name: value or one.node for name, value in one.constants.items()}


def _unfinished(node: FunctionNode) -> bool:
    """Whether a method only says that classes made of this one have such a method."""
    words = {getattr(d, "attr", getattr(d, "id", "")) for d in node.decorator_list}
    if "abstractmethod" in words:
        return True
    body = [s for s in node.body if not _is_text(s)]
    if len(body) != 1 or not isinstance(body[0], ast.Raise):
        return False
    raised = body[0].exc
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


__all__ = ["Family", "families", "mixed"]
