"""What the kernel of a chain calls its parameters: the user's names, parts of arrays by place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.parallel.cuda.names import Names
from gpuport.source.subscripts import centre

_AXES = "ijkl"


def name_parameters(run: Run, taken: Iterable[str]) -> None:
    """Name what a run reads and writes: ``u``, and ``u_ip`` for a part that lies one further.

    Parameters
    ----------
    run : Run
    taken : iterable of str
        Names that mean something else in the function.
    """
    taken = set(taken)
    names = Names(taken, verbatim=True)
    leaves = [leaf for leaf in (*run.written.values(), *run.leaves.values()) if not leaf.constant]
    groups: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        groups.setdefault(leaf.word, []).append(leaf)
    leaves += [one.leaf for one in run.shifted.values()]
    for one in run.shifted.values():
        groups[one.leaf.word] = [one.leaf]
    wanted = {id(leaf): name for group in groups.values() for leaf, name in _of_group(group)}
    for leaf in leaves:
        name = wanted[id(leaf)]
        leaf.rename(names.fresh(f"{name}_in" if name in taken else name))


def _of_group(group: Sequence[Leaf]) -> Iterable[tuple[Leaf, str]]:
    """Names of the parts of one array."""
    suffixes = _shifts([leaf.expression for leaf in group]) if len(group) > 1 else None
    for number, leaf in enumerate(group, 1):
        numbered = f"_{number}" if number > 1 else ""
        yield leaf, leaf.word + (numbered if suffixes is None else suffixes[number - 1])


def _shifts(parts: Sequence[ast.expr]) -> list[str] | None:
    """How parts of one array lie to each other, as numerical codes say it; None where that is
    not to be seen."""
    centres = [centre(part) for part in parts]
    known = [one for one in centres if one is not None]
    if len(known) < len(parts) or len({len(one) for one in known}) > 1:
        return None
    halves = any(abs(shift) == 1 for one in known for shift in one)
    found = [suffix(one, 1 if halves else 2) for one in known]
    return found if len(set(found)) == len(found) else None


def suffix(shifts: tuple[int, ...], unit: int) -> str:
    """How numerical codes say where something lies: ``_ip``, ``_im_jp2``; empty where it is not
    to be said."""
    words = []
    for axis, shift in zip(_AXES, shifts, strict=False):
        steps, rest = divmod(abs(shift), unit)
        if rest or len(shifts) > len(_AXES):
            return ""
        if steps:
            words.append(f"{axis}{'p' if shift > 0 else 'm'}{steps if steps > 1 else ''}")
    return "_" + "_".join(words) if words else ""


__all__ = ["name_parameters", "suffix"]
