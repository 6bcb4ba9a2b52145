"""Runs the functions of a module: each operation becomes a step over the slots of a frame, once."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from gpuport.ir.interpreter.functions import stub
from gpuport.ir.interpreter.steps import (
    CELLS,
    CONTROLS,
    ENDINGS,
    NAMESPACES,
    STEPS,
    UNASSIGNED,
    Cell,
    Ending,
    Exit,
    Frame,
    Left,
    Runner,
)
from gpuport.ir.structure import Function, Module, Op, Region


class Watcher:
    """Told of values as they come to be; claims about values are tested with one."""

    def watches(self, function: Function) -> bool:
        """Whether it wants to be told of what a function computes."""
        return True

    def enter(self, function: Function, frame: Frame) -> None:
        """A call begins: its parameters are in the frame."""

    def region(self, function: Function, region: Region, frame: Frame) -> None:
        """The parameters of a region are in the frame."""

    def op(self, function: Function, op: Op, frame: Frame) -> None:
        """The results of an operation are in the frame."""


class Interpreter:
    """Runs one module in a namespace.

    Values live until their frame ends, where Python frees them when their last name goes; a program
    that watches that (``weakref``, ``sys.getrefcount``, ``OWNDATA`` on resizing) can tell.
    """

    def __init__(
        self, module: Module, namespace: dict[str, Any], watcher: Watcher | None = None
    ) -> None:
        self.module, self.namespace, self.watcher = module, namespace, watcher
        self._ready: dict[Function, Runner] = {}
        self._stubs: dict[Function, Callable[..., Callable[..., Any]]] = {}

    def run(self) -> None:
        """Execute the top level of the module."""
        self.call(self.module.body, {}, ())

    def call(
        self, function: Function, captured: dict[str, Cell], arguments: tuple[Any, ...]
    ) -> Any:
        """Call a function with the values of its parameters, in their order."""
        run = self._ready.get(function)
        if run is None:
            run = self._ready[function] = _Preparation(self, function).region(function.body)
        frame = self._frame(function, captured, arguments)
        if function.is_generator:
            return _generator(run, frame, function)
        try:
            next(run(frame))
        except StopIteration as end:
            how, value = end.value
        if how is Exit.RAISE:
            raise value
        return value

    def _frame(
        self, function: Function, captured: dict[str, Cell], arguments: tuple[Any, ...]
    ) -> Frame:
        frame: Frame = [None] * function.size
        own = {
            name: Cell(UNASSIGNED if place is None else arguments[place])
            for name, place in function.cells.items()
        }
        frame[CELLS], frame[NAMESPACES] = {**captured, **own}, []
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            frame[parameter.index] = argument
        if self.watcher is not None:
            self.watcher.enter(function, frame)
        return frame

    def instantiate(self, function: Function, captured: dict[str, Cell]) -> Callable[..., Any]:
        """A Python function that runs an IR function; ``__ir__`` tells which."""
        factory = self._stubs.get(function)
        if factory is None:
            factory = self._stubs[function] = stub(function, self.namespace)
        made: Any = factory(lambda *arguments: self.call(function, captured, arguments))
        made.__ir__ = function
        return made  # type: ignore[no-any-return]


def _generator(run: Runner, frame: Frame, function: Function) -> Generator[Any, Any, Any]:
    def body() -> Generator[Any, Any, Any]:
        how, value = yield from run(frame)
        if how is Exit.RAISE:
            raise value
        return value

    body.__name__, body.__qualname__ = function.name, function.qualname
    return body()


class _Preparation:
    """Makes the regions of one function ready to run."""

    def __init__(self, interpreter: Interpreter, function: Function) -> None:
        self.interpreter, self.function = interpreter, function
        self.namespace, self.instantiate = interpreter.namespace, interpreter.instantiate
        watcher = interpreter.watcher
        self.watcher = watcher if watcher is not None and watcher.watches(function) else None

    def region(self, region: Region) -> Runner:
        """A region, made ready to run."""
        steps = [self._step(op) for op in region.ops[:-1]]
        end: Ending = ENDINGS[region.terminator.kind](region.terminator, self)
        enter = self._entering(region)

        def run(frame: Frame) -> Generator[Any, Any, Left]:
            try:
                if enter is not None:
                    enter(frame)
                for controls, step, told in steps:
                    running = step(frame)
                    if controls:
                        left: Left | None = yield from running
                        if left is not None:
                            return left
                    if told is not None:
                        told(frame)
                return end(frame)
            except StopIteration as stop:
                # an operation may raise one; it must not end this generator
                return Exit.RAISE, stop

        return run

    def _step(self, op: Op) -> tuple[bool, Callable[[Frame], Any], Callable[[Frame], None] | None]:
        controls = op.kind in CONTROLS
        step = CONTROLS[op.kind](op, self) if controls else STEPS[op.kind](op, self)
        watcher = self.watcher
        if watcher is None or not op.results:
            return controls, step, None
        return controls, step, lambda frame: watcher.op(self.function, op, frame)

    def _entering(self, region: Region) -> Callable[[Frame], None] | None:
        watcher = self.watcher
        if watcher is None or not region.parameters:
            return None
        return lambda frame: watcher.region(self.function, region, frame)
