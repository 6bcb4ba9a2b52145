"""The other modules of the project that a file belongs to, read as far as they are asked for."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from gpuport.analysis.knowledge.tables import Knowledge
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.project.outside import Definition, widened
from gpuport.analysis.values.lattice import UNKNOWN, Value
from gpuport.passes.leftalone import ON_CUPY, left_alone
from gpuport.source.decorated import decorated
from gpuport.source.handing import leads_to, public_names, star_of
from gpuport.source.importing import taken_from
from gpuport.source.layout import Files, imported_names
from gpuport.source.names import VENDORED, FunctionNode, overloads
from gpuport.source.reading import SourceError, parse
from gpuport.source.replacing import replaced_around
from gpuport.source.syntax import inside

_TO_HOST = frozenset({"cupy.asnumpy", "builtins.float", "builtins.int", "builtins.bool"})
_MOST_STEPS = 8
"""Modules that hand a name on until its definition is looked for no further."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the modules around one file give to it.

    Modules that import each other in a circle tell each other nothing: which of them is ported
    first must not matter.

    Attributes
    ----------
    file : pathlib.Path
    files : Files
    known : Knowledge
    """

    file: Path
    files: Files
    known: Knowledge
    _elsewhere: set[str] = field(default_factory=set, compare=False, repr=False)
    """Paths that lead out of the project: most that are asked for."""

    @property
    def apart(self) -> str | None:
        """Why the file is not ported together with those that import it, where that is known."""
        return self.files.apart.get(self.file)

    def function(self, path: str) -> Definition | None:
        """The function that an imported name stands for; None for anything else."""
        found = self._definition(path, "def")
        node = found[0].root.functions.get(found[1]) if found is not None else None
        if found is None or node is None or found[0].root.bound.get(node.name) != 1:
            return None
        project = found[0]
        said = decorated(project.scope_of(node))
        if said is None or said.arrays is None:
            plain = id(node) not in project.on_cupy or _gives_numpy(project, node)
            return Definition(project, node) if plain else None
        # What always gives device arrays is not followed from file to file.
        return Definition(project, node, said.arrays) if said.policy == "match" else None

    def public_names(self, module: str) -> frozenset[str] | None:
        """What a module of the project gives to ``from module import *``; None for others."""
        return public_names(self.files, self.file, module)

    def leads_to(self, path: str) -> str | None:
        """Where a path through modules of the project ends outside of it; None for others."""
        return leads_to(self.files, self.file, path)

    def taken(self) -> frozenset[str] | None:
        """Names that other files take from the module; None where they may take all of them."""
        return taken_from(self.files, self.file)

    def is_ported(self, path: str) -> bool:
        """Whether an imported name is a function that takes arrays of the device."""
        place = self.files.locate(self.file, path)
        text = None if place is None else self.files.text(place[0])
        if text is None or not ("gpuport.runtime" in text or VENDORED in text):
            return False
        found = self.function(path)
        return found is not None and found.arrays is not None

    def constant(self, path: str) -> Value:
        """What an imported name of a module is; unknown for what is bound more than once."""
        found = self._definition(path, "=")
        return UNKNOWN if found is None else widened(found[0].constant(found[1]))

    def overloads(self, path: str) -> bool:
        """Whether an imported class says what operators, or NumPy, do with its instances."""
        found = self._definition(path, "class")
        return found is not None and overloads(found[0].root, found[1])

    def fields(self, path: str) -> dict[str, Value]:
        """The fields of an imported class that are numbers; empty for other names."""
        found = self._definition(path, "class")
        fields = {} if found is None else found[0].settings.get(found[1], {})
        return {name: widened(value, path.rpartition(".")[0]) for name, value in fields.items()}

    @property
    def imports(self) -> tuple[Path, ...]:
        """The files of the project that the file imports."""
        return self.files.imports(self.file)

    @property
    def replaced(self) -> frozenset[str]:
        """Names of libraries that the modules replace which the file imports, over any way."""
        return replaced_around(self.files, self.file)

    def place(self, path: str) -> tuple[Path, tuple[str, ...]] | None:
        """The file that a path leads to, through modules that hand a name on, and what is left."""
        if path in self._elsewhere:
            return None
        found = None
        importer = self.file
        for _ in range(_MOST_STEPS):
            place = self.files.locate(importer, path)
            if place is None:
                break
            found = place
            if len(place[1]) != 1:
                break
            importer, (name,) = place
            text = self.files.text(importer) or ""
            source = None
            if name not in _bindings(text):
                source = _handed_on(text).get(name) or star_of(self.files, importer, name)
            if source is None:
                break
            path = source
        if found is None:
            self._elsewhere.add(path)
        return found

    def _definition(self, path: str, kind: str) -> tuple[Project, str] | None:
        """The module that defines a name, and the name there; None for another kind of thing."""
        place = self.place(path)
        if place is None or len(place[1]) != 1:
            return None
        file, (name,) = place
        text = self.files.text(file)
        if text is None or file == self.file or self.file in self.files.reached(file):
            return None
        rebound = any(map(self._rebound, (name, path.rpartition(".")[2])))
        if rebound or _bindings(text).get(name) != kind:
            return None
        project = _read(file, text, self.files, self.known)
        return None if project is None or name in project.root.imports else (project, name)

    def _rebound(self, name: str) -> bool:
        """Whether the file itself gives a name of another module, ``other.name``, a new value."""
        return name in _stored(self.files.text(self.file) or "")


@lru_cache(maxsize=64)
def _stored(text: str) -> frozenset[str]:
    """Names that a text stores by ``other.name = ...`` or ``setattr(other, "name", ...)``."""
    found = re.findall(r"\.(\w+)[ \t]*=(?!=)|setattr\([^)\n]*[\"'](\w+)[\"']", text)
    return frozenset(one or other for one, other in found)


@lru_cache(maxsize=1024)
def _bindings(text: str) -> dict[str, str]:
    """What the top of a module makes of its names, told without parsing; imports are left out."""
    found = re.finditer(
        r"^(?:async[ \t]+)?(?:(def|class)[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]*)?=(?!=))",
        text, re.MULTILINE,
    )  # fmt: skip
    return {one[2] or one[3]: one[1] or "=" for one in found}


@lru_cache(maxsize=1024)
def _handed_on(text: str) -> dict[str, str | None]:
    """Names that a text imports, with where from; None for those of several places."""
    found: dict[str, str | None] = {}
    for name, path in imported_names(text):
        found[name] = path if found.get(name, path) == path else None
    return found


_MOST_MODULES = 64
"""Modules that are remembered from file to file."""

_modules: dict[tuple[Path, str, Files, Knowledge], Project | None] = {}


def forget_modules() -> None:
    """Let go of the modules that were not asked for lately; between files, not while one is read.

    Without that their trees would wait for the collector of cycles.
    """
    for key in list(_modules)[:-_MOST_MODULES]:
        project = _modules.pop(key)
        if project is not None:
            project.release()


def _read(file: Path, text: str, files: Files, known: Knowledge) -> Project | None:
    """A module of the project, its names known, its functions read when they are called."""
    key = file, text, files, known
    found = _modules.pop(key) if key in _modules else _read_anew(*key)
    _modules[key] = found  # the last is the one asked for last
    return found


def _read_anew(file: Path, text: str, files: Files, known: Knowledge) -> Project | None:
    try:
        module = parse(str(file), text)
    except SourceError:
        return None
    around = Surroundings(file, files, known)
    project = Project(module, known, only=frozenset(), outside=around, by_context=True)
    project.on_cupy = frozenset(k for k, why in left_alone(project, None).items() if why == ON_CUPY)
    project.open()
    return project


def _gives_numpy(project: Project, node: FunctionNode) -> bool:
    """Whether the text of a function on CuPy brings all that it returns to the host."""
    resolve = project.scope_of(node).resolve
    leaves: list[ast.expr] = [
        inner.value for inner in inside(node)
        if isinstance(inner, ast.Return) and inner.value is not None
    ]  # fmt: skip
    while leaves:
        leaf = leaves.pop()
        if isinstance(leaf, (ast.Tuple, ast.List)):
            leaves.extend(leaf.elts)
            continue
        if isinstance(leaf, ast.Subscript):
            leaf = leaf.value
        path = resolve(leaf.func) if isinstance(leaf, ast.Call) else None
        if path not in _TO_HOST and not isinstance(leaf, ast.Constant):
            return False
    return True


__all__ = ["Surroundings", "forget_modules"]
