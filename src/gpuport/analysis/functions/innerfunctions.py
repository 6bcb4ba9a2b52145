"""Functions that a function defines for itself and calls in its loops: ``def rate(u, v): ...``."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Either, Number, Scalar, Unknown
from gpuport.loops.facts import FunctionFact
from gpuport.loops.forms.inlining import reads_of
from gpuport.source.namedlambdas import as_function, lambda_named
from gpuport.source.syntax import inside

if TYPE_CHECKING:
    from gpuport.loops.facts import Fact, FunctionFact


_NUMBERS = ("int", "float", "complex", "bool", "number", "assumed", None)


def functions_within(
    unit: Unit, loop: ast.For | ast.While, names: Iterable[str]
) -> dict[str, FunctionFact]:
    """Functions among names that a loop reads, which the function around it defines before it.

    Parameters
    ----------
    unit : Unit
    loop : ast.For or ast.While
    names : iterable of str
    """
    scope = unit.scope
    if scope.parent is None or not scope.children:
        return {}
    from gpuport.analysis.loops.facts import around_function

    definitions = _defined(unit, loop)
    found: dict[str, FunctionFact] = {}
    waiting = [name for name in names if name in definitions]
    while waiting:
        name = waiting.pop()
        definition = definitions[name]
        inner = next((s for s in scope.children if s.node is definition), None)
        reads = reads_of(definition) if inner is None else inner.loads - set(inner.bound)
        own = {other for other in reads if scope.binds(other)}
        calls = own & definitions.keys() - {name}
        if inner is not None and inner.outside:
            continue  # it binds names of others
        others = own - calls - _numbers(unit, own)
        if not _stores_elements(definition):
            others -= _arrays(unit, others) | _unknown_numbers(unit, definition, others)
        if not own and inner is not None:
            around = around_function(unit.project, inner)
            found[name] = FunctionFact(name, definition, around, same=True)
        elif others:
            found[name] = FunctionFact(name, definition, outer=tuple(sorted(others)))
        else:
            found[name] = FunctionFact(name, definition, closure=True, same=True)
            waiting += [other for other in sorted(calls) if other not in found]
    return found


def numbers_around(functions: Mapping[str, FunctionFact]) -> frozenset[str]:
    """Names that such functions read beside their parameters."""
    if not functions:
        return frozenset()
    closures = (f.definition for f in functions.values() if f.closure and f.definition is not None)
    return frozenset(name for definition in closures for name in reads_of(definition))


def read_within(functions: Mapping[str, FunctionFact]) -> dict[str, ast.Name]:
    """Names that such functions read beside their parameters, each where it first stands."""
    around, found = numbers_around(functions), dict[str, ast.Name]()
    for fact in functions.values():
        for node in inside(fact.definition) if fact.definition is not None else ():
            if isinstance(node, ast.Name) and node.id in around:
                found.setdefault(node.id, node)
    return found


def _defined(unit: Unit, loop: ast.For | ast.While) -> dict[str, ast.FunctionDef]:
    """Definitions and named lambdas at the top of the function, before the loop, bound once."""
    found: dict[str, ast.FunctionDef] = {}
    for statement in getattr(unit.node, "body", ()):
        if statement.lineno >= loop.lineno:
            break
        if isinstance(statement, ast.FunctionDef):
            found[statement.name] = statement
        elif (named := lambda_named(statement)) is not None:
            found[named[0]] = as_function(*named)
    bound = unit.scope.bound
    return {
        name: definition for name, definition in found.items()
        if bound.get(name) == 1 and not definition.decorator_list
    }  # fmt: skip


def _stores_elements(definition: ast.FunctionDef) -> bool:
    """Whether a function may change an array."""
    return any(
        isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        for node in inside(definition)
    )


def _arrays(unit: Unit, names: Iterable[str]) -> frozenset[str]:
    """Those of these names that hold arrays."""
    found = set()
    for name in names:
        flow = unit.env.get(name)
        value = flow.value if flow is not None else None
        if isinstance(value, Array) or (isinstance(value, Either) and value.sources):
            found.add(name)
    return frozenset(found)


def _unknown_numbers(
    unit: Unit, definition: ast.FunctionDef, names: Iterable[str]
) -> frozenset[str]:
    """Those of these names of which nothing is known, and that a function computes with."""
    taken: set[str] = set()
    for node in inside(definition):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            parts = [node.value]
        elif isinstance(node, ast.Call):
            parts = [node.func]
        elif isinstance(node, ast.For):
            parts = [node.iter]
        taken.update(part.id for part in parts if isinstance(part, ast.Name))
    return frozenset(
        name
        for name in names
        if name not in taken and name in unit.env and isinstance(unit.env[name].value, Unknown)
    )


def reading_arrays(
    loop: ast.stmt, functions: Mapping[str, Fact], arrays: Collection[str]
) -> tuple[str, ...]:
    """Functions of the function around a loop that it calls, and that read some of these arrays
    by the names that it has for them, or call others that do.
    """
    reads = {
        name: reads_of(fact.definition)
        for name, fact in functions.items()
        if isinstance(fact, FunctionFact) and fact.closure and fact.definition is not None
    }
    reading = {name for name, read in reads.items() if read & set(arrays)}
    while more := {n for n, read in reads.items() if read & reading} - reading:
        reading |= more
    named = {node.id for node in inside(loop) if isinstance(node, ast.Name)}
    return tuple(sorted(reading & named))


def _numbers(unit: Unit, names: Iterable[str]) -> frozenset[str]:
    """Those of these names that hold numbers by all likelihood: a guard asks."""
    found = set()
    for name in names:
        flow = unit.env.get(name)
        value = flow.value if flow is not None else None
        plain = isinstance(value, Scalar) and value.type in _NUMBERS
        if plain or isinstance(value, Number):
            found.add(name)
    return frozenset(found)
