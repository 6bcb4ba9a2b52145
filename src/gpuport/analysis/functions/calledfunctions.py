"""What the functions mean that a loop calls, where their statements stand in the loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.unit import Unit

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
    from gpuport.loops.facts import FunctionFact

    found = dict(facts)
    waiting = sorted(name for name, fact in facts.items() if isinstance(fact, FunctionFact))
    done: set[str] = set()
    while waiting:
        name = waiting.pop()
        fact = found[name]
        if name in done or not isinstance(fact, FunctionFact) or fact.definition is None:
            continue
        done.add(name)
        if not fact.same:
            fact = found[name] = replace(fact, same=_same(unit, fact))
        if fact.same:
            for other, known in fact.globals.items():
                found.setdefault(other, known)
                waiting.append(other)
    return found


def _same(unit: Unit, fact: FunctionFact) -> bool:
    """Whether all names that a function of the module reads are known, and none is shadowed."""
    from gpuport.loops.facts import UnknownFact

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
