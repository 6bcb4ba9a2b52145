"""The original again, a little different: how much its outcome moves by rounding alone.

Made one by one as they are asked for, because most comparisons need none, and most others few.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.execution.calling import Bench, How
from gpuport.verify.execution.courses import Course, course_taken
from gpuport.verify.execution.gauge import Flip, Gauge
from gpuport.verify.execution.tolerance import Mask
from gpuport.verify.inputs.stands import Arguments
from gpuport.verify.sides.rounding import SCATTERED
from gpuport.verify.signatures.moved import jittered, widened
from gpuport.verify.slots import Trial

_FUNCTION_RUNS = (3, 5, 7, 9, 11, 12)
_REDUCTION_RUNS = (13, 14)
_FLUSHED_RUN = 15
# where one element of many moves hardly at all by chance: each of them on its own, again and again
_SCATTERED_RUNS = (16, 17, 18, 19, 20, 21)
_SUMS = (0, 1, -1)  # of two sums both up, one up and one down, the other way round
_LEAST = 5  # responses, however long they take
_SECONDS = 5.0  # after which no further ones are made
# those that have the very same inputs, and round otherwise
SAME_INPUTS = (0, *_FUNCTION_RUNS, *_REDUCTION_RUNS, _FLUSHED_RUN, *_SCATTERED_RUNS)


class Responses:
    """The original in wider precision; one ULP up, one down, then in random directions.

    Where no float goes in, the program's own constants are moved. Last, results of its sums and
    products of many terms are moved, and for single precision, where devices do so, subnormals
    are flushed. Iterating again gives the same observations.

    ``turned`` are those, by their number, in which moved constants or statements alone turned a
    comparison of the original, with whole numbers and without them.
    """

    def __init__(
        self,
        bench: Bench,
        stage: Callable[[str], None],
        function: str,
        trial: Trial,
        bare: bool,
        single: bool = False,
        flips: frozenset[Flip] = frozenset(),
        stably: bool = False,
    ) -> None:
        self._bench = bench
        self._stage = stage
        self._function = function
        self._trial = trial
        self._bare = bare
        self._runs = [
            *range(_FLUSHED_RUN),
            *((_FLUSHED_RUN,) if single else ()),
            *_SCATTERED_RUNS,
        ]
        self._flips = flips
        self._stably = stably
        self.turned: set[int] = set()
        self._made: list[Observation] = []
        self._usual: Course | None = None
        self._seconds = 0.0

    def __iter__(self) -> Iterator[Observation]:
        for number, run in enumerate(self._runs):
            if number == len(self._made):
                if number >= _LEAST and self._seconds > _SECONDS:
                    return
                self._make(run)
            yield self._made[number]

    def _make(self, run: int) -> None:
        started = time.process_time()
        self._stage("original-again")
        gauge = Gauge(self._flips) if self._flips else None
        how = replace(self._how(run), gauge=gauge, stably=self._stably)
        known = how.constants is None and how.statements is None
        self._made.append(self._called(how) if known else self._on_course(how))
        self._seconds += time.process_time() - started

    def _called(self, how: How) -> Observation:
        return self._bench.call("original", self._function, self._trial, how)

    def _on_course(self, how: How) -> Observation:
        """The original by which comparisons turn out as they do, where there is such a one."""
        made, course = self._with_course(how)
        if self._usual is None:
            plain = How(gauge=how.gauge, stably=how.stably)
            self._usual = self._with_course(plain)[1]
        if course != self._usual:
            sparing, course = self._with_course(replace(how, whole=False))
            if course == self._usual:
                return sparing
            self.turned.add(len(self._made))
        return made

    def _with_course(self, how: How) -> tuple[Observation, Course]:
        with course_taken(self._bench.sides["original"]) as course:
            return self._called(how), course

    def _how(self, run: int) -> How:
        if run == 0:
            return How(widened)
        if run in _FUNCTION_RUNS:
            return How(functions=_FUNCTION_RUNS.index(run))
        if run in _REDUCTION_RUNS:
            return How(reductions=_REDUCTION_RUNS.index(run))
        if run == _FLUSHED_RUN:
            return How(flushed=True)
        if run in _SCATTERED_RUNS:
            return How(functions=SCATTERED + _SCATTERED_RUNS.index(run))
        rng = np.random.default_rng([*self._trial.seed, 7, run])
        sign = {1: 1, 2: -1}.get(run, 0)

        def jitter(arguments: Arguments) -> Arguments:
            return jittered(arguments, rng, sign)

        if self._bare and run % 2:
            return How(jitter, constants=((*self._trial.seed, 8, run), sign))
        return How(jitter, statements=(*self._trial.seed, 8, run) if self._bare else None)


class NotReproduced(Exception):
    """The original gives something else when it is called again on the same inputs.

    ``unset`` are elements of uninitialised memory, where these are all; None where more differs.
    """

    def __init__(self, unset: dict[str, Mask] | None) -> None:
        super().__init__("the original gives something else when it is called again")
        self.unset = unset


class OfReproducible:
    """Responses of an original that is called again before the first of them is made.

    What it moves by itself would be taken for what it moves under one ULP. A few roundings of a
    value itself explain nothing of the kind, so that most examples do without that call.
    """

    def __init__(
        self, responses: Iterable[Observation], again: Callable[[], dict[str, Mask] | None]
    ) -> None:
        self._responses = responses
        self._again = again
        self._called = False

    def __iter__(self) -> Iterator[Observation]:
        if not self._called:
            self._called = True
            unset = self._again()
            if unset != {}:
                raise NotReproduced(unset)
        yield from self._responses


def rounded_otherwise(
    bench: Bench, stage: Callable[[str], None], function: str, trial: Trial
) -> Iterator[Observation]:
    """The original on the very same inputs, arithmetic, functions and sums rounded otherwise."""
    stage("original-again")
    yield bench.call("original", function, trial, How(widened))
    for pattern in range(len(_FUNCTION_RUNS)):
        yield bench.call("original", function, trial, How(functions=pattern))
    for pattern in _SUMS:
        yield bench.call("original", function, trial, How(reductions=pattern))
