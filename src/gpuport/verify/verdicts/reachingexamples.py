"""Examples for what none has reached so far: branches, lines and masks of either side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpuport.verify.execution.coverage import Branch
from gpuport.verify.sides.conditions import COLUMN
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import Trial
from gpuport.verify.trials.evidence import Tally
from gpuport.verify.trials.examiner import Examiner
from gpuport.verify.trials.isolation import WorkerLost

_SHARE = 0.2
"""Of the function's time, for all searches of one round:"""
_EACH, _SECONDS = 0.5, 0.3
"""this part of what is left of it for each, and no less than these seconds."""
_BASES, _LARGEST = 4, 12
"""Examples that are searched from, and sizes of these."""
_VARIED = ("normal", "wide", "ties", "specials", "uniform")
"""What is drawn of each that was found, beside it: faults show for some values alone."""

Kind = tuple[tuple[str, str, int], ...]
Target = tuple[str, str, int, bool]


@dataclass
class ReachingExamples:
    """Examples to search from, one for each way of filling the parameters, and what is found."""

    examiner: Examiner
    tally: Tally

    def __post_init__(self) -> None:
        self._bases: dict[Kind, Trial] = {}
        self._attempts = 0

    def keep(self, trial: Trial) -> None:
        """Remember an example that both sides agree on, where it is small."""
        kind = tuple((slot.name, slot.kind, len(slot.dims)) for slot in trial.slots)
        if kind in self._bases or len(self._bases) == _BASES:
            return
        if max(trial.sizes.values(), default=1) <= _LARGEST:
            self._bases[kind] = replace(trial, tied=False, alias="", edits=(), beside=False)

    def trials(self, templates: Sequence[Template]) -> Iterator[Trial]:
        """Inputs that reach what has not run, or hardly ever, and others like these.

        What has run by then, because an example before reached it, is searched for no more.
        """
        until = self.examiner.spent + _SHARE
        self._attempts += 1
        yield from self._toward(_open, templates, until)
        if self._attempts == 1:
            yield from self._toward(_seldom, templates, until)

    def _toward(
        self, open_now: Callable[[Tally], list[Target]], templates: Sequence[Template], until: float
    ) -> Iterator[Trial]:
        for target in open_now(self.tally):
            for base in [*self._bases.values()]:
                if target not in set(open_now(self.tally)):
                    break
                if self.examiner.exhausted or self.examiner.spent > until:
                    return
                left = (until - self.examiner.spent) * self.examiner.options.function_seconds
                seconds = max(_EACH * left, _SECONDS)
                groups = _groups(base, templates)
                for trial in self._found(target, base, seconds=seconds, groups=groups):
                    yield from _varied(trial)

    def _found(self, target: Target, base: Trial, **how: Any) -> list[Trial]:
        side, kind, place, outcome = target
        what: dict[str, Any] = {"side": side, "kind": kind, "place": place, "outcome": outcome}
        what["attempt"] = self._attempts
        limit = how["seconds"] + self.examiner.options.example_seconds
        try:
            answer = self.examiner.ask("reach", base, limit, **what, **how)
        except WorkerLost:
            return []
        return [Trial.from_json(one) for one in answer["trials"]]


def _varied(trial: Trial) -> Iterator[Trial]:
    """What was found, then the same with other values."""
    yield trial
    for k, family in enumerate(_VARIED):
        seed = (*trial.seed[:-1], k, trial.seed[-1])
        yield replace(trial, seed=seed, family=family)


def _groups(base: Trial, templates: Sequence[Template]) -> list[dict[str, int]]:
    """Dimensions that vary together, with what they are larger by, where that is known."""
    for template in templates:
        if set(template.symbols()) == set(base.sizes):
            return [{n: template.offsets.get(n, 0) for n in group} for group in template.groups]
    return []


def _open(tally: Tally) -> list[Target]:
    """What has not run, in the order of the text.

    Lines stand in branches mostly, and are looked at alone where no branch is left.
    """
    untaken, missed = tally.port_untaken or set(), tally.port_missed or set()
    found = _of_side("original", tally.branches - tally.taken, tally.lines - tally.seen)
    for (line, column), held in sorted(tally.chosen.items()):
        place = line + (column + 1) * COLUMN
        found += [("original", "mask", place, one) for one in (True, False) if one not in held]
    return found + _of_side("port", untaken, missed)


def _seldom(tally: Tally) -> list[Target]:
    """Branches that few examples took: one of them may hide what another would show."""
    return _of_side("original", tally.rare, set()) + _of_side("port", tally.port_rare, set())


def _of_side(side: str, branches: set[Branch], lines: set[int]) -> list[Target]:
    if branches:
        return [(side, "branch", place, outcome) for place, outcome in sorted(branches)]
    return [(side, "line", place, True) for place in sorted(lines)]
