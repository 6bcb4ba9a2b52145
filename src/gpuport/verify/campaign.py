"""All trials of one function: draw, judge, gather evidence, shrink what fails."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.verify.acceptance import Acceptance, Sources
from gpuport.verify.changes import PortFacts
from gpuport.verify.compare import IDENTITY, OPEN_IDENTITY
from gpuport.verify.corners import Corners
from gpuport.verify.evidence import Tally
from gpuport.verify.examiner import Answer, Examiner
from gpuport.verify.isolation import HUNG, Worker, WorkerLost
from gpuport.verify.limits import limit_of
from gpuport.verify.records import Evidence, Verdict, VerifyOptions
from gpuport.verify.schedule import (
    Schedule,
    may_hold_arrays,
    most_arrays,
    residencies,
    smaller,
    turned,
)
from gpuport.verify.signatures import Signature
from gpuport.verify.sizesseen import written
from gpuport.verify.slots import OWN, Trial
from gpuport.verify.standins import STAND_IN
from gpuport.verify.templates import Template
from gpuport.verify.values import SMOOTH_FAMILIES

_SHRINK_STEPS = 25
_ALIKE_EACH_TIME = 12
_PROVES_NOTHING = ("lost", "unstable", "gauge", "edge", "cast", "shaky")
_SYMMETRIC = "definite"
_REFUSED_DRAWS = 3 * ("thresholds", "normal")
_EDGE_SECONDS, _EDGE_BASES, _SMOOTH_BASES, _EDGE_TRIALS, _EDGE_SIZE = 0.3, 3, 2, 5, 12
_SLOW, _FEWER = 16, 4
_DEVICE_TRIES = 5
SLOW = "left out: the port is slow on host emulation where arrays are this large"
_RESIDENCY_ERRORS = ("TypeError", "ValueError", "NotImplementedError", "LinAlgError")


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

    settled = False  # whether it is known which arguments are on the device

    def __init__(
        self,
        worker: Worker,
        signature: Signature,
        facts: PortFacts,
        options: VerifyOptions,
        sources: Sources | None = None,
    ) -> None:
        self.worker = worker
        self.signature = signature
        self.facts = facts
        self.options = options
        self.tally = Tally()
        self.examiner = Examiner(worker, signature.name, options, self.tally)
        self.acceptance = Acceptance(self.examiner, signature, facts, sources or Sources())
        self.given = sources.given if sources is not None else None
        self.device: tuple[str, ...] | None = None
        self._ungiven: tuple[str, ...] = ()
        self._usual: tuple[str, ...] = ()  # of the constructor
        self._proven: list[tuple[int, Mapping[str, int]]] = []
        self._bases: list[Trial] = []
        self._corners = Corners()
        self._held: set[str] = set()
        self._tried, self._on_trial = 0, False

    def run(self) -> Outcome:
        """Verify the function.

        Returns
        -------
        Outcome
        """
        if self.signature.obstacle:
            return self._untested(f"it cannot be called here: {self.signature.obstacle}")
        templates = self.acceptance.templates()
        if not templates:
            return self._untested(self.tally.why_nothing_accepted())
        given = {name for template in templates for name in template.given}
        own, init = self.signature.parameters, self.signature.init or ()
        self._ungiven = tuple(p.name for p in own if p.optional and p.name not in given)
        self._usual = tuple(p.name for p in init if p.optional and p.name not in given)
        self.acceptance.find_states()
        if self.given is not None:
            templates = [t for t in templates if t.recorded] or templates
        elif self.facts.internal:
            templates = most_arrays(templates)
        # what the original refuses by its own raise statements the port must refuse too
        # in the same order: another draw of them may break two rules at a time
        refused = [
            replace(trial, seed=(*trial.seed, k), family=family) if k else trial
            for trial in self.acceptance.refused.values()
            for k, family in enumerate((trial.family, *_REFUSED_DRAWS))
        ]
        refused += turned(templates, self.options.seed)
        return (
            self._through(itertools.chain(refused, self.schedule(templates).trials()))
            or self._at_corners()
            or self._at_edges()
            or self._judge()
        )

    def _through(self, trials: Iterable[Trial]) -> Outcome | None:
        """Examples until there are enough, or one settles the verdict."""
        here = (self._as_called(trial) for trial in trials if self._belongs(trial))
        ahead = self.given is None  # else the worker is asked about each before it is sent
        for trial, answer in self.examiner.compared(here, lambda: self.settled and ahead):
            failed = self.weigh(trial, answer)
            if failed is not None:
                return failed
            enough = self.tally.accepted >= self.options.examples and self.tally.covered
            if enough or self._alike_each_time or self.examiner.exhausted:
                break
        return None

    @property
    def _alike_each_time(self) -> bool:
        """Whether nothing goes in, and the same came out in more calls than chance explains."""
        one = len(self.tally.digests) < 2
        return self._takes_nothing and one and self.tally.accepted >= _ALIKE_EACH_TIME

    @property
    def _takes_nothing(self) -> bool:
        return not self.signature.parameters and not self.signature.init

    def _at_corners(self) -> Outcome | None:
        """Examples with a NaN or an infinity alone at the end of an array, or for a number."""
        for trial in self._corners.trials():
            if self.examiner.exhausted or not self.examiner.remains(_EDGE_SECONDS):
                return None
            failed = self.example(trial)
            if failed is not None:
                return failed
        return None

    def _at_edges(self) -> Outcome | None:
        """Examples at the edges of comparisons that the original makes on the way."""
        again = (replace(t, seed=(*t.seed, k)) for k in range(_EDGE_BASES) for t in self._bases)
        for trial in itertools.islice(itertools.chain(self._bases, again), _EDGE_TRIALS):
            if self.examiner.exhausted or not self.examiner.remains(_EDGE_SECONDS):
                return None
            try:
                answer = self.examiner.ask("edges", trial, seconds=_EDGE_SECONDS)
            except WorkerLost:
                return None
            for name, index, value, exact in answer["edges"]:
                at_edge = replace(trial, edits=((name, index, value),), beside=not exact)
                # what stands beside a kernel has comparisons of its own
                for refused in (False, True) if self.facts.guarded else (trial.refused,):
                    failed = self.example(replace(at_edge, refused=refused))
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
            self.acceptance.states,
            self.acceptance.needed,
            self.facts.guarded,
            self._proven,
        )

    # -- one example ----------------------------------------------------------------------

    def _as_called(self, trial: Trial) -> Trial:
        """The trial with the residency that has been found out."""
        if self.device is None:
            return trial
        # which of their arguments earlier calls want on the device is not known
        return replace(trial, device=self.device, before=self.acceptance.needed)

    def _belongs(self, trial: Trial) -> bool:
        """Whether the arguments are of kinds that are to be drawn at all."""
        return self.given is None or self.examiner.foreign(trial, self.given) is None

    def example(self, trial: Trial) -> Outcome | None:
        """Compare both sides on one trial; the outcome where that settles the verdict."""
        trial = self._as_called(trial)
        if not self._belongs(trial):
            return None
        return self.weigh(trial, self.examiner.compare(trial))

    def weigh(self, trial: Trial, answer: Answer) -> Outcome | None:
        """What a comparison adds to the evidence; the outcome where it settles the verdict."""
        self.tally.drawn += 1
        if _failing(answer) and trial.device != self.device:
            # it was sent before that was found out
            trial = self._as_called(replace(trial, device=self.device))
            answer = self.examiner.compare(trial)
        if _failing(answer) and (not self.settled or self._holds_others(trial)):
            trial, answer = self._other_residency(trial, answer)
        if _failing(answer) and self._on_trial:
            trial, answer = self._on_host_again(trial, answer)
        if self._merely_slow(trial, answer):
            self.tally.notes[SLOW] += 1
            return None
        if answer["status"] == "rejected":
            self.tally.reject(answer)
            self.tally.notes.update(answer.get("notes", {}))
            return None
        # empty inputs are accepted by most functions, and tell little
        if answer.get("finite"):
            self._proven.append((trial.seed[-1], trial.sizes))
        if answer["status"] in _PROVES_NOTHING:
            self.tally.leave_out(answer["status"])
            return None
        source = "recorded" if self.acceptance.recorded else self.signature.source
        limit = limit_of(answer, source, trial)
        if limit is not None:
            self.tally.limit(limit)
            return None
        if _failing(answer):
            return self._failed(trial, answer)
        self.settled = self.settled or self._tells_residency(trial, answer)
        if not (self.settled or answer["counters"].get("launches", 1)):
            self._try_on_device(trial)
        self.tally.count(trial, answer)
        self._held.update(may_hold_arrays(trial))
        self._keep_base(trial)
        self._corners.keep(trial)
        return None

    def _merely_slow(self, trial: Trial, answer: Answer) -> bool:
        """Whether the port got no answer in time for an input that is large for the emulation.

        Element by element it takes a thousand times as long there as NumPy does: who hangs does
        so for less, too.
        """
        if answer["status"] != "port-lost" or HUNG not in str(answer["difference"]):
            return False
        emulated = self.worker.backend.startswith("host")
        if not emulated or max(trial.sizes.values(), default=0) < _SLOW:
            return False
        less = {name: max(size // _FEWER, min(size, 1)) for name, size in trial.sizes.items()}
        again = self.examiner.compare(replace(trial, sizes=less))
        return bool(again["status"] == "equal")

    def _holds_others(self, trial: Trial) -> bool:
        """Whether arrays stand where numbers stood in all examples that agreed so far."""
        inside = self.facts.internal or self.facts.device_result
        return inside and not self._held.issuperset(may_hold_arrays(trial))

    def _keep_base(self, trial: Trial) -> None:
        """Keep an example to look for edges from: most of smooth values, one symmetric."""
        largest = max(trial.sizes.values(), default=1)
        usual = trial.dtype in ("float64", "float32")  # others are not moved
        if not usual or trial.alias or trial.tied or not 0 < largest <= _EDGE_SIZE:
            return
        alike = [base for base in self._bases if base.family == _SYMMETRIC]
        wanted = trial.family in SMOOTH_FAMILIES and len(self._bases) - len(alike) < _SMOOTH_BASES
        if wanted or (trial.family == _SYMMETRIC and trial.sizes and not alike):
            self._bases = [*self._bases, trial]

    def _try_on_device(self, trial: Trial) -> None:
        """Where nothing ran on the device, give a function without a boundary CuPy arrays.

        Some of what is written for these takes NumPy arrays as well, and computes on the host.
        """
        choice = next(iter(residencies(trial)), ())
        written = self.facts.internal and self.facts.device_code
        if not choice or not written or self._tried >= _DEVICE_TRIES:
            return
        self._tried += 1
        answer = self.examiner.compare(replace(trial, device=choice, before=self.acceptance.needed))
        if answer["status"] == "equal" and answer["counters"].get("launches", 0):
            self.device, self._on_trial = choice, True

    def _on_host_again(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """What fails where CuPy arrays were merely tried proves nothing if NumPy's are right."""
        other = replace(trial, device=None)
        again = self.examiner.compare(other)
        if again["status"] != "equal":
            return trial, answer
        self.device, self._on_trial = None, False
        return other, again

    def _tells_residency(self, trial: Trial, answer: Answer) -> bool:
        """Whether an equal example shows how the port is called: its device code ran, if it has any
        and callers may hold device arrays.

        Some functions of CuPy take NumPy arrays and call their methods: what nothing is moved to
        the device of says nothing of where it is to be.
        """
        if self.device is not None or not (self.facts.internal and self.facts.reaches_device):
            return True
        counters = answer["counters"]
        if may_hold_arrays(trial):
            return bool(counters.get("h2d", 0))
        return bool(counters.get("launches", 0))

    def _failed(self, trial: Trial, answer: Answer) -> Outcome | None:
        self.tally.failing += 1
        if self.tally.mostly_unstable:
            return None
        if self.acceptance.made_up and answer["status"] != "differs":
            # the port may keep attributes on the device that are made up as NumPy arrays
            names = ", ".join(self.acceptance.made_up)
            return self._untested(f"attributes made up ({names}) do not suit the port")
        objects = [s.name for s in trial.slots if s.dtype == STAND_IN or s.kind == "callable"]
        if not self.facts.bounded and objects and answer["status"] != "differs":
            # all calls of it are in the program: they may never give such an object
            names = ", ".join(objects)
            return self._untested(f"objects made up ({names}) do not suit the port")
        return self._failure(trial, answer)

    def _other_residency(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """A function without a boundary, called inside its file, may take CuPy arrays.

        One that takes them, and answers with other values, is not excused by what it gives for
        NumPy arrays: its device code has run for the former alone.
        """
        if not _of_residency(answer) or not (self.facts.internal or self.facts.device_result):
            return trial, answer
        options = residencies(trial)
        if self.facts.device_result:
            # its instance holds device arrays: so may what its constructor is given
            own = (c for c in options if c and all(name.startswith(OWN) for name in c))
            options = [(), *own]
        wrong: tuple[Trial, Answer] | None = None
        same = str(answer["difference"]).startswith(IDENTITY)
        for choice in options:
            other = replace(trial, device=choice, before=self.acceptance.needed)
            again = self.examiner.compare(other)
            if again["status"] == "rejected" and answer.get("where") == "exception":
                return other, again  # both refuse it alike: where arrays are is left open
            if same and (not choice or OPEN_IDENTITY in again.get("notes", ())):
                continue  # which array it is was the question
            if again["status"] in ("equal", "unstable", "cast"):
                if wrong is not None:
                    return wrong
                known = self.device if self.settled and self.device else ()
                self.device = tuple(
                    dict.fromkeys((*known, *choice))
                )  # what differs is not where arrays are
                return other, again
            if wrong is None and choice and _other_values(again):
                wrong = other, again
        return wrong or (trial, answer)  # other values tell more than where arrays may not be

    # -- verdicts -------------------------------------------------------------------------

    def _failure(self, trial: Trial, answer: Answer) -> Outcome:
        trial, answer = self._shrunk(trial, answer)
        verdict = Verdict.DIFFERS if answer["status"] == "differs" else Verdict.ERROR
        where = f"{answer['where']}: " if answer.get("where") else ""
        reason = f"{where}{answer['difference']}"
        if verdict is Verdict.ERROR:
            reason = f"the port {_verb(answer)} where the original returned"
        inputs = f"{answer.get('inputs', '')} ({trial.family} values)"
        return Outcome(verdict, reason, self._evidence(), trial, inputs)

    def _shrunk(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """The smallest trial found that fails in the same way."""
        if answer["status"] == "port-lost":
            return trial, answer  # every further step would cost another hang
        steps = 0
        progress = True
        while progress and steps < _SHRINK_STEPS:
            progress = False
            for simpler in smaller(trial):
                if not self._belongs(simpler):
                    continue
                steps += 1
                other = self.examiner.compare(simpler)
                if other["status"] == answer["status"]:
                    trial, answer, progress = simpler, other, True
                    break
                if steps >= _SHRINK_STEPS:
                    break
        return trial, answer

    def _judge(self) -> Outcome:
        counted = self.worker.backend.startswith("host")
        reason = self.tally.doubt(
            budget=self.options.function_seconds if self.examiner.late else None,
            on_device=counted and self.facts.device_code,
            takes_nothing=self._takes_nothing,
        )
        if reason is None and self._ungiven:
            names = ", ".join(self._ungiven)
            reason = f"nothing but the default was accepted for {names}: declare its inputs"
        unwritten = self.tally.sizes.one_size() - written(self.signature)
        if reason is None and unwritten and not self.acceptance.recorded:
            shown = "; ".join(self.tally.sizes.never_varied())
            reason = (
                f"inputs of one size alone were accepted, which the text does not ask for: {shown}"
            )
        if reason is None and self.tally.sizes.tiny() and not self.acceptance.recorded:
            reason = "no arrays with more than two elements along an axis that varies were accepted"
        if reason is not None:
            return self._untested(reason)
        label = "on host emulation; not run on a GPU" if counted else "on a GPU"
        label += "" if self.given is None else "; for arguments such as its program gives"
        return Outcome(Verdict.EQUIVALENT, label, self._evidence())

    def _untested(self, reason: str) -> Outcome:
        return Outcome(Verdict.UNTESTED, reason, self._evidence())

    def _evidence(self) -> Evidence:
        remarks = Counter(self.worker.remarks)
        made_up = self.acceptance.made_up
        if self.device is not None:
            given = ", ".join(self.device) or "its result"
            remarks[f"CuPy arrays across the call, because it has no NumPy boundary: {given}"] += 1
        if made_up:
            remarks[f"attributes of the instance made up: {', '.join(made_up)}"] += 1
        if self.acceptance.subclass:
            name = self.acceptance.subclass.rpartition(":")[2]
            remarks[f"called on instances of a subclass: {name}"] += 1
        if self._usual:
            names = ", ".join(self._usual)
            remarks[f"nothing but the default was accepted of the constructor's {names}"] += 1
        never = self.tally.sizes.never_varied()
        if never:
            remarks[f"one size in all examples, as no other was accepted: {'; '.join(never)}"] += 1
        inputs = "recorded" if self.acceptance.recorded else self.signature.source
        inputs = "guessed" if made_up else inputs
        inputs = "called" if self.given is not None else inputs
        return self.tally.evidence(inputs, self.worker.backend, self.options.seed, remarks)


def _failing(answer: Answer) -> bool:
    return answer["status"] in ("differs", "port-raised", "port-lost")


def _of_residency(answer: Answer) -> bool:
    """Whether where arrays are may be what fails: by an error, a type, or an array's identity."""
    told = str(answer["difference"])
    raised = answer.get("raised") in _RESIDENCY_ERRORS
    raised = raised or any(f"the port raised {error}" in told for error in _RESIDENCY_ERRORS)
    return raised or "CuPy array" in told or told.startswith(IDENTITY)


def _other_values(answer: Answer) -> bool:
    """Whether an answer tells of numbers alone, not of where arrays are."""
    text = str(answer["difference"]) if answer["status"] == "differs" else ""
    return text.startswith(("value:", "shape:")) and str(answer["where"]).startswith("result")


def _verb(answer: Answer) -> str:
    lost = answer["status"] == "port-lost"
    return f"failed ({answer['difference']})" if lost else str(answer["difference"])
