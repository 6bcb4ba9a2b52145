"""What the parameters of a kernel are called that stands for several chains."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping


def renamed(
    first: Mapping[str, str], others: Iterable[Mapping[str, str]], taken: Container[str] = ()
) -> dict[str, str]:
    """Names that a kernel's parameters have for all that share it.

    Parameters
    ----------
    first : mapping of str to str
        The names at the first place, each with the user's word for it.
    others : iterable of mapping
        Those at the other places, in the same order.
    taken : container of str
        Names that mean something else in the kernel: no parameter is given one of them.
    """
    rows = [list(first.items()), *(list(one.items()) for one in others)]
    found: dict[str, str] = {}
    for column in zip(*rows, strict=True):
        names, words = zip(*column, strict=True)
        wanted = names[0] if len(set(names)) == 1 or len(set(words)) > 1 else words[0]
        number, name = 1, wanted
        while name in found.values() or (name in taken and name != names[0]):
            number, name = number + 1, f"{wanted}_{number + 1}"
        found[names[0]] = name
    return found


__all__ = ["renamed"]
