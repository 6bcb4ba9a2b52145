"""One example inside the worker: the original twice, the port once, and what the two did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.comparison.compare import Comparison, compare
from gpuport.verify.comparison.gauged import GAUGE_MOVES, GaugedComparison, may_factorise
from gpuport.verify.comparison.quotients import without_quotient
from gpuport.verify.comparison.refusals import Refusals
from gpuport.verify.comparison.responses import (
    SAME_INPUTS,
    NotReproduced,
    OfReproducible,
    Responses,
    rounded_otherwise,
)
from gpuport.verify.comparison.stablysorted import StablySorted
from gpuport.verify.execution.calling import PATTERNS, Bench, How
from gpuport.verify.execution.casts import casts_roundings, casts_what_fits_not
from gpuport.verify.execution.choices import Choices
from gpuport.verify.execution.gauge import Flip
from gpuport.verify.execution.inputfacts import InputFacts
from gpuport.verify.execution.sortorder import sorts_openly
from gpuport.verify.execution.tolerance import Mask, Policy, decided_by_rounding, shaky
from gpuport.verify.execution.uninitialised import unset_elements
from gpuport.verify.inputs.corners import HUGE
from gpuport.verify.inputs.drawing import build, describe
from gpuport.verify.inputs.values import SMOOTH_FAMILIES
from gpuport.verify.signatures.kinds import LatestCall, watched
from gpuport.verify.slots import Trial

_TRACED = 12
_REPEATED_EVERY = 4
_GAUGED = 3
_DOUBTS = 2
_SHAKY = 4  # parts of a result
_SINGULAR = "LinAlgError"
_TWICE = (2, 7)  # by number of the calls that the original accepted


class Runner:
    """Trials of one file: probing, comparing, and the evidence of each."""

    def __init__(self, bench: Bench, stage: Callable[[str], None]) -> None:
        self.bench = bench
        self.stage = stage
        self.refusals = Refusals(bench, stage, self._policy)
        self._calls: dict[str, int] = {}
        self._told: dict[str, tuple[int, int]] = {}
        self._choices: dict[str, Choices] = {}
        self._varied: set[str] = set()
        self._known: tuple[Trial, InputFacts] | None = None
        self._read: str | None = None

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

    def forget(self, function: str) -> None:
        """What has run of a function so far no longer counts."""
        self.bench.forget(function)
        self._told.pop(function, None)
        self._varied.discard(function)
        self._choices.pop(function, None)
        self._calls.pop(function, None)

    def kinds(self, function: str, trial: Trial) -> dict[str, str]:
        """Of what kinds the arguments are that the original gets, its defaults among them."""
        self.stage("original")
        latest = LatestCall(str(self.bench.sides["original"].file), function)
        with watched(latest):
            self.bench.call("original", function, trial)
        return latest.kinds

    def compare(self, function: str, trial: Trial) -> dict[str, Any]:
        """Call both sides and compare; a plain dictionary for the protocol."""
        self.stage("original")
        original = self.bench.call("original", function, trial)
        if original.raised is not None:
            return self._rejected(function, trial, original)
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
            if port.raised == _SINGULAR and self._singular(function, trial, original):
                return {**evidence, "status": "shaky"}
            evidence |= {"raised": port.raised, "inputs": self._inputs(trial).description()}
            return {**evidence, "status": "port-raised", "difference": text}
        if self._calls[function] in _TWICE:
            original, port = self._once_more(function, trial, original, port)
        self.stage("original-again")
        alike = port.agrees(original)
        try:
            answer = self._compared(function, trial, original, port, unset, alike, not due)
        except NotReproduced as found:
            if found.unset is None:
                return {**evidence, "status": "unstable"}
            answer = self._compared(function, trial, original, port, found.unset)
        if answer["status"] != "equal":
            answer = self._doubted(function, trial, original, port, answer)
            answer["inputs"] = self._inputs(trial).description()
        evidence["finite"] = evidence["finite"] and answer["compared"] > 0
        if answer["status"] == "equal":
            evidence["chosen"] = self._chosen(function, trial)
        return {**evidence, **answer}

    def _chosen(self, function: str, trial: Trial) -> list[list[Any]]:
        """What the original's masks held in the examples that were compared."""
        if function not in self._choices:
            self._choices[function] = Choices.of(self.bench, function)
        choices = self._choices[function]
        if choices.open:
            choices.learn(self.bench, function, trial)
        return choices.plain()

    def _singular(self, function: str, trial: Trial, original: Observation) -> bool:
        """Whether a matrix is singular but for roundings: the original's own answer is noise."""
        return decided_by_rounding(original, self._beside(function, trial))

    def _beside(self, function: str, trial: Trial) -> Iterator[Observation]:
        """The original with other roundings, and on inputs beside where these are not made to be
        at an edge."""
        yield from rounded_otherwise(self.bench, self.stage, function, trial)
        if not _edged(trial):
            yield from self._responses(function, trial)

    def _once_more(
        self, function: str, trial: Trial, original: Observation, port: Observation
    ) -> tuple[Observation, Observation]:
        """Both sides on the same input again, the first results still held by a caller.

        A port that keeps a buffer or remembers answers may be right the first time alone.
        """
        again = self.bench.call("port", function, trial)
        if again.raised is not None:
            return original, port
        self.stage("original-again")
        known = self.bench.call("original", function, trial, How(pattern=PATTERNS[1]))
        return replace(original, views=tuple({*original.views, *known.views})), again

    def _doubted(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        answer: dict[str, Any],
    ) -> dict[str, Any]:
        """The answer that two sides differ, or another where the input is no fair one."""
        if casts_what_fits_not(self.bench, function, trial):
            return {**answer, "status": "cast"}
        factor = Policy(elements=self._inputs(trial).elements).factor
        sides = original, port
        if casts_roundings(self.bench, function, trial, answer["where"], sides, factor):
            return {**answer, "status": "cast"}
        # a random number may by chance leave no trace, so that a difference is doubted twice
        for _ in range(_DOUBTS):
            unset = self._repeated(function, trial, original, traced=False)
            if unset is None:
                return {**answer, "status": "unstable"}
            if unset:
                answer = self._compared(function, trial, original, port, unset)
                if answer["status"] == "equal":
                    return answer
        answer = self._besides_shaky(function, trial, original, port, answer)
        if answer["status"] == "shaky":
            return answer
        # just beside an edge moved inputs too may decide, where they move what is compared far
        otherwise = (
            self._responses(function, trial)
            if trial.beside
            else rounded_otherwise(self.bench, self.stage, function, trial)
        )
        # where neither side rounds, no rounding decides
        may = (
            (_edged(trial) or trial.alias)
            and answer["status"] == "differs"
            and not (original.exact and port.exact)
        )
        if may and decided_by_rounding(original, otherwise, self._inputs(trial).single):
            return {**answer, "status": "edge"}
        return answer

    def _besides_shaky(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        answer: dict[str, Any],
    ) -> dict[str, Any]:
        """The answer without elements that are finite or not by rounding alone."""
        masks: dict[str, Mask] = {}
        while answer["status"] == "differs" and len(masks) < _SHAKY:
            where = answer["where"]
            quotients = without_quotient(self.bench, function, trial, where, original, port)
            mask = shaky(where, original, port, self._beside(function, trial))
            if mask is not None and quotients is not None:
                mask |= quotients
            mask = quotients if mask is None else mask
            if mask is None or where in masks:
                return answer
            if mask.all():
                return {**answer, "status": "shaky"}
            masks[where] = mask
            answer = self._compared(function, trial, original, port, masks)
        return {**answer, "status": "shaky"} if answer["status"] == "equal" else answer

    def _compared(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        unset: dict[str, Mask],
        alike: bool = False,
        once: bool = False,
    ) -> dict[str, Any]:
        """The answer of one comparison; where the original was called `once` so far, it is again
        before its responses explain anything."""
        exact = original.exact and port.exact
        # nothing has to be explained where all bits are equal
        explained = alike and not may_factorise(self._text())
        policy = Policy(exact=exact) if explained else self._policy(function, trial)
        policy = replace(policy, unset=unset, exact=exact)
        if once:
            again = lambda: self._repeated(function, trial, original, traced=False)  # noqa: E731
            policy = replace(policy, responses=OfReproducible(policy.responses, again))
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
        return unset_elements(original, again)

    # -- what deviations may be explained by --------------------------------------------------

    def _responses(
        self,
        function: str,
        trial: Trial,
        flips: frozenset[Flip] = frozenset(),
        stably: bool = False,
    ) -> Responses:
        inputs = self._inputs(trial)
        facts = inputs.bare, inputs.single
        return Responses(self.bench, self.stage, function, trial, *facts, flips, stably)

    def _policy(self, function: str, trial: Trial) -> Policy:
        inputs = self._inputs(trial)
        return Policy(
            responses=self._responses(function, trial),
            elements=inputs.elements,
            smooth=trial.family in SMOOTH_FAMILIES and not trial.tied and not trial.edits,
            edged=_edged(trial) and not inputs.bare,
            rounded=SAME_INPUTS,
            device=trial.device is not None,
            single=inputs.single,
            complex=bool(inputs.characters & set("FDG")),
            lowest=inputs.lowest,
        )

    def _inputs(self, trial: Trial) -> InputFacts:
        """What is known of the arguments; the last answer is kept."""
        if self._known is None or self._known[0] is not trial:
            self._known = trial, InputFacts.of(trial, self.bench.sides["original"])
        return self._known[1]

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
        if status == "differs" and sorts_openly(self._text()):
            status = self._stably(function, trial, original, port, policy, outcome)
        if not may_factorise(self._text()):
            return status
        gauged = GaugedComparison(self.bench, self._responses, function, trial, original, policy)
        if status == "differs":
            return gauged.resolved(port, outcome)
        if self._calls[function] <= _GAUGED and gauged.moves():
            outcome.notes[GAUGE_MOVES] += 1
        return status

    def _stably(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        policy: Policy,
        outcome: Comparison,
    ) -> str:
        """The status of a comparison that differs, where the original's sorts are stable."""

        def respond(function: str, trial: Trial) -> Responses:
            return self._responses(function, trial, stably=True)

        found = StablySorted(self.bench, respond, function, trial, original, policy)
        return found.resolved(port, outcome)

    def _text(self) -> str:
        """The original's file."""
        if self._read is None:
            file = self.bench.sides["original"].file
            self._read = file.read_text(encoding="utf-8", errors="replace")
        return self._read

    # -- what the original refuses ----------------------------------------------------------

    def _rejected(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        """The original raises: its own ``raise`` statements must still be raised by the port."""
        judged = self.refusals.judged(function, trial, original)
        evidence = {"status": "rejected", "raised": original.raised, "message": original.message}
        if judged.traced:
            evidence |= self._lines(function)
        if judged.difference is None:
            return {**evidence, "notes": dict(judged.notes)}
        inputs = describe(build(trial.slots, trial))
        failing = {"status": "differs", "where": "exception", "inputs": inputs}
        return {**evidence, **failing, "difference": judged.difference}

    # -- evidence ---------------------------------------------------------------------------

    def _evidence(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        return {
            "digest": original.product(),
            "finite": original.finite(),
            "sole": self._sole(function, original),
            "seconds": original.seconds,
            **self._lines(function),
        }

    def _sole(self, function: str, original: Observation) -> dict[str, str] | None:
        """The value that each piece of what came out is; None from the first with several."""
        if function not in self._varied:
            sole = original.sole_values()
            if sole is not None:
                return sole
            self._varied.add(function)
        return None

    def _lines(self, function: str) -> dict[str, Any]:
        """What has run so far, where that is more than was told last."""
        cover = self.bench.coverage(function)
        if cover is None or self._told.get(function) == cover.extent:
            return {}
        self._told[function] = cover.extent
        return {
            "seen": sorted(cover.seen & cover.lines),
            "lines": sorted(cover.lines),
            "taken": sorted(cover.taken & cover.branches),
            "branches": sorted(cover.branches),
        }


def _edged(trial: Trial) -> bool:
    """Whether the input was made to lie at the edge of comparisons; what is huge or NaN is not."""
    near = any(abs(value) < HUGE for _, _, value in trial.edits)
    return trial.tied or near or (trial.family == "thresholds" and bool(trial.literals))


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
