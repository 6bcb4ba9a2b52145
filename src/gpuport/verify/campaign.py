"""All trials of one function: draw, judge, gather evidence, shrink what fails."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpuport.recording.calls import Call
from gpuport.verify.evidence import Tally
from gpuport.verify.isolation import Worker, WorkerLost
from gpuport.verify.recorded import templates_of
from gpuport.verify.records import Evidence, Verdict, VerifyOptions
from gpuport.verify.schedule import Schedule, State, most_arrays, residencies, smaller
from gpuport.verify.search import search
from gpuport.verify.signatures import Signature
from gpuport.verify.slots import ATTRIBUTE, BARE, Trial
from gpuport.verify.templates import Refusal, Template
from gpuport.verify.values import SMOOTH_FAMILIES

_PROBE_SECONDS = 3.0
_LOST_LIMIT = 3
_SHRINK_STEPS = 25
_REFUSALS = 4
_EDGE_SECONDS, _EDGE_BASES, _EDGE_TRIALS, _EDGE_SIZE = 0.3, 3, 5, 12
_RESIDENCY_ERRORS = ("TypeError", "ValueError", "NotImplementedError", "LinAlgError")


@dataclass(frozen=True, slots=True)
class PortFacts:
    """What the port's text says about a function.

    ``device_code``: it names CuPy or has a boundary, so that some examples must reach the
    device. ``internal``: no boundary, and private or called from elsewhere in its own file, which
    is a program that is run, so that its callers may hold device arrays. ``device_result``: its
    boundary always answers with CuPy. ``arrays`` are the parameters that the boundary names: those
    that are tried as arrays first.
    ``guarded``: something of the file stands beside a kernel, for where it may not be launched.
    ``guards``: which parameters the function's own kernels want as what.
    """

    device_code: bool = False
    internal: bool = False
    device_result: bool = False
    arrays: tuple[str, ...] = ()
    guarded: bool = False
    guards: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict and why, and the shrunk failing trial where there is one."""

    verdict: Verdict
    reason: str
    evidence: Evidence
    failing: Trial | None = None
    inputs: str = ""


class Campaign:
    """The verification of one function in a loaded worker."""

    def __init__(
        self,
        worker: Worker,
        signature: Signature,
        facts: PortFacts,
        options: VerifyOptions,
        calls: Sequence[Call] = (),
        siblings: Sequence[Signature] = (),
        otherwise: Iterable[Signature] = (),
    ) -> None:
        self.worker = worker
        self.signature = signature
        self.facts = facts
        self.options = options
        self.calls = calls
        self.siblings = siblings
        self.otherwise = otherwise
        self.made_up: tuple[str, ...] = ()
        self.states: list[State] = []
        self.recorded = 0
        self.tally = Tally()
        self.device: tuple[str, ...] | None = None
        self.settled = False
        self._refused: dict[str, Trial] = {}
        self._needed: tuple[State, ...] = ()
        self._refusal = Refusal()
        self._proven: list[Mapping[str, int]] = []
        self._bases: list[Trial] = []
        self._deadline = time.monotonic() + options.function_seconds

    def run(self) -> Outcome:
        """Verify the function.

        Returns
        -------
        Outcome
        """
        if self.signature.obstacle:
            return self._untested(f"it cannot be called here: {self.signature.obstacle}")
        templates = self.templates()
        if not templates:
            return self._untested(self.tally.why_nothing_accepted())
        self.states = self.states or list(self._states())
        if self.facts.internal:
            templates = most_arrays(templates)
        # what the original refuses by its own raise statements the port must refuse too
        for trial in itertools.chain(self._refused.values(), self.schedule(templates).trials()):
            failed = self.example(trial)
            if failed is not None:
                return failed
            enough = self.tally.accepted >= self.options.examples and self.tally.covered
            if enough or self._exhausted():
                break
        return self._at_edges() or self._judge()

    def _at_edges(self) -> Outcome | None:
        """Examples at the edges of comparisons that the original makes on the way."""
        again = (replace(t, seed=(*t.seed, k)) for k in range(_EDGE_BASES) for t in self._bases)
        for trial in itertools.islice(itertools.chain(self._bases, again), _EDGE_TRIALS):
            if self._exhausted() or time.monotonic() + _EDGE_SECONDS > self._deadline:
                return None
            try:
                answer = self._ask("edges", trial, _PROBE_SECONDS, seconds=_EDGE_SECONDS)
            except WorkerLost:
                return None
            for name, index, value, exact in answer["edges"]:
                edits = ((name, index, value),)
                failed = self.example(replace(trial, edits=edits, beside=not exact))
                if failed is not None:
                    return failed
            if not answer["compares"]:
                return None
        return None

    def schedule(self, templates: Sequence[Template]) -> Schedule:
        """The examples that these templates give."""
        return Schedule(
            self.signature,
            templates,
            self.options.examples,
            self.options.seed,
            self.states,
            self._needed,
            self.facts.guarded,
            self._proven,
        )

    def templates(self) -> list[Template]:
        """Ways of filling the parameters that the original accepts.

        From recorded calls first; the cold start adds what nobody happened to call.

        Returns
        -------
        list of Template
        """
        seed = self.options.seed
        found = templates_of(self.calls, self.signature, self._accepts, seed)
        self.recorded = len(found)
        found += self._searched(self.signature)
        if found:
            return found
        # a method may need another one to have been called before: `fit` before `transform`
        self.states = list(self._states())
        for state in self.states:
            self._needed = (state,)
            found = self._searched(self.signature)
            if found:
                return found
        self._needed = ()
        for signature in self.otherwise:
            found = self._searched(signature)
            if found:
                names = (p.name for p in signature.init or ())
                self.made_up = tuple(n[1:] for n in names if n.startswith(ATTRIBUTE) and n != BARE)
                return found
        return []

    def _searched(self, signature: Signature) -> list[Template]:
        return search(
            signature,
            self._accepts,
            self.options.seed,
            self.facts.arrays,
            refusal=lambda: self._refusal,
            guards=self.facts.guards,
        )

    def _states(self) -> Iterator[State]:
        """Methods that change the instance, each with arguments that the original accepts."""
        for sibling in self.siblings:

            def accepts(trial: Trial, name: str = sibling.name) -> bool:
                return self._accepts(trial, name)

            refusal = lambda: self._refusal  # noqa: E731
            for template in search(sibling, accepts, self.options.seed, first=1, refusal=refusal):
                yield sibling.name.rpartition(".")[2], template.slots

    def _exhausted(self) -> bool:
        lost = sum(self.tally.lost.values())
        return time.monotonic() > self._deadline or lost >= _LOST_LIMIT

    # -- inputs ---------------------------------------------------------------------------

    def _accepts(self, trial: Trial, function: str | None = None) -> bool:
        if self._exhausted():
            return False
        if function is None:
            trial = replace(trial, before=self._needed)
        try:
            # the first call may compile, and so may every one after a restart
            patient = not self.tally.drawn_or_refused or self.tally.lost
            seconds = min(_PROBE_SECONDS * (4 if patient else 1), self.options.example_seconds)
            answer = self._ask("probe", trial, seconds, function)
        except WorkerLost as lost:
            self.tally.lost[lost.what] += 1
            return False
        if answer["raised"] is not None:
            self._refusal = Refusal(answer["line"], answer["text"], answer["message"])
        if answer["raised"] is not None and function is None:
            text = self.tally.reject(answer)
            if answer["explicit"] and len(self._refused) < _REFUSALS:
                self._refused.setdefault(text, trial)
        return answer["raised"] is None

    # -- one example ----------------------------------------------------------------------

    def _ask(
        self,
        operation: str,
        trial: Trial,
        limit: float,
        function: str | None = None,
        **more: float,
    ) -> dict[str, Any]:
        name = function or self.signature.name
        request = {"op": operation, "function": name, "trial": trial.to_json(), **more}
        answer = self.worker.ask(request, limit)
        if answer.get("status") == "failed":
            raise WorkerLost("verifier", str(answer["message"]))
        return answer

    def _compare(self, trial: Trial) -> dict[str, Any]:
        try:
            return self._ask("compare", trial, self.options.example_seconds)
        except WorkerLost as lost:
            if lost.stage == "port":
                return {"status": "port-lost", "difference": lost.what}
            self.tally.lost[f"{lost.stage}: {lost.what}"] += 1
            return {"status": "lost"}

    def example(self, trial: Trial) -> Outcome | None:
        """Compare both sides on one trial; the outcome where that settles the verdict."""
        self.tally.drawn += 1
        if self.device is not None:
            # which of their arguments earlier calls want on the device is not known
            trial = replace(trial, device=self.device, before=self._needed)
        answer = self._compare(trial)
        if _failing(answer) and not self.settled:
            trial, answer = self._other_residency(trial, answer)
        if answer["status"] == "rejected":
            self.tally.reject(answer)
            self.tally.cover(answer)
            return None
        if answer["status"] in ("lost", "unstable", "gauge", "edge"):
            self.tally.leave_out(answer["status"])
            return None
        if _failing(answer):
            if self.tally.mostly_unstable:
                return self._judge()
            if self.made_up and answer["status"] != "differs":
                # the port may keep attributes on the device that are made up as NumPy arrays
                names = ", ".join(self.made_up)
                return self._untested(f"attributes made up ({names}) do not suit the port")
            return self._failure(trial, answer)
        self.settled = True
        self.tally.count(trial, answer)
        self._proven.append(trial.sizes)
        plain = trial.family in SMOOTH_FAMILIES and not trial.alias and not trial.tied
        if plain and 0 < max(trial.sizes.values(), default=1) <= _EDGE_SIZE:
            self._bases = [*self._bases, trial][:_EDGE_BASES]
        return None

    def _other_residency(
        self, trial: Trial, answer: dict[str, Any]
    ) -> tuple[Trial, dict[str, Any]]:
        """A function without a boundary, called inside its file, may take CuPy arrays."""
        residency = answer.get("raised") in _RESIDENCY_ERRORS or "CuPy array" in str(
            answer["difference"]
        )
        if not residency or not (self.facts.internal or self.facts.device_result):
            return trial, answer
        options = [()] if self.facts.device_result else residencies(trial)
        for choice in options:
            other = replace(trial, device=choice, before=self._needed)
            again = self._compare(other)
            if again["status"] == "equal":
                self.device = choice
                return other, again
        return trial, answer

    # -- verdicts -------------------------------------------------------------------------

    def _failure(self, trial: Trial, answer: dict[str, Any]) -> Outcome:
        trial, answer = self._shrunk(trial, answer)
        verdict = Verdict.DIFFERS if answer["status"] == "differs" else Verdict.ERROR
        where = f"{answer['where']}: " if answer.get("where") else ""
        reason = f"{where}{answer['difference']}"
        if verdict is Verdict.ERROR:
            reason = f"the port {_verb(answer)} where the original returned"
        inputs = f"{answer.get('inputs', '')} ({trial.family} values)"
        return Outcome(verdict, reason, self._evidence(), trial, inputs)

    def _shrunk(self, trial: Trial, answer: dict[str, Any]) -> tuple[Trial, dict[str, Any]]:
        """The smallest trial found that fails in the same way."""
        if answer["status"] == "port-lost":
            return trial, answer  # every further step would cost another hang
        steps = 0
        progress = True
        while progress and steps < _SHRINK_STEPS:
            progress = False
            for simpler in smaller(trial):
                steps += 1
                other = self._compare(simpler)
                if other["status"] == answer["status"]:
                    trial, answer, progress = simpler, other, True
                    break
                if steps >= _SHRINK_STEPS:
                    break
        return trial, answer

    def _judge(self) -> Outcome:
        counted = self.worker.backend.startswith("host")
        late = time.monotonic() > self._deadline
        reason = self.tally.doubt(
            budget=self.options.function_seconds if late else None,
            on_device=counted and self.facts.device_code,
        )
        if reason is not None:
            return self._untested(reason)
        label = "on host emulation; not run on a GPU" if counted else "on a GPU"
        return Outcome(Verdict.EQUIVALENT, label, self._evidence())

    def _untested(self, reason: str) -> Outcome:
        return Outcome(Verdict.UNTESTED, reason, self._evidence())

    def _evidence(self) -> Evidence:
        remarks = Counter(self.worker.remarks)
        if self.device is not None:
            given = ", ".join(self.device) or "its result"
            remarks[f"CuPy arrays across the call, because it has no NumPy boundary: {given}"] += 1
        if self.made_up:
            remarks[f"attributes of the instance made up: {', '.join(self.made_up)}"] += 1
        inputs = "recorded" if self.recorded else self.signature.source
        inputs = "guessed" if self.made_up else inputs
        return self.tally.evidence(inputs, self.worker.backend, self.options.seed, remarks)


def _failing(answer: dict[str, Any]) -> bool:
    return answer["status"] in ("differs", "port-raised", "port-lost")


def _verb(answer: dict[str, Any]) -> str:
    lost = answer["status"] == "port-lost"
    return f"failed ({answer['difference']})" if lost else str(answer["difference"])
