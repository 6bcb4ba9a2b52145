"""Statements of an iteration, over elements."""

from __future__ import annotations

import numpy as np

from gpuport.canonicalise.accumulation import Accumulated
from gpuport.canonicalise.arithmetic import call_element, callee_path
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.domains import bind, bind_to, loop_domain
from gpuport.canonicalise.elements import Elements, Indices, Private
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.puttingtogether import Meeting, put_together
from gpuport.canonicalise.reductions import UNROLL, product
from gpuport.canonicalise.stores import store
from gpuport.canonicalise.views import base_indices
from gpuport.canonicalise.writer import INDEX
from gpuport.facts.knowledge import is_of
from gpuport.ir.extents import Affine
from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Region, Value
from gpuport.ir.types import Type

#: Operations that only name things, and are looked through where they are used.
LOOKED_THROUGH = frozenset({"Const", "Undef", "Tuple", "List", "Slice", "Iterate", "LoadGlobal"})
LOOKED_THROUGH |= {"GetItem", "GetAttr", "Binary", "Compare", "Unary"}
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
    elements.end(end.kind, [elements.number(value) for value in end.operands], end.span)


def statement(elements: Elements, op: Op) -> None:
    """What one operation of the region does, over elements."""
    if op.kind in _CONTROL:
        _CONTROL[op.kind](elements, op)
    elif op.kind == "SetItem":
        elements.seen.clear()
        store(elements, op)
    elif op.kind == "Unpack":
        _unpack(elements, op)
    elif op.kind == "CheckBound":
        elements.numbers[op.result] = elements.number(op.operands[0])
    elif op.results and elements.is_number(op.result):
        made = elements.numbers[op.result] = put_together(elements, op) or _number(elements, op)
        if isinstance(made, Value) and not made.name and isinstance(made.definition, Op):
            made.name = op.result.name
    elif op.kind == "Call" and elements.type(op.result).kind == "array":
        _new_array(elements, op)
    elif op.kind not in LOOKED_THROUGH or KINDS[op.kind].effect is Effect.EXIT:
        raise Blocked("a statement does more than compute elements", op.span)


def _number(elements: Elements, op: Op) -> Value:
    """The value of an operation that gives a number."""
    t = elements.type(op.result)
    if op.kind == "Const":
        return elements.value("Const", (), op.result, op.span, value=op.attributes["value"])
    if op.kind in ("Binary", "InPlace", "Compare", "Unary"):
        if op.attributes["operator"] == "@":
            left, right = op.operands
            return product(elements, op, left, right, [])
        parts = [elements.number(value) for value in op.operands]
        kind = "Binary" if op.kind == "InPlace" else op.kind
        symbol = op.attributes["operator"]
        return elements.value(kind, parts, op.result, op.span, operator=symbol)
    if op.kind == "GetItem" and elements.type(op.operands[0]).kind == "array":
        array, by = op.operands
        return elements.element(array, base_indices(elements, array, by, []))
    if op.kind == "GetItem" and t.integer is not None:  # x.shape[k]
        return elements.size(t.integer)
    if op.kind == "Call":
        return _call(elements, op, t)
    if op.kind in ("GetAttr", "LoadGlobal"):
        return _named(elements, op, t)
    raise Blocked("a number comes from something that no kernel computes", op.span)


def _call(elements: Elements, op: Op, t: Type) -> Value:
    path, rules = callee_path(elements, op), element_rules()
    if path == "builtins.len" and t.integer is not None:
        return elements.size(t.integer)
    arguments = op.operands[1:]
    of_arrays = any(elements.type(value).kind == "array" for value in arguments)
    if of_arrays or path.startswith("numpy.ndarray."):
        return call_element(elements, op, t, [])
    known = path in rules.numbers or is_of(path, ("numpy", *rules.number_modules))
    if not known or op.attributes["keywords"] or any(op.attributes["stars"]):
        raise Blocked(f"the loop calls {f'`{path}`' if path else 'a function'}", op.span)
    parts = [elements.number(value) for value in arguments]
    return elements.value("Elementwise", parts, op.result, op.span, path=path)


def _named(elements: Elements, op: Op, t: Type) -> Value:
    """A number under a name of the module, or an attribute."""
    known = t.constant[0] if t.constant is not None else t.number
    if known is not None:
        return elements.value("Const", (), op.result, op.span, value=known)
    if op.kind == "GetAttr" and op.attributes["name"] in ("real", "imag"):
        part = elements.number(op.operands[0])
        path = f"numpy.{op.attributes['name']}"
        return elements.value("Elementwise", [part], op.result, op.span, path=path)
    raise Blocked("a number is read anew in each iteration", op.span)


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
    private = Private(elements.region)
    for key in np.ndindex(*known):
        indices: Indices = [elements.const(place) for place in key]
        private.elements[key] = call_element(elements, op, t, indices)
    elements.private[op.result] = private


# -- control


def _likeness(elements: Elements, op: Op) -> list[Value]:
    """What the results of an operation with regions are like; they have to be numbers."""
    for result in op.results:
        if not elements.is_number(result):
            raise Blocked(f"`{result.name}` is no number", op.span)
    return op.results


def _found(elements: Elements, value: Value) -> Value | Accumulated:
    return elements.accumulated(value) or elements.number(value)


def _finish(elements: Elements, op: Op, made: Op) -> None:
    for old, new in zip(op.results, made.results, strict=True):
        elements.numbers[old], new.name = new, old.name


def _if(elements: Elements, op: Op) -> None:
    _likeness(elements, op)
    test = elements.number(op.operands[0])
    arms: list[Region] = []
    given: list[list[Value | Accumulated]] = []
    for region in op.regions:
        with elements.inside(Region()) as arm:
            statements(elements, region)
            if region.terminator.kind == "Yield":
                given.append([_found(elements, value) for value in region.terminator.operands])
            else:
                end_as_before(elements, region)
        arms.append(arm)
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
    told = [column for column in columns if column.is_told]
    made = elements.emit("If", [test], [c.result for c in told], op.span, tuple(arms))
    news = iter(made.results)
    for column in columns:
        column.finish(elements, next(news) if column.is_told else None)


def _for(elements: Elements, op: Op) -> None:
    """A serial loop inside an iteration."""
    like = _likeness(elements, op)
    domain = loop_domain(elements, op)
    bounds = [domain.low, domain.high, elements.const(domain.step)]
    over = elements.value("Iterate", bounds, INDEX, op.span, form="range")
    inits = [_initial(elements, value) for value in op.operands[1:]]
    body, orelse = op.regions
    with elements.inside(Region()) as region:
        bind(elements, op, domain, elements.parameter(region, "k", INDEX))
        for old, new in zip(body.parameters[1:], like, strict=True):
            elements.numbers[old] = elements.parameter(region, old.name, new)
        statements(elements, body)
        end_as_before(elements, body)
    last = block(elements, orelse, list(zip(orelse.parameters, like, strict=True)))
    made = elements.emit("For", [over, *inits], like, op.span, (region, last))
    _finish(elements, op, made)


def _while(elements: Elements, op: Op) -> None:
    like = _likeness(elements, op)
    inits = [_initial(elements, value) for value in op.operands]
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
