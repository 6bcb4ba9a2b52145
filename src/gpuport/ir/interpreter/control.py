"""Operations with regions, and the terminators that leave regions."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from gpuport.ir.interpreter.steps import (
    Context,
    Control,
    Ending,
    Exit,
    Frame,
    Left,
    Runner,
    assign,
    control_of,
    ending_of,
    reader,
)
from gpuport.ir.structure import Op

Running = Generator[Any, Any, Left | None]


def _leaving(op: Op, how: Exit) -> Ending:
    values = reader(op)
    return lambda frame: (how, values(frame))


@ending_of("Yield")
def _yield(op: Op, context: Context) -> Ending:
    return _leaving(op, Exit.YIELD)


@ending_of("Continue")
def _continue(op: Op, context: Context) -> Ending:
    return _leaving(op, Exit.CONTINUE)


@ending_of("Break")
def _break(op: Op, context: Context) -> Ending:
    return _leaving(op, Exit.BREAK)


@ending_of("Return")
def _return(op: Op, context: Context) -> Ending:
    place = op.operands[0].index
    return lambda frame: (Exit.RETURN, frame[place])


@ending_of("Raise")
def _raise(op: Op, context: Context) -> Ending:
    values = reader(op)

    def end(frame: Frame) -> Left:
        match values(frame):
            case ():
                raise  # the exception of the handler around is the current one
            case (error,):
                raise error
            case (error, cause):
                raise error from cause
        raise AssertionError("an exception and a cause at most")

    return end


@ending_of("Unreachable")
def _unreachable(op: Op, context: Context) -> Ending:
    def end(frame: Frame) -> Left:
        raise AssertionError(f"line {op.span.line}: control came where lowering says it cannot")

    return end


@control_of("If")
def _if(op: Op, context: Context) -> Control:
    test = op.operands[0].index
    then, orelse = map(context.region, op.regions)
    results = [value.index for value in op.results]

    def step(frame: Frame) -> Running:
        how, values = yield from (then(frame) if frame[test] else orelse(frame))
        if how:
            return how, values
        assign(frame, results, values)
        return None

    return step


@control_of("For")
def _for(op: Op, context: Context) -> Control:
    body, orelse = map(context.region, op.regions)
    source, *inits = [value.index for value in op.operands]
    element, *carried = [value.index for value in op.regions[0].parameters]
    last = [value.index for value in op.regions[1].parameters]
    results = [value.index for value in op.results]

    def step(frame: Frame) -> Running:
        state: Any = [frame[place] for place in inits]
        for item in frame[source]:
            frame[element] = item
            assign(frame, carried, state)
            how, state = yield from body(frame)
            if how is Exit.BREAK:
                break
            if how is not Exit.CONTINUE:
                return how, state
        else:
            assign(frame, last, state)
            how, state = yield from orelse(frame)
            if how:
                return how, state
        assign(frame, results, state)
        return None

    return step


@control_of("While")
def _while(op: Op, context: Context) -> Control:
    test, body, orelse = map(context.region, op.regions)
    inits = [value.index for value in op.operands]
    entered = [[value.index for value in region.parameters] for region in op.regions]
    results = [value.index for value in op.results]

    def step(frame: Frame) -> Running:
        state: Any = [frame[place] for place in inits]
        while True:
            assign(frame, entered[0], state)
            how, tested = yield from test(frame)
            if how:
                return how, tested
            goes_on, *state = tested
            if not goes_on:
                assign(frame, entered[2], state)
                how, state = yield from orelse(frame)
                if how:
                    return how, state
                break
            assign(frame, entered[1], state)
            how, state = yield from body(frame)
            if how is Exit.BREAK:
                break
            if how is not Exit.CONTINUE:
                return how, state
        assign(frame, results, state)
        return None

    return step


@control_of("Try")
def _try(op: Op, context: Context) -> Control:
    rest = 1 + 2 * op.attributes["handlers"]
    guarded = _handlers(op, context, _body_and_else(op, context, rest))
    final = context.region(op.regions[-1]) if op.attributes["final"] else None
    results = [value.index for value in op.results]

    def ended(frame: Frame) -> Generator[Any, Any, Left]:
        if final is None:
            return (yield from guarded(frame))
        left: Left = Exit.RAISE, None
        try:
            left = yield from guarded(frame)
        finally:
            leaving = yield from final(frame)
            if leaving[0]:  # `return` in a `finally` swallows the exception
                return leaving  # noqa: B012
        return left

    def step(frame: Frame) -> Running:
        how, values = yield from ended(frame)
        if how:
            return how, values
        assign(frame, results, values)
        return None

    return step


def _body_and_else(op: Op, context: Context, place: int) -> tuple[Runner, Runner | None, list[int]]:
    body = context.region(op.regions[0])
    if not op.attributes["orelse"]:
        return body, None, []
    orelse = op.regions[place]
    return body, context.region(orelse), [value.index for value in orelse.parameters]


def _handlers(op: Op, context: Context, main: tuple[Runner, Runner | None, list[int]]) -> Runner:
    """The body under its handlers; what `else` raises they do not see."""
    body, orelse, entered = main
    handlers = [
        (context.region(kinds), context.region(block), block.parameters[0].index)
        for kinds, block in zip(
            op.regions[1 : 1 + 2 * op.attributes["handlers"] : 2],
            op.regions[2 : 1 + 2 * op.attributes["handlers"] : 2],
            strict=True,
        )
    ]

    def run(frame: Frame) -> Generator[Any, Any, Left]:
        try:
            how, values = yield from body(frame)
            if how is Exit.RAISE:
                raise values
        except BaseException as error:
            for kinds, block, place in handlers:
                _, (wanted,) = yield from kinds(frame)
                if isinstance(error, wanted):
                    frame[place] = error
                    return (yield from block(frame))
            if isinstance(error, StopIteration):  # one must not end this generator
                return Exit.RAISE, error
            raise
        if how is Exit.YIELD and orelse is not None:
            assign(frame, entered, values)
            return (yield from orelse(frame))
        return how, values

    return run


@control_of("With")
def _with(op: Op, context: Context) -> Control:
    body, manager = context.region(op.regions[0]), op.operands[0].index
    entered = op.regions[0].parameters[0].index
    results = [value.index for value in op.results]

    def step(frame: Frame) -> Running:
        left: Left | None = None  # where the manager swallows an exception
        try:
            with frame[manager] as frame[entered]:
                how, values = yield from body(frame)
                if how is Exit.RAISE:
                    raise values
                left = how, values
        except StopIteration as stop:  # one must not end this generator
            return Exit.RAISE, stop
        if left is None or left[0]:
            return left  # a `With` whose manager may swallow one has no results
        assign(frame, results, left[1])
        return None

    return step
