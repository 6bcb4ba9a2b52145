"""What the calls of a module's functions pass: evidence for their parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.summaries import landing, parameter_names
from gpuport.analysis.trace import CallSite
from gpuport.analysis.values import Scalar, Unknown, Value, has_unknown, join, lasting

if TYPE_CHECKING:
    from gpuport.analysis.calls import Argument
    from gpuport.analysis.unit import Unit
    from gpuport.source.names import FunctionNode

Passed = dict[int, dict[str, Value]]
"""By the id of a function and its parameter: the join of what calls pass."""

Doubts = dict[int, set[str]]
"""By the id of a function: parameters for which some call passes what is not known."""


@dataclass(slots=True)
class CallSites:
    """What is passed to each function, in this round of the analysis and in the one before.

    Call sites are likely, not certain: other files may call too. What is built on them is checked,
    by the boundary of a function or by a guard.

    Attributes
    ----------
    tracing : bool
        Whether each call is remembered, for whoever asks why.
    traced : dict
        By the id of a function and its parameter, the calls by the id of their node.
    """

    tracing: bool = False
    traced: dict[tuple[int, str], dict[int, CallSite]] = field(default_factory=dict)
    _relied_on: Passed = field(default_factory=dict)
    _doubted: Doubts = field(default_factory=dict)
    _seen: Passed = field(default_factory=dict)
    _doubtful: Doubts = field(default_factory=dict)

    def turn(self) -> bool:
        """Begin another round, on what this one saw; False where this one relied on just that."""
        if self._seen == self._relied_on:
            return False
        self._relied_on, self._seen = self._seen, {}
        self._doubted, self._doubtful = self._doubtful, {}
        return True

    def forget(self) -> None:
        """Rely on nothing, as in the first round."""
        self._relied_on, self._doubted = {}, {}

    def reach(self, function: int) -> bool:
        """Whether a call of a function, given by its id, was seen in the round before."""
        return function in self._relied_on

    def of(self, function: ast.AST) -> dict[str, Value]:
        """What the calls of a function pass, by parameter."""
        return self._relied_on.get(id(function), {})

    def certain(self, function: ast.AST) -> dict[str, Value]:
        """What all calls of a function pass, without what some call leaves open."""
        doubted = self._doubted.get(id(function), set())
        return {name: value for name, value in self.of(function).items() if name not in doubted}

    def record(
        self, unit: Unit, function: FunctionNode, node: ast.Call, args: list[Argument]
    ) -> None:
        """Remember with what a function is called."""
        if unit.trial is not None:
            return
        unit.calls_project = True
        seen = self._seen.setdefault(id(function), {})
        doubtful = self._doubtful.setdefault(id(function), set())
        parameters = landing(parameter_names(function), args)
        for argument, parameter in zip(args, parameters, strict=True):
            if parameter is None:
                continue
            if self.tracing:
                sites = self.traced.setdefault((id(function), parameter), {})
                sites[id(node)] = CallSite(node, argument.flow.value)
            value = lasting(argument.flow.value, reasons=True)
            if argument.flow.element:
                doubtful.add(parameter)
                value = Scalar()
            if has_unknown(value):
                doubtful.add(parameter)
            if parameter in seen and not isinstance(value, Unknown):
                value = _joined(seen[parameter], value)
            if isinstance(value, Unknown):
                doubtful.add(parameter)
            else:
                seen[parameter] = value

    def so_far(self) -> tuple[Passed, Doubts]:
        """What is remembered of this round, to go back to with `go_back`."""
        seen = {key: dict(passed) for key, passed in self._seen.items()}
        return seen, {key: set(names) for key, names in self._doubtful.items()}

    def go_back(self, before: tuple[Passed, Doubts]) -> None:
        """Forget what was seen since: it is seen again."""
        self._seen, self._doubtful = before


def _joined(seen: Value, value: Value) -> Value:
    """What two calls say; one of whose container nothing is known says nothing."""
    if has_unknown(seen) and not has_unknown(value):
        return value
    if has_unknown(value) and not has_unknown(seen):
        return seen
    return join(seen, value)


__all__ = ["CallSites", "Doubts", "Passed"]
