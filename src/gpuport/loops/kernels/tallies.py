"""Tallies: a kernel for what each iteration adds, running sums, a kernel that does the rest.

``if x[i] > 0: out[k] = x[i]; k += 1`` becomes a kernel that counts each thread's additions,
``k_scan``, in which they are summed up from the number before the loop on, and a kernel in which
each thread begins with ``k = k_scan[i]``. Sums of floating numbers are taken in another order than
the loop's.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.loops.carried import Tallies
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.grid import grid_size
from gpuport.loops.kernels.scan_plans import SMALL, element, number_taken, with_array
from gpuport.loops.kernels.scan_types import literal_before, summed
from gpuport.loops.kernels.stages import Make, staged
from gpuport.loops.kernels.sums import unasked
from gpuport.loops.names import dotted, loaded, walk
from gpuport.loops.reasons import UNKNOWN_TYPE, UNSUPPORTED, Refused
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from gpuport.loops.ties.tallies import endless, raises, without_last
from gpuport.parallel.ranges import held
from gpuport.parallel.staged import of_tallies
from gpuport.parallel.typing import Type
from gpuport.source.fresh import unused

_WIDE = ("float64", "int64", "uint64", "complex128", "bool")
"""Dtypes with which a number of Python's makes what one of NumPy's with 64 bits makes."""


def tally_kernel(plan: LoopPlan, taken: frozenset[str], make: Make) -> Kernel | Refusal:
    """The kernels of a plan whose iterations are tied by tallies.

    Parameters
    ----------
    plan : LoopPlan
    taken : frozenset of str
        Names that the kernels may not have.
    make : Make

    Returns
    -------
    Kernel or Refusal
        The kernel after the sums, with the one before them as its ``first``.

    Raises
    ------
    Refused
        Where the sums would not give what the loop gives.
    """
    tallies = plan.tallies
    assert tallies is not None
    _check_ends(tallies)
    counting = _counting(plan, tallies)
    first = make(counting, taken)
    if isinstance(first, Refusal):
        return first
    sums = summed(counting, list(counting.body))
    types = {name: sums.types[name] for name in tallies.variables}
    plan = replace(plan, guards=tuple(unasked(plan.guards, sums.assumed)))
    for one in tallies.additions:
        _check(plan, one.variable, one.statement, types[one.variable], first)
    scans = {name: unused(f"{name}_scan", taken) for name in tallies.variables}
    rest = make(_rest(plan, scans, types), taken.union(scans.values()))
    if isinstance(rest, Refusal):
        return rest
    live = plan.nest.live_after
    made = staged([first, rest], ())
    # That there are iterations is among the plan's guards in one way or another.
    asked = [one for one in made.guards if one != f"{grid_size(plan)} > 0"]
    return replace(
        made,
        declared=of_tallies(first.declared, rest.declared, types, scans, live),
        guards=tuple(dict.fromkeys([*plan.guards, *asked])),
        kinds=tuple(dict.fromkeys((*made.kinds, *_kinds(plan, types)))),
    )


def _kinds(plan: LoopPlan, types: dict[str, Type]) -> list[str]:
    """Numbers that the first iteration may make of a tally that is still one of Python's."""
    for name, type_ in types.items():
        fact = plan.nest.facts.get(name)
        same = isinstance(fact, ScalarFact) and fact.type == str(type_)
        if not type_.weak and not same and name in loaded(plan.body):
            return [one.variable for one in plan.accumulations]
    return []


def _counting(plan: LoopPlan, tallies: Tallies) -> LoopPlan:
    """The plan of what each iteration adds."""
    subscripts = [n for n in walk(tallies.body) if isinstance(n, ast.Subscript)]
    read = {name for name in (dotted(n.value) for n in subscripts) if name is not None}
    return replace(
        plan,
        tallies=None,
        body=tallies.body,
        accumulations=tallies.additions,
        reads=plan.reads & read,
        writes=frozenset(),
        snapshots=frozenset(),
        ranks={n: r for n, r in plan.ranks.items() if n in read},
        ranges=tuple(one for one in plan.ranges if one.array in read),
        last_values=(),
        guards=(),
        workspaces=(),
    )


def _rest(plan: LoopPlan, scans: dict[str, str], types: dict[str, Type]) -> LoopPlan:
    """The plan of what is done with the sums."""
    assert plan.tallies is not None
    made = plan
    for name, scan in scans.items():
        node = element(plan, scan, ast.Load())
        begin = number_taken(name, node, types[name], plan.region)
        steps = [a.statement for a in plan.tallies.additions if a.variable == name]
        counts = all(raises(one, name) for one in steps) and _small(plan, name)
        array = ArrayFact(types[name].dtype, 1, counts=counts)
        body = without_last(list(made.body), name)
        made = with_array(made, array, node, [begin, *body])
    reads = plan.reads.union(scans.values())
    return replace(made, reads=reads, last_values=plan.last_values, guards=plan.guards)


def _small(plan: LoopPlan, name: str) -> bool:
    fact = plan.nest.facts.get(name)
    known = fact.value if isinstance(fact, ScalarFact) else literal_before(plan, name)
    return type(known) is int and 0 <= known < SMALL


def _check_ends(tallies: Tallies) -> None:
    """Refuse to count beforehand what only an index out of range may end."""
    loop = endless(tallies)
    if loop is not None:
        names = " and ".join(f"`{name}`" for name in tallies.variables)
        message = (
            f"{names} would be counted before the loop, and data say how often the loop on line "
            f"{loop.lineno} runs: an index out of range ends it here, and would not end the count"
        )
        raise Refused(UNSUPPORTED, loop, message)


def _check(plan: LoopPlan, name: str, where: ast.stmt, type_: Type, counting: Kernel) -> None:
    """Refuse a number of which the first iterations know another type than the later ones.

    Until something of NumPy's is added to it, ``s = 0.0`` is Python's: with narrow numbers it makes
    narrow ones.
    """
    if counting.checked:
        message = (
            f"what is added to `{name}` depends on elements whose place depends on data, which may "
            "be outside of the array"
        )
        raise Refused(UNSUPPORTED, where, message)
    fact = plan.nest.facts.get(name)
    told = isinstance(fact, ScalarFact)
    if isinstance(fact, ScalarFact) and fact.type == str(type_):
        return
    known: object = fact.value if isinstance(fact, ScalarFact) else None
    known = literal_before(plan, name) if known is None else known
    if type_.weak and (type(known).__name__ == str(type_) or (known is None and not told)):
        return
    others = [plan.nest.facts.get(array) for array in plan.reads | plan.writes]
    narrow = any(isinstance(o, ArrayFact) and (o.dtype or "float64") not in _WIDE for o in others)
    exact = isinstance(known, int | float) and held(known, type_.dtype)
    if type_.weak or narrow or not exact or type_.dtype not in _WIDE:
        raise Refused(
            UNKNOWN_TYPE,
            where,
            f"`{name}` begins as another type than the loop gives it ({type_}), and is read before "
            "that: begin with a number of that type",
        )
