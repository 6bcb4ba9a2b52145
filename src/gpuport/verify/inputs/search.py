"""Which ranks, kinds and sizes the original accepts: search with equal sizes, then probing."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpuport.verify.inputs.candidates import Candidates
from gpuport.verify.inputs.lengths import stays, with_lengths
from gpuport.verify.inputs.probing import RESIZED, Probing
from gpuport.verify.inputs.writtensizes import of_literals
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.templates import Accepts, Refusal, Template
from gpuport.verify.slots import BASE_SIZE, Trial

_SEARCHED = 150  # ways of filling the parameters that are tried
_LOOKED_AT = 1000  # with those that are passed over, being like others
_KEPT = 6  # that are accepted
_KEPT_ALIKE = 3  # of the same kinds of arguments
_TRIES = 4  # inputs of each,
_LIKELY, _LIKELY_FACTOR = 6, 4  # so many times more of the first ones
_FAMILIES = ("normal", "uniform", "definite", "integers", "shares")
_UNEVEN = 3  # ways that are tried with dimensions of lengths beside each other,
_UNEVEN_NAMES = 12  # of so many of which two may be the smaller ones
_WRITTEN = 16  # refused ways that are tried with lengths that the text shows
_RAISED = 2  # accepted ways that are tried with one axis more
_FOLLOWED = 300  # tries, fewer for each further template


def search(
    signature: Signature,
    accepts: Accepts,
    seed: int,
    arrays: tuple[str, ...] = (),
    first: int = _KEPT,
    refusal: Callable[[], Refusal] = Refusal,
    guards: Sequence[Mapping[str, str]] = (),
    written: bool = True,
    complete: bool = True,
    over: Callable[[], bool] = lambda: False,
    spent: Callable[[], float] = lambda: 0.0,
) -> list[Template]:
    """Templates that the original accepts with all dimensions equal, their sizes probed.

    Parameters
    ----------
    signature : Signature
    accepts : callable
        Runs the original on a trial.
    seed : int
    arrays : tuple of str
        Parameters to be tried as arrays first, the others as something else; empty for no hint.
    first : int
        How many templates are enough, where each optional parameter is given in one of them.
    refusal : callable
        How far the last trial came that was not accepted.
    guards : sequence of mappings
        Kinds of parameters, by name, for which a kernel of the port is made.
    written : bool
        Try sizes that the function's text shows where nothing else is accepted.
    complete : bool
        Look on until each optional parameter is given in some template.
    over : callable
        Whether nothing more will be accepted, as no time is left for it.
    spent : callable
        The share of the function's time that is over.
    """
    candidates = Candidates(signature, arrays, guards)
    probing = Probing(accepts, refusal, spent)
    looking = _Search(candidates, accepts, refusal, over, probing, seed, signature.literals, first)
    looking.run(complete)
    found = looking.found + looking.with_lengths()
    if not found and written:
        found = looking.of_literals()
    return [*found, *_several(found[:_RAISED], accepts, seed)]


@dataclass(slots=True)
class _Search:
    """What is accepted of the candidates, as far as they have been looked at.

    ``families`` are the kinds of values in the order in which they are tried, ``alike`` counts what
    was found by its kinds, ``refused`` are templates with the line that they came to.
    """

    candidates: Candidates
    accepts: Accepts
    refusal: Callable[[], Refusal]
    over: Callable[[], bool]
    probing: Probing
    seed: int
    literals: tuple[float, ...]
    first: int
    found: list[Template] = field(default_factory=list)
    refused: list[tuple[int, Template]] = field(default_factory=list)
    lengths: list[Template] = field(default_factory=list)
    families: list[str] = field(default_factory=lambda: list(_FAMILIES))
    alike: Counter[tuple[str, ...]] = field(default_factory=Counter)
    missing: set[str] = field(default_factory=set)
    uneven: int = _UNEVEN

    def run(self, complete: bool) -> None:
        """Look at one candidate after another until enough are accepted."""
        self.missing = set(self.candidates.optional) if complete else set()
        number = -1
        for template in itertools.islice(self.candidates, _LOOKED_AT):
            enough = len(self.found) >= self.first
            if enough and not self.missing & template.given:
                continue  # of what is left out so far, nothing would be learnt
            number += 1
            # whole numbers that are accepted say nothing of floats
            kinds = tuple(f"{slot.kind} {slot.dtype}" for slot in template.slots)
            if self.alike[kinds] == _KEPT_ALIKE:
                continue
            tries = _TRIES * (_LIKELY_FACTOR if number < _LIKELY else 1)
            template, working = self._working(template, tries)
            known = any(t.slots == template.slots and t.init == template.init for t in self.found)
            if working is not None and not known:
                self.alike[kinds] += 1
                self._keep(template, working)
            if number == _SEARCHED or (len(self.found) >= self.first and not self.missing):
                break
            if self.over():
                break
        self.refused.sort(key=lambda one: -one[0])

    def _working(self, whole: Template, tries: int) -> tuple[Template, Trial | None]:
        """What of a template is accepted, with an example; None where nothing is."""
        template, working, furthest = _first_accepted(
            _tries(whole, tries, self.seed, self.literals, self.families),
            self.accepts,
            self.refusal,
        )
        if working is not None:
            _put_first(self.families, working.family)
            if (whole.given - template.given) & self.missing:
                # the values may have been at fault, not what was given beside them
                again = _given_again(whole, working.family, self.accepts, self.seed)
                template, working = (whole, again) if again is not None else (template, working)
        if working is None and not self.found and self.uneven and furthest.misfit:
            self.uneven -= 1
            template, working = _uneven(template, self.accepts, self.seed)
        self.candidates.learn(None if working is not None else furthest)
        if working is None:
            self.refused.append((furthest.line, template))
        return template, working

    def _keep(self, template: Template, working: Trial) -> None:
        self.missing -= template.given
        tries = _FOLLOWED // (1 + len(self.found))
        self.found.append(self.probing.template(template, working, tries))
        if stays(template, self.found[-1]):
            sized = with_lengths(template, self.accepts, self.seed)
            self.lengths += [self.probing.template(*one, 0) for one in sized]

    def with_lengths(self) -> list[Template]:
        """Templates with whole numbers that are sizes; of what was refused where all was."""
        if self.found:
            return self.lengths
        tried = (with_lengths(one, self.accepts, self.seed) for _, one in self.refused[:_WRITTEN])
        first_ones = itertools.islice(itertools.chain.from_iterable(tried), 1)
        return [self.probing.template(*one, _FOLLOWED) for one in first_ones]

    def of_literals(self) -> list[Template]:
        """The first template that is accepted with sizes that the function's text shows."""
        likely = [template for _, template in self.refused[:_WRITTEN]]
        sized = of_literals(likely, self.literals, self.accepts, self.seed)
        return [self.probing.template(*one, _FOLLOWED) for one in itertools.islice(sized, 1)]


def _tries(
    template: Template,
    tries: int,
    seed: int,
    literals: tuple[float, ...],
    families: Sequence[str],
) -> Iterator[tuple[Template, Trial]]:
    """Trials of a template, and of it without some of what may be left out, in turns."""
    for k, family in zip(range(tries), itertools.cycle(families), strict=False):
        without = k % (2 * _TRIES) >= _TRIES if tries > _TRIES else k == tries - 1
        one = template.without_some((seed, 5, k)) if without else template
        sizes = dict.fromkeys(one.symbols(), BASE_SIZE)
        yield one, replace(one.all_given.trial(sizes, (seed, 1, k), family), literals=literals)


def _put_first(families: list[str], family: str) -> None:
    """What was accepted once is tried first from now on."""
    families.sort(key=lambda one: one != family)


def _given_again(template: Template, family: str, accepts: Accepts, seed: int) -> Trial | None:
    """A trial with nothing left out, of values of a kind that was accepted with less."""
    sizes = dict.fromkeys(template.symbols(), BASE_SIZE)
    trials = (template.all_given.trial(sizes, (seed, 6, k), family) for k in range(_TRIES))
    return next((trial for trial in trials if accepts(trial)), None)


def _first_accepted(
    tries: Iterator[tuple[Template, Trial]], accepts: Accepts, refusal: Callable[[], Refusal]
) -> tuple[Template, Trial | None, Refusal]:
    """The first trial that is accepted, else None, with the template and how far the best came."""
    furthest, whole = Refusal(-1), None
    for template, trial in tries:
        whole = whole or template
        if accepts(trial):
            return template, trial, furthest
        furthest = max(furthest, refusal(), key=lambda r: r.line)
    assert whole is not None
    return whole, None, furthest


def _uneven(template: Template, accepts: Accepts, seed: int) -> tuple[Template, Trial | None]:
    """With one or two dimensions smaller by one, as faces and cells of a grid are."""
    names = template.symbols()
    for few in (*((name,) for name in names), *itertools.combinations(names[:_UNEVEN_NAMES], 2)):
        offsets = {name: int(name not in few) for name in names}
        sizes = {name: BASE_SIZE - 1 + offset for name, offset in offsets.items()}
        trial = template.all_given.trial(sizes, (seed, 2), "normal")
        if accepts(trial):
            return replace(template, offsets=offsets), trial
    return template, None


def _several(found: Sequence[Template], accepts: Accepts, seed: int) -> Iterator[Template]:
    """With many of what has one size alone: what takes a point may take a row for each of many."""
    for template in found:
        sizes = {name: BASE_SIZE + template.offsets.get(name, 0) for name in template.symbols()}
        for rungs in template.ladders:
            sizes.update(rungs[0])
        for place, slot in enumerate(template.slots):
            if slot.kind != "array" or not all(d.startswith("=") for d in slot.dims):
                continue
            lead = f"{slot.name}.0"
            more = replace(slot, dims=(lead, *slot.dims))
            slots = (*template.slots[:place], more, *template.slots[place + 1 :])
            other = replace(template, slots=slots, groups=(*template.groups, (lead,)))
            trials = (
                other.all_given.trial({**sizes, lead: size}, (seed, 4, size), "normal")
                for size in (BASE_SIZE, RESIZED)
            )
            if slot.dims and all(accepts(trial) for trial in trials):
                yield other
