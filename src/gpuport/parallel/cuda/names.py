"""Names of the user's in C++, where some of them mean something already."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gpuport.parallel.cuda.helpers import names as helpers
from gpuport.parallel.cuda.rules import functions

OF_CUPY = frozenset({"i", "n"})
"""Names that CuPy gives to numbers of its own, around the text of a kernel."""


class Names:
    """C++ names of a kernel's variables; each of the user's names has one.

    Parameters
    ----------
    taken : iterable of str
        Names that are in use already.
    verbatim : bool
        Whether the text stands in a block of its own, as that of `gpuport.runtime.kernel` does:
        names that CuPy keeps for itself are free there.
    stored : iterable of str
        Numbers that arguments store, ``p.dx``: in such a text they stand in the place of names
        that nothing of the user's has.
    """

    def __init__(
        self, taken: Iterable[str] = (), *, verbatim: bool = False, stored: Iterable[str] = ()
    ) -> None:
        self._taken = set(taken)
        self._verbatim = verbatim
        self._stored = frozenset(stored if verbatim else ())
        self._names: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        """The C++ name of a user's name; of a dotted one, its last part."""
        if name not in self._names:
            plain = name.replace(".", "").replace("_", "").isalnum()
            last = name.rpartition(".")[2] if plain else _spoken(name)
            self._names[name] = self.fresh(_whole(name) if name in self._stored else last)
        return self._names[name]

    def function(self, wanted: str) -> str:
        """A name for a function of the device, like the one wanted."""
        return self.fresh(f"{wanted}_" if wanted in functions().declared else wanted)

    def fresh(self, wanted: str) -> str:
        """A name that nothing else has, like the one wanted."""
        word = re.sub(r"\W", "_", wanted)
        base = _ascii((word if self._verbatim else word.lstrip("_")) or "turn")
        candidate, number = base, 0
        while candidate in self._taken or self._keeps(candidate):
            number += 1
            candidate = f"{base}_" if number == 1 else f"{base}_{number}"
        self._taken.add(candidate)
        return candidate

    def _keeps(self, name: str) -> bool:
        return _reserved(name) and not (self._verbatim and name in OF_CUPY)

    def copy(self) -> Names:
        """Names that can be added to on their own."""
        found = Names(self._taken, verbatim=self._verbatim, stored=self._stored)
        found._names = dict(self._names)
        return found

    def same(self, name: str, c_name: str) -> None:
        """Let a user's name be a C++ name that exists."""
        self._names[name] = c_name


def _spoken(text: str) -> str:
    """A name for the length of an array: ``x_length`` for ``len(x)``, ``x_shape_1``, ``x_size``."""
    inner = text.removeprefix("len(").removesuffix(")")
    spoken = re.sub(r"\W+", "_", inner.rpartition("self.")[2]).strip("_")
    return f"{spoken}_length" if inner != text else spoken


def _whole(text: str) -> str:
    """A name for ``p.grid.dx`` or ``p['dx']``: ``p_grid_dx``, ``p_dx``."""
    return re.sub(r"\W+", "_", text).strip("_")


def is_called(name: str) -> bool:
    """Whether nothing but a function has this name in the text of a kernel."""
    return name in functions().called or name in helpers()


def _ascii(word: str) -> str:
    return word if word.isascii() else "".join(c if c.isascii() else f"u{ord(c):x}" for c in word)


def _reserved(name: str) -> bool:
    return name in functions().reserved or name in helpers()
