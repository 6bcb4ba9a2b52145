"""Calls, functions, classes, generators, and what was not understood.

There is no ``from __future__`` here: what ``exec`` runs would take it over.
"""

import types
from collections.abc import Callable, Generator
from typing import Any

from gpuport.ir.interpreter.steps import (
    CELLS,
    NAMESPACES,
    UNASSIGNED,
    Cell,
    Context,
    Control,
    Exit,
    Frame,
    Left,
    Step,
    control_of,
    reader,
    step_of,
)
from gpuport.ir.structure import Function, Op, Passing


@step_of("Call")
def _call(op: Op, context: Context) -> Step:
    callee, *operands = [value.index for value in op.operands]
    stars, keywords, place = op.attributes["stars"], op.attributes["keywords"], op.result.index
    if keywords or any(stars):
        return _call_with_all(op)

    def step(frame: Frame) -> None:
        frame[place] = frame[callee](*[frame[operand] for operand in operands])

    return step


def _call_with_all(op: Op) -> Step:
    """A call with ``*``, ``**`` or keywords."""
    callee, *operands = [value.index for value in op.operands]
    stars, keywords, place = op.attributes["stars"], op.attributes["keywords"], op.result.index

    def step(frame: Frame) -> None:
        values = [frame[operand] for operand in operands]
        positional: list[Any] = []
        for star, value in zip(stars, values, strict=False):
            if star:
                positional.extend(value)
            else:
                positional.append(value)
        named: dict[str, Any] = {}
        for name, value in zip(keywords, values[len(stars) :], strict=True):
            named |= value if name is None else {name: value}
        frame[place] = frame[callee](*positional, **named)

    return step


@step_of("MakeFunction")
def _make_function(op: Op, context: Context) -> Step:
    function: Function = op.attributes["function"]
    values, place = reader(op), op.result.index
    count, keyword = op.attributes["defaults"], op.attributes["keyword"]
    annotated = op.attributes["annotations"]

    def step(frame: Frame) -> None:
        captured = {name: frame[CELLS][name] for name in function.free}
        made: Any = context.instantiate(function, captured)
        given = values(frame)
        made.__defaults__ = given[:count] or None
        made.__kwdefaults__ = dict(zip(keyword, given[count:], strict=False)) or None
        notes = given[count + len(keyword) :]
        made.__annotations__ = dict(zip(annotated, notes, strict=True))
        made.__name__, made.__qualname__ = function.name, function.qualname
        made.__doc__, made.__module__ = function.doc, context.namespace.get("__name__")
        frame[place] = made

    return step


def stub(function: Function, namespace: dict[str, Any]) -> Callable[..., Callable[..., Any]]:
    """A factory of Python functions with the signature of an IR function.

    Python itself binds the arguments of a call, with its own errors; the function then hands the
    values of all parameters to the runner that the factory was given.
    """
    parts: list[str] = []
    keyword_only = False
    for place, parameter in enumerate(function.signature):
        if parameter.passing is Passing.KEYWORD and not keyword_only:
            keyword_only = True
            if not any(p.passing is Passing.VARIADIC for p in function.signature):
                parts.append("*")
        star = {Passing.VARIADIC: "*", Passing.KEYWORDS: "**"}.get(parameter.passing, "")
        default = "=None" if parameter.has_default else ""
        parts.append(f"{star}{parameter.name}{default}")
        following = function.signature[place + 1 : place + 2]
        if parameter.passing is Passing.POSITION and not any(
            p.passing is Passing.POSITION for p in following
        ):
            parts.append("/")
    name = function.name if function.name.isidentifier() else "function"
    handed = ", ".join(parameter.name for parameter in function.signature)
    text = (
        f"def factory(__run):\n def {name}({', '.join(parts)}):\n"
        f"  return __run({handed})\n return {name}"
    )
    scope: dict[str, Any] = {}
    exec(text, namespace, scope)
    factory: Callable[..., Callable[..., Any]] = scope["factory"]
    return factory


class _ClassCell(Cell):
    """The variable that holds a class for its methods: Python itself fills it."""

    __slots__ = ("python",)

    def __init__(self) -> None:
        self.python = types.CellType()

    @property
    def value(self) -> Any:
        """The class, once there is one."""
        try:
            return self.python.cell_contents
        except ValueError:
            return UNASSIGNED


@control_of("MakeClass")
def _make_class(op: Op, context: Context) -> Control:
    body, said = context.region(op.regions[0]), op.attributes
    values, place = reader(op), op.result.index
    name, cell = said["name"], said["cell"]

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        given = values(frame)
        bases = given[: said["bases"]]
        keywords = dict(zip(said["keywords"], given[said["bases"] :], strict=True))
        resolved = types.resolve_bases(bases)
        kind, space, keywords = types.prepare_class(name, resolved, keywords)
        space["__module__"] = context.namespace.get("__name__")
        space["__qualname__"] = said["qualname"]
        if said["annotated"]:
            space.setdefault("__annotations__", {})
        if resolved is not bases:
            space["__orig_bases__"] = bases
        if cell:  # the class is in it before `__init_subclass__` runs
            shared = _ClassCell()
            frame[CELLS] = {**frame[CELLS], cell: shared}
            space["__classcell__"] = shared.python
        frame[NAMESPACES].append(space)
        left = yield from body(frame)
        frame[NAMESPACES].pop()
        if left[0]:
            return left
        frame[place] = kind(name, resolved, space, **keywords)
        return None

    return step


@control_of("GeneratorYield")
def _generator_yield(op: Op, context: Context) -> Control:
    source, place = op.operands[0].index, op.result.index

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        try:
            frame[place] = yield frame[source]
        except StopIteration as stop:  # thrown in; one must not end this generator
            return Exit.RAISE, stop
        return None

    return step


@control_of("GeneratorDelegate")
def _generator_delegate(op: Op, context: Context) -> Control:
    source, place = op.operands[0].index, op.result.index

    def step(frame: Frame) -> Generator[Any, Any, Left | None]:
        try:
            frame[place] = yield from frame[source]
        except StopIteration as stop:
            return Exit.RAISE, stop
        return None

    return step


@step_of("Opaque")
def _opaque(op: Op, context: Context) -> Step:
    """Run the text as Python, with the names that it reads and for those that it writes."""
    said, values = op.attributes, reader(op)
    places = [value.index for value in op.results]

    def step(frame: Frame) -> None:
        here = dict(zip(said["reads"], values(frame), strict=True))
        if said["expression"]:
            frame[places[0]] = eval(said["text"], context.namespace, here)
            return
        exec(said["text"], context.namespace, here)
        for name, place in zip(said["writes"], places, strict=True):
            frame[place] = here.get(name, UNASSIGNED)

    return step
