"""Examples for what none has reached so far: branches, lines and masks of either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

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

    def keep(self, trial: Trial) -> None:
        """Remember an example that both sides agree on, where it is small."""
        kind = tuple((slot.name, slot.kind, len(slot.dims)) for slot in trial.slots)
        if kind in self._bases or len(self._bases) == _BASES:
            return
        if max(trial.sizes.values(), default=1) <= _LARGEST:
            self._bases[kind] = replace(trial, tied=False, alias="", edits=(), beside=False)

    def trials(self, templates: Sequence[Template]) -> Iterator[Trial]:
        """Inputs that reach what has not run, and others like these.

        What has run by then, because an example before reached it, is searched for no more.
        """
        until = self.examiner.spent + _SHARE
        for target in _open(self.tally):
            for base in [*self._bases.values()]:
                if target not in set(_open(self.tally)):
                    break
                if self.examiner.exhausted or self.examiner.spent > until:
                    return
                for trial in self._found(target, base, _groups(base, templates)):
                    yield trial
                    for k, family in enumerate(_VARIED):
                        yield replace(
                            trial, seed=(*trial.seed[:-1], k, trial.seed[-1]), family=family
                        )

    def _found(self, target: Target, base: Trial, **how: Any) -> list[Trial]:
        side, kind, place, outcome = target
        what = {"side": side, "kind": kind, "place": place, "outcome": outcome}
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
    """What has not run, in the order of the text; lines of a branch come behind it."""
    found: list[Target] = [
        ("original", "branch", place, outcome)
        for place, outcome in sorted(tally.branches - tally.taken)
    ]
    found += [("original", "line", place, True) for place in sorted(tally.lines - tally.seen)]
    for (line, column), held in sorted(tally.chosen.items()):
        place = line + (column + 1) * COLUMN
        found += [("original", "mask", place, one) for one in (True, False) if one not in held]
    untaken, missed = tally.port_untaken or set(), tally.port_missed or set()
    found += [("port", "branch", place, outcome) for place, outcome in sorted(untaken)]
    found += [("port", "line", place, True) for place in sorted(missed)]
    return found
