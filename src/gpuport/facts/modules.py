"""Files of the program as values: what they import from each other."""

from __future__ import annotations

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.ir.structure import Module
from gpuport.ir.types import UNKNOWN, Type

PACKAGE = ".__init__"  #: how the names of files that are packages end


def import_target(here: Evaluation, path: str, level: int = 0) -> Type | None:
    """The file of the program that an import names, as a value; None for other modules."""
    found = find_module(here, _absolute(here, path, level))
    return None if found is None else Type("module", targets=frozenset([found]))


def _absolute(here: Evaluation, path: str, level: int) -> str:
    if not level:
        return path
    name = here.inference.index.module[here.context.function].name
    parts = name.split(".")
    around = parts[: len(parts) - level]
    return ".".join([*around, *([path] if path else [])])


def find_module(here: Evaluation, path: str) -> Module | None:
    """The file of the program of that dotted name."""
    modules = here.inference.modules
    return modules.get(path) or modules.get(path + PACKAGE)


def member_of_module(here: Evaluation, module: Module, name: str) -> Type | None:
    """A name of a file of the program, or a file in its package.

    None while nothing has been stored to it; unknown where nothing ever is.
    """
    if name in here.inference.index.stored[module]:
        return here.load(Place.GLOBAL, module, name)
    inner = find_module(here, f"{module.name.removesuffix(PACKAGE)}.{name}")
    if inner is not None:
        return Type("module", targets=frozenset([inner]))
    return UNKNOWN


def starred_modules(here: Evaluation, module: Module) -> tuple[list[Module], bool]:
    """Files whose names a module imports with a star; and whether these are all that it has."""
    found, closed = [], True
    for path, level in here.inference.index.stars[module]:
        target = find_module(here, _absolute(here, path, level))
        if target is None:
            closed = False
        else:
            found.append(target)
    return found, closed
