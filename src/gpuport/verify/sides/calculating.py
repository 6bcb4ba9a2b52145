"""Programs that do nothing but calculate, which may be run to see what they give their functions.

Told by what they import and name. A program that may delete, send or start something is not run:
only its functions are. Libraries other than NumPy and SciPy it does not get.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

_LIBRARIES = frozenset({"numpy", "scipy", "typing_extensions"})
_MODULES = frozenset(
    {
        "__future__", "abc", "argparse", "array", "base64", "binascii", "bisect", "cmath",
        "collections", "contextlib", "copy", "dataclasses", "datetime", "decimal", "enum",
        "fractions", "functools", "gc", "hashlib", "heapq", "io", "itertools", "json", "math",
        "numbers", "operator", "pprint", "random", "re", "statistics", "string", "struct", "sys",
        "textwrap", "time", "timeit", "types", "typing", "warnings", "weakref", "zlib",
    }
)  # fmt: skip
"""Those of Python that reach nothing outside the process."""
_REACHING = frozenset(
    {"open", "exec", "eval", "compile", "__import__", "input", "breakpoint", "globals", "vars",
     "FileIO", "open_code", "__builtins__", "__file__", "memmap", "open_memmap", "DataSource",
     "f2py", "ctypeslib"}
)  # fmt: skip
"""Names, of attributes too, that may reach farther."""


def refused_imports(file: Path, root: Path) -> frozenset[str] | None:
    """Libraries that a program must not get so that it only calculates, prints, and writes to
    where its argument says; None where it reaches farther by itself.

    Without its plots and tables a program often comes to its end all the same.

    Parameters
    ----------
    file : pathlib.Path
    root : pathlib.Path
        Where modules of its own are looked for; they have to be so as well.
    """
    waiting, seen, refused = [file], set[Path](), set[str]()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        try:
            tree = ast.parse(one.read_bytes())
        except (OSError, SyntaxError, ValueError):
            return None
        for node in ast.walk(tree):
            if _reaches_out(node):
                return None
            for name, own in _imported(node, one, root):
                if own is not None:
                    waiting.append(own)
                elif name not in _LIBRARIES | _MODULES:
                    if not name or name in sys.stdlib_module_names:
                        return None
                    refused.add(name)
    return frozenset(refused)


def _reaches_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
        return text.startswith(("/", "~", "\\")) or any(o in text for o in (":/", "../", "..\\"))
    if isinstance(node, ast.Name):
        return node.id in _REACHING
    if isinstance(node, ast.Attribute):
        return node.attr in _REACHING
    return isinstance(node, ast.alias) and not _REACHING.isdisjoint(node.name.split("."))


def _imported(node: ast.AST, file: Path, root: Path) -> Iterator[tuple[str, Path | None]]:
    """The modules that a statement imports, by their first names, and files of the program."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name.partition(".")[0], _file(root, alias.name)
    elif isinstance(node, ast.ImportFrom):
        base = file.parents[node.level - 1] if node.level else root
        name = node.module or ""
        below = [_file(base, f"{name}.{alias.name}".strip(".")) for alias in node.names]
        files = {_file(base, name) if name else None, *below}
        for one in (files - {None}) or {None}:
            yield name.partition(".")[0], one


def _file(base: Path, name: str) -> Path | None:
    if name.partition(".")[0] in sys.stdlib_module_names | _LIBRARIES:
        return None
    place = base.joinpath(*name.split("."))
    found = (place.with_name(place.name + ".py"), place / "__init__.py")
    return next((one for one in found if one.is_file()), None)


__all__ = ["refused_imports"]
