"""Running a script's module-level code as far as it goes.

Many programs end in code that wants arguments, files or a screen. Where such a statement fails the
others are still run, and the functions can be verified. Imports and definitions must succeed.
"""

from __future__ import annotations
import __future__

import ast
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

OUTPUT = "output"
"""The argument that a program gets: the name of a file to write."""

_NEEDED = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Stumble:
    """A module-level statement that raised."""

    line: int
    raised: str
    message: str

    def __str__(self) -> str:
        text = f"{self.raised}: {self.message}".removesuffix(": ")
        return f"module-level code in line {self.line} raised {text}"


def execute(module: ModuleType, file: Path) -> tuple[Stumble, ...]:
    """Run a file as a module, statement by statement, and tell which failed.

    It gets one argument, the name of a file to write, as many programs want.

    Raises
    ------
    Exception
        What the file's syntax, an import, or a definition raises.
    """
    tree = ast.parse(file.read_bytes(), str(file))
    flags = _future_flags(tree)
    if ast.get_docstring(tree) is not None:
        module.__doc__ = ast.get_docstring(tree, clean=False)
    module.__dict__.setdefault("__annotations__", {})
    stumbles = []
    kept, sys.argv = sys.argv, [str(file), OUTPUT]
    try:
        for statement in tree.body:
            alone = ast.Module([statement], [])
            code = compile(alone, str(file), "exec", flags, dont_inherit=True)
            try:
                exec(code, module.__dict__)
            except (Exception, SystemExit) as error:
                if isinstance(statement, _NEEDED):
                    raise
                stumbles.append(Stumble(statement.lineno, type(error).__name__, str(error)[:200]))
    finally:
        sys.argv = kept
    return tuple(stumbles)


def _future_flags(tree: ast.Module) -> int:
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for alias in node.names:
                flags |= getattr(__future__, alias.name).compiler_flag
    return flags


def only_in(port: tuple[Stumble, ...], original: tuple[Stumble, ...]) -> Stumble | None:
    """The first failure of the port that the original does not have; lines may have moved."""
    left = [stumble.raised for stumble in original]
    for stumble in port:
        if stumble.raised not in left:
            return stumble
        left.remove(stumble.raised)
    return None
