"""The Python of a chain's kernel: the user's own statements, with parameters for what they read."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.chains.records import Parts
from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.analysis.interpretation.unit import Unit
from gpuport.parallel.cuda.names import Names
from gpuport.source.edits import parenthesised
from gpuport.source.excerpts import Body, Cut, body_of, hugged, meaning, names_read
from gpuport.source.module import Module
from gpuport.source.subscripts import shifts_of
from gpuport.source.syntax import dotted, walk


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


def python_of(
    unit: Unit, run: Run, tails: Sequence[ast.expr], made: Sequence[str], *, returns: bool
) -> Body:
    """The body of the function, as if it stood at the left margin.

    Raises
    ------
    Unfit
        Where it would read a name that the module does not have.
    """
    given_back = dict.fromkeys(one.leaf for one in run.targets if one.given_back)
    results = [*made[len(tails) :]] if tails else [] if returns else [*made, *given_back]
    body = body_of(unit.module, run.statements, tails, _cuts(unit.module, run), results)
    for name in names_read(body) - run.bound.keys():
        owner = unit.scope.owner(name)
        if owner is not None and owner is not unit.project.root:
            raise Unfit
    return body


def _cuts(module: Module, run: Run) -> Iterator[Cut]:
    """What the statements read and store, in their text."""
    leaves = {id(node): leaf for leaf in (*run.leaves.values(), *run.written.values())
              for node in leaf.nodes if not leaf.constant}  # fmt: skip
    for statement in (*run.body, *run.mentioned):
        for node in walk(statement):
            leaf = leaves.get(id(node))
            if leaf is not None and isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                extent = module.extent(node)
                start, end = extent if leaf.owner else parenthesised(module.text, *extent)
                yield start, end, [leaf]
            left = leaves.get(id(getattr(node, "left", None)))
            if isinstance(node, ast.BinOp) and left is not None and not dotted(left.expression):
                yield from hugged(module, node)
    for target in run.targets:
        yield *module.extent(target.node), [target.leaf, target.suffix]


def where_of(same: tuple[Sequence[str], Sequence[str]], numbers: Mapping[str, int]) -> Parts:
    """The condition that outputs have one shape, with numbers for the parameters."""
    strict, loose = same
    found: list[str | int] = []
    for name in strict if len(strict) > 1 else ():
        found += [" == " if found else "", numbers[name], ".shape"]
    if loose:
        found += [" and {" if found else "{"]
        for number, name in enumerate(loose):
            found += [", " if number else "", numbers[name], ".shape"]
        found += ["} <= {(), ", numbers[strict[0]], ".shape}"]
    return tuple(part for part in found if part != "")


def key_of(
    body: Parts, asked: tuple[Parts, Parts], types: Sequence[str], results: Sequence[str]
) -> str:
    """What equal kernels have in common: their statements, whatever they are applied to."""
    return repr((meaning(body), asked, tuple(types), tuple(results)))


__all__ = ["key_of", "name_parameters", "python_of", "where_of"]
