"""Inputs for a branch, a line or a mask that none of the examples so far has reached.

A search from examples that the original accepts: what brings the condition nearer to the outcome
that it never had is kept and changed further.
"""

from __future__ import annotations

import ast
import heapq
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.execution.calling import Bench
from gpuport.verify.execution.distances import UNREACHED, Distances, measured
from gpuport.verify.inputs.moves import Groups, Reading, moves, redrawn
from gpuport.verify.sides.conditions import (
    Condition,
    deciding_branch,
    deciding_line,
    deciding_mask,
)
from gpuport.verify.slots import Trial

_ENOUGH = 3
"""Inputs of each search."""
_LIKELY = 4
"""So many changes of each kind that what the condition reads speaks for, in each turn of the kinds;
of the others one."""
_AT_ONCE = 32
"""Changes of an example that are tried before the nearest one is chosen anew,"""
_PAIRED = 12
"""Second changes of each that is changed twice."""
_WORN = 0.02
"""and what these add to its distance, so that others come into their turn."""


@dataclass(frozen=True, slots=True)
class Target:
    """What never ran, of which side.

    Attributes
    ----------
    side : str
        ``original`` or ``port``.
    kind : str
        ``branch``, ``line``, or ``mask`` (which never held a true, or a false element).
    place : int
        As in `gpuport.verify.sides.conditions`.
    outcome : bool
        What the condition never was; of a line that is found.
    """

    side: str
    kind: str
    place: int
    outcome: bool

    def condition(self, tree: ast.AST) -> Condition | None:
        """What decides whether it runs."""
        if self.kind == "line":
            return deciding_line(tree, self.place)
        deciding = deciding_mask if self.kind == "mask" else deciding_branch
        return deciding(tree, self.place, self.outcome)


@dataclass(slots=True)
class _Search:
    """The nearest example first: some of its changes are tried, and are examples then as well.

    ``waiting`` are examples with the changes of each that are left, ordered by distance.
    """

    bench: Bench
    function: str
    side: str
    distances: Distances
    ends: float
    rng: np.random.Generator
    reading: Reading
    groups: Groups
    found: list[Trial] = field(default_factory=list)
    waiting: list[tuple[float, int, float, Iterator[Trial]]] = field(default_factory=list)
    _pushed: Iterator[int] = field(default_factory=itertools.count)

    def run(self, base: Trial) -> None:
        """Search from one example until enough is found, or time has ended."""
        self._try(base)
        if not self.waiting:
            # it does not come to the condition; others may
            self._wait(UNREACHED, UNREACHED, self._changes(base))
        while not self._over:
            order, _, distance, left = heapq.heappop(self.waiting)
            for trial in itertools.islice(left, _AT_ONCE):
                if self._over:
                    return
                self._try(trial, distance)
            self._wait(order + _WORN, distance, left)

    def _wait(self, order: float, distance: float, changes: Iterator[Trial]) -> None:
        heapq.heappush(self.waiting, (order, next(self._pushed), distance, changes))

    @property
    def _over(self) -> bool:
        return time.process_time() > self.ends or len(self.found) >= _ENOUGH

    def _try(self, trial: Trial, known: float = UNREACHED) -> None:
        """Keep what is nearer than what it was made from; of what gets there, draw more."""
        distance = self._distance(trial)
        if distance == 0.0:
            self.found.append(trial)
            self._try_again(trial)
        elif distance < known:
            self._wait(distance, distance, self._changes(trial))

    def _try_again(self, trial: Trial) -> None:
        for _ in range(_ENOUGH):
            other = redrawn(trial, self.rng)
            if not self._over and self._distance(other) == 0.0:
                self.found.append(other)

    def _distance(self, trial: Trial) -> float:
        """How far a call is from the outcome; out of reach where the original refuses it."""
        self.distances.begin()
        ended = self._called(self.side, trial)
        if ended is None:
            return UNREACHED
        least = self.distances.least
        if least > 0.0:
            return least if ended.raised is None else UNREACHED
        original = ended if self.side == "original" else self._called("original", trial)
        return UNREACHED if original is None or original.raised is not None else 0.0

    def _called(self, side: str, trial: Trial) -> Observation | None:
        """One call; None where no such arguments can be made."""
        try:
            return self.bench.call(side, self.function, trial)
        except Exception:
            return None

    def _changes(self, base: Trial) -> Iterator[Trial]:
        """All changes, the kinds in turns: of some there are many more than of others.

        Then two at a time, without end.
        """
        kinds = self._by_kind(base)
        every = [trial for made in kinds.values() for trial in made]
        while any(kinds.values()):
            for kind, left in kinds.items():
                for _ in range(self._share(kind)):
                    if left:
                        yield left.pop()
        while True:
            one = every[int(self.rng.integers(len(every)))]
            yield from itertools.islice(self._singly(one), _PAIRED)

    def _singly(self, base: Trial) -> Iterator[Trial]:
        kinds = self._by_kind(base)
        for kind, made in kinds.items():
            yield from made[: self._share(kind)]

    def _by_kind(self, base: Trial) -> dict[str, list[Trial]]:
        kinds: dict[str, list[Trial]] = {}
        for kind, trial in moves(base, self.reading, self.groups, self.rng):
            kinds.setdefault(kind, []).append(trial)
        return {
            kind: [made[int(k)] for k in self.rng.permutation(len(made))]
            for kind, made in sorted(kinds.items(), key=lambda item: -self._share(item[0]))
        }

    def _share(self, kind: str) -> int:
        return _LIKELY if kind in self.reading.likely else 1


def inputs_reaching(
    bench: Bench,
    function: str,
    target: Target,
    trial: Trial,
    groups: Groups,
    seconds: float,
    attempt: int = 0,
) -> list[Trial]:
    """Inputs that the original accepts and for which the target runs.

    Parameters
    ----------
    bench : Bench
    function : str
    target : Target
    trial : Trial
        An example that the original accepts.
    groups : sequence of mappings
        Dimensions of it that vary together, each with how much larger than the smallest it is.
    seconds : float
        About how long to search, in seconds of this process.
    attempt : int
        Another one goes another way.

    Returns
    -------
    list of Trial
    """
    ends = time.process_time() + seconds
    side = bench.sides[target.side]
    tree = side.tree()
    condition = target.condition(tree) if tree is not None else None
    if condition is None:
        return []
    with measured(side, condition, bench.device.to_host) as distances:
        if distances is None:
            return []
        rng = np.random.default_rng([*trial.seed, 17, attempt])
        reading = Reading.of(distances.test)
        search = _Search(bench, function, target.side, distances, ends, rng, reading, groups)
        search.run(trial)
        return search.found
