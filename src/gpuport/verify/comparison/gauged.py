"""Comparison of results that depend on the signs of singular or eigenvectors.

Where two sides differ and the original factorises, it is run again under other choices of signs,
column after column, as long as that brings it nearer to the port.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gpuport.verify.aftermath.leaves import VALUE_KINDS, Leaf, Observation
from gpuport.verify.comparison.compare import Comparison, compare
from gpuport.verify.comparison.responses import Responses
from gpuport.verify.execution.calling import Bench, How
from gpuport.verify.execution.gauge import FACTORISATIONS, Flip, Gauge
from gpuport.verify.execution.tolerance import Policy
from gpuport.verify.slots import Trial

GAUGE_MOVES = "the result depends on signs of singular or eigenvectors, which a GPU may choose"
GAUGE_TURNED = "compared modulo the sign of singular or eigenvectors"

_NAMED = re.compile(rf"\b(?:{'|'.join(FACTORISATIONS)})\b")

_CHOICES = 3

Respond = Callable[[str, Trial, frozenset[Flip]], Responses]


def may_factorise(text: str) -> bool:
    """Whether a program's text names a factorisation."""
    return _NAMED.search(text) is not None


@dataclass(frozen=True, slots=True)
class GaugedComparison:
    """The comparison of one example of a function that may factorise."""

    bench: Bench
    respond: Respond
    function: str
    trial: Trial
    original: Observation
    policy: Policy

    def moves(self) -> bool:
        """Whether the original's own result is another under another sign."""
        for column in range(2):
            gauge = Gauge(frozenset({(0, column)}))
            moved = self._under(gauge)
            if not gauge.offered or moved.raised is not None:
                return False
            if compare(self.original, moved, self.policy).difference is not None:
                return True
        return False

    def resolved(self, port: Observation, outcome: Comparison) -> str:
        """The status of a comparison that differs, and its outcome under the best gauge."""
        turned, unresolved = self._nearest(port)
        if turned is None or turned.difference is not None:
            values = (outcome.difference or "").startswith("value")
            return "gauge" if unresolved and values and self._depends(outcome.where) else "differs"
        outcome.difference, outcome.where = None, ""
        outcome.errors, outcome.looseness = turned.errors, turned.looseness
        outcome.looseness[GAUGE_TURNED] += 1
        return "equal"

    def _depends(self, where: str) -> bool:
        """Whether what the original leaves at a place changes with the choice of vectors."""
        for seed in range(_CHOICES):
            gauge = Gauge(anew=seed)
            moved = self._under(gauge)
            if not gauge.known or moved.raised is not None:
                return True
            first, second = _at(self.original, where), _at(moved, where)
            if not first or not second:
                return True
            pair = replace(self.original, leaves=first)
            other = replace(moved, leaves=second, printed=self.original.printed)
            if compare(pair, other, self.policy).difference is not None:
                return True
        return False

    def _under(self, gauge: Gauge) -> Observation:
        return self.bench.call("original", self.function, self.trial, How(gauge=gauge))

    def _nearest(self, port: Observation) -> tuple[Comparison | None, bool]:
        """Negate one column after the other and keep what brings the original nearer."""
        gauge = Gauge()
        self._under(gauge)
        best = _apart(self.original, port)
        flips: frozenset[Flip] = frozenset()
        chosen: Observation | None = None
        for flip in gauge.offered:
            tried = flips | {flip}
            seen = self._under(Gauge(tried))
            distance = _apart(seen, port)
            if seen.raised is None and distance < best:
                best, flips, chosen = distance, tried, seen
        if chosen is None:
            return None, gauge.open
        responses = self.respond(self.function, self.trial, flips)
        policy = replace(self.policy, exact=False, responses=responses, turned=responses.turned)
        return compare(chosen, port, policy), gauge.open


def _at(seen: Observation, where: str) -> tuple[Leaf, ...]:
    """The leaf at a place, if there is one."""
    return tuple(leaf for leaf in seen.leaves if leaf.path == where)


def _apart(original: Observation, port: Observation) -> float:
    """How far the floats of two outcomes are apart, relative to their size, summed."""
    total = 0.0
    for a, b in zip(original.leaves, port.leaves, strict=False):
        if a.kind not in VALUE_KINDS or a.path != b.path:
            continue
        x, y = np.asarray(a.value), np.asarray(b.value)
        if x.shape == y.shape and x.dtype.kind in "fc" and y.dtype.kind in "fc":
            with np.errstate(all="ignore"):
                ratio = np.abs(y - x) / (np.abs(x) + np.abs(y))
                total += float(np.where(np.isfinite(ratio), ratio, 0).sum())
    return total
