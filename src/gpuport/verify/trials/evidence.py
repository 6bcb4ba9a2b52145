"""What the examples of one function add up to, and whether that suffices for a verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from gpuport.verify.comparison.compare import WEAK
from gpuport.verify.execution.coverage import Branch, line_of
from gpuport.verify.inputs.sizesseen import SizesSeen
from gpuport.verify.inputs.values import ALL_FAMILIES
from gpuport.verify.records import Errors, Evidence
from gpuport.verify.slots import OMITTED, Slot, Trial

MINIMUM_ACCEPTED = 10
MINIMUM_FINITE = 5
BESIDE_KERNELS = ", beside the kernels,"
_CHOOSING = ("int", "size", "bool", "str", "choice", "none", "generator", OMITTED)


@dataclass(slots=True)
class Tally:
    """Counts over the examples so far: what was accepted, compared, covered, refused and lost.

    ``values`` are those that each piece of what came out had alone, None where one had several;
    ``numbers_only``: nothing goes in but sizes and choices, which values need not depend on.
    ``told`` are places that were compared well in some example, ``vague`` those that were
    ill-conditioned, with how often. ``port_missed`` are lines of the port that no process has run,
    ``port_untaken`` branches, None before the first example. ``vanished`` are differences that did
    not show again, ``unanswered`` is an input on which the port may have hung.
    """

    drawn: int = 0
    accepted: int = 0
    compared: int = 0
    finite: int = 0
    on_device: int = 0
    digests: set[str] = field(default_factory=set)
    values: dict[str, str] | None = field(default_factory=dict)
    numbers_only: bool = True
    families: set[str] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)
    taken: set[Branch] = field(default_factory=set)
    branches: set[Branch] = field(default_factory=set)
    unordered: int = 0
    port_missed: set[int] | None = None
    port_untaken: set[Branch] | None = None
    rare: set[Branch] = field(default_factory=set)
    port_rare: set[Branch] = field(default_factory=set)
    chosen: dict[tuple[int, int], set[bool]] = field(default_factory=dict)
    exact: int = 0
    gauge: int = 0
    edge: int = 0
    cast: int = 0
    shaky: int = 0
    weak: int = 0
    told: set[str] = field(default_factory=set)
    vague: Counter[str] = field(default_factory=Counter)
    errors: Errors = field(default_factory=Errors)
    looseness: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    counters: Counter[str] = field(default_factory=Counter)
    rejections: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    unstable: int = 0
    limited: int = 0
    failing: int = 0
    opaque: str = ""
    unanswered: str = ""
    vanished: list[str] = field(default_factory=list)
    sizes: SizesSeen = field(default_factory=SizesSeen)

    def cover(self, answer: dict[str, Any]) -> None:
        """Add what an answer says of lines and branches."""
        self.seen |= set(answer.get("seen", ()))
        self.lines |= set(answer.get("lines", ()))
        self.taken |= set(map(tuple, answer.get("taken", ())))
        self.branches |= set(map(tuple, answer.get("branches", ())))
        if "rare" in answer:
            self.rare = set(map(tuple, answer["rare"]))
        if "port_rare" in answer:
            self.port_rare = set(map(tuple, answer["port_rare"]))
        for line, column, held in answer.get("chosen", ()):
            self.chosen.setdefault((line, column), set()).update(held)
        missed = set(answer.get("port_missed", ()))
        if "port_missed" in answer:
            self.port_missed = missed & (missed if self.port_missed is None else self.port_missed)
            untaken = set(map(tuple, answer.get("port_untaken", ())))
            known = self.port_untaken
            self.port_untaken = untaken & (untaken if known is None else known)

    @property
    def covered(self) -> bool:
        """Whether all lines of both and branches of the original that count have run."""
        original = self.lines <= self.seen and self.branches <= self.taken
        return original and not self.port_missed

    @property
    def port_unreached(self) -> frozenset[int]:
        """Lines of the port that have something in them that never ran."""
        places = (*(self.port_missed or ()), *(place for place, _ in self.port_untaken or ()))
        return frozenset(map(line_of, places))

    @property
    def never_chosen(self) -> list[tuple[int, str]]:
        """Lines with a mask that never held a true element, or never a false one."""
        missing = [(site[0], {True, False} - held) for site, held in self.chosen.items()]
        each = {(line, f"never {str(one).lower()}") for line, lost in missing for one in lost}
        return sorted(each)

    @property
    def drawn_or_refused(self) -> int:
        """How many inputs were tried at all."""
        return self.drawn + self.rejections.total()

    @property
    def coverage(self) -> float:
        """The share of the original's lines that ran."""
        return len(self.seen) / len(self.lines) if self.lines else 0.0

    @property
    def mostly_unstable(self) -> bool:
        """Whether the original was irreproducible more often than it could be compared.

        Where the port failed it could: the original is repeated before anything is called a fault.
        """
        return self.unstable > self.accepted + self.failing

    def reject(self, answer: dict[str, Any]) -> str:
        """Count what the original raised; returns its text."""
        text = f"{answer['raised']}: {answer['message'][:100]}"
        self.rejections[text] += 1
        return text

    def leave_out(self, status: str) -> None:
        """Count an example that proves nothing, by what the worker says of it."""
        self.unstable += status == "unstable"
        self.gauge += status == "gauge"
        self.edge += status == "edge"
        self.cast += status == "cast"
        self.unordered += status == "unordered"
        self.shaky += status == "shaky"

    def limit(self, said: str) -> None:
        """Count an example of a kind that CuPy does not take."""
        self.limited += 1
        self.notes[f"inputs that CuPy does not take, where it raises: {said}"] += 1

    def count(self, trial: Trial, answer: dict[str, Any]) -> None:
        """Add an example in which the two sides agreed."""
        self.accepted += 1
        self.sizes.add(trial)
        self.compared += bool(answer["compared"])
        self.opaque = self.opaque or answer.get("opaque", "")
        self.weak += not answer["compared"] and WEAK in answer["notes"]
        # what stands beside a kernel may be right, and well told, where the kernel is not
        where = BESIDE_KERNELS if trial.refused else ""
        self.told |= {place + where for place in answer["told"]}
        self.vague.update(place + where for place in answer["vague"])
        self.finite += bool(answer["finite"])
        if answer["finite"]:
            self.digests.add(answer["digest"])
            self._learn_values(answer["sole"])
        self.numbers_only = self.numbers_only and not _holds_values(trial)
        self.families.add(trial.family)
        self.cover(answer)
        self.exact += bool(answer["exact"])
        self.errors = self.errors.join(Errors(*answer["errors"]))
        self.looseness.update(answer["looseness"])
        self.notes.update(answer["notes"])
        self.counters.update(answer["counters"])
        moved = answer["counters"].get("launches", 0) + answer["counters"].get("h2d", 0)
        self.on_device += moved > 0

    def _learn_values(self, sole: dict[str, str] | None) -> None:
        known = self.values
        if known is None or sole is None or any(known.get(k, v) != v for k, v in sole.items()):
            self.values = None
        else:
            self.values = known | sole

    def doubt(
        self, *, budget: float | None, on_device: bool, takes_nothing: bool = False
    ) -> str | None:
        """Why the comparisons made do not suffice; None where they do.

        Parameters
        ----------
        budget : float or None
            Seconds that were given to the function, where they have run out.
        on_device : bool
            Enough examples must have reached the device (and its use is counted).
        takes_nothing : bool
            The function has no arguments.

        Returns
        -------
        str or None
        """
        if self.mostly_unstable:
            return (
                "the original gives different results for the same input and random state, or "
                f"reads uninitialised memory ({self.unstable} of {self.drawn} inputs)"
            )
        if self.accepted < MINIMUM_ACCEPTED and (told := self._open()) is not None:
            return told
        if 0 < self.accepted < MINIMUM_ACCEPTED and budget is not None:
            return (
                f"only {self.accepted} inputs could be compared within "
                f"{budget:g} s: give it a larger --budget"
            )
        if self.accepted < MINIMUM_ACCEPTED and self.limited > self.accepted:
            return f"most of the inputs guessed are none that CuPy takes ({self.limited})"
        if self.accepted < MINIMUM_ACCEPTED:
            return (
                f"{self.why_nothing_accepted()} ({self.accepted} of {self.drawn} inputs compared)"
            )
        reason = self._open() or self._empty(takes_nothing) or self._unreached(on_device)
        if reason is None or budget is None:
            return reason
        return f"{reason} (its {budget:g} s have ended: a larger --budget may tell more)"

    def _open(self) -> str | None:
        """What nobody can tell of the inputs that were tried."""
        if self.vanished:
            return (
                f"a difference that did not show again in a fresh process ({self.vanished[0]}): "
                "one of the two may keep something between calls"
            )
        if self.unanswered:
            return (
                f"the port gave no answer in time for {self.unanswered}; host emulation is slow, "
                "so that this need be no fault: use --backend cuda on a GPU, or declare smaller "
                "inputs"
            )
        return None

    def _empty(self, takes_nothing: bool) -> str | None:
        """Why what was compared says nothing."""
        if self.gauge > self.accepted:
            return "its results depend on which of equally right singular or eigenvectors are found"
        if self.accepted - self.weak < MINIMUM_ACCEPTED or self.shaky > self.accepted:
            return (
                "its results are too ill-conditioned to tell anything "
                f"({self.weak + self.shaky} of {self.accepted + self.shaky} inputs)"
            )
        never = [p for p, n in self.vague.items() if n >= MINIMUM_FINITE and p not in self.told]
        if never:
            places = ", ".join(never)[:100]
            return f"{places} is too ill-conditioned to tell anything, or zero, in all examples"
        if self.cast > self.accepted:
            return (
                "it casts floats to integers that cannot hold them: what becomes of these is open"
            )
        if self.opaque:
            return f"a part of its result cannot be compared: {self.opaque}"
        if not self.compared:
            return "nothing that comes out of it can be compared"
        if self.finite < MINIMUM_FINITE:
            return f"only {self.finite} of {self.accepted} outputs held a finite value"
        if len(self.digests) < 2 and takes_nothing:
            return (
                f"it takes no arguments: one output, equal in {self.accepted} calls, is too little"
            )
        if len(self.digests) < 2:
            return f"the output was the same for all {self.accepted} inputs"
        if self.values and not self.numbers_only:
            shown = ", ".join(f"{place} {value}" for place, value in self.values.items())
            return f"all elements of what came out are the same, whatever went in: {shown:.200}"
        return None

    def _unreached(self, on_device: bool) -> str | None:
        """What of either side has not run."""
        if not self.lines <= self.seen:
            return (
                f"only {self.coverage:.0%} of the original's lines ran; "
                f"not reached: line {_ranges(self.lines - self.seen)}"
            )
        if not self.branches <= self.taken:
            branch = _first(self.branches - self.taken)
            return f"the condition in line {line_of(branch[0])} was never {str(branch[1]).lower()}"
        if self.never_chosen:
            line, never = self.never_chosen[0]
            return f"the mask in line {line} was {never} for any element"
        if on_device and self.on_device < MINIMUM_ACCEPTED // 2:
            return (
                f"the port worked on the device in only {self.on_device} of {self.accepted} "
                "examples: the others ran its host path"
            )
        if self.port_missed:
            return f"what the port has in line {_ranges(self.port_missed)} never ran"
        if self.port_untaken:
            branch = _first(self.port_untaken)
            never = str(branch[1]).lower()
            return f"the condition in line {line_of(branch[0])} of the port was never {never}"
        return None

    def why_nothing_accepted(self) -> str:
        """What most often stood against the inputs tried."""
        if self.lost:
            what = self.lost.most_common(1)[0][0]
            return f"the original itself fails: {what}"
        if not self.rejections:
            return "no inputs could be made from its parameters: annotate them"
        text, count = self.rejections.most_common(1)[0]
        return (
            f"the original accepts too few of the inputs tried; most often {text} ({count} times)"
        )

    def evidence(self, inputs: str, backend: str, seed: int, remarks: Counter[str]) -> Evidence:
        """What a verdict rests on; `remarks` are added to its notes."""
        notes = self.notes + remarks
        if self.unstable:
            notes["left out: the original is not reproducible or reads uninitialised memory"] = (
                self.unstable
            )
        if self.shaky:
            notes["left out: whether a number comes out is decided by rounding"] = self.shaky
        if self.unordered:
            notes["left out: complex numbers are ordered that are NaN in one part"] = self.unordered
        if self.cast:
            notes["left out: floats cast to integers that cannot hold them"] = self.cast
        if self.edge:
            notes["left out: rounding decides a comparison of values made equal"] = self.edge
        return Evidence(
            drawn=self.drawn,
            accepted=self.accepted,
            compared=self.compared,
            finite=self.finite,
            distinct=len(self.digests),
            coverage=self.coverage,
            branches=len(self.taken & self.branches) / len(self.branches) if self.branches else 1.0,
            missed=tuple(sorted({line_of(line) for line in self.lines - self.seen})),
            exact=self.exact,
            inputs=inputs,
            families=tuple(f for f in dict.fromkeys(ALL_FAMILIES) if f in self.families),
            errors=self.errors,
            looseness=_sorted(self.looseness),
            notes=_sorted(notes),
            counters=_sorted(self.counters),
            rejections=tuple(self.rejections.most_common(3)),
            backend=backend,
            seed=seed,
        )


def _sorted(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items()))


def _first(branches: set[Branch]) -> Branch:
    return min(branches, key=lambda one: (line_of(one[0]), one))


def _ranges(lines: set[int]) -> str:
    shown = sorted(set(map(line_of, lines)))
    return ", ".join(map(str, shown[:8])) + (" ..." if len(shown) > 8 else "")


def _holds_values(trial: Trial) -> bool:
    return any(not _chooses(slot) for slot in (*trial.slots, *(trial.init or ())))


def _chooses(slot: Slot) -> bool:
    recorded = slot.kind == "near" and isinstance(slot.choices[0], int)
    return recorded or slot.kind in _CHOOSING
