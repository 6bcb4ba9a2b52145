"""State of all modules of one version: the verified file's own, and that of its siblings.

A function may change a counter, a list or an attribute that stands in another file of its project,
by calling what is there or by assigning to it. What counts is what the original's files may change.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from gpuport.verify.aftermath.leaves import Leaf, ToHost
from gpuport.verify.aftermath.modulestate import ModuleState, Place, changed_places
from gpuport.verify.sides.sides import Side

_MOST = 24  # places in siblings: each is copied before every call


class ProjectState:
    """What one version's modules hold, as it was when they were first seen.

    Parameters
    ----------
    original : Side
        Its texts tell which names may change.
    side : Side
        The version whose modules are looked at.
    port : Side
        Its text tells what it alone may change.
    """

    def __init__(self, original: Side, side: Side, port: Side) -> None:
        self._original = original
        self._port = port
        self._side = side
        self._states: dict[str, tuple[ModuleType, ModuleState]] | None = None

    def restore(self) -> None:
        """Make it what it was when this was called for the first time."""
        if self._states is None:
            self._states = dict(self._found())
        for module, state in self._states.values():
            state.restore(module)

    def leaves(self, to_host: ToHost) -> Iterator[Leaf]:
        """The state now; the verified file's own comes first."""
        for name, (module, state) in (self._states or {}).items():
            yield from state.leaves(module, to_host, name)

    def _places(self) -> tuple[Place, ...]:
        """What functions of the original may change, or only those of the port among its names."""
        tree, port = self._original.tree(), self._port.tree()
        places = changed_places(tree) if tree is not None else ()
        also = changed_places(port) if port is not None else ()
        names = vars(self._original.module) if self._original.module is not None else {}
        return tuple(dict.fromkeys((*places, *(p for p in also if p[0] in names))))

    def _found(self) -> Iterator[tuple[str, tuple[ModuleType, ModuleState]]]:
        own, known = self._side.module, self._side.modules
        if own is not None:
            places = self._places()
            yield "", (own, ModuleState.of(own, places, known.values()))
        left = _MOST
        for name, module in self._original.modules.items():
            if left <= 0:
                return
            here = known.get(name)
            if here is None or here is own:
                continue
            state = ModuleState.of(here, _places_of(module)[:left], known.values())
            left -= len(state.places)
            if state.places:
                yield name, (here, state)


def _places_of(module: ModuleType) -> tuple[Place, ...]:
    """What the functions of a module's file may change; nothing where it has no Python text."""
    file = getattr(module, "__file__", None)
    return _places_in(file) if file and file.endswith(".py") else ()


@cache  # asked for once for each version
def _places_in(file: str) -> tuple[Place, ...]:
    with contextlib.suppress(OSError, SyntaxError):
        return changed_places(ast.parse(Path(file).read_bytes()))
    return ()
