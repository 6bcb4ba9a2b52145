"""What stands for objects and functions where no program is loaded, and what takes its place.

Values that are drawn are handed out as copies, objects made anew by the classes of one side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuport.verify.inputs.layouts import laid_out
from gpuport.verify.sides.innerfunctions import inner_function
from gpuport.verify.sides.strategies import made

Arguments = dict[str, Any]
Resolve = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Stand:
    """What stands for an object or a callable where no program is loaded."""

    place: str
    attributes: Arguments | None = None
    items: Arguments | None = None  # of an object that is a dictionary as well
    constructed: bool = False  # by the constructor, which takes the attributes
    mark: str = ""  # by which others refer to it


@dataclass(frozen=True, slots=True)
class Remade:
    """An object as it is pickled: a call makes it, then its state, items and pairs are set."""

    place: str
    arguments: list[Any]
    state: Any
    items: list[Any]
    pairs: Arguments
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """The method `name` of an object."""

    of: Any
    name: str


@dataclass(frozen=True, slots=True)
class Inner:
    """A function that stands inside of another one, with what its cells hold."""

    place: str
    cells: Arguments
    defaults: Any


@dataclass(frozen=True, slots=True)
class Again:
    """The object of this mark, which stands elsewhere in the same argument."""

    mark: str


@dataclass(frozen=True, slots=True)
class Own:
    """What a method of the instance makes, which takes nothing: known once there is one."""

    method: str


class Iterated(list[Any]):
    """Items that are given as an iterator over them, which can be gone through once."""


@dataclass(frozen=True, slots=True)
class Strategic:
    """What a strategy of the user makes, anew for each call."""

    place: str
    seed: int
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Random:
    """A generator of random numbers, not yet begun."""

    seed: int


_Standing = Stand | Remade | Bound | Again | Inner


class Fresh:
    """Makes one argument that nothing else refers to."""

    def __init__(self, layout: str, resolve: Resolve | None) -> None:
        self._layout = layout
        self._resolve = resolve
        self._marked: dict[str, Any] = {}

    def of(self, value: Any) -> Any:
        """The argument that is handed out for a value."""
        if isinstance(value, np.ndarray):
            return laid_out(value, self._layout)
        if isinstance(value, list | tuple | set | frozenset):
            return type(value)(self.of(item) for item in value)
        if isinstance(value, dict):
            return {key: self.of(item) for key, item in value.items()}
        if isinstance(value, Random):
            return np.random.default_rng(value.seed)
        if isinstance(value, Strategic):
            if self._resolve is None:
                return Stand(value.place)
            return made(self._resolve(value.place), value.place, value.seed, value.sizes)
        if isinstance(value, _Standing):
            return self._kept(value) if self._resolve is None else self._made(value, self._resolve)
        return value

    def _kept(self, value: _Standing) -> Any:
        """The same again, for those who only look at it."""
        if isinstance(value, Stand):
            return replace(value, attributes=self.of(value.attributes))
        if isinstance(value, Remade):
            arguments, state = self.of(value.arguments), self.of(value.state)
            items, pairs = self.of(value.items), self.of(value.pairs)
            return Remade(value.place, arguments, state, items, pairs, value.mark)
        if isinstance(value, Inner):
            return Inner(value.place, self.of(value.cells), self.of(value.defaults))
        return replace(value, of=self.of(value.of)) if isinstance(value, Bound) else value

    def _made(self, value: _Standing, resolve: Resolve) -> Any:
        if isinstance(value, Again):
            return self._marked[value.mark]
        if isinstance(value, Bound):
            return getattr(self.of(value.of), value.name)
        if isinstance(value, Inner):
            module = resolve(f"{value.place.partition(':')[0]}:")
            return inner_function(
                module, value.place, self.of(value.cells), self.of(value.defaults)
            )
        target = resolve(value.place)
        if isinstance(value, Remade):
            return self._remade(value, target)
        return target if value.attributes is None else self._object(value, target)

    def _object(self, stand: Stand, kind: Any) -> Any:
        """By its constructor, or without it where its state are the attributes."""
        if stand.constructed:
            return kind(**self.of(stand.attributes))
        instance = kind.__new__(kind)
        self._marked[stand.mark] = instance
        instance.__dict__.update(self.of(stand.attributes))
        if stand.items is not None:
            dict.update(instance, self.of(stand.items))
        return instance

    def _remade(self, value: Remade, call: Any) -> Any:
        """As ``pickle`` does it."""
        instance = call(*self.of(value.arguments))
        self._marked[value.mark] = instance
        state = self.of(value.state)
        if state is not None and hasattr(instance, "__setstate__"):
            instance.__setstate__(state)
        elif state is not None:
            plain, slots = state if isinstance(state, tuple) else (state, None)
            if plain:
                instance.__dict__.update(plain)
            for name, held in (slots or {}).items():
                object.__setattr__(instance, name, held)
        for item in self.of(value.items):
            instance.append(item)
        for key, held in self.of(value.pairs).items():
            instance[key] = held
        return instance


def parts_of_stand(value: Any) -> list[Any] | None:
    """What stands inside of one of these; None for anything else."""
    if isinstance(value, Stand):
        return [*(value.attributes or {}).values(), *(value.items or {}).values()]
    if isinstance(value, Remade):
        return [value.arguments, value.state, value.items, value.pairs]
    if isinstance(value, Inner):
        return [value.cells, value.defaults]
    return [value.of] if isinstance(value, Bound) else None
