"""Classes of which every use can be seen: their attributes may be device arrays.

An attribute may live on the device only where all code that reads or writes it is known. That is
so for the classes of a program that is run, not imported, as far as nothing hands an instance to
code that nobody looks into. What can be told by syntax alone is told here; where the instances go
is followed by `gpuport.analysis.objects.instances`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.objects.classfacts import ClassFacts, Field, opening
from gpuport.analysis.objects.namedtuples import NAMED_TUPLE
from gpuport.analysis.objects.supercalls import check_super
from gpuport.source.annotations import annotation
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.owndecorators import gives_class_back, leaves_as_it_is
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program


def fields_of(project: Project, scope: Scope, node: ast.ClassDef) -> Iterator[Field]:
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


def made_anew(statement: ast.AnnAssign) -> ast.expr | None:
    """What ``field(default_factory=lambda: ...)`` makes for each instance: told once for all."""
    for keyword in getattr(statement.value, "keywords", ()):
        if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Lambda):
            return keyword.value.body
    return None


OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.MatMult: "matmul",
    ast.Pow: "pow", ast.FloorDiv: "floordiv", ast.Mod: "mod",
}  # fmt: skip
"""How the methods of operators are called."""

UNARY = {"USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__"}
"""The methods of operators of one operand."""

_SPECIAL = frozenset(
    {"__init__", "__post_init__", "__call__", "__len__", "__repr__", "__str__", "__neg__",
     "__pos__", "__invert__", "__abs__", "__getitem__", "__iter__",
     *(f"__{word}__" for word in OPERATORS.values()),
     *(f"__r{word}__" for word in OPERATORS.values())}
)  # fmt: skip
"""Special methods that are called where the text says so, or where an instance is seen to go."""

_DATACLASS = "dataclasses.dataclass"
_CACHED = "functools.cached_property"
_ABSTRACT = "abc.abstractmethod"
_PLAIN_BASES = ("builtins.object", "abc.ABC")
_ARRAYS = ("ndarray", "NDArray", "ArrayLike")
_PLAIN_ANNOTATIONS = ("ClassVar", "InitVar", "KW_ONLY")


_MOST_NAMES = 256
"""The largest number that a name of a class body is thought to be counted up to."""

_START_AND_END = 2


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
        facts.fields = tuple(fields_of(project, scope, node))
    for method in facts.class_methods.values():
        _check_class_method(project, facts, method)
    check_super(node)
    return facts


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
        facts.constants[statement.target.id] = made_anew(statement) if made else statement.value
    elif isinstance(statement, ast.Assign) and all(map(_bound, statement.targets)):
        for target in statement.targets:
            for name, value in _one_by_one(facts, target, statement.value):
                _constant(facts, statement, name, value)
    elif statement in facts.scope.import_nodes:
        names = (name.asname or name.name.partition(".")[0] for name in statement.names)
        facts.constants.update(dict.fromkeys(names))
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
    if name == "__del__" and all(map(_is_plain, node.body)):
        return  # whenever Python calls it, nothing happens
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


def holds_array(statement: ast.stmt) -> bool:
    """Whether a statement of a class body annotates a field as an array, or as some."""
    return isinstance(statement, ast.AnnAssign) and any(
        word in ast.dump(annotation(statement) or statement) for word in _ARRAYS
    )


__all__ = ["OPERATORS", "UNARY", "bases_of", "holds_array", "is_named_tuple", "read_class"]
