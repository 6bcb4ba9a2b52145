"""What was found out of the functions of a module, from round to round.

A function is read again where something has changed that its analysis rests on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpuport.analysis.functions.callsites import Evidence, Told
from gpuport.analysis.functions.summaries import Analysed, Summary, summarise
from gpuport.analysis.interpretation.functions import analyse_function
from gpuport.analysis.project.failures import blamed_on
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.parameters import parameter_names

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


@dataclass(frozen=True, slots=True)
class Basis:
    """What the analysis of a function rests on, and what it tells of others.

    Attributes
    ----------
    evidence : tuple
        What the calls of the function pass.
    summaries : tuple of (FunctionDef, Summary)
        What the functions that it calls were to it.
    told : tuple
        What it passes to them.
    state : object
        What is followed besides, and how.
    """

    evidence: Evidence
    summaries: tuple[tuple[FunctionNode, Summary], ...]
    told: tuple[Told, ...]
    state: object


@dataclass(slots=True, eq=False)
class Analyses:
    """The analyses of a module's functions, and what they are to those that call them.

    Attributes
    ----------
    project : Project
        The module.
    results : dict of int to Analysed
        What was found out of each function, by its id.
    """

    project: Project
    results: dict[int, Analysed] = field(default_factory=dict)
    _summaries: dict[int, Summary] = field(default_factory=dict)
    _active: set[int] = field(default_factory=set)
    _before: dict[int, Analysed] = field(default_factory=dict)
    _bases: dict[int, Basis] = field(default_factory=dict)
    _asking: list[list[tuple[FunctionNode, Summary]]] = field(default_factory=list)
    _by_themselves: bool = True

    def of(self, scope: Scope) -> Analysed:
        """The analysis of a function: that of this round, that of the last, or a new one."""
        found = self.results.get(id(scope.node))
        if found is not None:
            return found
        self._active.add(id(scope.node))
        try:
            result = self._as_before(scope) or self._anew(scope)
        finally:
            self._active.discard(id(scope.node))
        self.results[id(scope.node)] = result
        return result

    def _anew(self, scope: Scope) -> Analysed:
        calls = self.project.calls
        evidence, state = calls.evidence(scope.node), self.project.state_of(scope)
        self._asking.append([])
        with blamed_on(self.project, scope), calls.heard() as told:
            result = analyse_function(self.project, scope)
        asked, after = tuple(self._asking.pop()), self.project.state_of(scope)
        kept = state if after == state else None
        self._bases[id(scope.node)] = Basis(evidence, asked, tuple(told), kept)
        return result

    def _as_before(self, scope: Scope) -> Analysed | None:
        """The analysis of the round before, where all that it rests on is as it was."""
        calls = self.project.calls
        found = self._before.pop(id(scope.node), None)
        basis = self._bases.get(id(scope.node))
        if found is None or basis is None or basis.evidence != calls.evidence(scope.node):
            return None
        if not self._by_themselves and basis.state != self.project.state_of(scope):
            return None
        if any(self._summary(node) != summary for node, summary in basis.summaries):
            return None
        calls.tell_again(basis.told)
        return found

    def asked(self, node: FunctionNode) -> Summary:
        """Summary of a function, which the one that is being analysed rests on from now on."""
        found = self._summary(node)
        if self._asking:
            self._asking[-1].append((node, found))
        return found

    def _summary(self, node: FunctionNode) -> Summary:
        key = id(node)
        if key not in self._summaries:
            if key in self._active:
                return Summary.opaque(parameter_names(node))
            scope = self.project.scope_of(node)
            self._summaries[key] = summarise(
                self.of(scope), node, suppressed=key in self.project.suppressed_functions,
                boundary=self.project.boundary_of(scope),
            )  # fmt: skip
        return self._summaries[key]

    def doubt(self, function: FunctionNode) -> None:
        """Read a function anew in the next round."""
        self._bases.pop(id(function), None)

    def forget(self, function: int) -> None:
        """Look at a function anew, whatever it rests on."""
        self.results.pop(function, None)
        self._bases.pop(function, None)

    def forget_called(self, *, followed: frozenset[int], again: bool, by_themselves: bool) -> None:
        """Doubt all but the functions that call nothing and are called by nobody.

        The others are read again where something has changed that they rest on, and in any case
        those of ``followed``, which were placed together, and all where not ``again``.
        Where they do not matter to each other by calls alone, that is all that is followed, too.
        """
        self._summaries.clear()
        self._by_themselves = by_themselves
        alone = {
            key for key, one in self.results.items()
            if not self.project.calls.reach(key) and not one.unit.calls.any
        }  # fmt: skip
        done = alone | followed
        self._before = {key: one for key, one in self.results.items() if again and key not in done}
        self.results = {key: one for key, one in self.results.items() if key in alone}

    def copied(self) -> Analyses:
        """What was found out now, to go back to."""
        return replace(
            self, results=dict(self.results), _summaries=dict(self._summaries),
            _before=dict(self._before), _bases=dict(self._bases),
        )  # fmt: skip

    def let_go(self) -> None:
        """Let go of what refers to each other."""
        for held in (self.results, self._summaries, self._before, self._bases):
            held.clear()


__all__ = ["Analyses"]
