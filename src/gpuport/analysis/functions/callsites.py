"""What the calls of a module's functions pass: evidence for their parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpuport.analysis.explanation.trace import CallSite
from gpuport.analysis.functions.summaries import landing
from gpuport.analysis.knowledge.tables import placement_words
from gpuport.analysis.values.contents import has_unknown
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Instance,
    Number,
    Scalar,
    Tuple,
    Unknown,
    Value,
    is_number,
    join,
    on_device_possible,
)
from gpuport.cost.everywhere import Everywhere
from gpuport.cost.shapes import Shapes
from gpuport.facts.plain import Plain
from gpuport.facts.sizes import SizesShown
from gpuport.source.parameters import parameter_names

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.project.callgraph import Project
    from gpuport.source.names import FunctionNode, Scope


@dataclass(slots=True)
class Passed:
    """What some calls pass.

    Attributes
    ----------
    values : dict
        By the id of a function and its parameter: the join of what calls pass.
    doubted : dict
        By the id of a function: parameters for which some call passes what is not known.
    likely : dict
        As ``values``, where calls that pass an array of an unknown dtype or rank leave open what
        others tell: results of the function itself, ``b = step(b)``, are such.
    """

    values: dict[int, dict[str, Value]] = field(default_factory=dict)
    doubted: dict[int, set[str]] = field(default_factory=dict)
    likely: dict[int, dict[str, Value]] = field(default_factory=dict)

    def copy(self) -> Passed:
        """What it is now."""
        values = {key: dict(passed) for key, passed in self.values.items()}
        likely = {key: dict(passed) for key, passed in self.likely.items()}
        return Passed(values, {key: set(names) for key, names in self.doubted.items()}, likely)

    def add(self, function: int, name: str, value: Value, *, doubtful: bool) -> None:
        """Join what one more call passes."""
        self.take(function, name, value)
        seen = self.values.setdefault(function, {})
        doubted = self.doubted.setdefault(function, set())
        if name in seen and not isinstance(value, Unknown):
            either = None if doubtful or name in doubted else _perhaps_number(seen[name], value)
            value = either or _joined(seen[name], value)
        if doubtful or isinstance(value, Unknown):
            doubted.add(name)
        if not isinstance(value, Unknown) or value == _DIFFERENT:
            seen[name] = value

    def take(self, function: int, name: str, value: Value) -> None:
        """Join what is likely with what one more call passes."""
        seen = self.likely.setdefault(function, {})
        if not isinstance(value, Unknown):
            seen[name] = _completed(seen[name], value) if name in seen else value

    def joined(self, other: Passed) -> Passed:
        """What these calls and others pass."""
        found = self.copy()
        for function, passed in other.values.items():
            doubted = other.doubted.get(function, set())
            found.values.setdefault(function, {})
            found.doubted.setdefault(function, set()).update(doubted)
            for name, value in passed.items():
                found.add(function, name, value, doubtful=name in doubted)
            for name, value in other.likely.get(function, {}).items():
                found.take(function, name, value)
        return found


Told = tuple[int, str | None, Value, bool]
"""That a function, by its id, is called; and what a parameter is given, in doubt or for certain."""


def _plain(told: Plain) -> Value:
    if isinstance(told, tuple):
        return Tuple(tuple(map(_plain, told)))
    library, _, dtype = told.rpartition(".")
    return Number(dtype or None, numpy_scalar=bool(dtype)) if library else Scalar(told)


Evidence = tuple[dict[str, Value], dict[str, Value]]
"""What some calls of a function pass, and what all of them do."""


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
    _relied_on: Passed = field(default_factory=Passed)
    _seen: Passed = field(default_factory=Passed)
    _by_members: Passed = field(default_factory=Passed)
    _listening: list[list[Told]] = field(default_factory=list)
    _shown: Everywhere | None = None
    _told: SizesShown | None = None

    def shapes(self, project: Project, scope: Scope) -> Shapes:
        """The shapes of what a function computes, as far as the program shows them."""
        if self._shown is None or self._shown.following is None:  # calls were not known then
            self._told = SizesShown(one.module for one in project.program.projects)
            self._shown = Everywhere(project.program, placement_words().shown_lengths, self._told)
        return self._shown.known(scope)

    def plain(self, unit: Unit, node: ast.expr) -> Value | None:
        """What the program shows an expression to be, where that is a number, a text or so."""
        if self._told is None:
            self._told = SizesShown(one.module for one in unit.project.program.projects)
        told = self._told.plain(unit.module, unit.node, node)
        return None if told is None else _plain(told)

    @property
    def changed(self) -> bool:
        """Whether this round saw anything else than what it relied on."""
        return self._now().values != self._relied_on.values

    def turn(self) -> None:
        """Begin another round, on what this one saw."""
        self._relied_on = self._now()
        self._seen, self._by_members = Passed(), Passed()

    def forget(self) -> None:
        """Rely on nothing, as in the first round."""
        self._relied_on = Passed()

    def reach(self, function: int) -> bool:
        """Whether a call of a function, given by its id, was seen in the round before."""
        return function in self._relied_on.values

    def of(self, function: ast.AST) -> dict[str, Value]:
        """What the calls of a function pass, by parameter."""
        return self._relied_on.values.get(id(function), {})

    def likely(self, function: ast.AST) -> dict[str, Value]:
        """What the calls of a function most likely pass: only what a guard asks is built on it."""
        return self._relied_on.likely.get(id(function), {})

    def certain(self, function: ast.AST) -> dict[str, Value]:
        """What all calls of a function pass, without what some call leaves open."""
        doubted = self._relied_on.doubted.get(id(function), set())
        return {name: value for name, value in self.of(function).items() if name not in doubted}

    def record(
        self, unit: Unit, function: FunctionNode, node: ast.Call, args: list[Argument]
    ) -> None:
        """Remember with what a function is called."""
        if unit.trial is not None:
            return
        unit.calls.any = True
        followed = unit.objects is not None
        self._tell((id(function), None, UNKNOWN, False), followed=followed)
        parameters = landing(parameter_names(function), args)
        for argument, parameter in zip(args, parameters, strict=True):
            if parameter is None:
                continue
            if self.tracing:
                sites = self.traced.setdefault((id(function), parameter), {})
                sites[id(node)] = CallSite(node, argument.flow.value)
            value = lasting(argument.flow.value, reasons=True)
            if argument.flow.element:
                value = Scalar()
            doubtful = argument.flow.element or has_unknown(value)
            self._tell((id(function), parameter, value, doubtful), followed=followed)

    def _tell(self, told: Told, *, followed: bool = False) -> None:
        function, name, value, doubtful = told
        into = self._by_members if followed else self._seen
        if name is None:
            into.values.setdefault(function, {})
        else:
            into.add(function, name, value, doubtful=doubtful)
        if self._listening:
            self._listening[-1].append(told)

    @contextmanager
    def heard(self) -> Iterator[list[Told]]:
        """What is told of calls meanwhile, but for what is told inside another one of these."""
        self._listening.append([])
        try:
            yield self._listening[-1]
        finally:
            self._listening.pop()

    def tell_again(self, told: Iterable[Told]) -> None:
        """The same calls are made in this round as in the one before."""
        for one in told:
            self._tell(one)

    def evidence(self, function: ast.AST) -> Evidence:
        """All that is relied on of the calls of a function."""
        return self.of(function), self.certain(function)

    def by_members(self) -> Passed:
        """What functions that handle instances pass, in this round so far."""
        return self._by_members.copy()

    def go_back(self, before: Passed) -> None:
        """Forget what functions that handle instances passed since: they are looked at again."""
        self._by_members = before

    def _now(self) -> Passed:
        return self._seen.joined(self._by_members)


_OBJECT = Instance("builtins.object")
_DIFFERENT = Unknown("calls pass different things")


def _perhaps_number(seen: Value, value: Value) -> Either | None:
    """What two calls say of which one passes an array, the other one what is taken for a number."""
    array, number = (seen, value) if isinstance(seen, Array) else (value, seen)
    taken = isinstance(number, Scalar) and number.type in (None, "assumed", "number")
    return Either(python=True) if taken and isinstance(array, Array) else None


def _joined(seen: Value, value: Value) -> Value:
    """What two calls say; one of whose container nothing is known says nothing.

    An array that another call does not pass is asked for at the boundary; of numbers and tuples
    that contradict each other no further call says more. An object says what operators give.
    """
    if seen == _DIFFERENT:
        return seen
    if isinstance(seen, Instance) and isinstance(value, Instance) and seen != value:
        return _OBJECT
    for one, other in ((seen, value), (value, seen)):
        if isinstance(one, Instance) and (on_device_possible(other) or is_number(other)):
            return one
    if has_unknown(seen) and not has_unknown(value):
        return value
    if has_unknown(value) and not has_unknown(seen):
        return seen
    found = join(seen, value)
    arrays = on_device_possible(seen) or on_device_possible(value)
    return found if arrays or not isinstance(found, Unknown) else _DIFFERENT


def _completed(seen: Value, value: Value) -> Value:
    """What two calls say, where each may leave open what the other one tells."""
    found = _joined(seen, value)
    both = isinstance(seen, Array | Either) and isinstance(value, Array | Either)
    if not both or not isinstance(found, Array | Either):
        return found
    first, second = seen.dtype, value.dtype  # type: ignore[union-attr]
    found = replace(found, dtype=first or second if None in (first, second) else found.dtype)
    if isinstance(seen, Array) and isinstance(value, Array) and isinstance(found, Array):
        ranks = (seen.rank, value.rank)
        rank = next((r for r in ranks if r is not None), None) if None in ranks else found.rank
        found = replace(found, rank=rank)
    return found


def trips_shown(unit: Unit, stop: str | ast.expr, start: str = "0") -> int | None:
    """How often a loop over ``range(start, stop)`` runs at most; None where nothing says so.

    Parameters are what the calls of the program pass, where all calls are in the program. A guess
    at costs, never a claim.
    """
    return unit.project.calls.shapes(unit.project, unit.scope).lengths.trips(stop, start)


__all__ = ["CallSites", "Passed", "trips_shown"]
