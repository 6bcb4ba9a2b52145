"""What the loop compiler is told of the names in a loop: arrays, numbers, functions, modules.

A fact is a likelihood where the claim behind it is one: guards at run time hold them to it.
"""

from __future__ import annotations

import ast
import cmath
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gpuport.analysis.calls.vectorized import vectorized
from gpuport.analysis.functions.calledfunctions import called_within
from gpuport.analysis.functions.innerfunctions import functions_within, numbers_around
from gpuport.analysis.interpretation.modulelevel import global_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.distinct import distinct
from gpuport.analysis.objects.instancefree import without_instance
from gpuport.analysis.values.lattice import NONE, Array, Either, Number, Scalar, Value
from gpuport.loops.facts import ArrayFact, FunctionFact, ModuleFact, ScalarFact, UnknownFact
from gpuport.source.namedlambdas import as_function, scope_named
from gpuport.source.names import Scope
from gpuport.source.nodes import Nodes
from gpuport.source.syntax import bound_in, inside

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.loops.facts import Fact, FunctionFact

_PYTHON_TYPES = ("int", "float", "complex", "bool")


def facts_in(unit: Unit, node: ast.For | ast.While, names: Iterable[str]) -> dict[str, Fact]:
    """What is known of names that a loop reads, call sites believed.

    Parameters
    ----------
    unit : Unit
    node : ast.For or ast.While
    names : iterable of str

    Returns
    -------
    dict
        Facts by name; builtins and what the loop itself binds are left out.
    """
    facts: dict[str, Fact] = {}
    taken_apart = _taken_apart(unit, node)
    seen = unit.project.trial(unit).get(id(node), {})
    within = functions_within(unit, node, names)
    methods = without_instance(unit, node) | _called_by_element(unit, node)
    for name in sorted({*names, *numbers_around({**within, **methods})}):
        flow = unit.load(name)
        if name in within:
            facts[name] = within[name]
        elif flow is not None and (unit.scope.parent or scope_named(unit.scope, name) is None):
            value = likely(flow.value, seen.get(name))
            if isinstance(value, Either) and name not in taken_apart:
                value = Scalar()
            facts[name] = _told(unit, name, value)
            if value == NONE and name not in unit.project.bound_in(node):
                facts[name] = ScalarFact("None")
        elif unit.scope.binds(name) and unit.scope.parent is not None:
            continue  # bound in the loop itself, or not yet
        else:
            outside = global_value(unit, name).value
            found = _of_global(unit.project, unit.scope, name, frozenset())
            if found is None and isinstance(outside, Array):
                found = _of_value(outside)
            facts[name] = UnknownFact() if found is None else found
    facts = {name: fact for name, fact in facts.items() if not _is_builtin(unit.scope, name)}
    return _alike(node, called_within(unit, {**facts, **methods}))


def _called_by_element(unit: Unit, node: ast.For | ast.While) -> dict[str, FunctionFact]:
    """Functions under ``@np.vectorize``, which are called themselves as ``f.pyfunc(x)``."""
    facts: dict[str, FunctionFact] = {}
    for part in unit.module.nodes.inside(node, ast.Attribute):
        if part.attr != "pyfunc" or not isinstance(part.value, ast.Name):
            continue
        found = vectorized(unit, part.value)
        if found is None or found.callback.scope is not unit.project.root:
            continue
        definition, name = found.callback.function, part.value.id
        if isinstance(definition, ast.FunctionDef):
            inner = unit.project.scope_of(definition)
            around = around_function(unit.project, inner, frozenset({name}))
            facts[f"{name}.pyfunc"] = FunctionFact(name, _undecorated(definition), around)
    return facts


@lru_cache(maxsize=64)  # what is known of a function is found again by its text's nodes
def _undecorated(definition: ast.FunctionDef) -> ast.FunctionDef:
    plain = copy(definition)
    plain.decorator_list = []
    return plain


def modules_in(unit: Unit) -> dict[str, Fact]:
    """The modules that a function names: with them it makes the arrays that its loops go over."""
    return _modules_named(unit.scope, unit.module.nodes)


@lru_cache(maxsize=16)  # asked for each loop of a function
def _modules_named(scope: Scope, nodes: Nodes) -> dict[str, Fact]:
    names = {node.id: node for node in nodes.inside(scope.code, ast.Name)}
    paths = {name: scope.resolve(node) for name, node in names.items()}
    replaced = frozenset(scope.replaced)
    modules = {name: path for name, path in paths.items() if path and "." not in path}
    return {name: ModuleFact(path, replaced) for name, path in modules.items()}


def _told(unit: Unit, name: str, value: Value) -> Fact:
    """The fact of a name, with how many axes it is likely to have: by what calls pass, too."""
    fact = _of_value(value)
    if not isinstance(fact, ArrayFact):
        return fact
    seen = unit.project.calls.likely(unit.node).get(name)
    told = value.rank if isinstance(value, Array) else None
    if told is None and isinstance(seen, Array) and unit.scope.bound.get(name) == 1:
        told = seen.rank
    matrix = isinstance(value, Array) and value.rank is None and bool(value.matrices)
    return replace(fact, told=told, matrix=matrix, distinct=distinct(unit, name))


def _alike(node: ast.For | ast.While, facts: dict[str, Fact]) -> dict[str, Fact]:
    """Where all arrays whose dtype is known are float32, the others likely are as well."""
    known = {fact.dtype for fact in facts.values() if isinstance(fact, ArrayFact) and fact.dtype}
    if known != {"float32"}:
        return facts
    indices = {
        name.id for inner in inside(node) if isinstance(inner, ast.Subscript)
        for name in ast.walk(inner.slice) if isinstance(name, ast.Name)
    }  # fmt: skip
    return {
        name: replace(fact, dtype="float32")
        if isinstance(fact, ArrayFact) and fact.dtype is None and name not in indices
        else fact
        for name, fact in facts.items()
    }


def _taken_apart(unit: Unit, node: ast.For | ast.While) -> frozenset[str]:
    """Names that are subscripted, measured or iterated over: arrays, if they are either."""
    found: set[str] = set()
    kinds = (ast.Subscript, ast.Attribute, ast.For, ast.Call)
    for inner in unit.module.nodes.inside(node, *kinds):
        parts: list[ast.expr] = []
        if isinstance(inner, (ast.Subscript, ast.Attribute)):
            parts = [inner.value]
        elif isinstance(inner, ast.For):
            parts = [inner.iter, *getattr(inner.iter, "args", [])]
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
            parts = inner.args if inner.func.id == "len" else []
        found.update(part.id for part in parts if isinstance(part, ast.Name))
    return frozenset(found)


def _is_builtin(scope: Scope, name: str) -> bool:
    return scope.owner(name) is None


def likely(value: Value, seen: Value | None) -> Value:
    """A claim with what call sites say beside it: a guard at run time holds them to it."""
    taken = isinstance(seen, (Array, Either))
    if taken and isinstance(value, (Array, Either)) and value.dtype is None:
        return replace(value, dtype=getattr(seen, "dtype", None))
    if isinstance(value, Number) and isinstance(seen, Number) and value.dtype is None:
        return replace(value, dtype=seen.dtype)
    if isinstance(value, Either) and isinstance(seen, Number):
        return seen
    if isinstance(value, Scalar) and value.type not in _PYTHON_TYPES and isinstance(seen, Scalar):
        return seen
    return value


def _of_value(value: Value) -> Fact:
    if isinstance(value, Array):
        # The rank is left to a guard: shapes that are taken for numbers may be tuples.
        return ArrayFact(value.dtype, None)
    if isinstance(value, Either) and value.sources:
        return ArrayFact(value.dtype, None)
    if isinstance(value, Number):
        if value.numpy_scalar:
            return ScalarFact(value.dtype)
        return ScalarFact(_PYTHON.get(value.dtype or ""))
    if isinstance(value, Scalar):
        if value.type in _PYTHON_TYPES:
            constant = value.constant if isinstance(value.constant, (int, float, complex)) else None
            return ScalarFact(value.type, constant)
        return ScalarFact() if value.type in (None, "assumed", "number") else UnknownFact()
    return UnknownFact()


_PYTHON = {"int64": "int", "float64": "float", "complex128": "complex", "bool": "bool"}


def _of_global(project: Project, scope: Scope, name: str, active: frozenset[str]) -> Fact | None:
    """A module, a function, or a constant of the module."""
    owner = scope.owner(name)
    if owner is None:
        return None
    path = scope.resolve(ast.Name(name, ast.Load()))
    if path is not None:
        return _imported(project, path)
    if owner is not project.root or project.root.bound.get(name) != 1:
        return None
    inner, definition = scope_named(project.root, name), project.root.functions.get(name)
    if inner is not None and isinstance(inner.node, ast.Lambda):
        definition = as_function(name, inner.node)
    if isinstance(definition, ast.FunctionDef):
        if name in active or definition.decorator_list:
            return None
        inner = inner or project.scope_of(definition)
        around = around_function(project, inner, active | {name})
        return FunctionFact(name, definition, around)
    value = project.constant(name)
    if isinstance(value, Scalar) and value.type in _PYTHON_TYPES:
        constant = _finite(value.constant)
        return ScalarFact(value.type, _worked_out(project, name) if constant is None else constant)
    return None


_OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_CIRCLE = frozenset(("math.pi", "numpy.pi"))


def _worked_out(project: Project, name: str) -> int | float | complex | None:
    """The number that a name of the module is given by arithmetic: ``RAD = math.pi / 180``."""
    for node in project.module.tree.body:
        if isinstance(node, ast.Assign) and name in {n for t in node.targets for n in bound_in(t)}:
            plain = len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
            return _finite(_arithmetic(project, node.value)) if plain else None
    return None


def _arithmetic(project: Project, node: ast.expr) -> object:
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) in (int, float) else None
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _arithmetic(project, node.left), _arithmetic(project, node.right)
        if left is None or right is None or (isinstance(node.op, ast.Div) and right == 0):
            return None
        return _OPERATIONS[type(node.op)](left, right)
    if isinstance(node, ast.Name):
        value = project.constant(node.id)
        return value.constant if isinstance(value, Scalar) else None
    return math.pi if project.root.resolve(node) in _CIRCLE else None


def facts_of(unit: Unit, names: Iterable[str]) -> dict[str, Fact]:
    """What is known of modules, functions and constants from around a function."""
    found = {name: _of_global(unit.project, unit.scope, name, frozenset()) for name in names}
    return {name: fact for name, fact in found.items() if fact is not None}


def _finite(constant: object) -> int | float | complex | None:
    """A number whose text is that of a literal."""
    if not isinstance(constant, (int, float, complex)) or not cmath.isfinite(constant):
        return None
    return constant


def _imported(project: Project, path: str) -> Fact:
    around = project.outside if "." in path else None
    value = around.constant(path) if around is not None else None
    if isinstance(value, Scalar) and value.type in _PYTHON_TYPES:
        return ScalarFact(value.type)
    modules = ("numpy.linalg", "numpy.random", "numpy.fft", "os.path", "scipy.special")
    if "." in path and path not in modules:
        return FunctionFact(path)
    return ModuleFact(path, frozenset(project.root.replaced))


def around_function(
    project: Project, scope: Scope, active: frozenset[str] = frozenset()
) -> Mapping[str, Fact]:
    """What is known of the names that a function reads from the module."""
    facts: dict[str, Fact] = {}
    for name in sorted(scope.loads):
        if not scope.binds(name):
            found = _of_global(project, scope, name, active)
            if found is not None:
                facts[name] = found
    return facts
