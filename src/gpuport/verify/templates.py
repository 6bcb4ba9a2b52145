"""Which ranks, kinds and sizes the original accepts: search with equal sizes, then probing."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpuport.verify.signatures import Parameter, Signature
from gpuport.verify.slots import BASE_SIZE, Slot, Trial, size_of

_SEARCHED = 150
_KEPT = 6
_KEPT_ALIKE = 3
_TRIES = 4
_LIKELY, _LIKELY_FACTOR = 6, 4
_FAMILIES = ("normal", "uniform", "definite", "integers")
_RESIZED = 6
_ARRAY_KINDS = frozenset(
    {"float64", "float32", "complex128", "complex64", "int64", "int32", "int16", "int8", "uint8"}
)
_UNEVEN, _UNEVEN_NAMES = 3, 12


@dataclass(frozen=True, slots=True)
class Template:
    """One way of filling all parameters; ``groups`` are dimensions that vary independently.

    ``base`` are the sizes that a recorded call had, ``offsets`` how much larger than the smallest
    of its group a dimension is.
    """

    slots: tuple[Slot, ...]
    init: tuple[Slot, ...] | None
    groups: tuple[tuple[str, ...], ...] = field(default=())
    base: Mapping[str, int] = field(default_factory=dict)
    offsets: Mapping[str, int] = field(default_factory=dict)
    recorded: bool = False

    def symbols(self) -> tuple[str, ...]:
        """All free dimensions."""
        every = [s for slot in (*self.slots, *(self.init or ())) for s in slot.symbols()]
        return tuple(dict.fromkeys(every))

    def elements(self, sizes: Mapping[str, int] | None = None) -> int:
        """Elements of all arrays at these sizes, or the recorded ones."""
        slots = (*self.slots, *(self.init or ()))
        return sum(_elements(slot, self.base if sizes is None else sizes) for slot in slots)

    def trial(
        self, sizes: dict[str, int], seed: tuple[int, ...], family: str = "recorded"
    ) -> Trial:
        """A plain trial of this template."""
        return Trial(self.slots, self.init, sizes, seed, family)


def _elements(slot: Slot, sizes: Mapping[str, int]) -> int:
    own = math.prod(size_of(d, sizes, 1) for d in slot.dims) if slot.kind == "array" else 0
    return own + sum(_elements(item, sizes) for item in slot.items)


Accepts = Callable[[Trial], bool]


def search(
    signature: Signature,
    accepts: Accepts,
    seed: int,
    arrays: tuple[str, ...] = (),
    first: int = _KEPT,
    misfit: Callable[[], bool] = bool,
    guards: Sequence[Mapping[str, str]] = (),
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
        How many templates are enough.
    misfit : callable
        Whether the last trial was refused because its arrays do not fit each other.
    guards : sequence of mappings
        Kinds of parameters, by name, for which a kernel of the port is made.
    """
    found: list[Template] = []
    uneven = _UNEVEN
    alike: Counter[tuple[str, ...]] = Counter()
    candidates = _candidates(signature, arrays, guards)
    for number, template in enumerate(itertools.islice(candidates, _SEARCHED)):
        kinds = tuple(slot.kind for slot in template.slots)
        if alike[kinds] == _KEPT_ALIKE:
            continue
        sizes = dict.fromkeys(template.symbols(), BASE_SIZE)
        tries = _TRIES * (_LIKELY_FACTOR if number < _LIKELY else 1)
        trials = (
            replace(template.trial(sizes, (seed, 1, k), family), literals=signature.literals)
            for k, family in zip(range(tries), itertools.cycle(_FAMILIES), strict=False)
        )
        working = next((trial for trial in trials if accepts(trial)), None)
        if working is None and not found and uneven and misfit():
            uneven -= 1
            template, working = _uneven(template, accepts, seed)
        if working is not None:
            alike[kinds] += 1
            found.append(replace(template, groups=_probe(template, working, accepts)))
        if len(found) == first:
            break
    return found


def _uneven(template: Template, accepts: Accepts, seed: int) -> tuple[Template, Trial | None]:
    """With one or two dimensions smaller by one, as faces and cells of a grid are."""
    names = template.symbols()
    for few in (*((name,) for name in names), *itertools.combinations(names[:_UNEVEN_NAMES], 2)):
        offsets = {name: int(name not in few) for name in names}
        sizes = {name: BASE_SIZE - 1 + offset for name, offset in offsets.items()}
        trial = template.trial(sizes, (seed, 2), "normal")
        if accepts(trial):
            return replace(template, offsets=offsets), trial
    return template, None


def _candidates(
    signature: Signature, arrays: tuple[str, ...], guards: Sequence[Mapping[str, str]]
) -> Iterator[Template]:
    """All combinations of candidates, the likeliest first; soon, what the port's kernels want."""
    init = signature.init or ()
    parameters = (*(_hinted(p, arrays) for p in signature.parameters), *init)
    counts = [len(p.candidates) for p in parameters]
    if not all(counts):
        return
    split = len(signature.parameters)
    tried: set[tuple[int, ...]] = set()
    for picks in itertools.chain(_of_one_rank(parameters), _by_cost(counts)):
        if picks in tried:
            continue
        tried.add(picks)
        slots = tuple(p.candidates[i] for p, i in zip(parameters, picks, strict=True))
        template = Template(slots[:split], None if signature.init is None else slots[split:])
        yield template
        for guard in guards if len(tried) == 1 else ():
            wanted = tuple(_guarded(slot, guard, template.slots) for slot in template.slots)
            yield replace(template, slots=wanted)


def _of_one_rank(parameters: Sequence[Parameter]) -> Iterator[tuple[int, ...]]:
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


def _guarded(slot: Slot, guard: Mapping[str, str], others: Sequence[Slot]) -> Slot:
    """A slot as a kernel wants it; a new array has the rank of the others."""
    kind = guard.get(slot.name, "")
    number = {"whole": "int", "small_int": "int", "int": "int", "bool": "bool"}
    number |= dict.fromkeys(("real", "python_real", "number", "float"), "float")
    if kind in number:
        return replace(slot, kind=number[kind], dims=(), dtype=None, omit=False, nullable=False)
    if kind not in _ARRAY_KINDS:
        return slot
    ranks = [len(other.dims) for other in (slot, *others) if other.kind == "array"]
    dims = tuple(f"{slot.name}.{axis}" for axis in range(ranks[0] if ranks else 1))
    return replace(slot, kind="array", dims=dims, dtype=kind, omit=False, nullable=False)


def _rank(slot: Slot) -> int | None:
    return len(slot.dims) if slot.kind == "array" else None


def _hinted(parameter: Parameter, arrays: tuple[str, ...]) -> Parameter:
    if not arrays or parameter.source != "guessed":
        return parameter
    wanted = parameter.name in arrays
    order = sorted(parameter.candidates, key=lambda slot: _holds_array(slot) is not wanted)
    return replace(parameter, candidates=tuple(order))


def _holds_array(slot: Slot) -> bool:
    return slot.kind == "array" or any(_holds_array(item) for item in slot.items)


def _by_cost(counts: list[int]) -> Iterator[tuple[int, ...]]:
    """Index tuples in order of their sum, without building the product."""
    for cost in range(sum(c - 1 for c in counts) + 1):
        yield from _with_sum(counts, cost)


def _with_sum(counts: list[int], cost: int) -> Iterator[tuple[int, ...]]:
    if not counts:
        if cost == 0:
            yield ()
        return
    for first in range(min(counts[0] - 1, cost) + 1):
        for rest in _with_sum(counts[1:], cost - first):
            yield (first, *rest)


def _probe(template: Template, working: Trial, accepts: Accepts) -> tuple[tuple[str, ...], ...]:
    """Resize axes singly, then in pairs; what only moves together with all others is one group."""

    def moves(names: tuple[str, ...]) -> bool:
        sizes = {name: _RESIZED + template.offsets.get(name, 0) for name in names}
        sizes = {**working.sizes, **sizes}
        return accepts(replace(working, sizes=sizes))

    groups: list[tuple[str, ...]] = []
    rest: list[str] = []
    for name in template.symbols():
        if moves((name,)):
            groups.append((name,))
        else:
            rest.append(name)
    while len(rest) > 1:
        first = rest[0]
        partner = next((other for other in rest[1:] if moves((first, other))), None)
        if partner is None or len(rest) > 8:
            break
        groups.append((first, partner))
        rest = [name for name in rest if name not in (first, partner)]
    return (*groups, tuple(rest)) if rest else tuple(groups)
