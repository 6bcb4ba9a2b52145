"""Inputs made from recorded calls: the same types and shapes, sizes probed, values of the range."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpuport.recording.calls import PLACE, Call, read
from gpuport.verify.inputs.lockstep import lockstep
from gpuport.verify.signatures.signatures import Parameter, Signature
from gpuport.verify.signatures.templates import Accepts, Template
from gpuport.verify.slots import BASE_SIZE, INSTANCE, MAPPING, RETURNED, Slot, Trial

_TRAITS = ("integral", "sorted", "sums", "definite")
_TRIES = 3
_KEPT = 6
_RETURNED_TRIES = 12
_UNKNOWN = "x"
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
        template = _template(call, signature)
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


def _template(call: Call, signature: Signature) -> Template | None:
    keywords = {p.name for p in signature.parameters for s in p.candidates if s.keyword}
    base: dict[str, int] = {}
    slots: list[Slot] = []
    copies = {name: names[0] for names in call.same for name in names[1:]}
    for name, node in call.arguments.items():
        slot = Slot(name, "same", copies[name]) if name in copies else _slot(name, node, base)
        slot = slot or _known(name, node, signature)
        if slot is None:
            return None
        slots.append(replace(slot, keyword=name in keywords))
    init: tuple[Slot, ...] | None = None
    if signature.init is not None:
        instance = None if call.instance is None else _slot("self", call.instance, base)
        if instance is None or instance.kind != "object":
            return None
        init = (_with_texts(instance, signature.init),)
    return Template(tuple(slots), init, base=base, recorded=True)


def _slot(name: str, node: Mapping[str, Any], base: dict[str, int]) -> Slot | None:
    (kind, value), *_ = node.items()
    if kind == "array":
        return _array(name, value, base)
    if kind in ("bool", "text"):
        return Slot(name, "choice", choices=(value,))
    if kind == "int":
        return Slot(name, "near", choices=(value,))
    if kind == "none":
        return Slot(name, "none")
    if kind == "float":
        return Slot(name, "near", choices=(float.fromhex(value),))
    if kind == "complex":
        return Slot(name, "complex")
    if kind == "scalar":
        return _array(name, {"dtype": value[0], "shape": []}, base, kind="scalar", value=value[1])
    if kind == "generator":
        return Slot(name, "generator")
    if kind == "callable":
        return Slot(name, "callable", value)
    if kind == "object":
        return _object(name, value, base)
    if kind == "made":
        return _remade(name, value, base)
    if kind in ("list", "tuple"):
        pairs = ((f"{name}.{i}", item) for i, item in enumerate(value))
        items = _slots("", pairs, base)
        return None if items is None else Slot(name, kind, items=items)
    if kind == "dict" and all(isinstance(key, str) for key, _ in value):
        items = _slots(name, ((key, item) for key, item in value), base)
        return None if items is None else Slot(name, "dict", items=items)
    return None


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
        if not texts or not isinstance(text, str) or text != _UNKNOWN * len(text):
            return slot
        as_long = [one for one in texts if len(one) == len(text)]
        return replace(slot, choices=tuple(dict.fromkeys(as_long or texts[:1])))

    return replace(instance, items=tuple(map(known, instance.items)))


def _object(name: str, value: Mapping[str, Any], base: dict[str, int]) -> Slot | None:
    items = _slots(name, value["attributes"].items(), base)
    if items is None or "items" not in value:
        return None if items is None else Slot(name, "object", value["class"], items=items)
    held = _slots(f"{name}.{MAPPING}", ((k, v) for k, v in value["items"]), base)
    if held is None:
        return None
    items = (*items, Slot(MAPPING, "dict", items=held))
    return Slot(name, "object", value["class"], items=items, traits=(MAPPING,))


def _remade(name: str, value: Mapping[str, Any], base: dict[str, int]) -> Slot | None:
    """What a call makes; all that is in a table is as long as its first dimension."""
    items = _slots(name, value["arguments"].items(), base)
    if items is None:
        return None
    if not value["call"].startswith("pandas:"):
        # how long a queue may be, and what a generator begins with, stays as it is
        fixed = (replace(i, kind="choice") if i.kind == "near" else i for i in items)
        return Slot(name, INSTANCE, value["call"], items=tuple(fixed))
    return _as_long(Slot(name, INSTANCE, value["call"], items=items), f"{name}.0", base)


def _as_long(slot: Slot, length: str, base: dict[str, int]) -> Slot:
    """The slot with one name for the length of all arrays, and for the number of its times."""
    if slot.kind == "size":  # of an index that was made for itself
        base[length] = base.pop(slot.dims[0], base.get(length, 1))
        return replace(slot, dims=(length,))
    if slot.name == "periods" and slot.kind == "near":
        base[length] = int(slot.choices[0])
        return Slot(slot.name, "size", dims=(length,))
    if slot.kind in ("array", "dict", INSTANCE):
        dims = (length, *slot.dims[1:]) if slot.dims else ()
        if slot.dims:
            base[length] = base.pop(slot.dims[0], base.get(length, 1))
        return replace(slot, dims=dims, items=tuple(_as_long(i, length, base) for i in slot.items))
    return slot


def _slots(
    owner: str, pairs: Iterable[tuple[str, Mapping[str, Any]]], base: dict[str, int]
) -> tuple[Slot, ...] | None:
    made = []
    for key, node in pairs:
        if "secret" in node:  # a text that was not kept: what it is in a container matters seldom
            made.append(Slot(key, "choice", choices=(_UNKNOWN * node["secret"],)))
            continue
        slot = _slot(f"{owner}.{key}" if owner else key, node, base)
        if slot is None:
            return None
        made.append(replace(slot, name=key))
    return tuple(made)


def _array(
    name: str,
    node: Mapping[str, Any],
    base: dict[str, int],
    kind: str = "array",
    value: Any = None,
) -> Slot:
    dims = []
    for axis, size in enumerate(node["shape"]):
        symbol = f"{name}.{axis}"
        dims.append(symbol)
        base[symbol] = int(size)
    domain = (float(node["low"]), float(node["high"])) if "low" in node else ()
    if kind == "scalar":
        number = float.fromhex(value) if isinstance(value, str) else value
        return Slot(name, "scalar", node["dtype"], choices=(number,))
    traits = tuple(trait for trait in _TRAITS if node.get(trait))
    return Slot(name, "array", node["dtype"], tuple(dims), domain=domain, traits=traits)


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
