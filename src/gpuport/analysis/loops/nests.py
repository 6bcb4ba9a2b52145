"""Loops over elements: those that become kernels, and the arrays that have to be there for it.

What is known of the names goes to the loop compiler as facts. Where it makes a kernel, the loop
is one operation of the data-flow graph; where not, its reason is kept for the findings.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.functions.innerfunctions import reading_arrays
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.compiling import compiled
from gpuport.analysis.loops.elements import (
    counted_through,
    goes_over_unknown,
    order_of_its_own,
    works_on_elements,
)
from gpuport.analysis.loops.holding import held_together, on_host_already
from gpuport.analysis.loops.leaving import keep_rows, rows_changed, rows_left, unsure_before
from gpuport.analysis.loops.outofplace import out_of_place
from gpuport.analysis.loops.refusing import Loop, refuse, refused
from gpuport.analysis.objects.methodbodies import call_with_instance, left_to_kernel
from gpuport.analysis.objects.receivers import numbers_read
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.project.modulenames import name_followed
from gpuport.analysis.values.lattice import Array, Scalar, is_arraylike
from gpuport.cost.shapes import FEW
from gpuport.loops.facts import FunctionFact, ScalarFact
from gpuport.rules.loopfunctions import orders_of_their_own
from gpuport.source.carried import bound_names
from gpuport.source.syntax import inside, walk

if TYPE_CHECKING:
    from gpuport.loops.facts import Fact
    from gpuport.loops.records import Kernel, LoopPlan, Refusal

_OF_INSTANCE = ("GP203", "GP205")
"""Codes of what the loop compiler says of calls that need an instance."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A loop that becomes a kernel where ``graph_node`` is on the device.

    Attributes
    ----------
    plan, kernel
        What the loop compiler made.
    graph_node : Node
    borrowed : frozenset of str
        Arrays of the host that the kernel reads copies of.
    constants : tuple of (str, number)
        Names of the module with the values that the kernel holds.
    written : frozenset of str
        Arrays that the loop itself may write: more than the kernel does, where what it takes for
        numbers may be rows.
    axes : tuple of (str, int)
        Parameters of which only a run tells how many axes they have, with the number that the
        kernel is for: with another one the names that the loop leaves hold rows, not numbers.
    """

    plan: LoopPlan
    kernel: Kernel
    graph_node: Node
    borrowed: frozenset[str]
    constants: tuple[tuple[str, object], ...]
    written: frozenset[str]
    axes: tuple[tuple[str, int], ...]


def launched(unit: Unit, node: Loop) -> bool:
    """Make a loop one operation, if a kernel can do what it does.

    Returns
    -------
    bool
        Whether the loop is dealt with; otherwise it is a Python loop like any other.
    """
    _withdraw(unit, node)
    if unit.guarded is not None or not works_on_elements(unit, node):
        reason = None if unit.guarded is not None or unit.trial is not None else _left(unit, node)
        if reason is not None:
            refuse(unit, node, reason)
        return False
    if unit.trial is not None:
        unit.trial[id(node)] = {name: flow.value for name, flow in unit.env.items()}
        return False
    flat = counted_through(unit, node)
    why = unit.project.withheld.get(id(node)) or (flat and _of_flat(flat))
    found = refused(node, "GP201", why) if why else compiled(unit, node)
    if not isinstance(found, tuple):
        called = call_with_instance(unit, node) if found.code in _OF_INSTANCE else None
        refuse(unit, node, found if called is None else refused(node, "GP203", called))
        return False
    if isinstance(node, ast.For) and _goes_over_few(unit, node) and not _spread(node, found[0]):
        why = "it goes over a few numbers, with a launch for each: their arrays would have to cross"
        refuse(unit, node, refused(node, "GP201", why))
        return False
    return _launch(unit, node, *found)


def _goes_over_few(unit: Unit, node: ast.For) -> bool:
    """Whether what a head goes over are arrays of a few elements."""
    shapes = unit.project.calls.shapes(unit.project, unit.scope)
    flows = [(one, unit.load(one.id)) for one in walk(node.iter) if isinstance(one, ast.Name)]
    arrays = [one for one, flow in flows if flow is not None and is_arraylike(flow.value)]
    return bool(arrays) and all((shapes.elements(one) or FEW + 1) <= FEW for one in arrays)


def _spread(node: ast.For, plan: LoopPlan) -> bool:
    """Whether the iterations themselves are spread over threads."""
    return not bound_names([node.target]).keys().isdisjoint(axis.variable for axis in plan.grid)


def _launch(unit: Unit, node: Loop, plan: LoopPlan, kernel: Kernel) -> bool:
    """Make a loop the launch of a kernel, if the arrays may be where that runs."""
    used = sorted(plan.reads | plan.writes)
    arrays = {name: unit.load(name) or name_followed(unit, name) for name in used}
    borrowed = on_host_already(unit, arrays)
    constants = tuple(dict.fromkeys(_constants(unit, plan.nest.facts)))
    rows, elements = rows_changed(unit, node, arrays, plan)
    written = plan.writes | rows
    reason = out_of_place(unit, node, arrays, plan, constants, borrowed & written)
    if reason is not None:
        refuse(unit, node, reason)
        return False
    called = reading_arrays(node, plan.nest.facts, used)
    held = left_to_kernel(unit, node)
    more = constants or called or held or written != plan.writes
    if plan.left and (more or not unit.module.stands_alone(node)):
        refuse(unit, node, refused(node, "GP201", _left_otherwise(plan)))
        return False
    for inner in inside(node):
        _withdraw(unit, inner)
    whole = _whole_after(unit, plan)
    unsure = unsure_before(unit, node) - arrays.keys()
    keep_rows(unit, node, kernel.guards, unsure)
    graph_node = held_together(unit, node, arrays, borrowed, written)
    numbers = {text.rpartition(".")[2] for text in numbers_read(unit, node)}
    unit.parameters.receiver_numbers |= numbers
    unit.env.update({name: Flow(Scalar("int")) for name in whole})
    open_dtype = kernel.declared is not None and kernel.declared.generic
    for name, dtype in kernel.lists.items():
        value = Array(None if open_dtype else dtype or None, 1)
        unit.env[name] = Flow(value, graph_node, fresh=True, ordered=True)
    axes = (*rows_left(unit, node, kernel.guards, unsure), *elements)
    launch = Launch(
        plan=plan,
        kernel=kernel,
        graph_node=graph_node,
        borrowed=borrowed,
        constants=constants,
        written=written,
        axes=axes,
    )
    unit.forms.launches[id(node)] = launch
    _tell_differences(unit, node, kernel, graph_node)
    return True


def _left_otherwise(plan: LoopPlan) -> str:
    return (
        f"`{plan.left[0]}` is another array after the loop, which needs more than its arrays and "
        "numbers: change it in place, `x[:] = ...`"
    )


def _tell_differences(unit: Unit, node: Loop, kernel: Kernel, graph_node: Node) -> None:
    """What the launch of a kernel leaves otherwise than the loop does."""
    if kernel.notes:
        notes = unit.module.in_lines_of_file("; ".join(kernel.notes))
        unit.note("GP518", notes, node, on=graph_node)
    if kernel.kinds:
        names = ", ".join(f"`{name}`" for name in kernel.kinds)
        message = (
            f"{names} is a number of NumPy's here; where each iteration took one of Python's, "
            "the loop leaves one of Python's"
        )
        unit.note("GP515", message, node, on=graph_node)


def _left(unit: Unit, node: Loop) -> Refusal | None:
    """Why a loop is none over elements as far as is known, and may be one all the same."""
    call = order_of_its_own(unit, node)
    if call is not None:
        path, over = unit.scope.resolve(call.func), call.args[:1]
        array = ast.unparse(over[0]) if over else "x"
        return refused(node, "GP201", orders_of_their_own()[path or ""].format(array=array))
    name = goes_over_unknown(unit, node)
    if name is None:
        return None
    message = (
        f"it is not known whether `{name}`, which it goes over, is an array: annotate it, "
        f"`{name}: np.ndarray`"
    )
    return refused(node, "GP205", message)


def _of_flat(flat: str) -> str:
    whole = flat.removesuffix(".flat")
    return (
        f"`{flat}[...]` counts through all axes of `{whole}`: loop over each of them, "
        f"`{whole}[i, j]`, or use operations on whole arrays"
    )


def _whole_after(unit: Unit, plan: LoopPlan) -> frozenset[str]:
    """Counters that are Python's integers before the loop, and so after it."""
    found = set()
    for name, _ in plan.last_values:
        value = unit.env[name].value if name in unit.env else None
        if isinstance(value, Scalar) and value.type == "int":
            found.add(name)
    return frozenset(found)


def _withdraw(unit: Unit, node: ast.AST) -> None:
    """Forget what was said of a loop when a loop around it was gone through with other values."""
    if unit.forms.launches.pop(id(node), None) is not None:
        for code in ("GP515", "GP518"):
            unit.notes.pop((code, id(node)), None)
    refusal = unit.forms.refusals.pop(id(node), None)
    if refusal is not None:
        unit.notes.pop((refusal.code, id(node)), None)


def _constants(unit: Unit, facts: Mapping[str, Fact]) -> Iterator[tuple[str, object]]:
    """Numbers of the module that a kernel holds as literals: the launch is guarded by them."""
    for name, fact in facts.items():
        if isinstance(fact, ScalarFact) and fact.value is not None and name not in unit.env:
            if "." not in name:  # members of enumerations are what they are
                yield name, fact.value
        elif isinstance(fact, FunctionFact):
            yield from _constants(unit, fact.globals)
