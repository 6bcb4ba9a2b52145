"""A kernel of a loop in the form of `gpuport.runtime.kernel`: its signature says what is asked.

The runtime asks at each call for the dtypes and axes that the signature and the indices tell, for
indices within their arrays, and for arrays apart; what else the plan rests on goes into ``where``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from gpuport.loops.context.definitions import extents_told
from gpuport.loops.cuda.values import Value
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.symbols import Outside
from gpuport.loops.names import dotted, stored, walk
from gpuport.loops.records import Axis, DeclaredKernel, Given, Kernel, LoopPlan
from gpuport.loops.sets.guards import conjuncts, operand
from gpuport.parallel.cuda.declared import body_of, open_arrays, preamble_of, stored_numbers
from gpuport.parallel.cuda.generic import generic_text, with_typed_arguments
from gpuport.parallel.cuda.names import Names
from gpuport.runtime.expressions import names_in
from gpuport.runtime.kernels.signature import C_TYPES
from gpuport.source.syntax import children

_WORDS = {
    frozenset({"int", "int64"}): "int",
    frozenset({"int", "float", "float64"}): "float",
    frozenset({"int", "float"}): "float",
    frozenset({"float", "float64"}): "float64",
    frozenset({"bool"}): "bool",
}
"""The runtime's word for a number that may be of these types."""


def is_alone(plan: LoopPlan, made: Kernel) -> bool:
    """Whether a launch is one call that leaves nothing but written arrays, or one number."""
    left = (plan.last_values, plan.snapshots, plan.workspaces, plan.packed)
    tied = (plan.scan, plan.tallies, plan.latest, plan.hit, plan.begins, plan.prologue)
    if any((*left, *tied, made.others, made.lists)) or not all(map(_MADE.match, made.before)):
        return False
    if not plan.accumulations:
        return bool(plan.writes) and not made.after
    return not plan.writes and _number(made) != ""


_MADE = re.compile(r"\w+ = (?:\{cupy\}\.(?:empty|zeros)\(|\w+\.copy\(\)$)")
"""What the runtime makes by itself: outputs, what tells of errors, copies of what is written."""
_SUM = re.compile(
    r"(?:if (?P<mark>\w+)\.any\(\):\n    )?(?P<name>\w+) = (?P<value>(?P=name) [+*] [^\n]+)"
)
_FETCHED = re.compile(r"\{cupy\}\.asnumpy\((?P<inner>.+)\)\[\(\)\]")


def _number(made: Kernel) -> str:
    """The one number that a launch leaves, where it is added or multiplied up; else nothing."""
    found = _SUM.fullmatch(made.after[0]) if len(made.after) == 1 else None
    return found["name"] if found else ""


def _returns(made: Kernel) -> str:
    """Python text of the number that a launch leaves; where nothing was added, as it was."""
    found = _SUM.fullmatch(made.after[0]) if len(made.after) == 1 else None
    if found is None:
        return ""
    value = _FETCHED.sub(r"\g<inner>.get()[()]", found["value"])
    return f"{value} if {found['mark']}.any() else {found['name']}" if found["mark"] else value


def in_words(
    plan: LoopPlan,
    made: Kernel,
    outside: Outside,
    names: Names,
    text: tuple[str, str],
    shares: Mapping[str, str],
    size: str,
) -> DeclaredKernel | None:
    """The kernel, or None where the runtime has no words for it.

    Parameters
    ----------
    plan : LoopPlan
    made : Kernel
        The same kernel as an object.
    outside : Outside
        What its names are.
    names : Names
        What CUDA calls each.
    text : (str, str)
        The text, without the lines that find a thread's indices, and the functions of the project
        that it calls.
    shares : mapping of str to str
        Dtypes of the arrays of what iterations have in a number, by their names.
    size : str
        How many iterations there are, as Python text.
    """
    symbols = outside.symbols
    if {known.array for known in plan.ranges} != symbols.arrays.keys():
        return None  # no index would tell the runtime how many axes there are
    arrays = [Given(names[n], a.dtype, True, n) for n, a in symbols.arrays.items()]
    numbers, facts = _numbers(outside, names), plan.nest.facts
    number = _number(made) if shares else ""
    fact = facts.get(number)
    before = _NUMBERS_BEFORE.get(str(fact.type)) if isinstance(fact, ScalarFact) else None
    if numbers is None or bool(number) != (before is not None):
        return None
    given = [o for o in (*arrays, *numbers) if o.argument not in stored_numbers(facts)]
    if any(one.name != one.argument.rpartition(".")[2] for one in given):
        return None
    numbers += [Given(number, before, False, number)] if before is not None else []
    body = body_of(text[0], {one.name for one in arrays}, shares)
    if any(one.type in ("float32", "complex64") for one in (*arrays, *numbers)):
        body = with_typed_arguments(body, {one.name for one in numbers if one.type == "float"})
    renamed = {one.argument: one.name for one in given if "." in one.argument and not one.raw}
    renamed |= _measured(plan, symbols.arrays, numbers)
    axes = (f"{a.variable} in range({_arguments(a)})" for a in plan.grid)
    over = _without_owners(", ".join(axes), renamed)
    unclear = open_arrays(body, over, {o.name for o in arrays}, {o.name for o in numbers})
    restricted = _restricted(plan)
    guards = [guard for guard in made.guards if guard != f"{size} > 0"]  # the runtime asks that
    outputs = [Given(name, dtype, False, "") for name, dtype in shares.items()]
    return DeclaredKernel(
        inputs=(*(one for one in arrays if one.argument not in plan.writes), *numbers),
        outputs=tuple(outputs or [one for one in arrays if one.argument in plan.writes]),
        body=tuple(body.splitlines()),
        over=over,
        where=_without_owners(_where(plan, guards, unclear | restricted), renamed),
        within=", ".join(sorted(restricted - unclear)),
        preamble=preamble_of(*text),
        number=number,
        returns=_without_owners(_returns(made), renamed) if number else "",
    )


def _measured(plan: LoopPlan, arrays: Collection[str], numbers: list[Given]) -> dict[str, str]:
    """The parameters that are lengths of arrays which the call does not pass, by these lengths."""
    names = {one.argument: one.name for one in numbers}
    told = (
        (a, k, dotted(n)) for a, k, n in extents_told(plan.nest, plan.region) if a not in arrays
    )
    return {f"{a}.shape[{k}]": names[n] for a, k, n in told if n in names}


def _numbers(outside: Outside, names: Names) -> list[Given] | None:
    """The numbers that a call passes; None where one of them cannot be passed."""
    scalars = outside.symbols.scalars
    found = []
    for text in outside.numbers:
        if "." in text and scalars[text].constant is not None:
            continue  # a constant of a class, such as a member of an enumeration
        word = _word(scalars[text])
        if not word:
            return None
        found.append(Given(names[text], word, False, text))
    return found


_WHOLE = frozenset(name for name in C_TYPES if "int" in name)
_NUMBERS_BEFORE = {"int": "int", "float": "float"}
"""The runtime's word for a number by what is known of it before the loop."""


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
    plan: LoopPlan, double: DeclaredKernel, text: tuple[str, str], shares: Mapping[str, str]
) -> DeclaredKernel:
    """The kernel for float32 and float64, where one text does for both; else that for float64.

    Parameters
    ----------
    plan : LoopPlan
    double : DeclaredKernel
    text, shares
        For float32, as of `in_words`.
    """
    if double.number and plan.outer:
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
            if o.argument in open_ones or (o.type, shares.get(o.name)) == ("float64", "float32")
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
    told = parts if unclear else [part for part in parts if part not in plan.bounds]
    named = {name for part in told for name in names_in(part)}
    told += [f"{array}.ndim == {plan.ranks[array]}" for array in sorted(unclear - named)]
    return " and ".join(map(operand, told))


def _restricted(plan: LoopPlan) -> set[str]:
    """The arrays that are reached under a condition on what an index is made of."""
    asked = _made_of(plan, {n for one in walk(plan.body) for n in _plain_names(_test_of(one))})
    return {
        one.array
        for one in plan.ranges
        if not asked.isdisjoint(_plain_names(one.node.slice))
        and _is_under_condition(plan, one.node)
    }


def _test_of(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.BoolOp):
        return node
    return node.test if isinstance(node, ast.If | ast.IfExp | ast.While) else None


def _is_under_condition(plan: LoopPlan, node: ast.AST) -> bool:
    """Whether a node may not be reached: also behind what ends an iteration."""
    if any(isinstance(one, ast.Continue | ast.Break) for one in walk(plan.body)):
        return True
    conditions = (one for one in walk(plan.body) if _test_of(one) is not None)
    return any(inner is node for one in conditions for inner in walk([one]))


def _made_of(plan: LoopPlan, names: set[str]) -> set[str]:
    """Names, and those that the iteration makes them of; elements of arrays restrict no index."""
    found: set[str] = set()
    pending = set(names)
    while pending:
        name = pending.pop()
        found.add(name)
        for node in walk(plan.body):
            if isinstance(node, ast.Assign | ast.AugAssign) and name in stored([node]):
                pending |= _plain_names(node.value) - found
    return found


def _plain_names(node: ast.AST | None) -> set[str]:
    if node is None or isinstance(node, ast.Subscript):
        return set()
    if isinstance(node, ast.Name):
        return {node.id}
    return {name for child in children(node) for name in _plain_names(child)}


_RANK = re.compile(r"\w+\.ndim == \d+")


def _without_owners(text: str, passed: Mapping[str, str]) -> str:
    """A text in which attributes are the parameters that they are passed as."""
    for attribute, name in passed.items():
        text = re.sub(rf"(?<![\w.]){re.escape(attribute)}(?!\w)", name, text)
    return text
