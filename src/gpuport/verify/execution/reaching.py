"""Inputs for a branch, a line or a mask that none of the examples so far has reached.

A search from examples that the original accepts: what brings the condition nearer to the outcome
that it never had is kept and changed further.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.execution.calling import Bench
from gpuport.verify.execution.distances import UNREACHED, Distances, measured
from gpuport.verify.inputs.moves import Groups, likely_kinds, moves, redrawn
from gpuport.verify.sides.conditions import (
    Condition,
    deciding_branch,
    deciding_line,
    deciding_mask,
)
from gpuport.verify.slots import Trial

_ENOUGH = 3
"""Inputs of each search."""
_PAIRED = 400
"""Pairs of changes that are tried where no single one is nearer."""
_LIKELY = 4
"""So many changes of each kind that what the condition reads speaks for, in each turn of the kinds;
of the others one."""


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
    bench: Bench
    function: str
    side: str
    distances: Distances
    ends: float
    rng: np.random.Generator
    numbers: tuple[float, ...]
    groups: Groups
    found: list[Trial] = field(default_factory=list)

    def run(self, base: Trial) -> None:
        """Search from one example until enough is found, or time has ended."""
        known = self._distance(base)
        while not self._over:
            nearer = self._nearer(self._ordered(base), known)
            nearer = nearer or self._nearer(self._pairs(base), known)
            if nearer is None:
                return
            base, known = nearer

    @property
    def _over(self) -> bool:
        return time.process_time() > self.ends or len(self.found) >= _ENOUGH

    def _distance(self, trial: Trial) -> float:
        """How far a call is from the outcome; what reaches it and is accepted is kept."""
        self.distances.begin()
        ended = self._called(self.side, trial)
        if ended is None:
            return UNREACHED
        least = self.distances.least
        if least > 0.0:
            return least if ended.raised is None else UNREACHED
        original = ended if self.side == "original" else self._called("original", trial)
        if original is None or original.raised is not None:
            return UNREACHED
        self.found.append(trial)
        return 0.0

    def _called(self, side: str, trial: Trial) -> Observation | None:
        """One call; None where no such arguments can be made."""
        try:
            return self.bench.call(side, self.function, trial)
        except Exception:
            return None

    def _nearer(self, tried: Iterator[Trial], known: float) -> tuple[Trial, float] | None:
        """The first that is nearer; of what reaches the outcome more is drawn."""
        for trial in tried:
            if self._over:
                return None
            distance = self._distance(trial)
            if distance == 0.0:
                for _ in range(_ENOUGH):
                    if not self._over:
                        self._distance(redrawn(trial, self.rng))
            elif distance < known:
                return trial, distance
        return None

    def _ordered(self, base: Trial) -> Iterator[Trial]:
        """All changes, the kinds in turns: of some there are many more than of others."""
        kinds: dict[str, list[Trial]] = {}
        for kind, trial in moves(base, self.numbers, self.groups, self.rng):
            kinds.setdefault(kind, []).append(trial)
        likely = likely_kinds(self.distances.test)
        waiting = {
            kind: [made[int(k)] for k in self.rng.permutation(len(made))]
            for kind, made in sorted(kinds.items(), key=lambda item: item[0] not in likely)
        }
        while any(waiting.values()):
            for kind, left in waiting.items():
                for _ in range(_LIKELY if kind in likely else 1):
                    if left:
                        yield left.pop()

    def _pairs(self, base: Trial) -> Iterator[Trial]:
        """Two changes at a time."""
        first = list(moves(base, self.numbers, self.groups, self.rng))
        for _ in range(_PAIRED):
            _, one = first[int(self.rng.integers(len(first)))]
            second = list(moves(one, self.numbers, self.groups, self.rng))
            yield second[int(self.rng.integers(len(second)))][1]


def inputs_reaching(
    bench: Bench, function: str, target: Target, trial: Trial, groups: Groups, seconds: float
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
        rng = np.random.default_rng([*trial.seed, 17])
        numbers = _numbers(distances.test)
        search = _Search(bench, function, target.side, distances, ends, rng, numbers, groups)
        search.run(trial)
        return search.found


def _numbers(test: ast.expr) -> tuple[float, ...]:
    """What a condition compares with."""
    held = (node.value for node in ast.walk(test) if isinstance(node, ast.Constant))
    return tuple(dict.fromkeys(float(v) for v in held if isinstance(v, int | float)))
