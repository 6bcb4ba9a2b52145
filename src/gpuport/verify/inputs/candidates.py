"""In which order fillings of the parameters are tried: likeliest first, then what came furthest."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gpuport.verify.inputs.lessons import taught
from gpuport.verify.sides.changes import ITEMS, RANK
from gpuport.verify.signatures.signatures import Parameter, Signature
from gpuport.verify.signatures.templates import Refusal, Template, left_out
from gpuport.verify.signatures.usage import arrays, repeated
from gpuport.verify.slots import INSTANCE, OMITTED, Slot

_ARRAY_KINDS = frozenset(
    {"float64", "float32", "complex128", "complex64", "int64", "int32", "int16", "int8", "uint8"}
)
_ACCEPTED = 1 << 60
_PAIRED = 6  # parameters of which two are changed together
_MOST = 40  # candidates of a parameter, those that refusals have taught included

Picks = tuple[int, ...]


class Candidates:
    """Templates in the order in which they are worth a try; told of each what became of it.

    First the likeliest, what the port's kernels want, every array of one rank, and all defaults.
    Then what differs in one parameter from one that was tried: from those first that came
    furthest, in a parameter first that the line uses which failed.
    """

    def __init__(
        self, signature: Signature, arrays: tuple[str, ...], guards: Sequence[Mapping[str, str]]
    ) -> None:
        init = signature.init or ()
        own = (*(_hinted(p, arrays) for p in signature.parameters), *init)
        self._parameters = [_may_be_omitted(_may_be_none(p)) for p in own]
        self.optional = {p.name for p in own if any(s.omit or s.nullable for s in p.candidates)}
        self._split = len(signature.parameters)
        self._method = signature.init is not None
        self._guards = guards
        self._tried: set[Picks] = set()
        self._queue: list[tuple[int, bool, int, int, Picks]] = []
        self._last: Picks | None = None
        self._pushed = itertools.count()

    def __iter__(self) -> Iterator[Template]:
        if not all(p.candidates for p in self._parameters):
            return
        for picks in self._seeds():
            if picks not in self._tried:
                yield self._template(picks)
            if len(self._tried) == 1:
                yield from self._for_guards(self._template(picks))
        while self._queue:
            picks = heapq.heappop(self._queue)[-1]
            if picks not in self._tried:
                yield self._template(picks)

    def learn(self, refusal: Refusal | None) -> None:
        """What became of the last template: None where it was accepted."""
        picks, self._last = self._last, None
        if picks is None:
            return
        if refusal is not None:
            self._take_lesson(picks, refusal)
        line = _ACCEPTED if refusal is None else refusal.line
        for place, parameter in enumerate(self._parameters):
            named = refusal is not None and refusal.names(parameter.name)
            # what does not fit may have its size from an instance
            held = parameter.candidates[picks[place]].kind == INSTANCE
            named = named or (refusal is not None and refusal.misfit and held)
            for choice in range(len(parameter.candidates)):
                other = (*picks[:place], choice, *picks[place + 1 :])
                self._push(line, named, other)
        for other in self._two_alike(picks):
            self._push(line, True, other)

    def _push(self, line: int, named: bool, picks: Picks) -> None:
        if picks not in self._tried:
            entry = (-line, not named, self._cost(picks), next(self._pushed), picks)
            heapq.heappush(self._queue, entry)

    def _two_alike(self, picks: Picks) -> Iterator[Picks]:
        """Two parameters that are alike so far, both something else: two points, two matrices.

        Where they have to be alike, to change one of them is a step back.
        """
        held = [p.candidates[k] for p, k in zip(self._parameters, picks, strict=True)]
        plain = [place for place, slot in enumerate(held) if _plain_rank(slot) is not None]
        for first, second in itertools.combinations(plain[:_PAIRED], 2):
            rank = _plain_rank(held[first])
            if rank != _plain_rank(held[second]):
                continue
            for wanted in (1, 2, 3):
                places = [_of_rank(self._parameters[k], wanted) for k in (first, second)]
                if wanted != rank and None not in places:
                    other = list(picks)
                    other[first], other[second] = places  # type: ignore[assignment]
                    yield tuple(other)

    def _take_lesson(self, picks: Picks, refusal: Refusal) -> None:
        """Candidates that are none of those known, where the message says what is wanted."""
        pairs = zip(self._parameters, picks, strict=True)
        other = list(picks)
        for name, slot in taught([p.candidates[k] for p, k in pairs], refusal).items():
            place = next(i for i, p in enumerate(self._parameters) if p.name == name)
            parameter = self._parameters[place]
            if slot in parameter.candidates:
                other[place] = parameter.candidates.index(slot)
            elif len(parameter.candidates) < _MOST:
                other[place] = len(parameter.candidates)
                every = (*parameter.candidates, slot)
                self._parameters[place] = replace(parameter, candidates=every)
        if tuple(other) not in self._tried:
            entry = (-refusal.line - 1, False, 0, next(self._pushed), tuple(other))
            heapq.heappush(self._queue, entry)

    def _seeds(self) -> Iterator[Picks]:
        yield from _of_one_rank(self._parameters)
        kinds = [[slot.kind for slot in p.candidates] for p in self._parameters]
        yield tuple(k.index(OMITTED) if OMITTED in k else 0 for k in kinds)

    def _cost(self, picks: Picks) -> int:
        pairs = zip(self._parameters, picks, strict=True)
        return sum(1 if p.candidates[k].kind == OMITTED else k for p, k in pairs)

    def _template(self, picks: Picks) -> Template:
        self._tried.add(picks)
        self._last = picks
        pairs = zip(self._parameters, picks, strict=True)
        slots = tuple(p.candidates[k] for p, k in pairs)
        return Template(slots[: self._split], slots[self._split :] if self._method else None)

    def _for_guards(self, template: Template) -> Iterator[Template]:
        for guard in self._guards:
            wanted = tuple(_guarded(slot, guard, template.slots) for slot in template.slots)
            self._last = None
            yield replace(template, slots=wanted)


def _may_be_none(parameter: Parameter) -> Parameter:
    """With one more candidate where None is taken: None always."""
    if not any(slot.nullable for slot in parameter.candidates):
        return parameter
    nothing = replace(parameter.candidates[0], kind="none", dims=(), items=())
    return replace(parameter, candidates=(*parameter.candidates, nothing))


def _may_be_omitted(parameter: Parameter) -> Parameter:
    """With one more candidate where there is a default: to leave the argument out always."""
    if not any(slot.omit for slot in parameter.candidates):
        return parameter
    return replace(parameter, candidates=(*parameter.candidates, left_out(parameter.candidates[0])))


def _of_one_rank(parameters: Sequence[Parameter]) -> Iterator[Picks]:
    """The likeliest of all; then with every array of the same rank, as fields on a grid are."""
    first = tuple(0 for _ in parameters)
    yield first
    for rank in (2, 1, 3):
        yield tuple(
            next((k for k, slot in enumerate(p.candidates) if _rank(slot) == rank), 0)
            if _rank(p.candidates[0]) is not None
            else 0
            for p in parameters
        )


def _of_axes(slot: Slot, kind: str) -> Slot:
    """An array with so many axes, or a list of such."""
    rank = int(kind.rpartition(" ")[2])
    plain = replace(slot, dtype=None, dims=(), items=(), omit=False, nullable=False)
    if kind.startswith(RANK) and not rank:
        return replace(plain, kind="float")
    (array,) = arrays(slot.name, None, (rank,))
    if kind.startswith(ITEMS):
        return replace(plain, kind="list", items=repeated(slot.name, "list", array, 3).items)
    return replace(plain, kind="array", dims=array.dims)


def _guarded(slot: Slot, guard: Mapping[str, str], others: Sequence[Slot]) -> Slot:
    """A slot as a kernel wants it; a new array has the rank of the others."""
    kind = guard.get(slot.name, "")
    if kind.startswith((RANK, ITEMS)):
        return _of_axes(slot, kind)
    number = {"whole": "int", "small_int": "int", "int": "int", "bool": "bool"}
    number |= dict.fromkeys(("real", "python_real", "floating", "number", "float"), "float")
    if kind in number:
        return replace(slot, kind=number[kind], dims=(), dtype=None, omit=False, nullable=False)
    if kind not in _ARRAY_KINDS:
        return slot
    ranks = [len(other.dims) for other in (slot, *others) if other.kind == "array"]
    dims = tuple(f"{slot.name}.{axis}" for axis in range(ranks[0] if ranks else 1))
    return replace(slot, kind="array", dims=dims, dtype=kind, omit=False, nullable=False)


def _rank(slot: Slot) -> int | None:
    return len(slot.dims) if slot.kind == "array" else None


def _plain_rank(slot: Slot) -> int | None:
    """The axes of an array of floats, of which no size is fixed."""
    free = slot.kind == "array" and slot.dtype is None and not any("=" in d for d in slot.dims)
    return len(slot.dims) if free else None


def _of_rank(parameter: Parameter, rank: int) -> int | None:
    """The first candidate that is such an array with so many axes."""
    ranks = map(_plain_rank, parameter.candidates)
    return next((k for k, one in enumerate(ranks) if one == rank), None)


def _hinted(parameter: Parameter, arrays: tuple[str, ...]) -> Parameter:
    if not arrays or parameter.source != "guessed":
        return parameter
    wanted = parameter.name in arrays
    order = sorted(parameter.candidates, key=lambda slot: _holds_array(slot) is not wanted)
    return replace(parameter, candidates=tuple(order))


def _holds_array(slot: Slot) -> bool:
    return slot.kind == "array" or any(_holds_array(item) for item in slot.items)
