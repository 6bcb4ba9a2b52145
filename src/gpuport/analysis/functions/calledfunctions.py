"""What the functions mean that a loop calls, where their statements stand in the loop."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.modulelevel import global_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array
from gpuport.loops.facts import ArrayFact, FunctionFact, UnknownFact
from gpuport.rules.loopfunctions import allocating
from gpuport.source.syntax import inside

if TYPE_CHECKING:
    from gpuport.loops.facts import Fact, FunctionFact


def called_within(unit: Unit, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Facts with those of the names that called functions read from the module.

    A function whose names mean in ``unit`` what they mean where it is defined is marked so.

    Parameters
    ----------
    unit : Unit
        The function with the loop.
    facts : mapping of str to Fact
        Of the names that the loop reads.
    """
    found = dict(facts)
    waiting = sorted(name for name, fact in facts.items() if isinstance(fact, FunctionFact))
    done: set[str] = set()
    while waiting:
        name = waiting.pop()
        fact = found[name]
        if name in done or not isinstance(fact, FunctionFact) or fact.definition is None:
            continue
        done.add(name)
        if not fact.closure:
            fact = found[name] = replace(fact, globals={**_arrays(unit, fact), **fact.globals})
        if not fact.same:
            fact = found[name] = replace(fact, same=_same(unit, fact))
        if fact.same:
            for other, known in fact.globals.items():
                found.setdefault(other, known)
                waiting.append(other)
    return found


def written_under_helper(
    unit: Unit, facts: Mapping[str, Fact], arrays: Iterable[str], written: frozenset[str]
) -> str | None:
    """Why a loop may write what a function that it calls reads by the name of the module.

    Where the loop runs on the host, it writes to copies, and the function reads what is on the
    device. What the loop's function itself allocated is no array of the module.

    Parameters
    ----------
    unit : Unit
        The function with the loop.
    facts : mapping of str to Fact
        Of the loop, with those of the functions that it calls.
    arrays : iterable of str
        Those that the kernel takes: a function may be called where it reads none of them.
    written : frozenset of str
    """
    taken = set(arrays)
    for called, fact in facts.items():
        if not isinstance(fact, FunctionFact) or fact.closure:
            continue
        read = [name for name, known in fact.globals.items() if isinstance(known, ArrayFact)]
        for array in taken.intersection(read):
            for name in sorted(written):
                if name == array or not _allocated(unit, name):
                    which = "" if name == array else f", which `{name}` may be"
                    return (
                        f"unknown call: `{called}` reads the array `{array}` of the module{which}, "
                        f"and the loop writes into it: give `{called}` the array as an argument"
                    )
    return None


def _allocated(unit: Unit, name: str) -> bool:
    """Whether all that a local name is ever bound to are new arrays."""
    if unit.scope.parent is None or not unit.scope.binds(name):
        return False
    made = 0
    for node in inside(unit.node):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            named = any(isinstance(one, ast.Name) and one.id == name for one in node.targets)
            made += named and unit.scope.resolve(node.value.func) in allocating()
    return made == unit.scope.bound.get(name)


def _arrays(unit: Unit, fact: FunctionFact) -> dict[str, Fact]:
    """The arrays of the module that a function reads by their names."""
    assert fact.definition is not None
    root = unit.project.root
    if root.functions.get(fact.path) is not fact.definition:
        return {}
    inner = unit.project.scope_of(fact.definition)
    found: dict[str, Fact] = {}
    for name in sorted(inner.loads - fact.globals.keys()):
        if root.bound.get(name) != 1 or inner.binds(name):
            continue
        if inner.owner(name) is root is unit.scope.owner(name):
            value = global_value(unit, name).value
            if isinstance(value, Array):
                found[name] = ArrayFact(value.dtype, None)
    return found


def _same(unit: Unit, fact: FunctionFact) -> bool:
    """Whether all names that a function of the module reads are known, and none is shadowed."""
    assert fact.definition is not None
    if unit.project.root.functions.get(fact.path) is not fact.definition:
        return False
    inner = unit.project.scope_of(fact.definition)
    outside = {name for name in inner.loads if not inner.binds(name)}
    if inner.outside or inner.children:
        return False
    for name in outside:
        owner = inner.owner(name)
        if unit.scope.owner(name) is not owner:
            return False
        known = fact.globals.get(name)
        if owner is not None and (known is None or isinstance(known, UnknownFact)):
            return False
    return True
