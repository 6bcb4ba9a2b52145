"""Classes of the module of which every use can be seen: their attributes may be device arrays.

An attribute may live on the device only where all code that reads or writes it is known. That is
so for the classes of a program that is run, not imported, as far as nothing hands an instance to
code that nobody looks into. What can be told by syntax alone is told here; where the instances go
is followed by `gpuport.analysis.objects`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.graph import Reason
from gpuport.analysis.namedtuples import NAMED_TUPLE, made_tuples
from gpuport.analysis.programs import why_imported
from gpuport.source.names import FunctionNode, Scope

if TYPE_CHECKING:
    from gpuport.analysis.project import Project

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.MatMult: "matmul",
    ast.Pow: "pow", ast.FloorDiv: "floordiv", ast.Mod: "mod",
}  # fmt: skip
"""How the methods of operators are called."""

_SPECIAL = frozenset(
    {"__init__", "__post_init__", "__call__", "__len__", "__repr__", "__str__", "__neg__",
     "__getitem__", *(f"__{word}__" for word in OPERATORS.values()),
     *(f"__r{word}__" for word in OPERATORS.values())}
)  # fmt: skip
"""Special methods that are called where the text says so, or where an instance is seen to go."""

_DATACLASS = "dataclasses.dataclass"
_CACHED = "functools.cached_property"
_ABSTRACT = "abc.abstractmethod"
_PLAIN_BASES = ("builtins.object", "abc.ABC")
_ARRAYS = ("ndarray", "NDArray", "ArrayLike")
_PLAIN_ANNOTATIONS = ("ClassVar", "InitVar", "KW_ONLY")


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
    node: ast.ClassDef | ast.Call
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

    def has_field(self, name: str) -> bool:
        """Whether a dataclass or named tuple has a field of a name."""
        return any(one.name == name for one in self.fields or ())


class Open(Exception):
    """Not every use of a class can be seen; the reason says which."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


def known_classes(project: Project) -> tuple[dict[str, ClassFacts], dict[str, Reason]]:
    """The classes of a module that may be followed, and why others are not."""
    followed: dict[str, ClassFacts] = {}
    opened: dict[str, Reason] = {}
    root = project.root
    candidates = _candidates(root)
    tuples = dict(made_tuples(root))
    if not candidates and not tuples:
        return followed, opened
    imported = why_imported(project.module, root)
    for scope in candidates:
        assert isinstance(scope.node, ast.ClassDef)
        try:
            if imported is not None:
                raise _open(scope.node, imported)
            followed[scope.node.name] = _read(project, scope, scope.node)
        except Open as error:
            opened[scope.node.name] = error.reason
    for name, (call, names) in tuples.items() if imported is None else ():
        fields = tuple(Field(one, given=True) for one in names)
        followed[name] = ClassFacts(name, call, root, fields=fields, items=True)
    _open_relatives(root, followed, opened)
    for name, reason in _named_elsewhere(project, followed):
        opened.setdefault(name, reason)
        followed.pop(name, None)
    _open_relatives(root, followed, opened)
    return followed, opened


def _open_relatives(
    root: Scope, followed: dict[str, ClassFacts], opened: dict[str, Reason]
) -> None:
    """A class is followed with those that it is made of, and that are made of it, or not at all."""
    pairs = [
        (scope.name, base)
        for scope in root.children if isinstance(scope.node, ast.ClassDef)
        for base in _bases(root, scope.node)
    ]  # fmt: skip
    lost = -1
    while lost < len(opened):
        lost = len(opened)
        for name, base in pairs:
            if name in opened or base in opened:
                reason = opened.get(name) or opened[base]
                opened.setdefault(name, reason)
                opened.setdefault(base, reason)
    for name in opened:
        followed.pop(name, None)


def _candidates(root: Scope) -> list[Scope]:
    """Classes whose methods work with attributes, or whose fields hold arrays or such classes."""
    found: set[str] = set()
    records: dict[str, list[ast.stmt]] = {}
    for scope in root.children:
        if not isinstance(scope.node, ast.ClassDef):
            continue
        methods = (c.node for c in scope.children if isinstance(c.node, ast.FunctionDef))
        if any(method.args.args for method in methods):
            found.add(scope.name)
        elif scope.node.decorator_list or _is_named_tuple(root, scope.node):
            records[scope.name] = scope.node.body
    found |= {name for name, body in records.items() if any(map(holds_array, body))}
    known = -1
    while known < len(found):
        known = len(found)
        found |= {n for n, body in records.items() if any(_holds_one(s, found) for s in body)}
    classes = {c.name: c.node for c in root.children if isinstance(c.node, ast.ClassDef)}
    bases = {name: _bases(root, node) for name, node in classes.items()}
    known = -1
    while known < len(found):  # with all that they are made of, or that is made of them
        known = len(found)
        for name, others in bases.items():
            if name in found or not found.isdisjoint(others):
                found |= {name, *others}
    return [c for c in root.children if c.name in classes and c.name in found]


def _bases(root: Scope, node: ast.ClassDef) -> list[str]:
    """The classes of the module that a class is made of."""
    names = [base.id for base in node.bases if isinstance(base, ast.Name)]
    return [name for name in names if name in root.classes]


def _is_named_tuple(root: Scope, node: ast.ClassDef) -> bool:
    return [root.resolve(base) for base in node.bases] == [NAMED_TUPLE]


def _holds_one(statement: ast.stmt, classes: Collection[str]) -> bool:
    """Whether a field is annotated as an instance of one of these classes, or as several."""
    if not isinstance(statement, ast.AnnAssign):
        return False
    words = {n.id for n in ast.walk(statement.annotation) if isinstance(n, ast.Name)}
    return not words.isdisjoint(classes)


def holds_array(statement: ast.stmt) -> bool:
    """Whether a statement of a class body annotates a field as an array, or as some."""
    return isinstance(statement, ast.AnnAssign) and any(
        word in ast.dump(statement.annotation) for word in _ARRAYS
    )


def _open(node: ast.AST, why: str) -> Open:
    return Open(Reason("GP913", f"attributes stay NumPy arrays: {why}", node, "attributes-on-host"))


def _read(project: Project, scope: Scope, node: ast.ClassDef) -> ClassFacts:
    if project.root.bound.get(node.name) != 1 or node.name in project.root.imports:
        raise _open(node, f"`{node.name}` is bound to other things as well")
    root = project.root
    bases = [b for b in node.bases if root.resolve(b) not in _PLAIN_BASES]
    items = _is_named_tuple(root, node)
    own = _bases(root, node)
    if (bases and not items and len(own) != len(bases)) or len(own) > 1 or node.keywords:
        raise _open(bases[0] if bases else node, "the class has a base class or a metaclass")
    facts = ClassFacts(node.name, node, scope, own[0] if own else None, items=items)
    made = _decorated(project, node) or items
    for statement in node.body:
        _member(project, facts, statement)
    if made and "__init__" not in facts.methods:
        facts.fields = tuple(_fields(project, scope, node))
    for method in facts.class_methods.values():
        _check_class_method(project, facts, method)
    _check_super(node)
    return facts


def is_super(node: ast.AST) -> bool:
    """Whether an expression is ``super()``."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "super"


def _check_super(node: ast.ClassDef) -> None:
    """``super()`` calls methods; an attribute read through it, or it handed on, is not followed."""
    fine = {
        id(call.func.value) for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    }  # fmt: skip
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and is_super(one) and (one.args or id(one) not in fine):
            raise _open(one, "`super()` is used for more than to call a method")


def _check_class_method(project: Project, facts: ClassFacts, method: FunctionNode) -> None:
    """What is given the class makes instances where it is seen, or calls others of its kind."""
    given = [*method.args.posonlyargs, *method.args.args][0].arg
    fine: set[int] = set()
    for node in ast.walk(method):
        if isinstance(node, ast.Call):
            fine.add(id(node.func))
            function = node.func
            known = isinstance(function, ast.Attribute) and facts.without_instance(function.attr)
            if known and isinstance(function, ast.Attribute):
                fine.add(id(function.value))
    rebound = project.scope_of(method).bound.get(given) != 1
    for node in ast.walk(method):
        handed = isinstance(node, ast.Name) and node.id == given and id(node) not in fine
        if handed or rebound:
            raise _open(node, f"`{given}` of `{method.name}` is handed on")


def _decorated(project: Project, node: ast.ClassDef) -> bool:
    """Whether the class is a dataclass; other decorators may do anything with it."""
    for decorator in node.decorator_list:
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        if project.root.resolve(head) != _DATACLASS:
            raise _open(decorator, "a decorator may change the class")
    return bool(node.decorator_list)


def _member(project: Project, facts: ClassFacts, statement: ast.stmt) -> None:
    if isinstance(statement, ast.FunctionDef):
        _method(project, facts, statement)
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        if any(word in ast.dump(statement.annotation) for word in _PLAIN_ANNOTATIONS[1:]):
            raise _open(statement, "one of its fields is no attribute")
        made = isinstance(statement.value, ast.Call) and (
            facts.scope.resolve(statement.value.func) == "dataclasses.field"
        )
        facts.constants[statement.target.id] = None if made else statement.value
    elif isinstance(statement, ast.Assign) and all(map(_bound, statement.targets)):
        for target in statement.targets:
            for name, value in _one_by_one(target, statement.value):
                _constant(facts, statement, name, value)
    elif not (isinstance(statement, (ast.Expr, ast.Pass)) and _is_plain(statement)):
        raise _open(statement, "the class body does more than define methods")


def _constant(facts: ClassFacts, statement: ast.stmt, name: str, value: ast.expr | None) -> None:
    """What the class body binds; a method may get another name: ``__rmul__ = __mul__``."""
    special = name.startswith("__") and name.endswith("__")
    if not isinstance(value, ast.Name) or not facts.defines(value.id):
        facts.constants[name] = value
    elif (
        value.id in facts.methods
        and value.id not in facts.properties
        and (name in _SPECIAL or not special)
    ):
        facts.methods[name] = facts.methods[value.id]
    else:
        raise _open(statement, f"`{value.id}` gets another name")


def _bound(target: ast.expr) -> bool:
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return all(isinstance(name, ast.Name) for name in names)


def _one_by_one(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """The names of a target with what they are bound to: ``A, B = 1.0, 2.0``."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    values: list[ast.expr] = [value]
    if isinstance(target, ast.Tuple):
        values = list(value.elts) if isinstance(value, ast.Tuple) else []
    fits = len(values) == len(names) and not any(isinstance(v, ast.Starred) for v in values)
    for place, name in enumerate(names):
        assert isinstance(name, ast.Name)
        yield name.id, values[place] if fits else None


def _is_plain(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or isinstance(
        getattr(statement, "value", None), ast.Constant
    )


def _method(project: Project, facts: ClassFacts, node: ast.FunctionDef) -> None:
    name = node.name
    if name.startswith("__") and name.endswith("__") and name not in _SPECIAL:
        raise _open(node, f"`{name}` is called by Python itself")
    if name in facts.properties and _is_setter(node) and name not in facts.setters:
        facts.setters[name] = node
        return
    if facts.defines(name) or name in facts.constants:
        raise _open(node, f"`{name}` is defined more than once")
    kinds = [facts.scope.resolve(d) for d in node.decorator_list]
    kinds = [kind for kind in kinds if kind != _ABSTRACT]
    if kinds == ["builtins.staticmethod"]:
        facts.static[name] = node
        return
    if kinds and kinds not in (["builtins.classmethod"], ["builtins.property"], [_CACHED]):
        raise _open(node, f"a decorator may change `{name}`")
    if not (node.args.posonlyargs or node.args.args):
        raise _open(node, f"`{name}` takes no instance")
    if kinds == ["builtins.classmethod"]:
        facts.class_methods[name] = node
        return
    if kinds:
        facts.properties.add(name)
    if kinds == [_CACHED]:
        facts.cached.add(name)
    facts.methods[name] = node


def _is_setter(node: ast.FunctionDef) -> bool:
    """``@name.setter``, over a function of that name."""
    decorators = node.decorator_list
    return (
        len(decorators) == 1
        and isinstance(decorators[0], ast.Attribute)
        and decorators[0].attr == "setter"
        and isinstance(decorators[0].value, ast.Name)
        and decorators[0].value.id == node.name
        and len(node.args.args) == 2
    )


def _fields(project: Project, scope: Scope, node: ast.ClassDef) -> Iterator[Field]:
    """The fields of a dataclass, in the order of its ``__init__``."""
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if "ClassVar" in ast.dump(statement.annotation):
            continue
        value, given, default = statement.value, True, statement.value
        if isinstance(value, ast.Call) and scope.resolve(value.func) == "dataclasses.field":
            words = {k.arg: k.value for k in value.keywords}
            if set(words) - {"init", "default", "default_factory", "repr", "compare"}:
                raise _open(statement, "one of its fields is made in a way of its own")
            init = words.get("init")
            given = not (isinstance(init, ast.Constant) and init.value is False)
            factory = words.get("default_factory")
            default = words.get("default", _made(project, factory, statement) if factory else None)
        yield Field(statement.target.id, given, default)


def _made(project: Project, factory: ast.expr, statement: ast.stmt) -> ast.expr:
    """What ``default_factory=list``, or that of a class of the module, gives, as an expression."""
    known = ("list", "dict", *project.root.classes)
    if not isinstance(factory, ast.Name) or factory.id not in known:
        raise _open(statement, "one of its fields is made by a function of its own")
    return ast.copy_location(ast.Call(factory, [], []), factory)


def _reaches(followed: dict[str, ClassFacts], facts: ClassFacts | None, name: str) -> bool:
    """Whether ``Class.name`` is a function without an instance, its own or that of a base."""
    while facts is not None and facts.without_instance(name) is None:
        facts = followed.get(facts.base) if facts.base is not None else None
    return facts is not None


def _named_elsewhere(
    project: Project, followed: dict[str, ClassFacts]
) -> Iterator[tuple[str, Reason]]:
    """Classes whose name stands where it is no call, annotation or question."""
    if not followed:
        return
    fine: set[int] = set()
    for one in followed.values():
        fine.update(map(id, getattr(one.node, "bases", ())))
    for node in ast.walk(project.module.tree):
        if isinstance(node, ast.Call):
            fine.add(id(node.func))
            if isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                fine.update(id(n) for a in node.args[1:] for n in ast.walk(a))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            facts = followed.get(node.value.id)
            if (
                facts is not None
                and isinstance(node.ctx, ast.Load)
                and (
                    node.attr in facts.constants
                    or (id(node) in fine and _reaches(followed, facts, node.attr))
                )
            ):
                fine.add(id(node.value))
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(annotation, ast.AST):
                fine.update(id(n) for n in ast.walk(annotation))
    for node in ast.walk(project.module.tree):
        named = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if named and node.id in followed and id(node) not in fine:  # type: ignore[attr-defined]
            name: str = node.id  # type: ignore[attr-defined]
            yield name, _open(node, f"`{name}` itself is handed on").reason


__all__ = ["ClassFacts", "Field", "holds_array", "known_classes"]
