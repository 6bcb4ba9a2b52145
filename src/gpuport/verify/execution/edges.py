"""Inputs at the edges of comparisons whose sides are computed on the way.

The original's comparisons, and what it rounds to integers, are watched while single floats of its
arguments are moved: where the difference of the two sides changes its sign the edge is closed in
on. A port that has `<` for `<=`, or a threshold rounded to float32, is told apart there alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from gpuport.verify.execution.calling import Bench, How
from gpuport.verify.execution.edgewatch import Place, Watch, watched
from gpuport.verify.inputs.drawing import Edit, build, edited
from gpuport.verify.inputs.stands import Arguments
from gpuport.verify.signatures.moved import widened
from gpuport.verify.slots import Trial

_ELEMENTS = 2
"""Elements of each comparison whose edges are searched for."""
_LEAVES = 10
"""Elements of each array that are moved, drawn at random."""
_STEPS = (-1.0, 0.125, -0.125, 8.0, -8.0, 64.0, -64.0)
"""How far a float is moved, in units of its own size, until the difference changes its sign."""
_JUST_BEYOND = (-1.001, 1.001)
"""Likewise, in units of the distance at which a straight line would meet the edge."""
_HALVINGS = 90
"""Most often the ends are neighbouring doubles before."""
_BESIDE = 1e-10
"""Relative distance from an edge: far outside of roundings, inside those of a float32."""
_FOUND = 24
"""Edits that are enough for one search."""

Target = tuple[Place, float]


@dataclass(slots=True)
class _Search:
    """The search for edges from one example of one function."""

    bench: Bench
    function: str
    trial: Trial
    watches: list[Watch]
    ends: float
    rng: np.random.Generator
    found: list[tuple[Edit, bool]] = field(default_factory=list)
    compares: bool = False

    def run(self, edit: Edit | None = None, wide: bool = False) -> Watch | None:
        """What the original compares where one element is another; None where it raises."""

        def changed(arguments: Arguments) -> Arguments:
            arguments = arguments if edit is None else edited(arguments, (edit,))
            return widened(arguments) if wide else arguments

        self.watches.append(Watch())
        outcome = self.bench.call("original", self.function, self.trial, How(changed))
        watch = self.watches.pop()
        return None if outcome.raised is not None else watch

    @property
    def late(self) -> bool:
        """Whether there is no more time, or enough was found."""
        return time.process_time() > self.ends or len(self.found) >= _FOUND

    def edges(self) -> list[tuple[Edit, bool]]:
        """Edits that lead to an edge; True where exactly to it, False where just beside."""
        base = self.run()
        if base is None or not base.margins:
            return []
        self.compares = True
        arguments = build(self.trial.slots, self.trial)
        for place in self._places(base):
            target = place, base.edge(place)
            margin = float(base.at(place)) - target[1]
            for name, index, value in self._leaves(arguments, place[2]):
                if self.late:
                    return self.found
                if self._along(target, margin, name, index, value):
                    break
        return self.found

    def _places(self, base: Watch) -> list[Place]:
        """Elements near the edge already, and any: first one of each comparison."""
        ranked: list[list[Place]] = [[] for _ in range(_ELEMENTS)]
        for (site, run), margin in base.margins.items():
            size = np.where(np.isfinite(margin) & (margin != 0), np.abs(margin), np.inf)
            picks = [int(np.argmin(size)), int(self.rng.integers(margin.size))]
            for rank, pick in zip(ranked, picks, strict=True):
                if np.isfinite(margin[pick]):
                    rank.append((site, run, pick))
        return [place for rank in ranked for place in rank]

    def _leaves(self, arguments: Arguments, index: int) -> Iterator[tuple[str, int, float]]:
        """Floats among the arguments: numbers, elements at the same place, then any."""
        arrays = {}
        for name, value in arguments.items():
            if isinstance(value, float) and np.isfinite(value):
                yield name, 0, value
            elif isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
                arrays[name] = value
        for name, value in arrays.items():
            picks = [index % value.size, *self.rng.integers(value.size, size=_LEAVES)]
            for pick in dict.fromkeys(map(int, picks)):
                if np.isfinite(value.flat[pick]):
                    yield name, pick, float(value.flat[pick])

    def _along(self, target: Target, margin: float, name: str, index: int, value: float) -> bool:
        """Whether moving one float meets the edge; then it is kept."""

        def at(moved: float) -> float:
            watch = self.run((name, index, moved))
            return float("nan") if watch is None else float(watch.at(target[0])) - target[1]

        scale = max(abs(value), 1.0)
        probe = at(value + scale)
        if np.isnan(probe) or probe == margin:
            return False  # it does not matter here
        # where it is a line, or the magnitude of one, so far: just beyond is the edge
        straight = margin * scale / (probe - margin)
        beside = [sign * straight / scale for sign in _JUST_BEYOND] if np.isfinite(straight) else []
        for step in (1.0, *beside, *_STEPS):
            other = value + step * scale
            beyond = probe if step == 1.0 else at(other)
            if not np.isnan(beyond) and (beyond == 0 or (beyond < 0) is not (margin < 0)):
                self._close_in(target, at, (value, other), margin < 0, name, index)
                return True
            if self.late:
                return False
        return False

    def _close_in(
        self,
        target: Target,
        at: Callable[[float], float],
        ends: tuple[float, float],
        negative: bool,
        name: str,
        index: int,
    ) -> None:
        near, far = ends
        met = None
        for _ in range(_HALVINGS):
            middle = near + (far - near) / 2
            if middle in (near, far):
                break
            margin = at(middle)
            if margin == 0:
                met = middle
                break
            near, far = (middle, far) if (margin < 0) is negative else (near, middle)
        edge = near if met is None else met
        if met is not None:
            watch = self.run((name, index, met), wide=True)
            # equal by luck of rounding is no edge that a port has to meet
            if watch is not None and watch.at(target[0]) == target[1]:
                self.found.append(((name, index, met), True))
            if watch is not None and target[0][0] in watch.quotients:
                # a quotient may be rounded to an integer that it does not reach
                ends = (np.inf, -np.inf)
                first = [met, *(float(np.nextafter(met, end)) for end in ends)]
                first += [
                    float(np.nextafter(one, e)) for one, e in zip(first[1:], ends, strict=True)
                ]
                self.found += [((name, index, moved), True) for moved in first]
        beside = _BESIDE * (abs(edge) or 1.0)
        self.found += [((name, index, edge + side), False) for side in (-beside, beside)]


def _around(number: float) -> list[float]:
    """A number, and the two beside it on each side."""
    found = [number]
    for end in (np.inf, -np.inf):
        next_one = float(np.nextafter(number, end))
        found += [next_one, float(np.nextafter(next_one, end))]
    return found


def edges_of(
    bench: Bench, function: str, trial: Trial, seconds: float
) -> tuple[list[tuple[Edit, bool]], bool]:
    """Changes of single floats that bring the original to the edge of a comparison.

    Parameters
    ----------
    bench : Bench
    function : str
    trial : Trial
        An example that the original accepts.
    seconds : float
        About how long to search, in seconds of this process.

    Returns
    -------
    list of (edit, exact)
        ``exact``: both sides are equal there, in wider precision too; else they differ by about
        ``1e-10`` of the changed value.
    compares : bool
        Whether the original compares anything at all.
    """
    rng = np.random.default_rng([*trial.seed, 13])
    with watched(bench.sides["original"]) as watches:
        ends = time.process_time() + seconds
        search = _Search(bench, function, trial, watches, ends, rng)
        return search.edges(), search.compares
