"""What the message of a refusal says of the parameter that was refused: its length, its keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gpuport.verify.signatures.templates import Refusal
from gpuport.verify.slots import Slot

_OUTSIDE = re.compile(r"index (\d+) is out of bounds for axis (\d+) with size \d+")
_UNPACKED = re.compile(r"values to unpack \(expected (\d+)")
_MISSING = re.compile(r"^'([^']+)'$")  # the message of a KeyError is the key
_NOT_WHOLE = "arrays used as indices must be of integer"
_BY_TEXT = "only integers, slices"
_LONGEST = 64


def taught(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot]:
    """Other slots for some of the parameters, by name, that do as the message wants.

    Parameters
    ----------
    slots : sequence of Slot
        What was refused.
    refusal : Refusal
    """
    named = [slot for slot in slots if refusal.names(slot.name)]
    missing = _MISSING.match(refusal.message)
    if missing is not None:
        holding = [s for s in slots if s.kind == "dict" and s.traits == ()]
        inside = [s for s in holding if refusal.names(s.name)] or holding
        return {s.name: other for s in inside if (other := _with_key(s, missing[1])) is not None}
    made = ((slot, _otherwise(slot, refusal)) for slot in named if slot.kind == "array")
    return {slot.name: other for slot, other in made if other is not None}


def _otherwise(slot: Slot, refusal: Refusal) -> Slot | None:
    outside = _OUTSIDE.search(refusal.message)
    if outside is not None:
        written = re.findall(rf"\b{re.escape(slot.name)}\[(\d+)\]", refusal.text)
        return _sized(slot, int(outside[2]), 1 + max(map(int, [outside[1], *written])))
    unpacked = _UNPACKED.search(refusal.message)
    if unpacked is not None:
        return _sized(slot, 0, int(unpacked[1]))
    if _NOT_WHOLE in refusal.message and slot.dtype is None:
        return replace(slot, dtype="int64")
    if _BY_TEXT in refusal.message:
        keys = re.findall(rf"""\b{re.escape(slot.name)}\[['"](.+?)['"]\]""", refusal.text)
        items = tuple(Slot(key, "float") for key in dict.fromkeys(keys))
        return Slot(slot.name, "dict", items=items) if keys else None
    return None


def _sized(slot: Slot, axis: int, size: int) -> Slot | None:
    """With a fixed size of one axis."""
    if axis >= len(slot.dims) or size > _LONGEST or slot.dims[axis] == f"={size}":
        return None
    return replace(slot, dims=(*slot.dims[:axis], f"={size}", *slot.dims[axis + 1 :]))


def _with_key(slot: Slot, key: str) -> Slot | None:
    if any(item.name == key for item in slot.items):
        return None
    alike = next((item for item in slot.items if item.kind != "dict"), Slot(key, "float"))
    dims = tuple(f"{key}.{axis}" for axis in range(len(alike.dims)))
    return replace(slot, items=(*slot.items, replace(alike, name=key, dims=dims)))
