"""Whether a file is a program that is run, or a module that other code imports."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path

from gpuport.analysis.modulelevel import is_main_guard
from gpuport.source.module import Module
from gpuport.source.names import Scope

_MOST_NEIGHBOURS = 200
"""Files of a folder up to which they are looked through for imports of a program."""


def why_imported(module: Module, root: Scope) -> str | None:
    """Why code that is not in this file may use its names; None for a program.

    A program runs when it is started: it has a ``__main__`` guard or calls one of its own
    functions at its top. It is part of no package, and no file beside or above it imports it.
    """
    if not any(is_main_guard(s) or _calls_its_own(s, root) for s in module.tree.body):
        return "code that imports this module may use them"
    if root.binds("__all__") or any(
        isinstance(node, ast.ImportFrom) and node.level for node in root.import_nodes
    ):
        return "the module is part of a package, which may use them"
    return _imported_nearby(module.path)


def _calls_its_own(node: ast.stmt, root: Scope) -> bool:
    call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
    function = call.func if isinstance(call, ast.Call) else None
    return isinstance(function, ast.Name) and (
        function.id in root.functions or function.id in root.classes
    )


@lru_cache(maxsize=64)
def _imported_nearby(path: str) -> str | None:
    source = Path(path)
    folder = source.parent
    if (folder / "__init__.py").exists():
        return "the module is part of a package, which may use them"
    wanted = re.compile(rf"\s*(from|import)\b.*\b{re.escape(source.stem)}\b".encode())
    for beside in (folder, folder.parent) if source.is_file() else ():
        for other in sorted(beside.glob("*.py"))[:_MOST_NEIGHBOURS]:
            if other.name != source.name and _mentions(other, wanted):
                return f"`{other.name}` imports this module and may use them"
    return None


def _mentions(path: Path, wanted: re.Pattern[bytes]) -> bool:
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return True
    return any(wanted.match(line) for line in lines)
