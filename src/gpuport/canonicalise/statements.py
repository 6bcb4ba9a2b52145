"""Statements of an iteration, over elements."""

from __future__ import annotations

import numpy as np

from gpuport.canonicalise.accumulation import Accumulated, Beyond
from gpuport.canonicalise.arithmetic import arguments_of, callee_path
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.domains import bind, bind_to, goes_up, loop_domain
from gpuport.canonicalise.elements import Elements, Indices, Private
from gpuport.canonicalise.extremes import changed_extreme, check_ahead, comparison, guarded
from gpuport.canonicalise.meeting import Meeting
from gpuport.canonicalise.puttingtogether import put_together
from gpuport.canonicalise.reductions import UNROLL
from gpuport.canonicalise.scalars import computed
from gpuport.canonicalise.stores import change_in_place, store
from gpuport.canonicalise.writer import INDEX
from gpuport.ir.extents import Affine
from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Region, Value

#: Operations that only name things, and are looked through where they are used.
LOOKED_THROUGH = frozenset({"Const", "Undef", "Tuple", "List", "Slice", "Iterate", "LoadGlobal"})
LOOKED_THROUGH |= {"GetItem", "GetAttr", "Binary", "Compare", "Unary"}
MAKES = ("Call", "Binary", "Compare", "Unary")
#: What may stand in a loop that is left by nothing but its end, or by `break` in a serial one.
ENDS = ("Yield", "Continue", "Break")


def block(elements: Elements, region: Region, carried: list[tuple[Value, Value]]) -> Region:
    """A region over elements, with the same terminator.

    Parameters
    ----------
    carried : list of (Value, Value)
        Parameters of the region, and the values of the program that tell what they are like.
    """
    with elements.inside(Region()) as made:
        for old, like in carried:
            elements.numbers[old] = elements.parameter(made, old.name, like)
        statements(elements, region)
        end_as_before(elements, region)
    return made


def statements(elements: Elements, region: Region) -> None:
    """The operations of a region, but for its terminator."""
    for op in region.ops[:-1]:
        statement(elements, op)


def end_as_before(elements: Elements, region: Region) -> None:
    """The terminator of a region."""
    end = region.terminator
    if end.kind == "Unreachable":
        elements.end("Unreachable")
        return
    if end.kind not in ENDS:
        raise Blocked(f"`{end.kind.lower()}` leaves the loop", end.span)
    totals = [elements.accumulated(value) for value in end.operands]
    for total in totals:
        if total is not None:
            raise Blocked(f"`{total.start.name}` goes from one iteration to the next", end.span)
    elements.end(end.kind, [elements.number(value) for value in end.operands], end.span)


def statement(elements: Elements, op: Op) -> None:
    """What one operation of the region does, over elements."""
    elements.times[op] = elements.clock
    if op.kind in _CONTROL:
        _CONTROL[op.kind](elements, op)
    elif op.kind == "SetItem":
        store(elements, op)
    elif op.kind in ("Collect", "Call") and elements.collect(op):
        pass
    elif op.kind == "Unpack":
        _unpack(elements, op)
    elif op.kind == "CheckBound":
        elements.numbers[op.result] = elements.number(op.operands[0])
    elif op.results and elements.is_number(op.result):
        made = put_together(elements, op) or comparison(elements, op) or computed(elements, op)
        elements.numbers[op.result] = made
        if isinstance(made, Value) and not made.name and isinstance(made.definition, Op):
            made.name = op.result.name
    elif op.kind == "InPlace":
        change_in_place(elements, op)
    elif op.kind in MAKES and elements.type(op.result).kind == "array":
        _new_array(elements, op)
    elif op.kind not in LOOKED_THROUGH or KINDS[op.kind].effect is Effect.EXIT:
        raise Blocked("a statement does more than compute elements", op.span)


def _unpack(elements: Elements, op: Op) -> None:
    source = op.operands[0]
    found = elements.parts.get(source, [])
    made = source.definition
    if op.attributes["star"] is None and found and len(found) == len(op.results):
        for result, part in zip(op.results, found, strict=True):
            bind_to(elements, result, part)
    elif isinstance(made, Op) and made.kind == "Tuple" and len(made.operands) == len(op.results):
        parts = [elements.number(value) for value in made.operands]
        elements.numbers |= dict(zip(op.results, parts, strict=True))
    elif elements.type(source).kind == "array" and elements.type(source).rank == 1:
        (size,) = elements.type(source).shape or ()
        if op.attributes["star"] is not None or size is None:
            raise Blocked("nothing tells how many elements are unpacked", op.span)
        elements.need("equal", size, Affine((), len(op.results)))
        for place, result in enumerate(op.results):
            elements.numbers[result] = elements.element(source, [elements.const(place)])
    else:
        raise Blocked("something is unpacked that is neither a tuple nor an array", op.span)


def _new_array(elements: Elements, op: Op) -> None:
    """An array that the iteration makes.

    Its elements are computed where they are used, unless the iteration stores to it: then it has to
    be small, and its elements are numbers.
    """
    changed = any(
        user.kind in ("SetItem", "InPlace") and user.operands[0] is op.result
        for user in walk(op.parent)
    )
    if not changed:
        return
    t = elements.type(op.result)
    sizes = [extent.number if extent is not None else None for extent in t.shape or ()]
    known = [size for size in sizes if size is not None and size <= UNROLL]
    if not sizes or len(known) < len(sizes):
        raise Blocked(f"`{op.result.name}` is made in each iteration, and is not small", op.span)
    if _may_be_a_view(elements, op):
        raise Blocked(f"`{op.result.name}` may share memory with what it is made of", op.span)
    private = Private(elements.region)
    for key in np.ndindex(*known):
        indices: Indices = [elements.const(place) for place in key]
        element = elements.element(op.result, indices)
        private.elements[key] = elements.as_element(element, op.result)
    elements.private[op.result] = private


def _may_be_a_view(elements: Elements, op: Op) -> bool:
    """Whether what a call gives may be the memory of an argument, as that of ``asarray``."""
    if op.kind != "Call":
        return False
    own = elements.type(op.result).sites
    arrays = map(elements.type, arguments_of(op, callee_path(elements, op)))
    given = [t.sites for t in arrays if t.kind == "array"]
    return own is None or any(sites is None or own & sites for sites in given)


# -- control


def _likeness(elements: Elements, op: Op) -> list[Value]:
    """What the results of an operation with regions are like; they have to be numbers."""
    for result in op.results:
        if not elements.is_number(result):
            raise Blocked(f"`{result.name}` is no number", op.span)
    return op.results


def found(elements: Elements, value: Value) -> Value | Accumulated:
    """A number of the program, or what is put together with one."""
    return elements.accumulated(value) or elements.number(value)


def _finish(elements: Elements, op: Op, made: Op) -> None:
    for old, new in zip(op.results, made.results, strict=True):
        elements.numbers[old], new.name = new, old.name


def _if(elements: Elements, op: Op) -> None:
    _likeness(elements, op)
    beyond = elements.beyond(op.operands[0])
    if beyond is not None:
        _extreme(elements, op, beyond)
        return
    test = elements.number(op.operands[0])
    arms: list[Region] = []
    given: list[list[Value | Accumulated]] = []
    for region in op.regions:
        with elements.inside(Region()) as arm:
            statements(elements, region)
            arms.append(arm)
            if region.terminator.kind == "Yield":
                ends = region.terminator.operands
                beyonds = [elements.beyond(value) for value in ends]
                if any(beyonds) and region is op.regions[0]:
                    break
                given.append([found(elements, value) for value in ends])
            else:
                end_as_before(elements, region)
    if len(arms) < len(op.regions):
        arms.append(Region())
        if not guarded(elements, op, arms, beyonds):
            raise Blocked("a comparison with what goes from one iteration to the next", op.span)
        return
    meet(elements, op, test, arms, given)


def meet(
    elements: Elements,
    op: Op,
    test: Value,
    arms: list[Region],
    given: list[list[Value | Accumulated]],
) -> None:
    """Put together what the arms of an ``If`` that yield give."""
    yielding = [
        arm for arm, old in zip(arms, op.regions, strict=True) if old.terminator.kind == "Yield"
    ]
    columns = [
        Meeting(old, list(column))
        for old, column in zip(op.results, zip(*given, strict=True), strict=True)
    ]
    for place, arm in enumerate(yielding):
        with elements.inside(arm):
            elements.end("Yield", [v for c in columns for v in c.yielded(elements, place)], op.span)
    likes = [like for column in columns for like in column.likes]
    made = elements.emit("If", [test], likes, op.span, tuple(arms))
    news = iter(made.results)
    for column in columns:
        column.finish(elements, [next(news) for _ in column.likes])


def _extreme(elements: Elements, op: Op, beyond: Beyond) -> None:
    """``if key > extreme``: what its arm computes is computed for each point."""
    if any(region.terminator.kind != "Yield" for region in op.regions):
        raise Blocked("the loop is left where an extreme changes", op.span)
    if elements.stored:
        raise Blocked("an extreme is taken of what an iteration may have changed", op.span)
    first = len(elements.region.ops)
    given = []
    for region in op.regions:
        statements(elements, region)
        given.append([found(elements, value) for value in region.terminator.operands])
    check_ahead(elements.region.ops[first:], op)
    then, orelse = given
    changed_extreme(elements, op, beyond, then, orelse)


def _for(elements: Elements, op: Op) -> None:
    """A serial loop inside an iteration."""
    like = _likeness(elements, op)
    domain = loop_domain(elements, op)
    bounds = [domain.low, domain.high, elements.const(domain.step)]
    over = elements.value("Iterate", bounds, INDEX, op.span, form="range")
    inits = [_initial(elements, value) for value in op.operands[1:]]
    body, orelse = op.regions
    _note_stores_of(elements, op)
    with elements.inside(Region()) as region:
        bind(elements, op, domain, elements.counter(region, "k", goes_up(elements, domain)))
        for old, new in zip(body.parameters[1:], like, strict=True):
            elements.numbers[old] = elements.parameter(region, old.name, new)
        statements(elements, body)
        end_as_before(elements, body)
    last = block(elements, orelse, list(zip(orelse.parameters, like, strict=True)))
    made = elements.emit("For", [over, *inits], like, op.span, (region, last))
    _finish(elements, op, made)


def _note_stores_of(elements: Elements, loop: Op) -> None:
    """Note what a serial loop stores: a later round reads what an earlier one stored."""
    for op in (inner for region in loop.regions for inner in walk(region)):
        if op.kind in ("SetItem", "InPlace") and elements.type(op.operands[0]).kind == "array":
            elements.note_store(op.operands[0])


def _while(elements: Elements, op: Op) -> None:
    like = _likeness(elements, op)
    inits = [_initial(elements, value) for value in op.operands]
    _note_stores_of(elements, op)
    regions = tuple(
        block(elements, region, list(zip(region.parameters, like, strict=True)))
        for region in op.regions
    )
    _finish(elements, op, elements.emit("While", inits, like, op.span, regions))


def _initial(elements: Elements, value: Value) -> Value:
    """What a serial loop carries into its first round."""
    made = value.definition
    if isinstance(made, Op) and made.kind == "Undef":
        raise Blocked(f"`{value.name}` may have no value before the loop", made.span)
    return elements.number(value)


_CONTROL = {"If": _if, "For": _for, "While": _while}
