"""Whether two sides differ: the comparison, what may explain a deviation, doubts of the input."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.comparison.compare import Comparison, compare
from gpuport.verify.comparison.gauged import GAUGE_MOVES, GaugedComparison, may_factorise
from gpuport.verify.comparison.quotients import without_quotient
from gpuport.verify.comparison.responses import (
    SAME_INPUTS,
    OfReproducible,
    Responses,
    rounded_otherwise,
)
from gpuport.verify.comparison.stablysorted import StablySorted
from gpuport.verify.execution.calling import PATTERNS, Bench, How
from gpuport.verify.execution.casts import casts_roundings, casts_what_fits_not
from gpuport.verify.execution.gauge import Flip
from gpuport.verify.execution.inputfacts import InputFacts
from gpuport.verify.execution.sortorder import sorts_openly
from gpuport.verify.execution.tolerance import Mask, Policy, decided_by_rounding, shaky
from gpuport.verify.execution.uninitialised import unset_elements
from gpuport.verify.inputs.corners import HUGE
from gpuport.verify.inputs.values import SMOOTH_FAMILIES
from gpuport.verify.sides.syntax import definition
from gpuport.verify.slots import Trial

_GAUGED = 3
_DOUBTS = 2
_SHAKY = 4  # parts of a result
_PLACES = 40  # of which it is told how well they could be compared


@dataclass(frozen=True, slots=True)
class Example:
    """One input of a function, and what each side made of it.

    Attributes
    ----------
    function : str
    trial : Trial
    original, port : Observation
    number : int
        How many inputs the original has accepted so far, with this one.
    first : Observation or None
        What the original made of it the first time, where `original` holds more than that.
    """

    function: str
    trial: Trial
    original: Observation
    port: Observation
    number: int
    first: Observation | None = None


class Judge:
    """Judges examples of the functions of one file.

    Parameters
    ----------
    bench : Bench
        What calls both sides.
    stage : callable
        Told what is being run: ``original-again``.
    """

    def __init__(self, bench: Bench, stage: Callable[[str], None]) -> None:
        self.bench = bench
        self.stage = stage
        self._known: tuple[Trial, InputFacts] | None = None
        self._read: str | None = None

    def compared(
        self,
        example: Example,
        unset: dict[str, Mask],
        *,
        alike: bool = False,
        once: bool = False,
    ) -> dict[str, Any]:
        """The answer of one comparison.

        Parameters
        ----------
        example : Example
        unset : dict of str to Mask
            Elements of uninitialised memory, by where they are.
        alike : bool
            Whether both sides agree to the bit.
        once : bool
            Whether the original was called once so far: it is again, before its responses explain
            anything.
        """
        function, trial = example.function, example.trial
        exact = example.original.exact and example.port.exact
        # nothing has to be explained where all bits are equal
        explained = alike and not may_factorise(self._text())
        policy = Policy(exact=exact) if explained else self.policy(function, trial)
        policy = replace(policy, unset=unset, exact=exact)
        if once:
            again = lambda: self.repeated(function, trial, example.original)  # noqa: E731
            policy = replace(policy, responses=OfReproducible(policy.responses, again))
        outcome = compare(example.original, example.port, policy)
        status = self._gauged(example, policy, outcome)
        if unset:
            outcome.notes["elements of uninitialised memory left out"] += 1
        exact = policy.exact and status == "equal"
        plain = _plain(outcome)
        return {**plain, "status": status, "exact": exact, "turned": bool(policy.turned)}

    def repeated(
        self, function: str, trial: Trial, original: Observation, *, traced: bool = False
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

    # -- doubts about a difference ----------------------------------------------------------

    def doubted(self, example: Example, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer that two sides differ, or another where the input is no fair one."""
        function, trial, original = example.function, example.trial, example.original
        if casts_what_fits_not(self.bench, function, trial):
            return {**answer, "status": "cast"}
        if self.inputs(trial).unordered and self._orders(function):
            return {**answer, "status": "unordered"}
        factor = Policy(elements=self.inputs(trial).elements).factor
        sides = original, example.port
        if casts_roundings(self.bench, function, trial, answer["where"], sides, factor):
            return {**answer, "status": "cast"}
        # a random number may by chance leave no trace, so that a difference is doubted twice
        for _ in range(_DOUBTS):
            unset = self.repeated(function, trial, example.first or original)
            if unset is None:
                return {**answer, "status": "unstable"}
            if unset:
                answer = self.compared(example, unset)
                if answer["status"] == "equal":
                    return answer
        answer = self._besides_shaky(example, answer)
        if answer["status"] == "differs" and self._is_at_edge(example, answer["turned"]):
            return {**answer, "status": "edge"}
        return answer

    def _orders(self, function: str) -> bool:
        """Whether the original asks which of two values is larger.

        Of complex numbers with NaN in the imaginary part alone NumPy says something else one by one
        than of whole arrays, so that there is no right answer to agree with.
        """
        node = definition(self.bench.sides["original"].tree(), function)
        compares = (
            (part for part in ast.walk(node) if isinstance(part, ast.Compare)) if node else ()
        )
        return any(
            isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for c in compares for op in c.ops
        )

    def _is_at_edge(self, example: Example, turned: bool) -> bool:
        """Whether a rounding decides on which side of an edge this input lies.

        `turned`: moved constants have turned a comparison of the original.
        """
        trial, original = example.trial, example.original
        at_edge = _edged(trial) or bool(trial.alias) or turned
        if not at_edge or (original.exact and example.port.exact):
            return False  # where neither side rounds, no rounding decides
        # just beside an edge moved inputs too may decide, where they move what is compared far
        otherwise = (
            self._responses(example.function, trial)
            if trial.beside
            else rounded_otherwise(self.bench, self.stage, example.function, trial)
        )
        return decided_by_rounding(original, otherwise, self.inputs(trial).single)

    def _besides_shaky(self, example: Example, answer: dict[str, Any]) -> dict[str, Any]:
        """The answer without elements that are finite or not by rounding alone."""
        function, trial = example.function, example.trial
        original, port = example.original, example.port
        masks: dict[str, Mask] = {}
        while answer["status"] == "differs" and len(masks) < _SHAKY:
            where = answer["where"]
            quotients = without_quotient(self.bench, function, trial, where, original, port)
            mask = shaky(where, original, port, self._beside(example))
            if mask is not None and quotients is not None:
                mask |= quotients
            mask = quotients if mask is None else mask
            if mask is None or where in masks:
                return answer
            if mask.all():
                return {**answer, "status": "shaky"}
            masks[where] = mask
            answer = self.compared(example, masks)
        return {**answer, "status": "shaky"} if answer["status"] == "equal" else answer

    def is_singular(self, example: Example) -> bool:
        """Whether a matrix is singular but for roundings: the original's own answer is noise."""
        beside = list(self._beside(example))
        if any(other.raised == "LinAlgError" for other in beside):
            return True  # with other roundings the original raises it, too
        # a matrix that was made to lie at an edge may be singular there and nowhere beside
        moved = self._responses(example.function, example.trial) if example.trial.tied else ()
        return decided_by_rounding(example.original, [*beside, *moved])

    def _beside(self, example: Example) -> Iterator[Observation]:
        """The original with other roundings, and on inputs beside where these are not made to be
        at an edge."""
        yield from rounded_otherwise(self.bench, self.stage, example.function, example.trial)
        if not _edged(example.trial):
            yield from self._responses(example.function, example.trial)

    # -- what deviations may be explained by --------------------------------------------------

    def _responses(
        self,
        function: str,
        trial: Trial,
        flips: frozenset[Flip] = frozenset(),
        stably: bool = False,
    ) -> Responses:
        inputs = self.inputs(trial)
        facts = inputs.bare, inputs.single
        return Responses(self.bench, self.stage, function, trial, *facts, flips, stably)

    def policy(self, function: str, trial: Trial) -> Policy:
        """By how much, and for what reasons, the port's floats may deviate."""
        inputs = self.inputs(trial)
        responses = self._responses(function, trial)
        return Policy(
            responses=responses,
            turned=responses.turned,
            elements=inputs.elements,
            smooth=trial.family in SMOOTH_FAMILIES and not trial.tied and not trial.edits,
            edged=_edged(trial) and not inputs.bare,
            rounded=SAME_INPUTS,
            device=trial.device is not None,
            single=inputs.single,
            complex=bool(inputs.characters & set("FDG")),
            factorised=not inputs.finite and may_factorise(self._text()),
            lowest=inputs.lowest,
        )

    def inputs(self, trial: Trial) -> InputFacts:
        """What is known of the arguments; the last answer is kept."""
        if self._known is None or self._known[0] is not trial:
            self._known = trial, InputFacts.of(trial, self.bench.sides["original"])
        return self._known[1]

    def _gauged(self, example: Example, policy: Policy, outcome: Comparison) -> str:
        """The status of a comparison, made under another gauge where that is nearer."""
        status = "equal" if outcome.difference is None else "differs"
        if status == "differs" and sorts_openly(self._text()):
            status = self._stably(example, policy, outcome)
        if not may_factorise(self._text()):
            return status
        function, trial, original = example.function, example.trial, example.original
        gauged = GaugedComparison(self.bench, self._responses, function, trial, original, policy)
        if status == "differs":
            return gauged.resolved(example.port, outcome)
        if example.number <= _GAUGED and gauged.moves():
            outcome.notes[GAUGE_MOVES] += 1
        return status

    def _stably(self, example: Example, policy: Policy, outcome: Comparison) -> str:
        """The status of a comparison that differs, where the original's sorts are stable."""

        def respond(function: str, trial: Trial) -> Responses:
            return self._responses(function, trial, stably=True)

        function, trial, original = example.function, example.trial, example.original
        found = StablySorted(self.bench, respond, function, trial, original, policy)
        return found.resolved(example.port, outcome)

    def _text(self) -> str:
        """The original's file."""
        if self._read is None:
            file = self.bench.sides["original"].file
            self._read = file.read_text(encoding="utf-8", errors="replace")
        return self._read


def _edged(trial: Trial) -> bool:
    """Whether the input was made to lie at the edge of comparisons; what is huge or NaN is not."""
    near = any(abs(value) < HUGE for _, _, value in trial.edits)
    return trial.tied or near or (trial.family == "thresholds" and bool(trial.literals))


def _plain(outcome: Comparison) -> dict[str, Any]:
    return {
        "difference": outcome.difference,
        "where": outcome.where,
        "compared": outcome.compared,
        "told": sorted(outcome.told)[:_PLACES],
        "vague": sorted(outcome.vague)[:_PLACES],
        "opaque": outcome.opaque,
        "errors": [outcome.errors.absolute, outcome.errors.relative, outcome.errors.ulp],
        "looseness": dict(outcome.looseness),
        "notes": dict(outcome.notes),
    }
