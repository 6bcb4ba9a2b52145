"""Modules that cannot be imported for want of a CUDA library: what their source says."""

from __future__ import annotations

import ast
import importlib
import importlib.util
from pathlib import Path

from .signatures import Parameters, source_parameters, without_self
from .values import Entry, describe_value

# A module without __all__ shows what it imported for its own use as well.
PRIVATE_BY_ORIGIN = {"annotations", "Any", "TYPE_CHECKING", "NamedTuple", "Union", "Callable"}


def describe_source(name: str, entries: dict[str, Entry]) -> bool:
    """Describe a module that cannot be imported here by what its source defines and imports."""
    path = source_path(name)
    if path is None:
        return False
    entries[name] = {"kind": "module", "from": "source"}
    for public in sorted(source_names(path)):
        entry = from_source(name, public)
        if entry is not None:
            entries[f"{name}.{public}"] = {**entry, "from": "source"}
    return True


def source_path(name: str) -> Path | None:
    """File of a module in the wheel, found without importing its package."""
    top, *rest = name.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return None
    base = Path(next(iter(spec.submodule_search_locations))).joinpath(*rest)
    for candidate in (base / "__init__.py", base.with_name(base.name + ".py")):
        if candidate.is_file():
            return candidate
    return None


def source_names(path: Path) -> set[str]:
    """Public names that the top level of a file binds."""
    return {name for name in bindings(path) if not name.startswith("_")} - PRIVATE_BY_ORIGIN


_BINDINGS: dict[Path, dict[str, ast.stmt]] = {}


def bindings(path: Path) -> dict[str, ast.stmt]:
    """Top-level names of a file and the statement that binds each (the last one counts)."""
    if path not in _BINDINGS:
        bound: dict[str, ast.stmt] = {}
        for statement in ast.parse(path.read_text("utf-8")).body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                bound[statement.name] = statement
            elif isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
                for alias in statement.names:
                    bound[alias.asname or alias.name] = statement
            elif isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        bound[target.id] = statement
        _BINDINGS[path] = bound
    return _BINDINGS[path]


def from_source(module: str, name: str, depth: int = 0) -> Entry | None:
    """Describe ``module.name`` from source, following imports and simple aliases."""
    path = source_path(module)
    statement = bindings(path).get(name) if path and depth < 12 else None
    if isinstance(statement, ast.FunctionDef):
        return {
            "kind": "function",
            "name": name,
            "module": module,
            "parameters": source_parameters(statement),
        }
    if isinstance(statement, ast.ClassDef):
        return {
            "kind": "class",
            "name": name,
            "module": module,
            "parameters": constructor(module, statement, depth),
        }
    if isinstance(statement, ast.ImportFrom):
        return imported(statement, module, path, name, depth)
    if isinstance(statement, ast.Assign):
        value = statement.value
        if isinstance(value, ast.Name):
            return from_source(module, value.id, depth + 1)
        if isinstance(value, ast.Call) and "create_ufunc" in ast.unparse(value.func):
            return {"kind": "ufunc", "name": name, "module": module, "parameters": None}
        if isinstance(value, ast.Constant):
            return {"kind": "constant", "value": repr(value.value)}
        return {"kind": "object"}
    return None


def imported(
    statement: ast.ImportFrom, module: str, path: Path | None, name: str, depth: int
) -> Entry | None:
    """Follow ``from X import name``: into X's source, or its live value where X imports."""
    package = module if path and path.name == "__init__.py" else module.rpartition(".")[0]
    origin = statement.module or ""
    if statement.level:
        stem = package.split(".")[: len(package.split(".")) - statement.level + 1]
        origin = ".".join([*stem, origin] if origin else stem)
    if origin.split(".")[0] not in {"cupy", "cupyx"}:
        return None
    real = next(a.name for a in statement.names if (a.asname or a.name) == name)
    if source_path(f"{origin}.{real}") is not None:
        return {"kind": "module"} if f"{origin}.{real}" == f"{module}.{name}" else None
    try:
        value = getattr(importlib.import_module(origin), real)
    except (ImportError, AttributeError):
        return from_source(origin, real, depth + 1)
    return describe_value(value, origin)


def constructor(module: str, statement: ast.ClassDef, depth: int) -> Parameters | None:
    """Parameters of ``__init__``, the class's own or that of its first known base."""
    for item in statement.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            return without_self(source_parameters(item))
    for base in statement.bases:
        entry = from_source(module, ast.unparse(base), depth + 1)
        if entry and entry.get("parameters"):
            parameters: Parameters = entry["parameters"]
            return parameters
    return None
