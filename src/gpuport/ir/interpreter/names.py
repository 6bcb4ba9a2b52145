"""Names: constants, globals, cells that functions share, class bodies, imports."""

from __future__ import annotations

import builtins
import importlib
import sys
from typing import Any

from gpuport.ir.interpreter.steps import (
    CELLS,
    NAMESPACES,
    UNASSIGNED,
    Cell,
    Context,
    Frame,
    Step,
    step_of,
)
from gpuport.ir.structure import Op


def _store(op: Op, value: Any) -> Step:
    place = op.result.index

    def step(frame: Frame) -> None:
        frame[place] = value

    return step


@step_of("Const")
def _const(op: Op, context: Context) -> Step:
    return _store(op, op.attributes["value"])


@step_of("Undef")
def _undef(op: Op, context: Context) -> Step:
    return _store(op, UNASSIGNED)


def _unbound(name: str) -> UnboundLocalError:
    return UnboundLocalError(
        f"cannot access local variable '{name}' where it is not associated with a value"
    )


@step_of("CheckBound")
def _check_bound(op: Op, context: Context) -> Step:
    source, place, name = op.operands[0].index, op.result.index, op.attributes["name"]

    def step(frame: Frame) -> None:
        if frame[source] is UNASSIGNED:
            raise _unbound(name)
        frame[place] = frame[source]

    return step


# -- the module's dictionary


@step_of("LoadGlobal")
def _load_global(op: Op, context: Context) -> Step:
    place, name, names = op.result.index, op.attributes["name"], context.namespace
    outer = vars(builtins)

    def step(frame: Frame) -> None:
        if name in names:
            frame[place] = names[name]
        elif name in outer:
            frame[place] = outer[name]
        else:
            raise NameError(f"name '{name}' is not defined")

    return step


@step_of("StoreGlobal")
def _store_global(op: Op, context: Context) -> Step:
    source, name, names = op.operands[0].index, op.attributes["name"], context.namespace

    def step(frame: Frame) -> None:
        names[name] = frame[source]

    return step


@step_of("DeleteGlobal")
def _delete_global(op: Op, context: Context) -> Step:
    name, quiet, names = op.attributes["name"], op.attributes["quiet"], context.namespace

    def step(frame: Frame) -> None:
        if name in names:
            del names[name]
        elif not quiet:
            raise NameError(f"name '{name}' is not defined")

    return step


# -- cells


@step_of("NewCell")
def _new_cell(op: Op, context: Context) -> Step:
    name = op.attributes["name"]

    def step(frame: Frame) -> None:
        # a new dictionary: functions that were made before keep the cells that they took along
        frame[CELLS] = {**frame[CELLS], name: Cell()}

    return step


@step_of("LoadCell")
def _load_cell(op: Op, context: Context) -> Step:
    place, name = op.result.index, op.attributes["name"]
    own, short = name not in context.function.free, name.split(".")[0]

    def step(frame: Frame) -> None:
        value = frame[CELLS][name].value
        if value is not UNASSIGNED:
            frame[place] = value
        elif own:
            raise _unbound(short)
        else:
            raise NameError(
                f"cannot access free variable '{short}' where it is not associated with a value"
                " in enclosing scope"
            )

    return step


@step_of("StoreCell")
def _store_cell(op: Op, context: Context) -> Step:
    source, name = op.operands[0].index, op.attributes["name"]

    def step(frame: Frame) -> None:
        frame[CELLS][name].value = frame[source]

    return step


@step_of("DeleteCell")
def _delete_cell(op: Op, context: Context) -> Step:
    name, quiet = op.attributes["name"], op.attributes["quiet"]

    def step(frame: Frame) -> None:
        if frame[CELLS][name].value is UNASSIGNED and not quiet:
            raise _unbound(name.split(".")[0])
        frame[CELLS][name].value = UNASSIGNED

    return step


# -- class bodies


@step_of("LoadName")
def _load_name(op: Op, context: Context) -> Step:
    place, name, names = op.result.index, op.attributes["name"], context.namespace

    def step(frame: Frame) -> None:
        for space in (frame[NAMESPACES][-1], names, vars(builtins)):
            if name in space:
                frame[place] = space[name]
                return
        raise NameError(f"name '{name}' is not defined")

    return step


@step_of("StoreName")
def _store_name(op: Op, context: Context) -> Step:
    source, name = op.operands[0].index, op.attributes["name"]

    def step(frame: Frame) -> None:
        frame[NAMESPACES][-1][name] = frame[source]

    return step


@step_of("DeleteName")
def _delete_name(op: Op, context: Context) -> Step:
    name, quiet = op.attributes["name"], op.attributes["quiet"]

    def step(frame: Frame) -> None:
        if name in frame[NAMESPACES][-1]:
            del frame[NAMESPACES][-1][name]
        elif not quiet:
            raise NameError(f"name '{name}' is not defined")

    return step


# -- imports


@step_of("Import")
def _import(op: Op, context: Context) -> Step:
    place, name, top = op.result.index, op.attributes["name"], op.attributes["top"]
    names = context.namespace

    def step(frame: Frame) -> None:
        found = __import__(name, names)
        frame[place] = found if top else sys.modules[name]

    return step


@step_of("ImportFrom")
def _import_from(op: Op, context: Context) -> Step:
    names, wanted = context.namespace, op.attributes["names"]
    module, level = op.attributes["module"], op.attributes["level"]
    places = [value.index for value in op.results]

    def step(frame: Frame) -> None:
        found = __import__(module, names, None, wanted, level)
        for name, place in zip(wanted, places, strict=True):
            frame[place] = _member(found, name)

    return step


def _member(module: Any, name: str) -> Any:
    try:
        return getattr(module, name)
    except AttributeError:
        pass
    try:
        return importlib.import_module(f"{module.__name__}.{name}")
    except ImportError:
        raise ImportError(f"cannot import name {name!r} from {module.__name__!r}") from None


@step_of("ImportStar")
def _import_star(op: Op, context: Context) -> Step:
    statement = f"from {'.' * op.attributes['level']}{op.attributes['module']} import *"
    names = context.namespace

    def step(frame: Frame) -> None:
        exec(statement, names)

    return step
