"""Slots from the descriptions of recorded values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gpuport.verify.slots import INSTANCE, MAPPING, MARK, WITHIN, Slot

UNKNOWN = "x"
_TRAITS = ("integral", "sorted", "sums", "definite")
_CONTAINERS = ("list", "tuple", "set", "frozenset")
Node = Mapping[str, Any]


def slot_of(name: str, node: Node, base: dict[str, int], whole: bool = True) -> Slot | None:
    """The slot of a recorded value; None where something of it is not known.

    Parameters
    ----------
    name : str
    node : mapping
        As `gpuport.recording.describe` gives it.
    base : dict
        Gets the sizes of the slot's dimensions.
    whole : bool
        Whether objects must have all of their attributes.
    """
    slot = _Reader(base, whole).slot(name, node)
    if slot is None or not set(_marks(slot, "again")) <= set(_marks(slot)):
        return None
    return slot


def _marks(slot: Slot, kind: str = "") -> Iterator[str]:
    """Marks of objects, or those that ``again`` refers to."""
    if slot.kind == "again":
        yield from [slot.dtype or ""] if kind else []
    elif not kind:
        yield from (trait for trait in slot.traits if trait.startswith(MARK))
    for item in slot.items:
        yield from _marks(item, kind)


def _mark(value: Node) -> tuple[str, ...]:
    return (f"{MARK}{value['id']}",) if "id" in value else ()


class _Reader:
    """Reads nodes; sizes of what is read go into ``base``."""

    def __init__(self, base: dict[str, int], whole: bool) -> None:
        self._base = base
        self._whole = whole

    def slot(self, name: str, node: Node) -> Slot | None:
        (kind, value), *_ = node.items()
        if kind == "array":
            return self._array(name, value)
        if kind == "labels":
            return self._labels(name, value)
        if kind in ("bool", "text"):
            return Slot(name, "choice", choices=(value,))
        if kind == "int":
            return Slot(name, "near", choices=(value,))
        if kind == "float":
            return Slot(name, "near", choices=(float.fromhex(value),))
        if kind in ("none", "complex", "generator"):
            return Slot(name, kind)
        if kind == "scalar":
            dtype, held = value
            held = float.fromhex(held) if isinstance(held, str) else held
            held = complex(*map(float.fromhex, held)) if isinstance(held, list) else held
            return Slot(name, "scalar", dtype, choices=(held,))
        if kind in ("callable", "member"):
            return Slot(name, "callable", value)
        if kind == "ref":
            return Slot(name, "again", f"{MARK}{value}")
        return self._composed(name, kind, value)

    def _composed(self, name: str, kind: str, value: Any) -> Slot | None:
        """What holds other values."""
        if kind == "object":
            return self._object(name, value)
        if kind == "reduced":
            return self._reduced(name, value)
        if kind == "made":
            return self._made(name, value)
        if kind == "bound":
            of = self.slot(f"{name}.of", value["of"])
            return None if of is None else Slot(name, "bound", value["name"], items=(of,))
        if kind == "inner":
            parts = {"cells": {"dict": value["cells"]}, "defaults": value["defaults"]}
            held = self._slots(name, parts.items())
            return None if held is None else Slot(name, "inner", value["place"], items=held)
        if kind in _CONTAINERS:
            items = self._slots("", ((f"{name}.{i}", item) for i, item in enumerate(value)))
        elif kind == "dict" and all(isinstance(key, str) for key, _ in value):
            items = self._slots(name, ((key, item) for key, item in value))
        else:
            return None
        return None if items is None else Slot(name, kind, items=items)

    def _object(self, name: str, value: Node) -> Slot | None:
        pairs = value["attributes"].items()
        items = self._slots(name, pairs) if self._whole else self._known(name, pairs)
        traits = _mark(value)
        if items is not None and "items" in value:
            held = self._slots(f"{name}.{MAPPING}", ((k, v) for k, v in value["items"]))
            traits = (MAPPING, *traits)
            items = None if held is None else (*items, Slot(MAPPING, "dict", items=held))
        if items is None:
            return None
        return Slot(name, "object", value["class"], items=items, traits=traits)

    def _known(self, name: str, pairs: Iterable[tuple[str, Node]]) -> tuple[Slot, ...]:
        """Those attributes that are known."""
        found = (self._slots(name, [pair]) for pair in pairs)
        return tuple(slot for slots in found if slots is not None for slot in slots)

    def _reduced(self, name: str, value: Node) -> Slot | None:
        pairs = {"dict": value["pairs"]}
        lists = {"arguments": {"list": value["arguments"]}, "state": value["state"]}
        parts = {**lists, "items": {"list": value["items"]}, "pairs": pairs}
        items = self._slots(name, parts.items())
        if items is None:
            return None
        return Slot(name, "reduced", value["call"], items=items, traits=_mark(value))

    def _made(self, name: str, value: Node) -> Slot | None:
        """What a call makes; all that is in a table is as long as its first dimension."""
        items = self._slots(name, value["arguments"].items())
        if items is None:
            return None
        slot = Slot(name, INSTANCE, value["call"], items=items)
        if not value["call"].startswith("pandas:"):
            # how long a queue may be, and what a generator begins with, stays as it is
            fixed = (replace(i, kind="choice") if i.kind == "near" else i for i in items)
            return replace(slot, items=tuple(fixed))
        return self._as_long(slot, f"{name}.0")

    def _as_long(self, slot: Slot, length: str) -> Slot:
        """The slot with one name for the length of all arrays, and for the number of its times."""
        base = self._base
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
            items = tuple(self._as_long(item, length) for item in slot.items)
            return replace(slot, dims=dims, items=items)
        return slot

    def _slots(self, owner: str, pairs: Iterable[tuple[str, Node]]) -> tuple[Slot, ...] | None:
        made = []
        for key, node in pairs:
            if "secret" in node:  # a text that was not kept: what it is matters seldom
                made.append(Slot(key, "choice", choices=(UNKNOWN * node["secret"],)))
                continue
            slot = self.slot(f"{owner}.{key}" if owner else key, node)
            if slot is None:
                return None
            made.append(replace(slot, name=key))
        return tuple(made)

    def _dims(self, name: str, shape: Iterable[int]) -> tuple[str, ...]:
        sizes = {f"{name}.{axis}": int(size) for axis, size in enumerate(shape)}
        self._base.update(sizes)
        return tuple(sizes)

    def _array(self, name: str, node: Node) -> Slot:
        domain = (float(node["low"]), float(node["high"])) if "low" in node else ()
        traits = tuple(trait for trait in _TRAITS if node.get(trait))
        dims = self._dims(name, node["shape"])
        return Slot(name, "array", node["dtype"], dims, domain=domain, traits=traits)

    def _labels(self, name: str, node: Node) -> Slot:
        """An array of texts: those that were in it, as far as they were kept."""
        texts = [one.get("text", UNKNOWN * one.get("secret", 0)) for one in node["of"]]
        dims, known = self._dims(name, node["shape"]), tuple(dict.fromkeys(texts))
        return Slot(name, "array", node["dtype"], dims, choices=known, traits=(WITHIN,))
