"""Files of the program as values: what they import from each other."""

from __future__ import annotations

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.ir.structure import Module
from gpuport.ir.types import UNKNOWN, Type, join_all

PACKAGE = ".__init__"  #: how the names of files that are packages end


def import_target(here: Evaluation, path: str, level: int = 0) -> Type | None:
    """The file of the program that an import names, as a value; None for other modules."""
    module = here.inference.index.module[here.context.function]
    found = find_module(here, _absolute(module, path, level))
    return None if found is None else Type("module", targets=frozenset([found]))


def _absolute(module: Module, path: str, level: int) -> str:
    if not level:
        return path
    parts = module.name.split(".")
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
        own = here.load(Place.GLOBAL, module, name)
        if not here.inference.index.star_imports[module]:
            return own
        starred, closed = from_stars(here, module, name)
        return join_all(t for t in (own, *starred) if t is not None) if closed else UNKNOWN
    inner = find_module(here, f"{module.name.removesuffix(PACKAGE)}.{name}")
    if inner is not None:
        return Type("module", targets=frozenset([inner]))
    return UNKNOWN


def from_stars(
    here: Evaluation, module: Module, name: str, seen: tuple[Module, ...] = ()
) -> tuple[list[Type | None], bool]:
    """What a name may be by imports with a star; and whether nothing else may have it."""
    index = here.inference.index
    found: list[Type | None] = []
    closed = True
    for op in index.star_imports[module]:
        path, level = op.attributes["module"], op.attributes["level"]
        target = find_module(here, _absolute(module, path, level))
        if target is None:
            closed = False
        elif target not in seen and (not name.startswith("_") or "__all__" in index.stored[target]):
            if name in index.stored[target]:
                found.append(here.load(Place.GLOBAL, target, name))
            more, all_of_it = from_stars(here, target, name, (*seen, module))
            found += more
            closed = closed and all_of_it
    return found, closed
