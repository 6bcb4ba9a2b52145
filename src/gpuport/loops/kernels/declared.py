"""A kernel of a loop in the form of `gpuport.runtime.kernel`: its signature says what is asked.

The runtime asks at each call for the dtypes and axes that the signature and the indices tell, for
indices within their arrays, and for arrays apart; what else the plan rests on goes into ``where``.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from gpuport.loops.context.definitions import extents_told
from gpuport.loops.cuda.symbols import Array
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.grid import grid_size
from gpuport.loops.kernels.sums import Sums
from gpuport.loops.kernels.symbols import Outside
from gpuport.loops.kernels.totals import constants_of
from gpuport.loops.names import dotted, loaded, stored, walk
from gpuport.loops.records import Axis, LoopPlan
from gpuport.parallel.conditions import conjuncts, operand
from gpuport.parallel.cuda.declared import (
    body_of,
    extents,
    open_arrays,
    preamble_of,
    stored_numbers,
)
from gpuport.parallel.cuda.generic import generic_text, with_typed_arguments
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.declared import DeclaredKernel, Given
from gpuport.parallel.ranges import Value
from gpuport.parallel.shares import Left, Share, at_hit, returned, shares_of
from gpuport.parallel.staged import types_asked, word_before
from gpuport.runtime.expressions import names_in
from gpuport.runtime.kernels.rooms import ROOMS, assignments
from gpuport.runtime.kernels.signature import C_TYPES
from gpuport.source.reached import reached_by_index

_WORDS = {
    frozenset({"int", "int64"}): "int",
    frozenset({"int", "float", "float64"}): "float",
    frozenset({"int", "float"}): "float",
    frozenset({"float", "float64"}): "float64",
    frozenset({"bool"}): "bool",
}
"""The runtime's word for a number that may be of these types."""

_PYTHONS = {"int": "int", "float": "float", "complex": "complex128"}
"""The runtime's word for a number that is one of Python's, and none of NumPy's of the same kind."""


def is_alone(plan: LoopPlan) -> bool:
    """Whether a launch is one call that leaves nothing but written arrays, and numbers."""
    lists = len(plan.grid) == 1 or not any(one.collected for one in plan.workspaces)
    return lists and bool(plan.writes or plan.accumulations or plan.workspaces)


def _shares(plan: LoopPlan, sums: Sums, terms: Mapping[str, str]) -> list[Share] | None:
    """What iterations make together; None where it cannot be said so."""
    axes = {axis.variable for axis in plan.grid}
    along: dict[str, str] = {}
    for name, statements in sums.statements.items():
        values = {getattr(v, "id", "") for s in statements for v in constants_of(s, name)}
        along |= {name: min(values)} if len(values) == 1 and values <= axes else {}
    wholes = {one.name: (one.parts, one.written("{}")) for one in plan.packed}
    begins = {} if plan.writes else dict(plan.begins)
    if len(begins) < len(plan.begins):
        return None  # they are read after the launch
    return shares_of(sums, terms, along, wholes, begins, stored([plan.region]))


def in_words(
    plan: LoopPlan,
    guards: Sequence[str],
    outside: Outside,
    names: Names,
    text: tuple[str, str],
    sums: tuple[Sums, Mapping[str, str], Mapping[str, str]],
    olds: Mapping[str, str],
) -> DeclaredKernel | None:
    """The kernel, or None where the runtime has no words for it.

    Parameters
    ----------
    plan : LoopPlan
    guards : sequence of str
        What the kernel asks.
    outside : Outside
        What its names are.
    names : Names
        What CUDA calls each.
    text : (str, str)
        The text, without the lines that find a thread's indices, and the functions of the project
        that it calls.
    sums : (Sums, mapping of str to str, mapping of str to str)
        What iterations make together, the names of the arrays that have their shares, and the
        dtypes of these.
    olds : mapping of str to str
        What the text calls the arrays that have what others were before the loop.
    """
    symbols = outside.symbols
    lists = [one.name for one in plan.workspaces]
    rooms, work = _rooms(plan, symbols.arrays, names, olds)
    indexed = [(name, a) for name, a in symbols.arrays.items() if name not in lists]
    if not {known.array for known in plan.ranges}.issuperset(name for name, _ in indexed):
        return None  # no index would tell the runtime how many axes there are
    arrays = [Given(names[name], a.dtype, True, name) for name, a in indexed]
    found = _numbers(outside, names)
    told, before = _left(plan, *sums[:2])
    if found is None or told is None:
        return None
    numbers, exact = found
    left, apart = told.names, () if plan.hit is None else plan.hit.reads
    if not {one.name for one in numbers}.isdisjoint(left):
        return None
    arrays += [Given(name, _dtype(plan, name), True, name) for name, _ in apart]
    stored_ones = stored_numbers(plan.nest.facts) | extents(outside.numbers)
    given = [one for one in (*arrays, *numbers) if one.argument not in stored_ones]
    if any(one.name != one.argument.rpartition(".")[2] for one in given):
        return None
    numbers += before
    kept = _kept(left, work, {one.argument for one in (*arrays, *numbers)})
    body = body_of(text[0], {one.name for one in (*arrays, *rooms)}, sums[2])
    if any(one.type in _NARROW for one in (*arrays, *numbers)):
        body = with_typed_arguments(body, {one.name for one in numbers if one.type == "float"})
    renamed = {one.argument: one.name for one in given if "." in one.argument and not one.raw}
    renamed |= _measured(plan, symbols.arrays, numbers) | _measured_by(plan, arrays)
    over = _without_owners(", ".join(map(_over, plan.grid)), renamed)
    unclear = open_arrays(body, over, {o.name for o in arrays}, {o.name for o in numbers})
    restricted = _restricted(plan).difference(lists)
    exact += types_asked({n: t for n, t in sums[0].assumed.items() if n in left})
    asked = [*exact, *_guards(guards, left, grid_size(plan))]
    where = _where(plan, asked, unclear | restricted | dict(apart).keys())
    rooms += [Given(name, dtype, False, "") for name, dtype in sums[2].items()]
    return DeclaredKernel(
        inputs=(*(one for one in arrays if one.argument not in plan.writes), *numbers, *kept),
        outputs=(*(one for one in arrays if one.argument in plan.writes), *rooms),
        work=_without_owners(work, renamed),
        body=tuple(body.splitlines()),
        over=over,
        where=_without_owners(where, renamed),
        within=", ".join(sorted(restricted - unclear)),
        preamble=preamble_of(*text),
        numbers=left,
        returns=_without_owners(told.text, renamed),
        ends=told.ends,
    )


def _dtype(plan: LoopPlan, name: str) -> str:
    """The dtype of an array of which no element is read in the kernel."""
    fact = plan.nest.facts.get(name)
    return (fact.dtype if isinstance(fact, ArrayFact) else None) or "float64"


def _guards(guards: Sequence[str], left: Sequence[str], size: str) -> Iterator[str]:
    """What is asked, but for that there are iterations, and for numbers of any kind."""
    asked = (f"{size} > 0", *(f"(isinstance({name}, " for name in left))
    yield from (guard for guard in guards if not guard.startswith(asked))


def _kept(left: Sequence[str], work: str, there: Collection[str]) -> list[Given]:
    """What Python alone is given: numbers of before, and what arrays of the text are made of."""
    more = [n for _, said in assignments(work) for n in names_in(said) if n not in _WORK]
    names = dict.fromkeys((*left, *more))
    return [Given(name, "object", False, name) for name in names if name not in there]


_WORK = frozenset({*ROOMS, *vars(builtins)})


def _rooms(
    plan: LoopPlan,
    arrays: Mapping[str, Array],
    names: Names,
    olds: Mapping[str, str],
) -> tuple[list[Given], str]:
    """The arrays that the text alone has, and what makes them."""
    found = [Given(olds[name], arrays[name].dtype, True, "") for name in sorted(plan.snapshots)]
    texts = [f"{olds[name]} = {name}.copy()" for name in sorted(plan.snapshots)]
    for one in plan.workspaces:
        if one.name in arrays and not one.collected:
            word = "unwritten" if one.lent else "room"
            found.append(Given(names[one.name], arrays[one.name].dtype, True, ""))
            texts.append(f"{names[one.name]} = {word}({', '.join(one.extents)})")
    return found, "; ".join(texts)


def _left(plan: LoopPlan, sums: Sums, terms: Mapping[str, str]) -> tuple[Left | None, list[Given]]:
    """What the loop leaves, and the numbers that it adds to; None where there are no words."""
    if plan.hit is not None:
        return _hit(plan, terms), []
    shares = _shares(plan, sums, terms)
    if shares is None:
        return None, []
    begun = [_found(plan, one, sums.assumed) for one in shares if one.adds]
    before = [one for one in begun if one is not None]
    known = len(before) == len(begun)
    more = [*plan.last_values, *_lists(plan, terms)]
    return returned(shares, more) if known else None, before


def _lists(plan: LoopPlan, terms: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The lists that the loop fills, with what becomes of the items."""
    for one in plan.workspaces:
        items = terms.get(one.name, "")
        if one.collected and not one.marks:
            yield one.name, f"kept({items}, {terms[one.kept]})" if one.kept else items


def _restricted(plan: LoopPlan) -> set[str]:
    """The arrays that are reached under a condition on what an index is made of."""
    reached = reached_by_index(plan.body, [one.node for one in plan.ranges])
    return {one.array for one, is_so in zip(plan.ranges, reached, strict=True) if is_so}


def _hit(plan: LoopPlan, terms: Mapping[str, str]) -> Left | None:
    """What a loop that ends at its first hit leaves."""
    hit = plan.hit
    if hit is None or len(plan.accumulations) != 1 or plan.workspaces or plan.writes:
        return None
    found = f"{terms[hit.variable]}.any()"
    if not hit.flag:
        least = f"int({terms[hit.variable]}.{plan.accumulations[0].operator}())"
        found = re.sub(rf"^{hit.variable}\b", f"({hit.variable} := {least})", hit.test)
    return at_hit(found, hit.lines, dict(plan.last_values), hit.otherwise)


def _found(plan: LoopPlan, share: Share, assumed: Mapping[str, str]) -> Given | None:
    """A number that the loop adds to, as it was before; None where its type is not known."""
    fact = plan.nest.facts.get(share.name)
    type_ = fact.type if isinstance(fact, ScalarFact) and fact.type else assumed.get(share.name)
    word = word_before(type_)
    return Given(share.name, word, False, share.name) if word else None


def _measured(plan: LoopPlan, arrays: Collection[str], numbers: list[Given]) -> dict[str, str]:
    """The parameters that are lengths of arrays which the call does not pass, by these lengths."""
    names = {one.argument: one.name for one in numbers}
    told = (
        (a, k, dotted(n)) for a, k, n in extents_told(plan.nest, plan.region) if a not in arrays
    )
    return {f"{a}.shape[{k}]": names[n] for a, k, n in told if n in names}


def _measured_by(plan: LoopPlan, arrays: Sequence[Given]) -> dict[str, str]:
    """What objects tell of the lengths of arrays that the call passes: the arrays have them."""
    passed = {one.argument: one.name for one in arrays}
    return {
        ast.unparse(extent): f"{passed[array]}.shape[{axis}]"
        for array, axis, extent in extents_told(plan.nest, plan.region)
        if array in passed and not passed.keys() | {"len"} >= loaded([extent])
        and any(isinstance(one, ast.Attribute) for one in walk([extent]))
    }  # fmt: skip


def _numbers(outside: Outside, names: Names) -> tuple[list[Given], list[str]] | None:
    """The numbers that a call passes, and what is asked of their types besides.

    None where one of them cannot be passed.
    """
    scalars = outside.symbols.scalars
    narrow = any(one.dtype in _NARROW for one in outside.symbols.arrays.values())
    found, asked = [], []
    for text in outside.numbers:
        if "." in text and scalars[text].constant is not None:
            continue  # a constant of a class, such as a member of an enumeration
        word = _word(scalars[text])
        if not word:
            (name, *more) = map(str, scalars[text].types)
            if more or name not in _PYTHONS:
                return None
            word = _PYTHONS[name]
            if not (narrow and name == "int") and not extents(
                [text]
            ):  # where NumPy's own whole numbers are refused
                asked.append(f"type({text}) is {name}")
        found.append(Given(names[text], word, False, text))
    return found, asked


_NARROW = frozenset({"float32", "complex64"})
_WHOLE = frozenset(name for name in C_TYPES if "int" in name)


def with_open_dtypes(plan: LoopPlan, found: DeclaredKernel) -> LoopPlan | None:
    """The plan with float32 for the arrays of which no dtype is known; None where all is known."""
    facts = dict(plan.nest.facts)
    open_ones = _open_dtypes(plan, found)
    for name in open_ones:
        fact = facts[name]
        assert isinstance(fact, ArrayFact)
        facts[name] = replace(fact, dtype="float32")
    return replace(plan, nest=replace(plan.nest, facts=facts)) if open_ones else None


def _open_dtypes(plan: LoopPlan, found: DeclaredKernel) -> set[str]:
    """Arrays of float64 of which no dtype is known; where all are known to be that, all of them."""
    facts = plan.nest.facts
    given = (*found.inputs, *found.outputs)
    arrays = {o.argument: facts.get(o.argument) for o in given if o.raw and o.type == "float64"}
    known = {name: one for name, one in arrays.items() if isinstance(one, ArrayFact)}
    return {name for name, one in known.items() if one.dtype is None} or set(known)


def of_both(
    plan: LoopPlan,
    double: DeclaredKernel,
    text: tuple[str, str],
    shares: Mapping[str, str],
    rooms: Mapping[str, str],
) -> DeclaredKernel:
    """The kernel for float32 and float64, where one text does for both; else that for float64.

    Parameters
    ----------
    plan : LoopPlan
    double : DeclaredKernel
    text, shares
        For float32, as of `in_words`.
    rooms : mapping of str to str
        The dtypes of the arrays that the text alone has there.
    """
    if any(one.lent for one in plan.workspaces):
        return double  # what is not written is told by the bits of a float64
    made = {**shares, **rooms}
    if plan.outer and any(o.name in double.numbers and o.type != "object" for o in double.inputs):
        return double  # from the second call on the number is one of NumPy's, of float32
    given = (*double.inputs, *double.outputs)
    if any(one.raw and one.type in _WHOLE for one in given):
        return double  # whole numbers among float32 are refused at the call
    if any(name.startswith("part_") for name in stored(plan.body)):
        return double  # NumPy adds the parts of arrays up otherwise, which shows in float32
    names = {one.name for one in given} | stored(plan.body)
    names |= {axis.variable for axis in plan.grid}
    letter = next((one for one in "TUV" if one not in names), "")
    weak = {one.name for one in double.inputs if one.type == "float"}
    single = body_of(text[0], {one.name for one in given if one.raw}, shares)
    body = generic_text("\n".join(double.body), single, letter, weak) if letter else None
    if body is None or double.preamble != preamble_of(*text):
        return double
    open_ones = _open_dtypes(plan, double)

    def typed(some: tuple[Given, ...]) -> tuple[Given, ...]:
        return tuple(
            replace(o, type=letter)
            if o.argument in open_ones or (o.type, made.get(o.name)) == ("float64", "float32")
            else o
            for o in some
        )

    return replace(
        double,
        inputs=typed(double.inputs),
        outputs=typed(double.outputs),
        body=tuple(body.splitlines()),
    )


def _word(value: Value) -> str | None:
    """The runtime's word for a number; None where it has none that takes the same."""
    types = frozenset(map(str, value.types))
    if value.constant is not None:
        (word,) = types if len(types) == 1 else ("",)
        return word or None
    if len(types) == 1 and types <= C_TYPES.keys():
        return next(iter(types))
    return _WORDS.get(types)


def _over(axis: Axis) -> str:
    """One loop of the domain."""
    return f"{axis.variable} in range({_arguments(axis)})"


def _arguments(axis: Axis) -> str:
    """The arguments of ``range``, none that it has anyway."""
    if axis.step != "1":
        return f"{axis.start}, {axis.stop}, {axis.step}"
    return axis.stop if axis.start == "0" else f"{axis.start}, {axis.stop}"


def _where(plan: LoopPlan, guards: Sequence[str], unclear: set[str]) -> str:
    """What the runtime has to be told beside what it finds out itself.

    That is all, where arrays have an index that follows from no range, or goes less far within an
    ``if`` than what it is made of.
    """
    parts = [part for guard in guards for part in conjuncts(guard)]
    parts = [part for part in parts if not _RANK.fullmatch(part)]
    unclear = unclear | {one.array for one in plan.ranges if one.negative or not one.proven}
    unclear = unclear - {one.name for one in plan.workspaces}
    told = parts if unclear else [part for part in parts if part not in plan.bounds]
    named = {name for part in told for name in names_in(part)}
    ranks = {**plan.ranks, **dict(() if plan.hit is None else plan.hit.reads)}
    ranks |= {array.rpartition(".")[2]: rank for array, rank in ranks.items()}
    if unclear - named - ranks.keys():
        raise ValueError("arrays of which the plan does not say how many axes they have")
    told += [f"{array}.ndim == {ranks[array]}" for array in sorted(unclear - named)]
    return " and ".join(map(operand, told))


_RANK = re.compile(r"\w+\.ndim == \d+")


def _without_owners(text: str, passed: Mapping[str, str]) -> str:
    """A text in which attributes are the parameters that they are passed as."""
    for attribute, name in passed.items():
        text = re.sub(rf"(?<![\w.]){re.escape(attribute)}(?!\w)", name, text)
    return text
