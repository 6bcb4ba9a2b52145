"""A kernel of a loop in the form of `gpuport.runtime.kernel`: its signature says what is asked.

The runtime asks at each call for the dtypes and axes that the signature and the indices tell, for
indices within their arrays, and for arrays apart; what else the plan rests on goes into ``where``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.cuda.values import Value
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.names import stored, walk
from gpuport.loops.records import Axis, DeclaredKernel, Given, Kernel, LoopPlan
from gpuport.loops.sets.guards import conjuncts
from gpuport.parallel.cuda.generic import generic_text, with_typed_arguments
from gpuport.parallel.cuda.helpers import used_by
from gpuport.parallel.cuda.names import Names
from gpuport.runtime.expressions import names_in
from gpuport.runtime.kernels.domains import parse_over
from gpuport.runtime.kernels.indices import indices_of
from gpuport.runtime.kernels.intervals import bounds_of
from gpuport.runtime.kernels.signature import C_TYPES
from gpuport.runtime.kernels.weak import HELPERS

_NUMBERS = {
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
    symbols: Symbols,
    numbers: Sequence[str],
    names: Names,
    operation: str,
    functions: str,
    shares: Mapping[str, str],
    size: str,
) -> DeclaredKernel | None:
    """The kernel, or None where the runtime has no words for it.

    Parameters
    ----------
    plan : LoopPlan
    made : Kernel
        The same kernel as an object.
    symbols : Symbols
        What its names are.
    numbers : sequence of str
        Numbers from outside, as Python text.
    names : Names
        What CUDA calls each.
    operation : str
        The text, without the lines that find a thread's indices.
    functions : str
        Functions of the project that it calls.
    shares : mapping of str to str
        Dtypes of the arrays of what iterations have in a number, by their names.
    size : str
        How many iterations there are, as Python text.
    """
    if {known.array for known in plan.ranges} != symbols.arrays.keys():
        return None  # no index would tell the runtime how many axes there are
    arrays = [Given(names[n], a.dtype, True, n) for n, a in symbols.arrays.items()]
    facts = plan.nest.facts
    if any(isinstance(fact := facts.get(text), ScalarFact) and fact.provided for text in numbers):
        return None  # a call would read them before anything is asked
    words = {
        text: _word(symbols.scalars[text]) for text in numbers if not _is_member(text, symbols)
    }
    number = _number(made) if shares else ""
    fact = facts.get(number)
    before = _NUMBERS_BEFORE.get(str(fact.type)) if isinstance(fact, ScalarFact) else None
    if number and before is None:
        return None
    given = [Given(names[text], word, False, text) for text, word in words.items() if word]
    named = all(one.name == one.argument.rpartition(".")[2] for one in (*arrays, *given))
    if len(given) < len(words) or not named:
        return None
    given += [Given(number, before, False, number)] if before is not None else []
    names_of_arrays = {one.name for one in arrays}
    axes = (f"{a.variable} in range({_arguments(a)})" for a in plan.grid)
    dotted = {one.argument: one.name for one in given if "." in one.argument}
    written = [one for one in arrays if one.argument in plan.writes]
    outputs = [Given(name, dtype, False, "") for name, dtype in shares.items()] or written
    text = _with_plain_indices(_with_plain_shares(operation, shares), names_of_arrays)
    found = DeclaredKernel(
        inputs=(*(one for one in arrays if one.argument not in plan.writes), *given),
        outputs=tuple(outputs),
        body=tuple(text.splitlines()),
        over=_without_owners(", ".join(axes), dotted),
        where="",
        preamble=_preamble(operation, functions),
        number=number,
        returns=_without_owners(_returns(made), dotted) if number else "",
    )
    if any(one.type in ("float32", "complex64") for one in (*arrays, *given)):
        weak = {one.name for one in given if one.type == "float"}
        body = with_typed_arguments("\n".join(found.body), weak)
        found = replace(found, body=tuple(body.splitlines()))
    guards = [guard for guard in made.guards if guard != f"{size} > 0"]  # the runtime asks that
    return replace(
        found,
        where=_without_owners(_where(plan, guards, found), dotted),
        within=", ".join(sorted(_restricted(plan) - _open_indices(found))),
    )


_WHOLE = frozenset(name for name in C_TYPES if "int" in name)
_NUMBERS_BEFORE = {"int": "int", "float": "float"}
"""The runtime's word for a number by what is known of it before the loop."""


def _with_plain_shares(text: str, shares: Mapping[str, str]) -> str:
    """The text of an iteration with what it has in a number as its own element."""
    for name in shares:
        text = re.sub(rf"(?<![\w.]){name}\[i\]", name, text)
    return text


def _is_member(text: str, symbols: Symbols) -> bool:
    """Whether a number is a constant of a class, such as a member of an enumeration."""
    return "." in text and symbols.scalars[text].constant is not None


def _preamble(operation: str, functions: str) -> str:
    helpers = used_by(f"{operation}\n{functions}", without=HELPERS)
    return "\n".join(part for part in (helpers, functions) if part)


def with_open_dtypes(plan: LoopPlan, found: DeclaredKernel) -> LoopPlan | None:
    """The plan with float32 for the arrays of which no dtype is known; None where all is known."""
    facts = dict(plan.nest.facts)
    open_ones = _open_arrays(plan, found)
    for name in open_ones:
        fact = facts[name]
        assert isinstance(fact, ArrayFact)
        facts[name] = replace(fact, dtype="float32")
    return replace(plan, nest=replace(plan.nest, facts=facts)) if open_ones else None


def _open_arrays(plan: LoopPlan, found: DeclaredKernel) -> set[str]:
    """Arrays of float64 of which no dtype is known; where all are known to be that, all of them."""
    facts = plan.nest.facts
    given = (*found.inputs, *found.outputs)
    arrays = {o.argument: facts.get(o.argument) for o in given if o.raw and o.type == "float64"}
    known = {name: one for name, one in arrays.items() if isinstance(one, ArrayFact)}
    return {name for name, one in known.items() if one.dtype is None} or set(known)


def of_both(
    plan: LoopPlan,
    double: DeclaredKernel,
    operation: str,
    functions: str,
    shares: Mapping[str, str],
) -> DeclaredKernel:
    """The kernel for float32 and float64, where one text does for both; else that for float64.

    Parameters
    ----------
    plan : LoopPlan
    double : DeclaredKernel
    operation, functions : str
        The text for float32, and the functions of the project that it calls.
    shares : mapping of str to str
        As of `in_words`.
    """
    if double.number and plan.outer:
        return double  # from the second call on the number is one of NumPy's, of float32
    open_ones = _open_arrays(plan, double)
    given = (*double.inputs, *double.outputs)
    names = {one.name for one in given} | stored(plan.body)
    names |= {axis.variable for axis in plan.grid}
    letter = next((one for one in "TUV" if one not in names), "")
    weak = {one.name for one in double.inputs if one.type == "float"}
    operation = _with_plain_shares(operation, shares)
    single = _with_plain_indices(operation, {one.name for one in given if one.raw})
    text = generic_text("\n".join(double.body), single, letter, weak) if letter else None
    if text is None or double.preamble != _preamble(operation, functions):
        return double
    if any(one.raw and one.type in _WHOLE for one in given):
        return double  # whole numbers among float32 are refused at the call
    if any(name.startswith("part_") for name in stored(plan.body)):
        return double  # NumPy adds the parts of arrays up otherwise, which shows in float32

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
        body=tuple(text.splitlines()),
    )


def _word(value: Value) -> str | None:
    """The runtime's word for a number; None where it has none that takes the same."""
    types = frozenset(map(str, value.types))
    if value.constant is not None:
        (word,) = types if len(types) == 1 else ("",)
        return word or None
    if len(types) == 1 and types <= C_TYPES.keys():
        return next(iter(types))
    return _NUMBERS.get(types)


def _arguments(axis: Axis) -> str:
    """The arguments of ``range``, none that it has anyway."""
    if axis.step != "1":
        return f"{axis.start}, {axis.stop}, {axis.step}"
    return axis.stop if axis.start == "0" else f"{axis.start}, {axis.stop}"


def _where(plan: LoopPlan, guards: Sequence[str], found: DeclaredKernel) -> str:
    """What the runtime has to be told beside what it finds out itself.

    That is all, where an array has an index that follows from no range, or goes less far within an
    ``if`` than what it is made of.
    """
    parts = [part for guard in guards for part in conjuncts(guard)]
    parts = [part for part in parts if not _RANK.fullmatch(part)]
    unclear = _open_indices(found) | _restricted(plan)
    unclear |= {one.array for one in plan.ranges if one.negative or not one.proven}
    told = parts if unclear else [part for part in parts if part not in plan.bounds]
    named = {name for part in told for name in names_in(part)}
    told += [f"{array}.ndim == {plan.ranks[array]}" for array in sorted(unclear - named)]
    return " and ".join(map(_operand, told))


def _open_indices(found: DeclaredKernel) -> set[str]:
    """Arrays with an index of which the runtime cannot say how far it goes."""
    body = "\n".join(found.body)
    given = (*found.inputs, *found.outputs)
    indices = indices_of(body, {one.name for one in given if one.raw}, "kernel")
    domain = {axis.name: ("low", "high") for axis in parse_over(found.over, "kernel")}
    return {array for array, _ in bounds_of(body, indices, domain, {g.name for g in given})[1]}


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


def _plain_names(node: ast.expr | None) -> set[str]:
    if node is None or isinstance(node, ast.Subscript):
        return set()
    if isinstance(node, ast.Name):
        return {node.id}
    children = (one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))
    return {name for child in children for name in _plain_names(child)}


def _with_plain_indices(text: str, arrays: set[str]) -> str:
    """The text with indices as people write them: the runtime makes them all of one type."""
    text = text.replace(".shape()[", ".shape[")
    for one in reversed(indices_of(text, arrays, "kernel")):
        for start, end in reversed(one.places):
            if "(" not in text[start:end].replace("(long long)", ""):  # a function is given a type
                text = text[:start] + _WIDE.sub("", text[start:end]) + text[end:]
    return text


_WIDE = re.compile(r"(?<=\d)LL\b|\(long long\)(?=\w+(?![\w\[]))")
_RANK = re.compile(r"\w+\.ndim == \d+")


def _operand(text: str) -> str:
    whole = isinstance(ast.parse(text, mode="eval").body, ast.Compare | ast.Call | ast.Name)
    return text if whole else f"({text})"


def _without_owners(text: str, dotted: Mapping[str, str]) -> str:
    """A text in which attributes are the parameters that they are passed as."""
    for attribute, name in dotted.items():
        text = re.sub(rf"(?<![\w.]){re.escape(attribute)}(?!\w)", name, text)
    return text
