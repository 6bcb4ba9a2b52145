"""Names: constants, globals of all modules, cells, class bodies, imports."""

from __future__ import annotations

import builtins

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation, transfer
from gpuport.facts.index import class_around
from gpuport.facts.knowledge import knowledge
from gpuport.facts.modules import from_stars, import_target, member_of_module
from gpuport.facts.transfer.lookup import library_attribute
from gpuport.ir.structure import Module
from gpuport.ir.types import STRING, UNKNOWN, Type, join_all, of_constant


@transfer("Const")
def _const(here: Evaluation, operands: list[Type]) -> Type:
    return of_constant(here.said("value"))


@transfer("Undef")
def _undef(here: Evaluation, operands: list[Type]) -> None:
    """Reading it raises, so it adds nothing to what a name may be."""


@transfer("CheckBound")
def _check_bound(here: Evaluation, operands: list[Type]) -> Type:
    return operands[0]


@transfer("DeleteGlobal", "DeleteCell", "DeleteName", "NewCell", "ImportStar", "DelAttr")
def _nothing(here: Evaluation, operands: list[Type]) -> None:
    """It tells nothing of what a name may be when it is read."""


# -- globals


def _module(here: Evaluation) -> Module:
    return here.inference.index.module[here.context.function]


@transfer("LoadGlobal")
def _load_global(here: Evaluation, operands: list[Type]) -> Type | None:
    name, module, index = here.said("name"), _module(here), here.inference.index
    own = here.load(Place.GLOBAL, module, name) if name in index.stored[module] else None
    if own is not None and not _is_other(here, module, name):
        return own
    starred, closed = from_stars(here, module, name)
    known = [t for t in (own, *starred) if t is not None]
    if not closed:
        return UNKNOWN
    stored = name in index.stored[module] or starred
    if stored and not (known and hasattr(builtins, name)):
        return join_all(known)  # None while nothing is stored yet
    return join_all([*known, _built_in(here, name)])


def _is_other(here: Evaluation, module: Module, name: str) -> bool:
    """Whether a name of a module may be something else than what the module assigns to it."""
    index = here.inference.index
    deleted = name in index.deleted[module] and hasattr(builtins, name)
    before = hasattr(builtins, name) and index.is_before(here.op, name)
    late = any(not index.is_before(star, name) for star in index.star_imports[module])
    return deleted or before or late


def _built_in(here: Evaluation, name: str) -> Type:
    if name in ("__name__", "__file__"):
        return STRING
    if here.load(Place.PATCHED, f"builtins.{name}") is not None or not hasattr(builtins, name):
        return UNKNOWN
    return Type("library", path=f"builtins.{name}")


@transfer("StoreGlobal")
def _store_global(here: Evaluation, operands: list[Type]) -> None:
    here.store(Place.GLOBAL, _module(here), operands[0], here.said("name"))


# -- cells


@transfer("LoadCell")
def _load_cell(here: Evaluation, operands: list[Type]) -> Type | None:
    if here.said("name").startswith("__class__"):
        return UNKNOWN
    return here.load(Place.CELL, here.inference.index.cell(here.op))


@transfer("StoreCell")
def _store_cell(here: Evaluation, operands: list[Type]) -> None:
    here.store(Place.CELL, here.inference.index.cell(here.op), operands[0])


# -- class bodies


@transfer("LoadName")
def _load_name(here: Evaluation, operands: list[Type]) -> Type | None:
    name = here.said("name")
    if name in ("__annotations__", "__module__", "__qualname__"):
        return UNKNOWN
    found = here.load(Place.CLASS, class_around(here.op), name)
    return found or (UNKNOWN if name in here.inference.index.stored[_module(here)] else None)


@transfer("StoreName")
def _store_name(here: Evaluation, operands: list[Type]) -> None:
    here.store(Place.CLASS, class_around(here.op), operands[0], here.said("name"))


# -- imports


@transfer("Import")
def _import(here: Evaluation, operands: list[Type]) -> Type:
    path = here.said("name")
    if here.said("top"):
        path = path.partition(".")[0]
    return import_target(here, path) or Type("library", path=_read_as(here, path))


@transfer("ImportFrom")
def _import_from(here: Evaluation, operands: list[Type]) -> list[Type | None]:
    source = import_target(here, here.said("module"), here.said("level"))
    if source is not None:
        (module,) = source.targets
        return [member_of_module(here, module, name) for name in here.said("names")]
    if here.said("level"):
        return [UNKNOWN for _ in here.op.results]
    module = _read_as(here, here.said("module"))
    return [_imported(here, module, name) for name in here.said("names")]


def _imported(here: Evaluation, module: str, name: str) -> Type:
    """What ``from module import name`` binds: a module of that name may be one of a port."""
    read = _read_as(here, full := f"{module}.{name}")
    return library_attribute(here, module, name) if read == full else Type("library", path=read)


def _read_as(here: Evaluation, path: str) -> str:
    """The library that a module of a port stands for, where its sizes are asked for."""
    for module, other in knowledge().stand_for.items() if here.inference.for_sizes else ():
        if path == module or path.startswith(f"{module}."):
            return f"{other}{path.removeprefix(module)}"
    return path
