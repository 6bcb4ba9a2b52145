"""Arguments as JSON nodes, with their arrays apart: what a counterexample is replayed from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.inputs.layouts import layout_of
from gpuport.verify.inputs.stands import Again, Bound, Inner, Iterated, Own, Remade, Stand
from gpuport.verify.sides.sides import Side

Node = dict[str, Any]


class Encoder:
    """Nodes for values; ``arrays`` are those that the nodes name, each once."""

    def __init__(self, side: Side) -> None:
        self.arrays: dict[str, Any] = {}
        self._side = side
        self._same: dict[int, str] = {}
        self._kept: list[Any] = []  # so that no two arrays have the same identity

    def arguments(self, place: str, given: Mapping[str, Any]) -> dict[str, Node]:
        """A node for each argument."""
        return {name: self._node(f"{place}.{name}", value) for name, value in given.items()}

    def _node(self, place: str, value: Any) -> Node:
        if isinstance(value, np.ndarray):
            return self._array(place, value)
        if isinstance(value, list | tuple):
            items = [self._node(f"{place}.{i}", item) for i, item in enumerate(value)]
            return {"iterator" if isinstance(value, Iterated) else type(value).__name__: items}
        if isinstance(value, dict):
            return {"dict": [[k, self._node(f"{place}.{k}", v)] for k, v in value.items()]}
        if isinstance(value, Own):
            return {"own": value.method}
        if isinstance(value, Stand):
            return self._stand(place, value)
        if isinstance(value, Remade):
            parts = (value.arguments, value.state, value.items, value.pairs)
            nodes = [self._node(f"{place}.{k}", part) for k, part in enumerate(parts)]
            return {"reduced": [value.place, *nodes], "mark": self._marked(place, value.mark)}
        if isinstance(value, Bound):
            return {"bound": [self._node(place, value.of), value.name]}
        if isinstance(value, Inner):
            cells = self._node(f"{place}.cells", value.cells)
            return {"inner": [value.place, cells, self._node(f"{place}.rest", value.defaults)]}
        if isinstance(value, Again):
            return {"again": self._marked(place, value.mark)}
        if isinstance(value, set | frozenset):
            items = [self._node(f"{place}.{i}", v) for i, v in enumerate(sorted(value, key=repr))]
            return {type(value).__name__: items}
        if isinstance(value, np.generic):
            return {"scalar": self._node(place, np.asarray(value))}
        if isinstance(value, complex):
            return {"complex": [value.real.hex(), value.imag.hex()]}
        if isinstance(value, float):
            return {"float": value.hex()}
        if isinstance(value, np.random.Generator):
            return {"generator": value.bit_generator.state}
        if hasattr(value, "__dict__") and type(value).__module__ != "builtins":
            return self._object(place, value)
        return {"plain": value}

    def _array(self, place: str, value: NDArray[Any]) -> Node:
        if id(value) in self._same:
            return {"array": self._same[id(value)]}
        self._same[id(value)] = place
        self._kept.append(value)
        self.arrays[place] = value
        return {"array": place, "layout": layout_of(value)}

    def _stand(self, place: str, value: Stand) -> Node:
        if value.attributes is None:
            return {"callable": value.place}
        if value.items is not None:
            items = self.arguments(f"{place}.items", value.items)
            own = self.arguments(place, value.attributes)
            mark = self._marked(place, value.mark)
            return {"mapping": [value.place, own, items], "mark": mark}
        kind = "made" if value.constructed else "object"
        held = [value.place, self.arguments(place, value.attributes)]
        return {kind: held, "mark": self._marked(place, value.mark)}

    @staticmethod
    def _marked(place: str, mark: str) -> str:
        """A mark that is one of its argument alone."""
        own = place.split(".")[: 3 if place.startswith("before.") else 2]
        return ".".join([*own, mark]) if mark else ""

    def _object(self, place: str, value: Any) -> Node:
        kind, side = type(value), self._side
        module = side.name if kind.__module__ == side.module_name else kind.__module__
        return {"object": [f"{module}:{kind.__qualname__}", self.arguments(place, vars(value))]}
