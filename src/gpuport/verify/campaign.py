"""All trials of one function: draw, judge, gather evidence, shrink what fails."""

from __future__ import annotations

import itertools
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gpuport.recording.calls import Call
from gpuport.verify.coverage import line_of
from gpuport.verify.inputs import FAMILIES, LAYOUTS
from gpuport.verify.isolation import Worker, WorkerLost
from gpuport.verify.recorded import templates_of
from gpuport.verify.records import Errors, Evidence, Verdict, VerifyOptions
from gpuport.verify.signatures import Signature
from gpuport.verify.slots import OWN, Slot, Trial
from gpuport.verify.templates import Template, search

MINIMUM_ACCEPTED = 10
MINIMUM_FINITE = 5
_DRAWS_PER_EXAMPLE = 5
_PROBE_SECONDS = 3.0
_LOST_LIMIT = 3
_SHRINK_STEPS = 25
_REFUSALS = 4
_SIZES = (4, 5, 3, 8, 2, 1, 33, 7, 0, 6, 65, 130)
_LARGE = 40
_SUBSETS = 6
_MODEST = 50_000
_REFUSED_ELEMENTS = 150
_FLOAT_FAMILIES = ("specials",)
_DTYPES = ("float64", "float64", "float32", "float64", "int64", "mixed", "float64", "complex128")
_MISFIT = ("broadcast", "shape", "mismatch", "dimension", "size")
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


@dataclass(slots=True)
class _Tally:
    drawn: int = 0
    accepted: int = 0
    compared: int = 0
    finite: int = 0
    on_device: int = 0
    digests: set[str] = field(default_factory=set)
    families: set[str] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)
    taken: set[tuple[int, bool]] = field(default_factory=set)
    branches: set[tuple[int, bool]] = field(default_factory=set)
    port_missed: set[int] | None = None
    exact: int = 0
    gauge: int = 0
    errors: Errors = field(default_factory=Errors)
    looseness: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    counters: Counter[str] = field(default_factory=Counter)
    rejections: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    unstable: int = 0

    def cover(self, answer: dict[str, Any]) -> None:
        """Add what an answer says of lines and branches."""
        self.seen |= set(answer.get("seen", ()))
        self.lines |= set(answer.get("lines", ()))
        self.taken |= set(map(tuple, answer.get("taken", ())))
        self.branches |= set(map(tuple, answer.get("branches", ())))
        missed = set(answer.get("port_missed", ()))
        if "port_missed" in answer:
            self.port_missed = missed & (missed if self.port_missed is None else self.port_missed)

    @property
    def covered(self) -> bool:
        """Whether all lines of both and branches of the original that count have run."""
        original = self.lines <= self.seen and self.branches <= self.taken
        return original and not self.port_missed


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
    ) -> None:
        self.worker = worker
        self.signature = signature
        self.facts = facts
        self.options = options
        self.calls = calls
        self.siblings = siblings
        self.states: list[tuple[str, tuple[Slot, ...]]] = []
        self.recorded = 0
        self.tally = _Tally()
        self.device: tuple[str, ...] | None = None
        self.settled = False
        self._refused: dict[str, Trial] = {}
        self._needed: tuple[tuple[str, tuple[Slot, ...]], ...] = ()
        self._refusal = ""
        self._deadline = time.monotonic() + options.function_seconds

    def run(self) -> Outcome:
        """Verify the function.

        Returns
        -------
        Outcome
        """
        if self.signature.obstacle:
            return self._untested(f"it cannot be called here: {self.signature.obstacle}")
        templates = self._templates()
        if not templates:
            return self._untested(self._why_nothing_accepted())
        self.states = self.states or list(self._states())
        if self.facts.internal:
            templates = _most_arrays(templates)
        # what the original refuses by its own raise statements the port must refuse too
        for trial in (*self._refused.values(), *self._schedule(templates)):
            failed = self._example(trial)
            if failed is not None:
                return failed
            enough = self.tally.accepted >= self.options.examples and self.tally.covered
            if enough or self._exhausted():
                break
        return self._judge()

    def _templates(self) -> list[Template]:
        """From recorded calls first; the cold start adds what nobody happened to call."""
        seed = self.options.seed
        found = templates_of(self.calls, self.signature, self._accepts, seed)
        self.recorded = len(found)
        found += self._searched()
        if found or not self.siblings:
            return found
        # a method may need another one to have been called before: `fit` before `transform`
        self.states = list(self._states())
        for state in self.states:
            self._needed = (state,)
            found = self._searched()
            if found:
                return found
        return []

    def _searched(self) -> list[Template]:
        return search(
            self.signature,
            self._accepts,
            self.options.seed,
            self.facts.arrays,
            misfit=self._misfit,
            guards=self.facts.guards,
        )

    def _misfit(self) -> bool:
        return any(word in self._refusal for word in _MISFIT)

    def _states(self) -> Iterator[tuple[str, tuple[Slot, ...]]]:
        """Methods that change the instance, each with arguments that the original accepts."""
        for sibling in self.siblings:

            def accepts(trial: Trial, name: str = sibling.name) -> bool:
                return self._accepts(trial, name)

            for template in search(sibling, accepts, self.options.seed, first=1):
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
            seconds = min(_PROBE_SECONDS, self.options.example_seconds)
            answer = self._ask("probe", trial, seconds, function)
        except WorkerLost as lost:
            self.tally.lost[lost.what] += 1
            return False
        if answer["raised"] is not None and function is None:
            text = f"{answer['raised']}: {answer['message'][:100]}"
            self.tally.rejections[text] += 1
            self._refusal = text
            if answer["explicit"] and len(self._refused) < _REFUSALS:
                self._refused.setdefault(text, trial)
        return answer["raised"] is None

    def _schedule(self, templates: list[Template]) -> Iterator[Trial]:
        """Every family with every size sooner or later; layouts, dtypes and aliasing rotate."""
        stream = zlib.crc32(self.signature.name.encode())
        for index in range(_DRAWS_PER_EXAMPLE * self.options.examples):
            seed = (self.options.seed, stream, index)
            rng = np.random.default_rng(seed)
            # sizes turn with the rounds over the templates, so that none meets only some of them
            turn, chosen = divmod(index, len(templates))
            template = templates[chosen]
            sizes: dict[str, int] = dict(template.base)
            alike = rng.random() < 0.3
            usual = turn == 0 or rng.random() < 0.2
            as_recorded = template.recorded and usual and template.elements() <= _MODEST
            for k, group in enumerate(() if as_recorded else template.groups):
                first = k == 0 or alike
                size = _SIZES[(turn if first else int(rng.integers(100))) % len(_SIZES)]
                if size > _LARGE and len(template.symbols()) > 2:
                    size = _LARGE - 7
                sizes.update({name: size + template.offsets.get(name, 0) for name in group})
            family = FAMILIES[(index + index // len(FAMILIES)) % len(FAMILIES)]
            dtype = _DTYPES[index % len(_DTYPES)] if index >= 3 else "float64"
            if template.recorded and (turn == 0 or rng.random() < 0.5):
                family = "recorded"
            if family in _FLOAT_FAMILIES and dtype not in ("float64", "float32"):
                dtype = "float64"
            yield Trial(
                template.slots,
                template.init,
                sizes,
                seed,
                family=family,
                dtype=dtype,
                layout=LAYOUTS[int(rng.integers(len(LAYOUTS)))],
                alias=("same", "overlap", "", "", "", "", "", "")[int(rng.integers(8))],
                literals=self.signature.literals,
                before=self._history(rng),
                refused=self._refuses(index, template, sizes),
            )

    def _refuses(self, index: int, template: Template, sizes: dict[str, int]) -> bool:
        """In every fourth example, a small one, what stands beside a kernel runs (it is slow)."""
        small = template.elements(sizes) <= _REFUSED_ELEMENTS
        return self.facts.guarded and index % 4 == 3 and small

    def _history(self, rng: np.random.Generator) -> tuple[tuple[str, tuple[Slot, ...]], ...]:
        """Up to three calls that the instance has behind it, in most trials."""
        if not self.states:
            return self._needed
        picks = rng.integers(len(self.states), size=int(rng.choice([0, 1, 1, 2, 3])))
        return (*self._needed, *(self.states[int(k)] for k in picks))

    # -- one example ----------------------------------------------------------------------

    def _ask(
        self, operation: str, trial: Trial, seconds: float, function: str | None = None
    ) -> dict[str, Any]:
        name = function or self.signature.name
        request = {"op": operation, "function": name, "trial": trial.to_json()}
        answer = self.worker.ask(request, seconds)
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

    def _example(self, trial: Trial) -> Outcome | None:
        self.tally.drawn += 1
        if self.device is not None:
            # which of their arguments earlier calls want on the device is not known
            trial = replace(trial, device=self.device, before=self._needed)
        answer = self._compare(trial)
        if _failing(answer) and not self.settled:
            trial, answer = self._other_residency(trial, answer)
        if answer["status"] == "rejected":
            self.tally.rejections[f"{answer['raised']}: {answer['message'][:100]}"] += 1
            self.tally.cover(answer)
            return None
        if answer["status"] in ("lost", "unstable", "gauge"):
            self.tally.unstable += answer["status"] == "unstable"
            self.tally.gauge += answer["status"] == "gauge"
            return None
        if _failing(answer):
            if self.tally.unstable > self.tally.accepted:
                return self._judge()
            return self._failure(trial, answer)
        self.settled = True
        self._count(trial, answer)
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
        options = [()] if self.facts.device_result else _residencies(trial)
        for choice in options:
            other = replace(trial, device=choice, before=self._needed)
            again = self._compare(other)
            if again["status"] == "equal":
                self.device = choice
                return other, again
        return trial, answer

    def _count(self, trial: Trial, answer: dict[str, Any]) -> None:
        tally = self.tally
        tally.accepted += 1
        tally.compared += bool(answer["compared"])
        tally.finite += bool(answer["finite"])
        if answer["finite"]:
            tally.digests.add(answer["digest"])
        tally.families.add(trial.family)
        tally.cover(answer)
        tally.exact += bool(answer["exact"])
        tally.errors = tally.errors.join(Errors(*answer["errors"]))
        tally.looseness.update(answer["looseness"])
        tally.notes.update(answer["notes"])
        tally.counters.update(answer["counters"])
        moved = answer["counters"].get("launches", 0) + answer["counters"].get("h2d", 0)
        tally.on_device += moved > 0

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
        """Halve all axes together, then one by one; then plain layout, dtype and no aliasing."""
        if answer["status"] == "port-lost":
            return trial, answer  # every further step would cost another hang
        steps = 0
        progress = True
        while progress and steps < _SHRINK_STEPS:
            progress = False
            for smaller in _smaller(trial):
                steps += 1
                other = self._compare(smaller)
                if other["status"] == answer["status"]:
                    trial, answer, progress = smaller, other, True
                    break
                if steps >= _SHRINK_STEPS:
                    break
        return trial, answer

    def _judge(self) -> Outcome:
        reason = self._doubt()
        if reason is not None:
            return self._untested(reason)
        backend = self.worker.backend
        label = "on host emulation; not run on a GPU" if backend.startswith("host") else "on a GPU"
        return Outcome(Verdict.EQUIVALENT, label, self._evidence())

    def _doubt(self) -> str | None:
        """Why the comparisons made do not suffice; None where they do."""
        t = self.tally
        if t.unstable > t.accepted:
            return (
                "the original gives different results for the same input and random state, or "
                f"reads uninitialised memory ({t.unstable} of {t.drawn} inputs)"
            )
        if 0 < t.accepted < MINIMUM_ACCEPTED and time.monotonic() > self._deadline:
            return (
                f"only {t.accepted} inputs could be compared within "
                f"{self.options.function_seconds:g} s: give it a larger --budget"
            )
        if t.accepted < MINIMUM_ACCEPTED:
            return f"{self._why_nothing_accepted()} ({t.accepted} of {t.drawn} inputs compared)"
        if t.gauge > t.accepted:
            return "its results depend on which of equally right singular or eigenvectors are found"
        if not t.compared:
            return "nothing that comes out of it can be compared"
        if t.finite < MINIMUM_FINITE:
            return f"only {t.finite} of {t.accepted} outputs held a finite value"
        if len(t.digests) < 2:
            return f"the output was the same for all {t.accepted} inputs"
        if not t.lines <= t.seen:
            return (
                f"only {self._coverage():.0%} of the original's lines ran; "
                f"not reached: line {_ranges(t.lines - t.seen)}"
            )
        if not t.branches <= t.taken:
            branch = min(t.branches - t.taken)
            return f"the condition in line {line_of(branch)} was never {str(branch[1]).lower()}"
        counted = self.worker.backend.startswith("host")
        if counted and self.facts.device_code and t.on_device < MINIMUM_ACCEPTED // 2:
            return (
                f"the port worked on the device in only {t.on_device} of {t.accepted} examples: "
                "the others ran its host path"
            )
        if t.port_missed:
            return f"what the port has in line {_ranges(t.port_missed)} never ran"
        return None

    def _why_nothing_accepted(self) -> str:
        if self.tally.lost:
            what = self.tally.lost.most_common(1)[0][0]
            return f"the original itself fails: {what}"
        if not self.tally.rejections:
            return "no inputs could be made from its parameters: annotate them"
        text, count = self.tally.rejections.most_common(1)[0]
        return (
            f"the original accepts too few of the inputs tried; most often {text} ({count} times)"
        )

    def _untested(self, reason: str) -> Outcome:
        return Outcome(Verdict.UNTESTED, reason, self._evidence())

    def _coverage(self) -> float:
        return len(self.tally.seen) / len(self.tally.lines) if self.tally.lines else 0.0

    def _evidence(self) -> Evidence:
        t = self.tally
        notes = Counter([*t.notes.elements(), *self.worker.remarks])
        if t.unstable:
            notes["left out: the original is not reproducible or reads uninitialised memory"] = (
                t.unstable
            )
        if self.device is not None:
            given = ", ".join(self.device) or "its result"
            notes[f"CuPy arrays across the call, because it has no NumPy boundary: {given}"] += 1
        return Evidence(
            drawn=t.drawn,
            accepted=t.accepted,
            compared=t.compared,
            finite=t.finite,
            distinct=len(t.digests),
            coverage=self._coverage(),
            branches=len(t.taken & t.branches) / len(t.branches) if t.branches else 1.0,
            missed=tuple(sorted(t.lines - t.seen)),
            exact=t.exact,
            inputs="recorded" if self.recorded else self.signature.source,
            families=tuple(f for f in dict.fromkeys(FAMILIES) if f in t.families),
            errors=t.errors,
            looseness=_sorted(t.looseness),
            notes=_sorted(notes),
            counters=_sorted(t.counters),
            rejections=tuple(t.rejections.most_common(3)),
            backend=self.worker.backend,
            seed=self.options.seed,
        )


def _most_arrays(templates: list[Template]) -> list[Template]:
    """Callers that hold device arrays do not pass numbers where an array is possible."""
    counts = [sum(slot.kind == "array" for slot in t.slots) for t in templates]
    return [t for t, count in zip(templates, counts, strict=True) if count == max(counts)]


def _residencies(trial: Trial) -> list[tuple[str, ...]]:
    """Which arguments, and which of the constructor's (``self.name``), may be CuPy arrays."""
    names = [s.name for s in trial.slots if s.symbols() or s.kind in ("array", "list")]
    names += [f"{OWN}{s.name}" for s in trial.init or () if s.symbols() or s.kind == "array"]
    sizes: Sequence[int] = range(len(names), -1, -1)
    if len(names) > _SUBSETS:
        sizes = (len(names), 1, len(names) - 1, 0)
    return [choice for size in sizes for choice in itertools.combinations(names, size)]


def _failing(answer: dict[str, Any]) -> bool:
    return answer["status"] in ("differs", "port-raised", "port-lost")


def _verb(answer: dict[str, Any]) -> str:
    lost = answer["status"] == "port-lost"
    return f"failed ({answer['difference']})" if lost else str(answer["difference"])


def _sorted(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items()))


def _ranges(lines: set[int]) -> str:
    shown = sorted(lines)
    return ", ".join(map(str, shown[:8])) + (" ..." if len(shown) > 8 else "")


def _smaller(trial: Trial) -> Iterator[Trial]:
    halved: Callable[[int], int] = lambda size: size // 2  # noqa: E731
    sizes = dict(trial.sizes)
    if any(size > 1 for size in sizes.values()):
        yield replace(trial, sizes={k: max(halved(v), min(v, 1)) for k, v in sizes.items()})
        for name, size in sizes.items():
            if size > 1:
                yield replace(trial, sizes={**sizes, name: halved(size)})
    if trial.refused:
        yield replace(trial, refused=False)
    if trial.alias:
        yield replace(trial, alias="")
    if trial.layout != "C":
        yield replace(trial, layout="C")
    if trial.dtype != "float64":
        yield replace(trial, dtype="float64")
    if trial.family != "normal":
        yield replace(trial, family="normal")
