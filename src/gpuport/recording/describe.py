"""A value as a description: dtype, shape, range and properties of arrays, never their contents.

Numbers and flags are kept; texts only where the program's own source holds them as literals or as
names of parameters, or where they are keys of a dictionary; objects by class and attributes, and
where these cannot all be described, by what they say of themselves for pickling. ``data=True``
keeps small arrays too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from enum import Enum
from types import FunctionType, MethodType
from typing import Any

from gpuport.recording.arrays import array, number
from gpuport.recording.pickled import Pickled, place_of, place_of_callable
from gpuport.recording.standins import made_like

Node = dict[str, Any]
_DEPTH = 7
_ITEMS = 40
_NAMED = 100  # items of a dictionary, or attributes
_MOST = 20_000  # parts of the values of one call
_NUMBERS = "biufc"
_NO_STATE = ("builtins:", "pathlib:", "threading:", "numpy:", "pandas:", "pandas.")


def describe(value: Any, texts: Container[str], data: bool = False) -> Node:
    """The node of one value.

    Parameters
    ----------
    value : object
    texts : container of str
        Texts that may be kept.
    data : bool
        Keep the bytes of arrays up to 64 KiB.
    """
    return describe_all({"": value}, texts, data)[""]


def describe_all(
    values: Mapping[str, Any], texts: Container[str], data: bool = False
) -> dict[str, Node]:
    """The nodes of values that belong together; texts that are keys in one are kept in all."""
    describer = _Describer(texts, data)
    nodes = describer.nodes(values)
    return describer.nodes(values) if describer.secrets & describer.keys else nodes


class _Describer:
    """Walks through values; ``keys`` are those of dictionaries, ``secrets`` texts not kept."""

    def __init__(self, texts: Container[str], data: bool) -> None:
        self.keys: set[str] = set()
        self.secrets: set[str] = set()
        self._texts = texts
        self._data = data
        self._left = _MOST
        self._opaque = 0
        self._partly: set[int] = set()  # objects of whose attributes some cannot be described
        self._seen: dict[int, Node] = {}
        self._inside: set[int] = set()  # functions whose cells are being described
        self._alive: list[Any] = []  # so that no two objects have the same identity

    def nodes(self, values: Mapping[str, Any]) -> dict[str, Node]:
        found = {}
        self._left = _MOST
        for name, value in values.items():
            self._seen = {}
            found[name] = self._node(value, _DEPTH)
        return found

    def _node(self, value: Any, depth: int) -> Node:
        self._left -= 1
        plain = self._plain(value)
        if plain is not None:
            return plain
        if depth == 0 or self._left < 0:
            return self._unknown(value)
        if type(value) in (list, tuple, set, frozenset):
            return self._items(value, depth)
        if isinstance(value, dict):
            self.keys.update(key for key in value if isinstance(key, str))
        if type(value) is dict:
            if len(value) > _NAMED or not all(isinstance(k, str | int) for k in value):
                return self._unknown(value)
            return {"dict": self._pairs(value.items(), depth)}
        made = made_like(value, self._array, lambda item: self._node(item, depth - 1))
        return made or self._other(value, depth)

    def _plain(self, value: Any) -> Node | None:
        import numpy as np

        if value is None:
            return {"none": True}
        if isinstance(value, bool):
            return {"bool": value}
        if type(value) is int:
            return {"int": value}
        if type(value) is float:
            return {"float": value.hex()}
        if type(value) is complex:
            return {"complex": [value.real.hex(), value.imag.hex()]}
        if isinstance(value, str) and not isinstance(value, Enum):
            return self._text(value)
        if isinstance(value, np.ndarray):
            plain = self._array(value) if type(value) is np.ndarray else None
            return plain or self._unknown(value)
        if isinstance(value, np.generic) and value.dtype.kind in _NUMBERS:
            return {"scalar": [str(value.dtype), number(value)]}
        if isinstance(value, np.random.Generator):
            return {"generator": True}
        return None

    def _text(self, value: str) -> Node:
        if value in self._texts or value in self.keys:
            return {"text": value}
        self.secrets.add(value)
        return {"secret": len(value)}

    def _array(self, value: Any) -> Node | None:
        """The node of an array of numbers, or of texts by those that are in it."""
        if value.dtype.kind in _NUMBERS:
            return array(value, self._data)
        if value.dtype.kind not in "OU" or not value.size:
            return None
        held = value.ravel().tolist()
        if not all(type(one) is str for one in held):
            return None
        of = [self._text(one) for one in list(dict.fromkeys(held))[:_ITEMS]]
        dtype = "object" if value.dtype.kind == "O" else "str"
        return {"labels": {"of": of, "shape": list(value.shape), "dtype": dtype}}

    def _items(self, value: Any, depth: int) -> Node:
        # of many that are alike some tell what all are
        alike = type(value) is list and len({type(item) for item in value}) == 1
        if len(value) > _ITEMS and not alike:
            return self._unknown(value)
        ordered = value if isinstance(value, list | tuple) else sorted(value, key=repr)
        return {type(value).__name__: [self._node(v, depth - 1) for v in ordered[:_ITEMS]]}

    def _pairs(self, pairs: Iterable[tuple[Any, Any]], depth: int) -> list[list[Any]]:
        return [[key, self._node(value, depth - 1)] for key, value in pairs]

    def _other(self, value: Any, depth: int) -> Node:
        if isinstance(value, MethodType) and not isinstance(value.__self__, type):
            return {"bound": {"of": self._node(value.__self__, depth), "name": value.__name__}}
        if callable(value) and (hasattr(value, "__qualname__") or _is_ufunc(value)):
            place = place_of_callable(value)
            return {"callable": place} if place else self._inner(value, depth)
        known = self._seen.get(id(value))
        if known is not None and "opaque" not in known:
            (form,) = known.values()
            return {"ref": form.setdefault("id", list(self._seen).index(id(value)))}
        return known or self._object(value, depth)

    def _inner(self, value: Any, depth: int) -> Node:
        """A function that another one made: where its text stands, and what it took from there."""
        place = f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"
        if not isinstance(value, FunctionType) or place.startswith("__main__:"):
            return self._unknown(value)
        if id(value) in self._inside or value.__kwdefaults__:
            return self._unknown(value)
        self._inside.add(id(value))
        cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
        try:
            held = [[name, self._node(cell.cell_contents, depth - 1)] for name, cell in cells]
        except ValueError:  # a name that has no value yet
            return self._unknown(value)
        finally:
            self._inside.discard(id(value))
        defaults = self._node(value.__defaults__, depth - 1)
        return {"inner": {"place": place, "cells": held, "defaults": defaults}}

    def _object(self, value: Any, depth: int) -> Node:
        """By its attributes, or as it is pickled where something of these is not known."""
        seen, before = dict(self._seen), self._opaque
        pickled = Pickled.of(value)
        node, unknown = None, before
        if pickled is None or id(value) not in self._partly:
            node = self._noted(value, "object", self._attributes(value), depth)
            if node is not None and self._opaque == before:
                return node
            self._partly.add(id(value))
            unknown = self._opaque
        attempted, self._seen, self._opaque = self._seen, seen, before
        other = self._noted(value, "reduced", pickled, depth)
        if other is not None and self._opaque == before:
            return other
        self._seen, self._opaque = attempted, unknown
        if node is None:
            self._seen[id(value)] = node = self._unknown(value)
        return node

    def _noted(self, value: Any, kind: str, found: Any, depth: int) -> Node | None:
        """A node that is known, by the identity of its value, before its parts are walked."""
        if found is None:
            return None
        form: Node = {}
        self._alive.append((value, found))
        self._seen[id(value)] = node = {kind: form}
        if isinstance(found, Pickled):
            form.update(found.node(lambda part: self._node(part, depth - 1)))
            return node
        form["class"] = place_of(type(value))
        form["attributes"] = dict(self._pairs(((str(k), v) for k, v in found.items()), depth))
        if isinstance(value, dict):
            form["items"] = self._pairs(value.items(), depth)
        return node

    def _attributes(self, value: Any) -> Mapping[str, Any] | None:
        attributes = getattr(value, "__dict__", None)
        place = place_of(type(value))
        if not isinstance(attributes, Mapping) or not place or place.startswith(_NO_STATE):
            return None
        if len(attributes) > _NAMED:
            return None
        odd = isinstance(value, dict) and not all(isinstance(k, str) for k in value)
        too_many = isinstance(value, dict) and len(value) > _NAMED
        return None if odd or too_many else attributes

    def _unknown(self, value: Any) -> Node:
        self._opaque += 1
        return {"opaque": f"{type(value).__module__}.{type(value).__qualname__}"}


def _is_ufunc(value: Any) -> bool:
    """Whether it is one of NumPy's universal functions, some of which tell no qualified name."""
    import numpy as np

    return isinstance(value, np.ufunc)
