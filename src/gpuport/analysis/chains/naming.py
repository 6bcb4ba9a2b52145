"""What the kernel of a chain calls its parameters: the user's names, parts of arrays by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.parallel.cuda.names import Names
from gpuport.source.subscripts import shifts_of


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
    suffixes = shifts_of([leaf.expression for leaf in group]) if len(group) > 1 else None
    for number, leaf in enumerate(group, 1):
        numbered = f"_{number}" if number > 1 else ""
        yield leaf, leaf.word + (numbered if suffixes is None else suffixes[number - 1])


__all__ = ["name_parameters"]
