"""Recording inside the user's process: an import hook that gives each function a recorder.

The project's files are compiled from their source with one more decorator on each function; the
cached bytecode of the project is neither read nor written. A function that has been seen often
enough costs one more Python call.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.machinery
import inspect
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from gpuport.recording.calls import PER_FUNCTION, Call, append
from gpuport.recording.describe import describe_all

NAME = "__gpuport_recorded__"
_ATTEMPTS, _IN_VAIN = 200, 50  # calls that are looked at, and where none can be made again
_SKIPPED = frozenset([".git", ".venv", "venv", "site-packages", "node_modules", ".tox", ".nox"])
_VARIADIC: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
_INNERMOST = ("property", "staticmethod", "classmethod", "cached_property", "setter", "deleter")


class Recorder:
    """What was seen in this process."""

    def __init__(self, root: Path, data: bool, out: Path | None = None) -> None:
        self.root = root
        self.data = data
        self.out = out
        self.texts: dict[str, frozenset[str]] = {}
        self.names: frozenset[str] = frozenset()
        self._describing = threading.local()

    def recorded(self, file: str, name: str, function: Any) -> Any:
        """The function with a recorder around it; anything that is no plain function as it is.

        What a decorator made of a function may be used by type: compiled functions of Numba are
        called from one another.
        """
        if not isinstance(function, FunctionType):
            return function
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return function
        seen: set[str] = set()
        partly: set[str] = set()
        attempts = 0
        recorder = self

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal attempts
            most = _ATTEMPTS if seen or not partly else _IN_VAIN
            if len(seen) >= PER_FUNCTION or attempts >= most or recorder.is_describing:
                return function(*args, **kwargs)
            attempts += 1
            with recorder._describes():
                made = recorder._made(file, name, signature, args, kwargs)
            try:
                return function(*args, **kwargs)
            except KeyboardInterrupt:  # of the user, not of the function
                raise
            except BaseException as error:
                raised: str | None = type(error).__name__
                made = None if made is None else Call(**{**_fields(made), "raised": raised})
                raise
            finally:
                if made is not None:
                    # what cannot be made again stands in the way of no other
                    group = seen if made.is_known else partly
                    if len(group) < PER_FUNCTION and made.shape() not in group:
                        group.add(made.shape())
                        recorder.keep(made)

        return call

    @property
    def is_describing(self) -> bool:
        """Whether this thread describes a value: what the value does then is no call to record."""
        return getattr(self._describing, "now", False)

    @contextlib.contextmanager
    def _describes(self) -> Iterator[None]:
        self._describing.now = True
        try:
            yield
        finally:
            self._describing.now = False

    def keep(self, call: Call) -> None:
        """Put a call down at once: a process may be ended before its time, or forked."""
        if self.out is not None:
            with contextlib.suppress(OSError):  # recording must never be what breaks the program
                append(self.out / f"{os.getpid()}.jsonl", call)

    def _made(
        self,
        file: str,
        name: str,
        signature: inspect.Signature,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Call | None:
        try:
            bound = signature.bind(*args, **kwargs)
            given = {}
            for key, value in bound.arguments.items():
                mark = _VARIADIC.get(signature.parameters[key].kind, "")
                if not mark or value:  # whether an array is true cannot be asked
                    given[mark + key] = value
            first = next(iter(given), "")
            owned = first in ("self", "cls") and "." in name
            texts = self.texts.get(file, frozenset()) | self.names
            if owned:
                texts |= self._texts_of(type(given[first]))
            nodes = describe_all(given, texts, self.data)
            instance = nodes.pop(first) if owned else None
            return Call(file, name, nodes, instance, _same(bound.arguments))
        except Exception:  # recording must never be what breaks the program
            return None

    def _texts_of(self, kind: type) -> frozenset[str]:
        """Those of the file of a class: what a method of a base sees are its subclasses' texts."""
        file = getattr(sys.modules.get(kind.__module__), "__file__", None)
        if file is None or not self.wants(file):
            return frozenset()
        shown = Path(file).resolve().relative_to(self.root).as_posix()
        return self.texts.get(shown, frozenset())

    def code(self, file: str, source: bytes) -> CodeType:
        """The compiled module, a recorder around each of its functions."""
        tree = ast.parse(source, file)
        shown = Path(file).resolve().relative_to(self.root).as_posix()
        texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
        self.texts[shown] = frozenset(t for t in texts if isinstance(t, str))
        self.names |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                _decorate(node, shown, node.name)
            elif isinstance(node, ast.ClassDef):
                for part in node.body:
                    if isinstance(part, ast.FunctionDef) and part.name != "__init__":
                        _decorate(part, shown, f"{node.name}.{part.name}")
        return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)

    def wants(self, file: str | None) -> bool:
        """Whether a file is the project's own."""
        if not file or not file.endswith(".py"):
            return False
        path = Path(file).resolve()
        inside = path.is_relative_to(self.root)
        return inside and not _SKIPPED & set(path.relative_to(self.root).parts)


def _fields(call: Call) -> dict[str, Any]:
    return {name: getattr(call, name) for name in call.__dataclass_fields__}


def _same(arguments: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    groups: dict[int, list[str]] = {}
    for name, value in arguments.items():
        if type(value).__name__ == "ndarray":
            groups.setdefault(id(value), []).append(name)
    return tuple(tuple(names) for names in groups.values() if len(names) > 1)


def _decorate(node: ast.FunctionDef, file: str, name: str) -> None:
    """One more decorator: outermost, but below those that give no function."""
    inner = any(ast.unparse(d).endswith(_INNERMOST) for d in node.decorator_list)
    call = ast.parse(f"(lambda f: {NAME}({file!r}, {name!r}, f))", mode="eval").body
    for part in ast.walk(call):
        if isinstance(part, ast.expr | ast.arg):
            part.lineno = part.end_lineno = node.lineno
            part.col_offset = part.end_col_offset = 0
    place = len(node.decorator_list) if inner else 0
    node.decorator_list.insert(place, call)


class _Loader(importlib.machinery.SourceFileLoader):
    recorder: Recorder

    def get_code(self, fullname: str) -> CodeType:
        return self.recorder.code(self.path, self.get_data(self.path))


class _Finder:
    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader:
            return None
        if not self.recorder.wants(spec.origin):
            return None
        loader = _Loader(spec.loader.name, spec.loader.path)
        loader.recorder = self.recorder
        spec.loader = loader
        return spec


def start(root: Path, out: Path, data: bool) -> Recorder:
    """Record from here on; calls are written into the folder `out`, a file for each process."""
    import builtins

    recorder = Recorder(root.resolve(), data, out)
    setattr(builtins, NAME, recorder.recorded)
    sys.meta_path.insert(0, _Finder(recorder))
    _ACTIVE.append(recorder)
    return recorder


_ACTIVE: list[Recorder] = []


def active() -> Recorder | None:
    """The recorder of this process, where there is one."""
    return _ACTIVE[-1] if _ACTIVE else None
