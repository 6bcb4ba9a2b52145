"""The verdict on one function: what its examples add up to, in words, with the evidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from gpuport.verify.execution.coverage import line_of
from gpuport.verify.inputs.drawing import build, describe
from gpuport.verify.inputs.sizesseen import written
from gpuport.verify.records import Evidence, Verdict
from gpuport.verify.sides.changes import PortFacts
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.slots import Trial
from gpuport.verify.trials.acceptance import Acceptance
from gpuport.verify.trials.examiner import Answer, Examiner
from gpuport.verify.trials.residency import Residency


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict and why, and the shrunk failing trial where there is one.

    ``raised_in`` is the line in which the port raised, ``unreached`` are lines of it that have
    something in them that no example ran.
    """

    verdict: Verdict
    reason: str
    evidence: Evidence
    failing: Trial | None = None
    inputs: str = ""
    raised_in: int | None = None
    unreached: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The verdicts that the verification of one function can come to.

    ``ungiven`` are optional parameters of which nothing but the default was accepted, ``usual``
    those of the constructor; ``called``: inputs are such as the program's own calls have.
    """

    examiner: Examiner
    acceptance: Acceptance
    residency: Residency
    signature: Signature
    facts: PortFacts
    called: bool = False
    ungiven: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()

    def untested(self, reason: str) -> Outcome:
        """Too little was compared."""
        return Outcome(Verdict.UNTESTED, reason, self._evidence())

    def failed(self, trial: Trial, answer: Answer) -> Outcome:
        """The two sides differ, or the port fails, on a trial that was made small."""
        verdict = Verdict.DIFFERS if answer["status"] == "differs" else Verdict.ERROR
        where = f"{answer['where']}: " if answer.get("where") else ""
        reason = f"{where}{answer['difference']}"
        if verdict is Verdict.ERROR:
            reason = f"the port {_verb(answer)} where the original returned"
        # a worker that is lost tells nothing of what it was given
        shown = answer.get("inputs") or describe(build(trial.slots, trial))
        inputs = f"{shown} ({trial.family} values)"
        line = line_of(answer["line"]) if answer.get("line") else None
        return Outcome(verdict, reason, self._evidence(), trial, inputs, raised_in=line)

    def held(self) -> Outcome:
        """No example fails: whether they suffice."""
        emulated = self.examiner.worker.backend.startswith("host")
        reason = self._doubt(emulated)
        if reason is not None:
            return replace(self.untested(reason), unreached=self.examiner.tally.port_unreached)
        label = "on host emulation; not run on a GPU" if emulated else "on a GPU"
        label += "; for arguments such as its program gives" if self.called else ""
        return Outcome(Verdict.EQUIVALENT, label, self._evidence())

    def _doubt(self, emulated: bool) -> str | None:
        """Why the examples do not suffice; None where they do."""
        examiner, tally = self.examiner, self.examiner.tally
        reason = tally.doubt(
            budget=examiner.options.function_seconds if examiner.late else None,
            on_device=emulated and self.facts.device_code,
            takes_nothing=self.signature.takes_nothing,
        )
        if reason is not None:
            return reason
        if self.ungiven:
            names = ", ".join(self.ungiven)
            return f"nothing but the default was accepted for {names}: declare its inputs"
        if self.acceptance.recorded:
            return None
        if tally.sizes.one_size() - written(self.signature):
            shown = "; ".join(tally.sizes.never_varied())
            return (
                f"inputs of one size alone were accepted, which the text does not ask for: {shown}"
            )
        if tally.sizes.tiny():
            return "no arrays with more than two elements along an axis that varies were accepted"
        return None

    def _evidence(self) -> Evidence:
        tally, worker, made_up = self.examiner.tally, self.examiner.worker, self.acceptance.made_up
        inputs = "recorded" if self.acceptance.recorded else self.signature.source
        inputs = "guessed" if made_up or self.acceptance.seen_in else inputs
        inputs = "called" if self.called else inputs
        return tally.evidence(inputs, worker.backend, self.examiner.options.seed, self._remarks())

    def _remarks(self) -> Counter[str]:
        """What of the way in which the function was called a reader has to know."""
        remarks = Counter(self.examiner.worker.remarks)
        if self.residency.device is not None:
            given = ", ".join(self.residency.device) or "its result"
            remarks[f"CuPy arrays across the call, because it has no NumPy boundary: {given}"] += 1
        if self.acceptance.made_up:
            made_up = ", ".join(self.acceptance.made_up)
            remarks[f"attributes of the instance made up: {made_up}"] += 1
        if self.acceptance.subclass:
            name = self.acceptance.subclass.rpartition(":")[2]
            remarks[f"called on instances of a subclass: {name}"] += 1
        if self.acceptance.seen_in:
            remarks[f"called as inside calls of {self.acceptance.seen_in}"] += 1
        if self.usual:
            names = ", ".join(self.usual)
            remarks[f"nothing but the default was accepted of the constructor's {names}"] += 1
        never = self.examiner.tally.sizes.never_varied()
        if never:
            remarks[f"one size in all examples, as no other was accepted: {'; '.join(never)}"] += 1
        return remarks


def _verb(answer: Answer) -> str:
    lost = answer["status"] == "port-lost"
    return f"failed ({answer['difference']})" if lost else str(answer["difference"])
