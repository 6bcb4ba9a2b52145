"""Two versions of a file in one process: each sees its own siblings under their real names."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from gpuport.verify.sides.loading import Stumble, execute
from gpuport.verify.sides.strategies import SEPARATOR, loaded

# folders of installed packages: what lies there beside the verified package is loaded once
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def mangled(name: str, owner: Any) -> str:
    """The name under which a class holds a method: private ones bear the class's own."""
    if not isinstance(owner, type) or not name.startswith("__") or name.endswith("__"):
        return name
    return f"_{owner.__name__.lstrip('_')}{name}"


def _extent(modules: dict[str, ModuleType]) -> tuple[int, str]:
    """How many modules there are, and the latest: what is imported comes last."""
    return len(modules), next(reversed(modules), "")


class NameClash(Exception):
    """The user's package has the name of something this process itself needs."""


class Side:
    """One version of the user's file, with the modules that belong to it.

    ``sys.modules`` and ``sys.path`` are the side's own only inside `entered`; outside, the
    modules are kept in the side. So ``import package.sibling`` finds this version's sibling, in
    a lazy import too.
    """

    def __init__(self, root: Path, module: str, file: Path, folder: Path) -> None:
        self.root = root
        self.name = module
        self.file = file
        self.folder = folder
        self.modules: dict[str, ModuleType] = {}
        self.module: ModuleType | None = None
        self.stumbles: tuple[Stumble, ...] = ()
        self.instruments: tuple[Callable[[], ast.NodeTransformer], ...] = ()
        self._tree: ast.AST | None = None
        self._strategies: dict[str, ModuleType] = {}
        self._aliases: dict[str, ModuleType] = {}  # for strategies that import the file

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Make this side's modules, path and scratch folder current."""
        kept_path = list(sys.path)
        shadowed = {n: sys.modules[n] for n in self.modules if n in sys.modules}
        sys.modules.update({**self._aliases, **self.modules})
        known = _extent(sys.modules)
        sys.path.insert(0, str(self.root))
        os.chdir(self.folder)
        if self.module is None:
            importlib.invalidate_caches()
        try:
            yield
        finally:
            self._collect(known)
            for name in (*self._aliases, *self.modules):
                sys.modules.pop(name, None)
            sys.modules.update(shadowed)
            sys.path[:] = kept_path

    def _collect(self, known: tuple[int, str]) -> None:
        """Take the modules that were imported since; they stand behind all known ones."""
        if _extent(sys.modules) == known:
            return
        for name, module in reversed(list(sys.modules.items())):
            if name == known[1]:
                return
            if self._owns(module):
                self.modules[name] = module

    def _owns(self, module: Any) -> bool:
        origin = getattr(module, "__file__", None)
        places = [origin] if origin else list(getattr(module, "__path__", []))
        return any(self._holds(Path(place)) for place in places)

    def _holds(self, place: Path) -> bool:
        """Whether a file is of this version: below the root, and of no other distribution."""
        if not place.is_relative_to(self.root):
            return False
        parts = place.relative_to(self.root).parts
        if _INSTALLED & set(parts):
            return False
        own = self.name.partition(".")[0]
        return self.root.name not in _INSTALLED or parts[0].partition(".")[0] == own

    @property
    def module_name(self) -> str:
        """The name that the file's module has in this process."""
        return "" if self.module is None else self.module.__name__

    def load(self) -> None:
        """Import the file; a file outside packages gets a name of its own."""
        top = self.name.partition(".")[0]
        if "." in self.name and top in sys.modules:
            raise NameClash(f"the package name {top!r} is in use by the verifier itself")
        with self.entered():
            if "." in self.name:
                self.module = importlib.import_module(self.name)
                return
            name = f"_gpuport_verified_{self.name}"
            spec = importlib.util.spec_from_file_location(name, self.file)
            if spec is None or spec.loader is None:
                raise ImportError(f"{self.file.name} is not a Python file")
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = self.modules[name] = module
            self.stumbles = execute(module, self.file)
            self.module = module
            if self.name not in sys.modules:
                self._aliases = {self.name: module}

    def resolve(self, place: str) -> Any:
        """The class or function at ``module:name``, this side's own where it has it.

        Without a name the module itself.

        A strategy of the user (``FILE::name``) is of a module of its own on each side.
        """
        file, found, name = place.partition(SEPARATOR)
        if found:
            if file not in self._strategies:
                self._strategies[file] = loaded(file)
            return getattr(self._strategies[file], name)
        module, _, name = place.partition(":")
        own = module in (self.name, "__main__") and self.module is not None
        target: Any = self.module if own else importlib.import_module(module)
        for part in name.split(".") if name else ():
            target = getattr(target, part)
        return target

    def files(self) -> set[str]:
        """The files of this version's modules."""
        held = (getattr(module, "__file__", None) for module in self.modules.values())
        return {str(self.file), *(str(file) for file in held if file)}

    def texts(self) -> frozenset[str]:
        """Literals and names of parameters in these files."""
        found: set[str] = set()
        for file in self.files():
            with contextlib.suppress(OSError, SyntaxError, ValueError, RecursionError):
                for node in ast.walk(ast.parse(Path(file).read_bytes())):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        found.add(node.value)
                    elif isinstance(node, ast.arg):
                        found.add(node.arg)
        return frozenset(found)

    def tree(self) -> ast.AST | None:
        """The file's syntax tree."""
        if self._tree is None:
            with contextlib.suppress(SyntaxError, OSError):
                self._tree = ast.parse(self.file.read_bytes())
        return self._tree

    def owner_and_attribute(self, qualified: str) -> tuple[Any, Any]:
        """The class that holds a method (None for a function) and the attribute itself."""
        owner: Any = None
        target: Any = self.module
        for part in qualified.split("."):
            owner, target = target, getattr(target, mangled(part, target))
        return (owner if isinstance(owner, type) else None), target
