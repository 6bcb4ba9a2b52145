"""One example inside the worker: the original twice, the port once, and what the two did."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuport.verify.compare import Comparison, compare
from gpuport.verify.execution import PATTERNS, Bench, How
from gpuport.verify.gauge import FACTORISATIONS, Flip, Gauge
from gpuport.verify.inputs import Arguments, build, describe
from gpuport.verify.moved import holds_numbers, jittered, widened
from gpuport.verify.observe import VALUE_KINDS, Observation
from gpuport.verify.sides import Side
from gpuport.verify.slots import Trial
from gpuport.verify.tolerance import Mask, Policy, decided_by_rounding, unequal
from gpuport.verify.values import SMOOTH_FAMILIES

_RESPONSES = 15
_FUNCTION_RUNS = (3, 5, 7, 9)
_REDUCTION_RUNS = (13, 14)
_LEAST_RESPONSES, _RESPONSE_SECONDS = 5, 5.0
_TRACED = 12
_REPEATED_EVERY = 4
_GAUGED = 3
_DOUBTS = 2
GAUGE_MOVES = "the result depends on signs of singular or eigenvectors, which a GPU may choose"
GAUGE_TURNED = "compared modulo the sign of singular or eigenvectors"


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What the comparison wants to know about the arguments of one trial.

    ``characters`` are the arrays' dtypes; ``bare``: there is no number that could be moved.
    """

    elements: int = 1
    characters: frozenset[str] = frozenset()
    bare: bool = False
    description: str = ""

    @classmethod
    def of(cls, trial: Trial, side: Side) -> _Inputs:
        if trial.is_made:
            with side.entered():
                arguments = build(trial.slots, trial, resolve=side.resolve)
        else:
            arguments = build(trial.slots, trial)
        arrays = [v for v in arguments.values() if isinstance(v, np.ndarray)]
        own = build(trial.init or (), trial, salt=1)
        return cls(
            max((a.size for a in arrays), default=1),
            frozenset(a.dtype.char for a in arrays),
            not (holds_numbers(arguments) or holds_numbers(own)),
            describe(arguments),
        )


class Runner:
    """Trials of one file: probing, comparing, and the evidence of each."""

    def __init__(self, bench: Bench, stage: Callable[[str], None]) -> None:
        self.bench = bench
        self.stage = stage
        self._calls: dict[str, int] = {}
        self._factorises: dict[str, bool] = {}
        self._inputs = _Inputs()

    def probe(self, function: str, trial: Trial) -> dict[str, Any]:
        """Whether the original accepts this input."""
        self.stage("original")
        outcome = self.bench.call("original", function, trial)
        return {
            "raised": outcome.raised,
            "message": outcome.message,
            "explicit": outcome.explicit,
            "line": outcome.line,
            "text": outcome.text,
        }

    def compare(self, function: str, trial: Trial) -> dict[str, Any]:
        """Call both sides and compare; a plain dictionary for the protocol."""
        self.stage("original")
        original = self.bench.call("original", function, trial)
        if original.raised is not None:
            return self._rejected(function, trial, original)
        self._inputs = _Inputs.of(trial, self.bench.sides["original"])
        due, traced = self._due(function)
        unset = self._repeated(function, trial, original, traced) if due else {}
        evidence = self._evidence(function, trial, original)
        if unset is None:
            return {**evidence, "status": "unstable"}
        self.stage("port")
        port = self.bench.call("port", function, trial, How(traced=self._port_untold(function)))
        evidence["counters"] = dict(self.bench.counters)
        evidence["port_missed"] = self._port_missed(function)
        if port.raised is not None:
            text = f"raised {port.raised}: {port.message}"
            return {**evidence, "status": "port-raised", "difference": text, "raised": port.raised}
        self.stage("original-again")
        if not due and not port.agrees(original):
            # before anything is explained by rounding
            unset = self._repeated(function, trial, original, traced=False)
            if unset is None:
                return {**evidence, "status": "unstable"}
        answer = self._compared(function, trial, original, port, unset)
        if answer["status"] != "equal":
            answer = self._doubted(function, trial, original, port, answer)
        evidence["finite"] = evidence["finite"] and answer["compared"] > 0
        return {**evidence, **answer}

    def _doubted(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        answer: dict[str, Any],
    ) -> dict[str, Any]:
        """The answer that two sides differ, or another where the input is no fair one."""
        # a random number may by chance leave no trace, so that a difference is doubted twice
        for _ in range(_DOUBTS):
            unset = self._repeated(function, trial, original, traced=False)
            if unset is None:
                return {**answer, "status": "unstable"}
            if unset:
                answer = self._compared(function, trial, original, port, unset)
                if answer["status"] == "equal":
                    return answer
        # just beside an edge moved inputs too may decide, where they move what is compared far
        otherwise = (
            self._responses(function, trial)()
            if trial.beside
            else self._rounded_otherwise(function, trial)
        )
        # where neither side rounds, no rounding decides
        may = (
            _edged(trial) and answer["status"] == "differs" and not (original.exact and port.exact)
        )
        if may and decided_by_rounding(original, otherwise):
            return {**answer, "status": "edge"}
        return answer

    def _compared(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        unset: dict[str, Mask],
    ) -> dict[str, Any]:
        policy = replace(
            self._policy(function, trial), unset=unset, exact=original.exact and port.exact
        )
        outcome = compare(original, port, policy)
        status = self._gauged(function, trial, original, port, policy, outcome)
        if unset:
            outcome.notes["elements of uninitialised memory left out"] += 1
        return {**_plain(outcome), "status": status, "exact": policy.exact and status == "equal"}

    # -- the original again -----------------------------------------------------------------

    def _due(self, function: str) -> tuple[bool, bool]:
        """Whether the original is to be run a second time, and with its lines traced."""
        calls = self._calls[function] = self._calls.get(function, 0) + 1
        cover = self.bench.coverage(function)
        traced = calls <= _TRACED or not (cover is None or cover.complete)
        return traced or calls % _REPEATED_EVERY == 0, traced

    def _port_untold(self, function: str) -> bool:
        cover = self.bench.coverage(function, "port")
        return not (cover is None or cover.complete)

    def _port_missed(self, function: str) -> list[int]:
        """Lines of the port that have not run yet in this process."""
        cover = self.bench.coverage(function, "port")
        return [] if cover is None else sorted(cover.lines - cover.seen)

    def _repeated(
        self, function: str, trial: Trial, original: Observation, traced: bool
    ) -> dict[str, Mask] | None:
        """Elements that hold whatever memory held; None where the original is not reproducible."""
        self.stage("original-again")
        other = How(traced=traced, pattern=PATTERNS[1])
        again = self.bench.call("original", function, trial, other)
        if again.agrees(original):
            return {}
        once_more = self.bench.call("original", function, trial, replace(other, traced=False))
        if not once_more.agrees(again):
            return None
        return _unset(original, again)

    def _responses(
        self, function: str, trial: Trial, flips: frozenset[Flip] = frozenset()
    ) -> Callable[[], list[Observation]]:
        """The original in wider precision; one ULP up, one down, then in random directions.

        Where no float goes in, the program's own constants are moved. Last, results of
        its sums and products of many terms are moved.
        """
        made: list[Observation] = []
        bare = self._inputs.bare

        def moved(run: int) -> Observation:
            gauge = Gauge(flips) if flips else None
            if run == 0:
                return self.bench.call("original", function, trial, How(widened, gauge=gauge))
            if run in _FUNCTION_RUNS:
                how = How(functions=_FUNCTION_RUNS.index(run), gauge=gauge)
                return self.bench.call("original", function, trial, how)
            if run in _REDUCTION_RUNS:
                how = How(reductions=_REDUCTION_RUNS.index(run), gauge=gauge)
                return self.bench.call("original", function, trial, how)
            rng = np.random.default_rng([*trial.seed, 7, run])
            sign = {1: 1, 2: -1}.get(run, 0)

            def jitter(arguments: Arguments) -> Arguments:
                return jittered(arguments, rng, sign)

            how = How(jitter, gauge=gauge)
            if bare and run % 2:
                how = replace(how, constants=((*trial.seed, 8, run), sign))
            elif bare:
                how = replace(how, statements=(*trial.seed, 8, run))
            return self.bench.call("original", function, trial, how)

        def responses() -> list[Observation]:
            if made:
                return made
            started = time.perf_counter()
            for run in range(_RESPONSES):
                if run >= _LEAST_RESPONSES and time.perf_counter() - started > _RESPONSE_SECONDS:
                    break
                self.stage("original-again")
                made.append(moved(run))
            return made

        return responses

    def _rounded_otherwise(self, function: str, trial: Trial) -> Iterator[Observation]:
        """The original on the very same inputs, its arithmetic and functions rounded otherwise."""
        self.stage("original-again")
        yield self.bench.call("original", function, trial, How(widened))
        for pattern in range(len(_FUNCTION_RUNS)):
            yield self.bench.call("original", function, trial, How(functions=pattern))

    def _policy(self, function: str, trial: Trial) -> Policy:
        return Policy(
            responses=self._responses(function, trial),
            elements=self._inputs.elements,
            smooth=trial.family in SMOOTH_FAMILIES and not trial.tied and not trial.edits,
            edged=_edged(trial) and not self._inputs.bare,
            rounded=(0, *_FUNCTION_RUNS),
            device=trial.device is not None,
            single=bool(self._inputs.characters & set("fF")),
            complex=bool(self._inputs.characters & set("FDG")),
        )

    # -- the gauge --------------------------------------------------------------------------

    def _gauged(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        policy: Policy,
        outcome: Comparison,
    ) -> str:
        """The status of a comparison, made under another gauge where that is nearer."""
        status = "equal" if outcome.difference is None else "differs"
        if not self._may_factorise(function):
            return status
        if status == "equal":
            if self._calls[function] <= _GAUGED and self._gauge_moves(
                function, trial, original, policy
            ):
                outcome.notes[GAUGE_MOVES] += 1
            return status
        turned, unresolved = self._nearest(function, trial, original, port, policy)
        if turned is None or turned.difference is not None:
            values = (outcome.difference or "").startswith("value")
            return "gauge" if unresolved and values else status
        outcome.difference, outcome.where = None, ""
        outcome.errors, outcome.looseness = turned.errors, turned.looseness
        outcome.looseness[GAUGE_TURNED] += 1
        return "equal"

    def _may_factorise(self, function: str) -> bool:
        if function not in self._factorises:
            text = self.bench.sides["original"].file.read_text(encoding="utf-8", errors="replace")
            self._factorises[function] = any(name in text for name in FACTORISATIONS)
        return self._factorises[function]

    def _gauge_moves(
        self, function: str, trial: Trial, original: Observation, policy: Policy
    ) -> bool:
        for column in range(2):
            gauge = Gauge(frozenset({(0, column)}))
            moved = self.bench.call("original", function, trial, How(gauge=gauge))
            if not gauge.offered or moved.raised is not None:
                return False
            if compare(original, moved, policy).difference is not None:
                return True
        return False

    def _nearest(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        policy: Policy,
    ) -> tuple[Comparison | None, bool]:
        """Negate one column after the other and keep what brings the original nearer."""
        gauge = Gauge()
        self.bench.call("original", function, trial, How(gauge=gauge))
        best = _apart(original, port)
        flips: frozenset[Flip] = frozenset()
        chosen: Observation | None = None
        for flip in gauge.offered:
            tried = flips | {flip}
            seen = self.bench.call("original", function, trial, How(gauge=Gauge(tried)))
            distance = _apart(seen, port)
            if seen.raised is None and distance < best:
                best, flips, chosen = distance, tried, seen
        if chosen is None:
            return None, gauge.open
        turned = replace(policy, exact=False, responses=self._responses(function, trial, flips))
        return compare(chosen, port, turned), gauge.open

    # -- what the original refuses ----------------------------------------------------------

    def _rejected(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        """The original raises: its own ``raise`` statements must still be raised by the port."""
        evidence = {
            "status": "rejected",
            "raised": original.raised,
            "message": original.message,
            "inputs": describe(build(trial.slots, trial)),
        }
        if not original.explicit:
            return evidence
        self.stage("original-again")
        self.bench.call("original", function, trial, How(traced=True))
        self.stage("port")
        port = self.bench.call("port", function, trial)
        if port.raised == original.raised:
            return {**evidence, **self._lines(function)}
        outcome = "returned" if port.raised is None else f"raised {port.raised}: {port.message}"
        evidence["difference"] = (
            f"the original raised {original.raised} by its own statement, the port {outcome}"
        )
        return {**evidence, "status": "differs", "where": "exception"}

    # -- evidence ---------------------------------------------------------------------------

    def _evidence(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        return {
            "digest": original.product(),
            "finite": original.finite(),
            "seconds": original.seconds,
            "inputs": self._inputs.description,
            **self._lines(function),
        }

    def _lines(self, function: str) -> dict[str, Any]:
        cover = self.bench.coverage(function)
        if cover is None:
            return {"seen": [], "lines": [], "taken": [], "branches": []}
        return {
            "seen": sorted(cover.seen & cover.lines),
            "lines": sorted(cover.lines),
            "taken": sorted(cover.taken & cover.branches),
            "branches": sorted(cover.branches),
        }


def _edged(trial: Trial) -> bool:
    """Whether the input was made to lie at the edge of comparisons."""
    return (
        trial.tied or bool(trial.edits) or (trial.family == "thresholds" and bool(trial.literals))
    )


def _unset(first: Observation, second: Observation) -> dict[str, Mask] | None:
    """Where two runs differ that unset memory alone tells apart; None where in structure."""
    if len(first.leaves) != len(second.leaves) or first.printed != second.printed:
        return None
    found = {}
    for a, b in zip(first.leaves, second.leaves, strict=True):
        if (a.path, a.kind) != (b.path, b.kind):
            return None
        if a.kind not in VALUE_KINDS or a.kind == "int":
            if a.value != b.value:
                return None
            continue
        x, y = np.asarray(a.value), np.asarray(b.value)
        if (x.shape, x.dtype) != (y.shape, y.dtype):
            return None
        differs = unequal(x, y)
        if differs.any():
            found[a.path] = differs
    # a single value made of such memory, or all of one, is nothing to compare
    return found if all(0 < m.sum() < m.size for m in found.values()) else None


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


def _plain(outcome: Comparison) -> dict[str, Any]:
    return {
        "difference": outcome.difference,
        "where": outcome.where,
        "compared": outcome.compared,
        "opaque": outcome.opaque,
        "errors": [outcome.errors.absolute, outcome.errors.relative, outcome.errors.ulp],
        "looseness": dict(outcome.looseness),
        "notes": dict(outcome.notes),
    }
