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
_BASES, _SMOOTH, _TRIALS, _LARGEST = 3, 2, 5, 12
_SYMMETRIC = "definite"


class EdgeExamples:
    """A few examples to look for edges from: most of smooth values, one symmetric."""

    def __init__(self) -> None:
        self._bases: list[Trial] = []

    def keep(self, trial: Trial) -> None:
        """Remember an example that both sides agree on, where it is one to look from."""
        largest = max(trial.sizes.values(), default=1)
        usual = trial.dtype in ("float64", "float32")  # others are not moved
        if not usual or trial.alias or trial.tied or not 0 < largest <= _LARGEST:
            return
        alike = [base for base in self._bases if base.family == _SYMMETRIC]
        wanted = trial.family in SMOOTH_FAMILIES and len(self._bases) - len(alike) < _SMOOTH
        if wanted or (trial.family == _SYMMETRIC and trial.sizes and not alike):
            self._bases = [*self._bases, trial]

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
        for trial in itertools.islice(itertools.chain(self._bases, again), _TRIALS):
            if examiner.exhausted or not examiner.remains(SECONDS):
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
