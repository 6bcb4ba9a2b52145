"""Which arguments a function without a boundary takes on the device: found out, not chosen."""

from __future__ import annotations

from dataclasses import replace

from gpuport.verify.comparison.compare import IDENTITY, OPEN_IDENTITY
from gpuport.verify.inputs.residencies import may_hold_arrays, residencies
from gpuport.verify.sides.changes import PortFacts
from gpuport.verify.slots import OWN, Trial
from gpuport.verify.trials.acceptance import Acceptance
from gpuport.verify.trials.examiner import Answer, Examiner, failing

_DEVICE_TRIES = 5
_REMEMBERED = 8
# What CuPy raises for NumPy arrays; cupy.linalg.eigh looks for the pointer of their memory.
_RESIDENCY_ERRORS = (
    "TypeError",
    "ValueError",
    "NotImplementedError",
    "LinAlgError",
    "AttributeError",
)


class Residency:
    """How the port is called, as far as its answers have told.

    ``device`` names the arguments that are CuPy arrays, None where nothing is known of them;
    ``settled`` tells whether the answers so far leave anything open.
    """

    def __init__(self, examiner: Examiner, acceptance: Acceptance, facts: PortFacts) -> None:
        self.device: tuple[str, ...] | None = None
        self.settled = False
        self._examiner = examiner
        self._acceptance = acceptance
        self._facts = facts
        self._held: set[str] = set()
        self._agreeing: list[Trial] = []
        self._tried, self._on_trial = 0, False

    def applied(self, trial: Trial) -> Trial:
        """The trial with the residency that has been found out."""
        if self.device is None:
            return trial
        # which of their arguments earlier calls want on the device is not known
        return replace(trial, device=self.device, before=self._acceptance.needed)

    def resolved(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """A trial that fails, called otherwise where where its arrays are may be what fails."""
        if failing(answer) and trial.device != self.device:
            # it was sent before that was found out
            trial = self.applied(replace(trial, device=self.device))
            answer = self._examiner.compare(trial)
        if failing(answer) and (not self.settled or self._holds_others(trial)):
            trial, answer = self._other(trial, answer)
        elif failing(answer) and self.device:
            trial, answer = self._more(trial, answer)
        if failing(answer) and self._on_trial:
            trial, answer = self._on_host_again(trial, answer)
        return trial, answer

    def agreed(self, trial: Trial, answer: Answer) -> None:
        """What an example in which both sides agree tells of where arrays are."""
        self.settled = self.settled or self._tells(trial, answer)
        if not (self.settled or answer["counters"].get("launches", 1)):
            self._try_on_device(trial)
        self._held.update(may_hold_arrays(trial))
        if len(self._agreeing) < _REMEMBERED and may_hold_arrays(trial):
            self._agreeing.append(trial)

    def _holds_others(self, trial: Trial) -> bool:
        """Whether arrays stand where numbers stood in all examples that agreed so far."""
        inside = self._facts.internal or self._facts.device_result
        return inside and not self._held.issuperset(may_hold_arrays(trial))

    def _try_on_device(self, trial: Trial) -> None:
        """Where nothing ran on the device, give a function without a boundary CuPy arrays.

        Some of what is written for these takes NumPy arrays as well, and computes on the host.
        """
        choice = next(iter(residencies(trial)), ())
        written = self._facts.internal and self._facts.device_code
        if not choice or not written or self._tried >= _DEVICE_TRIES:
            return
        self._tried += 1
        answer = self._examiner.compare(
            replace(trial, device=choice, before=self._acceptance.needed)
        )
        if answer["status"] == "equal" and answer["counters"].get("launches", 0):
            self.device, self._on_trial = choice, True
        elif self._asks_for(choice) and _other_values(answer):
            # it computes with them, and something else: the examples to come will tell
            self.device = choice

    def _on_host_again(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """What fails where CuPy arrays were merely tried proves nothing if NumPy's are right.

        Other values are wrong all the same where a guard asks for such arrays: what was written for
        them gave these.
        """
        if self._asks_for(trial.device or ()) and _other_values(answer):
            return trial, answer
        other = replace(trial, device=None)
        again = self._examiner.compare(other)
        if again["status"] != "equal":
            return trial, answer
        self.device, self._on_trial = None, False
        return other, again

    def _asks_for(self, device: tuple[str, ...]) -> bool:
        """Whether a guard of the function asks if one of these is on the device."""
        return any(set(guard) & set(device) for guard in self._facts.guards)

    def _tells(self, trial: Trial, answer: Answer) -> bool:
        """Whether an equal example shows how the port is called: its device code ran, if it has any
        and callers may hold device arrays.

        Some functions of CuPy take NumPy arrays and call their methods: what nothing is moved to
        the device of says nothing of where it is to be.
        """
        if self.device is not None or not (self._facts.internal and self._facts.reaches_device):
            return True
        counters = answer["counters"]
        if may_hold_arrays(trial):
            return bool(counters.get("h2d", 0))
        return bool(counters.get("launches", 0))

    def _other(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """A function without a boundary, called inside its file, may take CuPy arrays.

        One that takes them, and answers with other values, is not excused by what it gives for
        NumPy arrays: its device code has run for the former alone.
        """
        if not _of_residency(answer) or not (self._facts.internal or self._facts.device_result):
            return trial, answer
        wrong: tuple[Trial, Answer] | None = None
        same = str(answer["difference"]).startswith(IDENTITY)
        for choice in self._choices(trial):
            other = replace(trial, device=choice, before=self._acceptance.needed)
            again = self._examiner.compare(other)
            if again["status"] == "rejected" and answer.get("where") == "exception":
                return other, again  # both refuse it alike: where arrays are is left open
            if same and (not choice or OPEN_IDENTITY in again.get("notes", ())):
                continue  # which array it is was the question
            if again["status"] in ("equal", "unstable", "cast", "unordered"):
                if wrong is not None:
                    return wrong
                # what differs is not where arrays are
                known = self.device if self.settled and self.device else ()
                self.device = tuple(dict.fromkeys((*known, *choice)))
                return other, again
            if wrong is None and choice and _other_values(again):
                wrong = other, again
        return wrong or (trial, answer)  # other values tell more than where arrays may not be

    def _more(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """More of the arguments on the device, where the examples before agree with that as well.

        What is in a table of the instance is not touched before its key is asked for.
        """
        if not _of_residency(answer) or not (self._facts.internal or self._facts.device_result):
            return trial, answer
        for choice in self._choices(trial):
            if not set(choice) > set(self.device or ()):
                continue
            other = replace(trial, device=choice, before=self._acceptance.needed)
            again = self._examiner.compare(other)
            known = (replace(one, device=choice) for one in self._agreeing)
            if again["status"] == "equal" and not any(
                failing(self._examiner.compare(one)) for one in known
            ):
                self.device = choice
                return other, again
        return trial, answer

    def _choices(self, trial: Trial) -> list[tuple[str, ...]]:
        options = residencies(trial)
        if not self._facts.device_result:
            return options
        # its instance holds device arrays: so may what its constructor is given
        return [(), *(c for c in options if c and all(name.startswith(OWN) for name in c))]


def _of_residency(answer: Answer) -> bool:
    """Whether where arrays are may be what fails: by an error, a type, or an array's identity."""
    told = str(answer["difference"])
    raised = answer.get("raised") in _RESIDENCY_ERRORS
    raised = raised or any(f"the port raised {error}" in told for error in _RESIDENCY_ERRORS)
    return raised or "CuPy array" in told or told.startswith(IDENTITY)


def _other_values(answer: Answer) -> bool:
    """Whether an answer tells of numbers alone, not of where arrays are."""
    text = str(answer["difference"]) if answer["status"] == "differs" else ""
    returned = str(answer.get("where")).startswith("result")
    return text.startswith("printed number") or (returned and text.startswith(("value:", "shape:")))
