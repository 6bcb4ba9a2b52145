"""Examples at the edges of comparisons that the original makes on the way."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from gpuport.verify.inputs.values import SMOOTH_FAMILIES
from gpuport.verify.slots import Trial
from gpuport.verify.trials.examiner import Examiner
from gpuport.verify.trials.isolation import WorkerLost

SECONDS = 0.3
_BASES = 3  # times that an example to search from is drawn anew
_SMOOTH = 2  # examples of families whose edges are exact
_TRIALS = 6  # searches at the most
_LARGEST = 12  # size of an example that is searched from: each step is a call
_MORE = 1.0  # of the time of a function, beyond it
_SYMMETRIC = "definite"
_HALVES = "ties"


class EdgeExamples:
    """A few examples to look for edges from: of smooth values, one of halves, one symmetric.

    Differences of halves are exact, so that a number can be equal to one of them for certain.
    """

    def __init__(self) -> None:
        self._bases: list[Trial] = []

    def keep(self, trial: Trial) -> None:
        """Remember an example that both sides agree on, where it is one to look from."""
        largest = max(trial.sizes.values(), default=1)
        usual = trial.dtype in ("float64", "float32")  # others are not moved
        if not usual or trial.alias or trial.tied or not 0 < largest <= _LARGEST:
            return
        smooth = [base for base in self._bases if base.family in SMOOTH_FAMILIES]
        if trial.family in SMOOTH_FAMILIES and len(smooth) < _SMOOTH:
            # where there is time for one alone, it is the one whose edges are exact
            halves = [] if smooth else [_of_halves(trial)]
            self._bases = [*halves, *self._bases, trial]
        known = any(base.family == trial.family for base in self._bases)
        if trial.family == _SYMMETRIC and trial.sizes and not known:
            self._bases = [*self._bases, trial]

    @staticmethod
    def _extra(examiner: Examiner) -> float:
        return _MORE * examiner.options.function_seconds

    def trials(self, examiner: Examiner, guarded: bool) -> Iterator[Trial]:
        """The examples kept, with single elements exchanged so that a comparison is at its edge.

        Parameters
        ----------
        examiner : Examiner
            Asked where the edges are, as long as there is time.
        guarded : bool
            The port has something that stands beside a kernel: it has comparisons of its own.
        """
        again = (replace(t, seed=(*t.seed, k)) for k in range(_BASES) for t in self._bases)
        tried = itertools.islice(itertools.chain(self._bases, again), _TRIALS)
        for number, trial in enumerate(tried):
            # one is looked at in any case: what has `<` for `<=` is told apart there alone
            late = examiner.late or not examiner.remains(SECONDS)
            if examiner.unsafe or (
                late and (number or not examiner.remains(-self._extra(examiner)))
            ):
                return
            try:
                answer = examiner.ask("edges", trial, seconds=SECONDS)
            except WorkerLost:
                return
            for name, index, value, exact in answer["edges"]:
                at_edge = replace(trial, edits=((name, index, value),), beside=not exact)
                for refused in (False, True) if guarded else (trial.refused,):
                    yield replace(at_edge, refused=refused)
            if not answer["compares"]:
                return


def _of_halves(trial: Trial) -> Trial:
    """The same with such values, and numbers that it may leave out given: these can be moved."""
    slots = (replace(s, omit=False) if s.kind == "float" else s for s in trial.slots)
    return replace(trial, family=_HALVES, slots=tuple(slots))
