"""Classes of which every use can be seen: their attributes may be device arrays.

An attribute may live on the device only where all code that reads or writes it is known. That is
so for the classes of a program that is run, not imported, as far as nothing hands an instance to
code that nobody looks into. What can be told by syntax alone is told here; where the instances go
is followed by `gpuport.analysis.objects.instances`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.functions.owndecorators import gives_class_back, leaves_as_it_is
from gpuport.analysis.objects.claims import literal
from gpuport.analysis.objects.namedtuples import NAMED_TUPLE
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import Unknown
from gpuport.source.annotations import annotation
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.MatMult: "matmul",
    ast.Pow: "pow", ast.FloorDiv: "floordiv", ast.Mod: "mod",
}  # fmt: skip
"""How the methods of operators are called."""

_SPECIAL = frozenset(
    {"__init__", "__post_init__", "__call__", "__len__", "__repr__", "__str__", "__neg__",
     "__getitem__", "__iter__", *(f"__{word}__" for word in OPERATORS.values()),
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


_MOST_NAMES = 256
"""The largest number that a name of a class body is thought to be counted up to."""

_START_AND_END = 2


class Open(Exception):
    """Not every use of a class can be seen; the reason says which."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.message)
        self.reason = reason


def read_class(program: Program, scope: Scope) -> ClassFacts:
    """What the text of a class tells.

    Raises
    ------
    Open
        Where not every use of its attributes can be told by syntax.
    """
    node, project = scope.node, program.home(scope)
    assert isinstance(node, ast.ClassDef)
    if project.root.bound.get(node.name) != 1 or node.name in project.root.imports:
        raise opening(node, f"`{node.name}` is bound to other things as well")
    root = project.root
    bases = [b for b in node.bases if root.resolve(b) not in _PLAIN_BASES]
    items = is_named_tuple(root, node)
    own = bases_of(program, scope)
    if (bases and not items and len(own) != len(bases)) or len(own) > 1 or node.keywords:
        raise opening(bases[0] if bases else node, "the class has a base class or a metaclass")
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
        id(call.func.value) for call in walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    }  # fmt: skip
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    itself = {id(one) for method in methods for one in _plain_supers(node, method)}
    for one in walk(node):
        if isinstance(one, ast.Call) and is_super(one) and id(one) not in fine & itself:
            raise opening(one, "`super()` is used for more than to call a method")


def _plain_supers(node: ast.ClassDef, method: ast.FunctionDef) -> Iterator[ast.Call]:
    """Calls of ``super`` in a method that mean ``super()``: ``super(Class, self)`` does too."""
    given = [*method.args.posonlyargs, *method.args.args]
    usual = [node.name, given[0].arg if given else None]
    calls = (one for one in walk(method) if isinstance(one, ast.Call) and is_super(one))
    for one in calls:
        names = [getattr(argument, "id", None) for argument in one.args]
        if names in ([], usual) and not one.keywords:
            yield one


def _check_class_method(project: Project, facts: ClassFacts, method: FunctionNode) -> None:
    """What is given the class makes instances where it is seen, or calls others of its kind."""
    given = [*method.args.posonlyargs, *method.args.args][0].arg
    fine: set[int] = set()
    for node in walk(method):
        if isinstance(node, ast.Attribute) and node.attr in facts.constants:
            fine.add(id(node.value))
        if isinstance(node, ast.Call):
            fine.add(id(node.func))
            function = node.func
            known = isinstance(function, ast.Attribute) and facts.without_instance(function.attr)
            if known and isinstance(function, ast.Attribute):
                fine.add(id(function.value))
    rebound = project.scope_of(method).bound.get(given) != 1
    for node in walk(method):
        handed = isinstance(node, ast.Name) and node.id == given and id(node) not in fine
        if handed or rebound:
            raise opening(node, f"`{given}` of `{method.name}` is handed on")


def _decorated(project: Project, node: ast.ClassDef) -> bool:
    """Whether the class is a dataclass; decorators of others may do anything with it."""
    found = False
    for decorator in node.decorator_list:
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        if project.root.resolve(head) == _DATACLASS:
            found = True
        elif not gives_class_back(project.root, decorator):
            raise opening(decorator, "a decorator may change the class")
    return found


def _member(project: Project, facts: ClassFacts, statement: ast.stmt) -> None:
    if isinstance(statement, ast.FunctionDef):
        _method(project, facts, statement)
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        if any(word in ast.dump(statement.annotation) for word in _PLAIN_ANNOTATIONS[1:]):
            raise opening(statement, "one of its fields is no attribute")
        made = isinstance(statement.value, ast.Call) and (
            facts.scope.resolve(statement.value.func) == "dataclasses.field"
        )
        facts.constants[statement.target.id] = _made_anew(statement) if made else statement.value
    elif isinstance(statement, ast.Assign) and all(map(_bound, statement.targets)):
        for target in statement.targets:
            for name, value in _one_by_one(facts, target, statement.value):
                _constant(facts, statement, name, value)
    elif not (isinstance(statement, (ast.Expr, ast.Pass)) and _is_plain(statement)):
        raise opening(statement, "the class body does more than define methods")


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
        raise opening(statement, f"`{value.id}` gets another name")


def _bound(target: ast.expr) -> bool:
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return all(isinstance(name, ast.Name) for name in names)


def _one_by_one(
    facts: ClassFacts, target: ast.expr, value: ast.expr
) -> Iterator[tuple[str, ast.expr | None]]:
    """The names of a target with what they are bound to: ``A, B = 1.0, 2.0``."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    values: list[ast.expr] = [value]
    if isinstance(target, ast.Tuple):
        values = list(value.elts) if isinstance(value, ast.Tuple) else _counted(facts, value)
    fits = len(values) == len(names) and not any(isinstance(v, ast.Starred) for v in values)
    for place, name in enumerate(names):
        assert isinstance(name, ast.Name)
        yield name.id, values[place] if fits else None


def _counted(facts: ClassFacts, value: ast.expr) -> list[ast.expr]:
    """The numbers that names are given in their order: ``FREE, TAKEN = range(1, 3)``."""
    if not isinstance(value, ast.Call) or facts.scope.resolve(value.func) != "builtins.range":
        return []
    ends = [one.value for one in value.args if isinstance(one, ast.Constant)]
    whole = [one for one in ends if type(one) is int and one <= _MOST_NAMES]
    if len(whole) != len(value.args) or not 0 < len(whole) <= _START_AND_END:
        return []
    return [ast.copy_location(ast.Constant(place), value) for place in range(*whole)]


def _is_plain(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or isinstance(
        getattr(statement, "value", None), ast.Constant
    )


def _method(project: Project, facts: ClassFacts, node: ast.FunctionDef) -> None:
    name = node.name
    if name.startswith("__") and name.endswith("__") and name not in _SPECIAL:
        raise opening(node, f"`{name}` is called by Python itself")
    if name in facts.properties and _is_setter(node) and name not in facts.setters:
        facts.setters[name] = node
        return
    if facts.defines(name) or name in facts.constants:
        raise opening(node, f"`{name}` is defined more than once")
    root = project.root
    above = [d for d in node.decorator_list if not leaves_as_it_is(root, d, seen=True)]
    kinds = [facts.scope.resolve(d) for d in above]
    kinds = [kind for kind in kinds if kind != _ABSTRACT]
    if kinds == ["builtins.staticmethod"]:
        facts.static[name] = node
        return
    if kinds and kinds not in (["builtins.classmethod"], ["builtins.property"], [_CACHED]):
        raise opening(node, f"a decorator may change `{name}`")
    if not (node.args.posonlyargs or node.args.args):
        raise opening(node, f"`{name}` takes no instance")
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
                raise opening(statement, "one of its fields is made in a way of its own")
            init = words.get("init")
            given = not (isinstance(init, ast.Constant) and init.value is False)
            factory = words.get("default_factory")
            default = words.get("default", _made(project, factory, statement) if factory else None)
        yield Field(statement.target.id, given, default)


def _made(project: Project, factory: ast.expr, statement: ast.stmt) -> ast.expr:
    """What ``default_factory=list``, or that of a class of the module, gives, as an expression."""
    if isinstance(factory, ast.Lambda) and not ast.unparse(factory.args):
        return factory.body
    known = ("list", "dict", *project.root.classes)
    if not isinstance(factory, ast.Name) or factory.id not in known:
        raise opening(statement, "one of its fields is made by a function of its own")
    return ast.copy_location(ast.Call(factory, [], []), factory)


def _made_anew(statement: ast.AnnAssign) -> ast.expr | None:
    """What ``field(default_factory=lambda: ...)`` makes for each instance: told once for all."""
    for keyword in getattr(statement.value, "keywords", ()):
        if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Lambda):
            return keyword.value.body
    return None


def is_named_tuple(root: Scope, node: ast.ClassDef) -> bool:
    """Whether a class is written as a named tuple with annotated fields."""
    return [root.resolve(base) for base in node.bases] == [NAMED_TUPLE]


def bases_of(program: Program, scope: Scope) -> list[str]:
    """The classes of the program that a class is made of."""
    node = scope.node
    assert isinstance(node, ast.ClassDef)
    assert scope.parent is not None
    found = (program.defined(scope.parent, base) for base in node.bases)
    return [one.name for one in found if one is not None and isinstance(one.node, ast.ClassDef)]


def opening(node: ast.AST, why: str, help: str | None = None) -> Open:
    """A class whose attributes stay on the host, and why."""
    message = f"attributes stay NumPy arrays: {why}"
    return Open(Reason("GP913", message, node, "attributes-on-host", help=help))


def holds_array(statement: ast.stmt) -> bool:
    """Whether a statement of a class body annotates a field as an array, or as some."""
    return isinstance(statement, ast.AnnAssign) and any(
        word in ast.dump(annotation(statement) or statement) for word in _ARRAYS
    )


__all__ = [
    "ClassFacts", "Field", "Open", "bases_of", "holds_array", "is_named_tuple", "is_super",
    "opening", "read_class",
]  # fmt: skip
