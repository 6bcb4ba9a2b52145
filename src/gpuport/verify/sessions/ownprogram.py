"""Functions of a program that nobody imports: such take what the program gives them, and no more.

What is drawn beside their arguments may be more than the port is for, and guessed inputs may lead
to nothing: then a function is looked at again, with arguments such as the program's own run has.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.sides.calculating import refused_imports
from gpuport.verify.sides.changes import PortFacts, Version, is_program
from gpuport.verify.sides.programs import is_closed
from gpuport.verify.signatures.kinds import Given
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.trials.acceptance import Sources
from gpuport.verify.trials.evidence import Tally
from gpuport.verify.trials.examiner import Examiner
from gpuport.verify.trials.isolation import Worker
from gpuport.verify.trials.outcomes import Outcome
from gpuport.verify.trials.ownrun import OwnRun, own_run
from gpuport.verify.verdicts.campaign import Campaign

_CALLERS_OWN = ("declared", "recorded")
_SHARE = 4  # of the examples and of the time, where they confirm what others have shown
_OF_TYPE = re.compile(r": (?:dtype|shape|structure): ")
_NOT_SEEN = "what its program gives it is not known"


@dataclass(frozen=True, slots=True)
class Subject:
    """One function, and what it is verified with.

    ``otherwise`` gives the same method on other instances, anew for each campaign.
    """

    worker: Worker
    signature: Signature
    facts: PortFacts
    sources: Sources
    options: VerifyOptions
    otherwise: Callable[[], Iterator[Signature]]

    def campaign(self) -> Outcome:
        """Its verification with these sources."""
        sources = replace(self.sources, otherwise=self.otherwise())
        return Campaign(self.worker, self.signature, self.facts, self.options, sources).run()

    def examiner(self) -> Examiner:
        """For questions beside a campaign."""
        return Examiner(self.worker, self.signature.name, self.options, Tally())

    @property
    def takes_something(self) -> bool:
        """Whether anything goes into the function, or into what makes its instance."""
        return bool(self.signature.parameters or self.signature.init)


class OwnProgram:
    """A file as a program, where it is one that nobody imports.

    Parameters
    ----------
    original : Version
    work : pathlib.Path
        A folder that the program is run in.
    options : VerifyOptions
    """

    def __init__(self, original: Version, work: Path, options: VerifyOptions) -> None:
        self._original = original
        self._work = work
        self._options = options
        self._lock = threading.Lock()

    @property
    def is_run(self) -> bool:
        """Whether it is a program that nobody imports, and that may be run."""
        return self._is_closed and self._refused is not None

    def confirmed(self, subject: Subject, outcome: Outcome) -> Outcome:
        """The outcome of guessed inputs, or the one for what the program gives where that counts.

        Parameters
        ----------
        subject : Subject
        outcome : Outcome
            Of its campaign.
        """
        if outcome.failing is not None:
            return self._inside(subject, outcome)
        if subject.takes_something and outcome.evidence.inputs not in _CALLERS_OWN:
            return self._as_called(subject, outcome)
        return outcome

    def _inside(self, subject: Subject, outcome: Outcome) -> Outcome:
        """What fails is looked at again, where it fails for arguments that no call gives."""
        given = self._run.given.get(subject.signature.name)
        if given is None or outcome.failing is None:
            why = self._run.unseen
            return _noted(outcome, f"{_NOT_SEEN}: {why}") if why else outcome
        # numbers of another type round otherwise, and may by right come to other values
        typed = outcome.verdict is Verdict.DIFFERS and bool(_OF_TYPE.search(outcome.reason))
        other = subject.examiner().foreign(outcome.failing, given, typed=typed)
        if other is None:
            return outcome
        again = self._with_own_calls(subject, given)
        raised_there = outcome.raised_in in again.unreached
        if raised_there or (again.unreached and outcome.verdict is Verdict.DIFFERS):
            # what the port has beyond these calls is nobody's, and wrong
            note = f"no call in the program gives {other}, and none reaches all of the port"
            return _noted(outcome, note)
        note = f"left out, as no call in the program gives {other}: there {outcome.reason}"
        return _noted(again, note)

    def _as_called(self, subject: Subject, outcome: Outcome) -> Outcome:
        """What was guessed, or not enough, is tried again with what the program itself gives.

        Guessed inputs may be taken, and lead to nothing: all samples out of reach are zeros.
        """
        name = subject.signature.name
        given = self._run.given.get(name)
        if given is None or not self._run.calls.get(name):
            return outcome
        if outcome.verdict is Verdict.EQUIVALENT:
            options = subject.options
            some = replace(
                options,
                examples=max(options.examples // _SHARE, 1),
                function_seconds=options.function_seconds / _SHARE,
            )
            again = self._with_own_calls(replace(subject, options=some), given)
            return again if again.failing is not None else outcome
        again = self._with_own_calls(subject, given)
        more = again.evidence.accepted > outcome.evidence.accepted
        return again if more or again.verdict is not Verdict.UNTESTED else outcome

    def _with_own_calls(self, subject: Subject, given: Given) -> Outcome:
        subject.examiner().begin()
        calls = [*self._run.calls.get(subject.signature.name, ()), *subject.sources.calls]
        sources = replace(subject.sources, calls=calls, given=given)
        return replace(subject, sources=sources).campaign()

    @cached_property
    def _is_closed(self) -> bool:
        return is_program(self._original) and is_closed(self._original.place.file)

    @cached_property
    def _refused(self) -> tuple[str, ...] | None:
        place = self._original.place
        found = refused_imports(place.file, place.root)
        return None if found is None else tuple(found)

    @property
    def _run(self) -> OwnRun:
        """What the program gives its functions when it is run, where nobody imports it."""
        with self._lock:  # functions are verified beside each other; it is run once
            return self._ran

    @cached_property
    def _ran(self) -> OwnRun:
        place, refused = self._original.place, self._refused
        if not self._is_closed:
            return OwnRun()
        if refused is None:
            return OwnRun(unseen="it may do more than calculate, and was not run")
        where = place.file, place.root, self._work / "own"
        memory = self._options.memory_bytes
        return own_run(*where, memory, module=place.module, refused=refused)


def _noted(outcome: Outcome, note: str) -> Outcome:
    """The outcome with one more note in its evidence."""
    notes = (*outcome.evidence.notes, (note, 1))
    return replace(outcome, evidence=replace(outcome.evidence, notes=notes))
