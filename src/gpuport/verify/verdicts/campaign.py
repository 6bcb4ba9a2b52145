"""All trials of one function: draw, judge, gather evidence, shrink what fails."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gpuport.verify.comparison.limits import limit_of
from gpuport.verify.inputs.corners import Corners
from gpuport.verify.inputs.drawing import shown
from gpuport.verify.inputs.residencies import most_arrays
from gpuport.verify.inputs.schedule import Schedule, turned
from gpuport.verify.records import VerifyOptions
from gpuport.verify.sides.changes import PortFacts
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.standins import STAND_IN
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import Trial
from gpuport.verify.trials.acceptance import Acceptance, Sources
from gpuport.verify.trials.again import shown_again
from gpuport.verify.trials.evidence import MINIMUM_ACCEPTED, Tally
from gpuport.verify.trials.examiner import Answer, Examiner, failing
from gpuport.verify.trials.isolation import Worker
from gpuport.verify.trials.outcomes import Outcome, Outcomes
from gpuport.verify.trials.residency import Residency
from gpuport.verify.verdicts import edgeexamples
from gpuport.verify.verdicts.edgeexamples import EdgeExamples
from gpuport.verify.verdicts.reachingexamples import ReachingExamples
from gpuport.verify.verdicts.shrinking import shrunk
from gpuport.verify.verdicts.slowness import Slowness

_ALIKE_EACH_TIME = 12
_ON_DEVICE = 24  # examples that are called once more with arrays of the device
_SOME = 30  # examples that do where a function is slow
_PROVES_NOTHING = ("lost", "unstable", "gauge", "edge", "cast", "shaky", "unordered")
_REFUSED_DRAWS = 3 * ("thresholds", "normal")
_WELL_KNOWN = 0.3  # of the examples, or of the time
_VANISHED = 3  # differences that do not show again, after which there is no more to learn
COSTLY = "left out: the original takes long, and many others have been compared"
SLOW = "left out: the port gave no answer in time, as it is slow on host emulation"


class Campaign:
    """The verification of one function in a loaded worker."""

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
        self.residency = Residency(self.examiner, self.acceptance, facts)
        self.given = sources.given if sources is not None else None
        self.outcomes = Outcomes(
            self.examiner, self.acceptance, self.residency, signature, facts, self.given is not None
        )
        self._proven: list[tuple[int, Mapping[str, int]]] = []
        self._edges = EdgeExamples()
        self._corners = Corners()
        self._reaching = ReachingExamples(self.examiner, self.tally)
        self._bounded: list[Trial] = []
        self._slowness = Slowness(self.examiner)

    def run(self) -> Outcome:
        """Verify the function.

        Returns
        -------
        Outcome
        """
        if self.signature.obstacle:
            return self.outcomes.untested(f"it cannot be called here: {self.signature.obstacle}")
        templates = self.acceptance.templates()
        if not templates:
            return self.outcomes.untested(self.tally.why_nothing_accepted())
        self._note_ungiven(templates)
        self.acceptance.find_states()
        if self.given is not None:
            templates = [t for t in templates if t.recorded] or templates
        elif self.facts.internal:
            templates = most_arrays(templates)
        drawn = itertools.chain(self._refused(templates), self.schedule(templates).trials())
        return (
            self._through(drawn, templates)
            or self._each(self._corners.trials())
            or self._each(self._edges.trials(self.examiner, self.facts.guarded), timed=False)
            or self._each(self._corners.further())
            or self._each(self._reaching.trials(templates))
            or self._with_device_arrays()
            or self.outcomes.held()
        )

    def _note_ungiven(self, templates: Sequence[Template]) -> None:
        """Optional parameters that nothing but the default is accepted of."""
        given = {name for template in templates for name in template.given}
        own, init = self.signature.parameters, self.signature.init or ()
        ungiven, usual = (
            tuple(p.name for p in parameters if p.optional and p.name not in given)
            for parameters in (own, init)
        )
        self.outcomes = replace(self.outcomes, ungiven=ungiven, usual=usual)

    def _refused(self, templates: Sequence[Template]) -> Iterator[Trial]:
        """What the original refuses by its own raise statements the port must refuse too.

        In the same order: another draw of them may break two rules at a time.
        """
        for trial in self.acceptance.refused.values():
            for k, family in enumerate((trial.family, *_REFUSED_DRAWS)):
                yield replace(trial, seed=(*trial.seed, k), family=family) if k else trial
        yield from turned(templates, self.options.seed)

    def _through(self, trials: Iterable[Trial], templates: Sequence[Template]) -> Outcome | None:
        """Examples until there are enough, or one settles the verdict.

        What has not run by a third of them is searched for, so that the others meet it as well.
        """
        sought = False
        here = (self.residency.applied(trial) for trial in trials if self._belongs(trial))
        ahead = self.given is None  # else the worker is asked about each before it is sent
        settled = lambda: self.residency.settled and ahead  # noqa: E731
        for trial, answer in self.examiner.compared(here, settled):
            failed = self.weigh(trial, answer)
            if not (failed or sought) and self._is_known_well:
                sought = True
                failed = self._each(self._reaching.trials(templates))
            if failed is not None:
                return failed
            late = self.examiner.mostly_late
            some = _SOME if late else self.options.examples
            # what the port alone asks may be answered at a corner or an edge, which come later
            enough = self.tally.accepted >= some and self.tally.covered
            enough = enough and (late or not self.tally.port_untaken)
            if enough or self._alike_each_time or self.examiner.exhausted:
                break
        return None

    @property
    def _is_known_well(self) -> bool:
        """Whether what has not run yet will hardly run by chance."""
        accepted = self.tally.accepted
        usual = accepted >= _WELL_KNOWN * self.options.examples
        return usual or (accepted >= MINIMUM_ACCEPTED and self.examiner.spent > _WELL_KNOWN)

    @property
    def _alike_each_time(self) -> bool:
        """Whether nothing goes in, and the same came out in more calls than chance explains."""
        one = len(self.tally.digests) < 2
        return self.signature.takes_nothing and one and self.tally.accepted >= _ALIKE_EACH_TIME

    def _with_device_arrays(self) -> Outcome | None:
        """The boundary takes what a caller has on the device as well, who keeps it as it is."""
        for trial in self._bounded:
            held = (
                s.name for s in trial.slots if s.kind == "array" and s.name in self.facts.arrays
            )
            trial = replace(trial, device=tuple(held))
            if self.examiner.unsafe:
                return None
            if not trial.device:
                continue
            answer = self.examiner.compare(trial)
            if answer["status"] == "differs" and self._belongs(trial):
                return self._failed(trial, answer)
        return None

    def _each(self, trials: Iterator[Trial], timed: bool = True) -> Outcome | None:
        """Further examples, `timed` where they end when time does."""
        for trial in trials:
            late = self.examiner.exhausted or not self.examiner.remains(edgeexamples.SECONDS)
            if timed and late:
                return None
            failed = self.example(trial)
            if failed is not None:
                return failed
        return None

    def schedule(self, templates: Sequence[Template]) -> Schedule:
        """The examples that these templates give."""
        return Schedule(
            signature=self.signature,
            templates=templates,
            examples=self.options.examples,
            seed=self.options.seed,
            states=self.acceptance.states,
            needed=self.acceptance.needed,
            guarded=self.facts.guarded,
            proven=self._proven,
            blocks=tuple(dict.fromkeys((*self.facts.blocks, *self.signature.blocks))),
            literals=_near_both(self.signature.literals, self.facts.literals),
            of_port=not set(self.facts.literals) <= set(self.signature.literals),
        )

    # -- one example ----------------------------------------------------------------------

    def _belongs(self, trial: Trial) -> bool:
        """Whether the arguments are of kinds that are to be drawn at all."""
        return self.given is None or self.examiner.foreign(trial, self.given) is None

    def example(self, trial: Trial) -> Outcome | None:
        """Compare both sides on one trial; the outcome where that settles the verdict."""
        trial = self.residency.applied(trial)
        if not self._belongs(trial):
            return None
        return self.weigh(trial, self.examiner.compare(trial, sparing=True))

    def weigh(self, trial: Trial, answer: Answer) -> Outcome | None:
        """What a comparison adds to the evidence; the outcome where it settles the verdict."""
        self.tally.drawn += 1
        trial, answer = self.residency.resolved(trial, answer)
        trial, answer = self._slowness.judged(trial, answer)
        if answer["status"] == "costly":
            self.tally.notes[COSTLY] += 1
            return None
        if answer["status"] in ("slow", "unanswered"):
            self.tally.notes[SLOW] += 1
            self.tally.unanswered = self._slowness.unanswered
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
        if failing(answer):
            return self._failed(trial, answer)
        self.residency.agreed(trial, answer)
        self._slowness.learn(answer)
        self.tally.count(trial, answer)
        self._edges.keep(trial)
        self._corners.keep(trial)
        self._reaching.keep(trial)
        if self.facts.bounded and len(self._bounded) < _ON_DEVICE and trial.device is None:
            self._bounded.append(trial)
        return None

    def _failed(self, trial: Trial, answer: Answer) -> Outcome | None:
        self.tally.failing += 1
        if self.tally.mostly_unstable:
            return None
        if self.acceptance.made_up and answer["status"] == "port-raised":
            # the port may keep attributes on the device that are made up as NumPy arrays
            names = ", ".join(self.acceptance.made_up)
            return self.outcomes.untested(f"attributes made up ({names}) do not suit the port")
        if self.acceptance.seen_in and trial.has_instance and answer["status"] == "port-raised":
            # so may the port's own instances, where these are like the original's
            seen = self.acceptance.seen_in
            return self.outcomes.untested(f"instances as inside {seen} do not suit the port")
        objects = [s.name for s in trial.slots if s.dtype == STAND_IN or s.kind == "callable"]
        if not self.facts.bounded and objects and answer["status"] == "port-raised":
            # all calls of it are in the program: they may never give such an object
            names = ", ".join(objects)
            return self.outcomes.untested(f"objects made up ({names}) do not suit the port")
        until = self.examiner.elapsed + self.options.function_seconds
        late = lambda: self.examiner.elapsed > until  # noqa: E731
        twice = bool(answer.get("twice"))
        whole = replace(trial, twice=trial.twice or twice)
        smallest = shrunk(whole, answer, self.examiner.compare, self._belongs, late)
        return self._replayed(*smallest, whole)

    def _replayed(self, trial: Trial, answer: Answer, whole: Trial) -> Outcome | None:
        """The verdict where the smallest example, or the whole one, fails in a fresh process."""
        trials = [trial, replace(trial, twice=True), whole]
        found = shown_again(self.worker, self.signature.name, trials, self.options)
        if found is not None:
            return self.outcomes.failed(*found)
        told = f"{answer.get('where') or 'the port'}: {answer['difference']}"
        self.tally.vanished.append(f"{told}, with {answer.get('inputs') or shown(trial)}")
        if len(self.tally.vanished) >= _VANISHED:
            return self.outcomes.held()
        return None


def _near_both(original: tuple[float, ...], port: tuple[float, ...]) -> tuple[float, ...]:
    """Numbers of both texts: those of the port alone, if any, as often as all others together."""
    others = [value for value in port if value not in original]
    times = max(1, len(original) // len(others)) if others else 0
    return (*original, *others * times)
