"""Inputs made from recorded calls: the same types and shapes, sizes probed, values of the range."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpuport.recording.calls import PLACE, Call, read
from gpuport.verify.inputs.described import UNKNOWN, slot_of
from gpuport.verify.inputs.lockstep import lockstep
from gpuport.verify.signatures.signatures import Parameter, Signature
from gpuport.verify.signatures.templates import Accepts, Template
from gpuport.verify.slots import BASE_SIZE, RETURNED, Slot, Trial

_TRIES = 3
_KEPT = 6
_RETURNED_TRIES = 12
_LARGEST = 1 << 22


def calls_below(root: Path) -> dict[tuple[str, str], list[Call]]:
    """Recorded calls by file (relative to `root`) and function."""
    found: dict[tuple[str, str], list[Call]] = {}
    for call in read(root / PLACE):
        if call.raised is None:
            found.setdefault((call.file, call.function), []).append(call)
    return found


def templates_of(
    calls: Iterable[Call], signature: Signature, accepts: Accepts, seed: int
) -> list[Template]:
    """Templates that the original accepts, their dimensions probed from the recorded sizes.

    Parameters
    ----------
    calls : iterable of Call
        Calls of this function.
    signature : Signature
    accepts : callable
        Runs the original on a trial.
    seed : int
    """
    found: list[Template] = []
    for call in calls:
        template = _template(call, signature) or _template(call, signature, whole=False)
        if template is None or template.elements() > _LARGEST:
            continue
        tried = (
            (whole, whole.trial(dict(whole.base), (seed, 3, k)))
            for whole in _completed(template, signature) for k in range(_TRIES)
        )  # fmt: skip
        working = next(((whole, trial) for whole, trial in tried if accepts(trial)), None)
        if working is not None:
            found.append(_probed(*working, accepts))
        if len(found) == _KEPT:
            break
    return found


def _completed(template: Template, signature: Signature) -> Iterator[Template]:
    """With what functions that are returned are called with, which no recording tells."""
    later = [p.candidates for p in signature.parameters if p.name.startswith(RETURNED)]
    for slots in itertools.islice(itertools.product(*later), _RETURNED_TRIES):
        base = dict.fromkeys((s for slot in slots for s in slot.symbols()), BASE_SIZE)
        whole = (*template.slots, *slots)
        yield replace(template, slots=whole, base={**base, **template.base})


def _template(call: Call, signature: Signature, whole: bool = True) -> Template | None:
    """The call as inputs; where not `whole`, objects may lack attributes that are not known.

    Both sides lack these, and what reads one is not accepted.
    """
    keywords = {p.name for p in signature.parameters for s in p.candidates if s.keyword}
    base: dict[str, int] = {}
    slots: list[Slot] = []
    copies = {name: names[0] for names in call.same for name in names[1:]}
    for name, node in call.arguments.items():
        slot = (
            Slot(name, "same", copies[name]) if name in copies else slot_of(name, node, base, whole)
        )
        slot = slot or _known(name, node, signature)
        if slot is None:
            return None
        slots.append(replace(slot, keyword=name in keywords))
    init: tuple[Slot, ...] | None = None
    if signature.init is not None:
        held = call.instance
        instance = None if held is None else slot_of("self", held, base, whole)
        if instance is None or instance.kind not in ("object", "reduced"):
            return None
        init = (_with_texts(instance, signature.init),)
    return Template(tuple(slots), init, base=base, recorded=True)


def _known(name: str, node: Mapping[str, Any], signature: Signature) -> Slot | None:
    """For a text that was not kept one of those that the function's own text knows."""
    candidates = next((p.candidates for p in signature.parameters if p.name == name), ())
    texts = (s for s in candidates if s.kind == "choice" and "secret" in node)
    return next(texts, None)


def _with_texts(instance: Slot, init: Sequence[Parameter]) -> Slot:
    """For attributes whose texts were not kept those that the constructor takes by their names.

    Of these the ones that are as long; a recording tells that much.
    """
    taken = {
        p.name: [t for s in p.candidates if s.kind == "choice" for t in s.choices if type(t) is str]
        for p in init
    }

    def known(slot: Slot) -> Slot:
        (text,) = slot.choices if slot.kind == "choice" and len(slot.choices) == 1 else (None,)
        texts = taken.get(slot.name.strip("_"), [])
        if not texts or not isinstance(text, str) or text != UNKNOWN * len(text):
            return slot
        as_long = [one for one in texts if len(one) == len(text)]
        return replace(slot, choices=tuple(dict.fromkeys(as_long or texts[:1])))

    return replace(instance, items=tuple(map(known, instance.items)))


def _probed(template: Template, working: Trial, accepts: Accepts) -> Template:
    """Move axes singly, then all of one size, then with those of neighbouring sizes."""

    def moves(names: Iterable[str]) -> bool:
        for by in (2, -2):
            sizes = {n: max(working.sizes[n] + by, 0) for n in names}
            if not accepts(replace(working, sizes={**working.sizes, **sizes})):
                return False
        return True

    groups: list[tuple[str, ...]] = []
    rest: list[str] = []
    for name in template.symbols():
        (groups.append((name,)) if moves((name,)) else rest.append(name))
    offsets: dict[str, int] = {}
    for names in _alike(rest, working.sizes):
        if not set(names) <= set(rest) or not moves(names):
            continue
        low = min(working.sizes[n] for n in names)
        offsets.update({n: working.sizes[n] - low for n in names})
        groups.append(names)
        rest = [n for n in rest if n not in names]
    ladders = lockstep(rest, working, accepts).ladders
    return replace(template, groups=tuple(groups), offsets=offsets, ladders=ladders)


def _alike(names: list[str], sizes: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Names of one size, then of sizes that differ by one, by one or two."""
    values = sorted({sizes[n] for n in names}, reverse=True)
    for reach in (0, 1, 2):
        for value in values:
            group = tuple(n for n in names if 0 <= value - sizes[n] <= reach)
            if len(group) > 1 or reach == 0:
                yield group
