"""What inference looks up of the IR again and again: uses, order, loops, cells, classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gpuport.ir.queries import uses, walk
from gpuport.ir.structure import Function, Module, Op, Value

#: A variable that functions share, by the function whose it is; None for one that is made anew
#: (the variable of a comprehension).
CellKey = tuple[str, Function | None]


class Index:
    """Tables over all functions of the modules of a program.

    Attributes
    ----------
    order : dict
        Place of an operation in its function, in the order of the text.
    loop : dict
        The loop that a ``Continue`` or ``Break`` belongs to.
    module, function : dict
        The module of a function, and the function of an operation.
    class_of : dict
        The ``MakeClass`` in whose body a function is made.
    stored : dict
        Names of a module that any code of it assigns.
    settled : dict
        ... and where its top level does so at first: what runs before sees something else.
    deleted : dict
        ... and those that it deletes.
    star_imports : dict
        Where a module imports all names of another.
    """

    def __init__(self, modules: Iterable[Module]) -> None:
        self.uses: dict[Function, dict[Value, list[tuple[Op, int]]]] = {}
        self.order: dict[Op, int] = {}
        self.loop: dict[Op, Op] = {}
        self.function: dict[Op, Function] = {}
        self.module: dict[Function, Module] = {}
        self.classes: list[Op] = []
        self.class_of: dict[Function, Op] = {}
        self.stored: dict[Module, set[str]] = {}
        self.settled: dict[Module, dict[str, int]] = {}
        self.deleted: dict[Module, set[str]] = {}
        self.star_imports: dict[Module, list[Op]] = {}
        self._cells: dict[Function, dict[str, CellKey]] = {}
        for module in modules:
            self.stored[module], self.star_imports[module] = set(), []
            self.settled[module], self.deleted[module] = {}, set()
            for function in module.functions:
                self.module[function] = module
                self._add(module, function)
        for function in self.module:
            self._share(function)

    def _add(self, module: Module, function: Function) -> None:
        self.uses[function] = uses(function)
        self._cells[function] = {name: (name, function) for name in function.cells}
        for place, op in enumerate(walk(function.body)):
            self.order[op], self.function[op] = place, function
            if op.kind in ("StoreGlobal", "DeleteGlobal"):
                self.stored[module].add(op.attributes["name"])
                if op.kind == "DeleteGlobal":
                    self.deleted[module].add(op.attributes["name"])
                elif function is module.body:
                    self.settled[module].setdefault(op.attributes["name"], place)
            elif op.kind == "ImportStar":
                self.star_imports[module].append(op)
            elif op.kind in ("Continue", "Break"):
                self.loop[op] = loop_around(op)
            elif op.kind == "MakeClass":
                self.classes.append(op)
                self.class_of |= dict.fromkeys(functions_of(op), op)

    def _share(self, function: Function) -> None:
        """Give functions inside the variables that they take along; outer ones come first."""
        mine = self._cells[function]
        for op in walk(function.body):
            if op.kind == "MakeFunction":
                inner: Function = op.attributes["function"]
                for name in inner.free:
                    self._cells[inner].setdefault(name, mine.get(name, (name, None)))

    def is_before(self, op: Op, name: str) -> bool:
        """Whether an operation of a module's top level runs before a name of it is assigned."""
        function = self.function[op]
        module = self.module[function]
        first = self.settled[module].get(name, -1)
        return function is module.body and self.order[op] < first

    def cell(self, op: Op) -> CellKey:
        """The variable that an operation on cells means."""
        name = op.attributes["name"]
        return self._cells[self.function[op]].get(name, (name, None))

    def cell_named(self, function: Function, name: str) -> CellKey:
        """A variable of a function's own."""
        return self._cells[function][name]


def loop_around(op: Op) -> Op:
    """The loop that a terminator continues or leaves."""
    region = op.parent
    while True:
        owner: Any = region.owner
        if owner.kind in ("For", "While") and region is not owner.regions[-1]:
            found: Op = owner
            return found
        region = owner.parent


def class_around(op: Op) -> Op:
    """The class in whose body an operation stands."""
    owner: Any = op.parent.owner
    while owner.kind != "MakeClass":
        owner = owner.parent.owner
    found: Op = owner
    return found


def functions_of(cls: Op) -> list[Function]:
    """The functions that the body of a class makes."""
    return [op.attributes["function"] for op in walk(cls.regions[0]) if op.kind == "MakeFunction"]


def annotated_fields(cls: Op) -> dict[str, Op | None]:
    """Names that the body of a class annotates, in order, with what makes their default."""
    fields: dict[str, Op | None] = {}
    defaults: dict[str, Op] = {}  # a default is stored before its name is annotated
    for op in cls.regions[0].ops:
        if op.kind == "SetItem" and _is_named(op.operands[0], "__annotations__"):
            name = op.operands[1].definition
            of_class = "ClassVar" in _names_in(op.operands[2])
            if isinstance(name, Op) and name.kind == "Const" and not of_class:
                fields[name.attributes["value"]] = defaults.get(name.attributes["value"])
        elif op.kind == "StoreName":
            default = op.operands[0].definition
            defaults[op.attributes["name"]] = default if isinstance(default, Op) else op
    return fields


def fields_from_start(cls: Op) -> set[str]:
    """Names that each instance of a class has once it is made."""
    found = {op.attributes["name"] for op in cls.regions[0].ops if op.kind == "StoreName"}
    found |= annotated_fields(cls).keys()
    for function in functions_of(cls):
        if function.name == "__init__" and function.parameters:
            found |= {
                op.attributes["name"]
                for op in function.body.ops
                if op.kind == "SetAttr" and op.operands[0] is function.parameters[0]
            }
    return found


def _names_in(value: Value) -> str:
    """The names, and texts, of which an expression is made."""
    made = value.definition
    if not isinstance(made, Op):
        return ""
    own = [value.name, *(str(made.attributes.get(key, "")) for key in ("name", "value"))]
    return " ".join([*own, *map(_names_in, made.operands)])


def is_said(made: Op | None, keywords: frozenset[str]) -> bool:
    """Whether a call has one of these keywords."""
    return made is not None and not keywords.isdisjoint(made.attributes.get("keywords", ()))


def _is_named(value: Value, name: str) -> bool:
    made = value.definition
    return isinstance(made, Op) and made.kind == "LoadName" and made.attributes["name"] == name
