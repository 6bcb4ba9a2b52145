"""What module-level code left behind on both sides, after it ran once.

A script has one input, itself: too little for a verdict of equivalence, and enough to see a port
that fails, or whose names hold something of another type. How far values deviate is told.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from gpuport.verify.aftermath.leaves import VALUE_KINDS, Leaf, leaves_of
from gpuport.verify.execution.tolerance import Policy, judge_floats, unequal

MODULE = "<module>"
_KNOWN = frozenset({"numpy", "scipy", "pandas", "cupy", "cupyx", "gpuport"})
_DEFINITIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def module_changed(original: ast.Module, port: ast.Module) -> bool:
    """Whether module-level code, or something that it may call, differs."""
    first = _executable(original)
    known = {part.id for node in first for part in ast.walk(node) if isinstance(part, ast.Name)}
    second = [node for node in _executable(port) if not _new_kernel(node, known)]
    if list(map(ast.unparse, first)) != list(map(ast.unparse, second)):
        return True
    calls = any(isinstance(part, ast.Call) for node in first for part in ast.walk(node))
    return calls and ast.dump(original) != ast.dump(port)


def _new_kernel(node: ast.stmt, known: set[str]) -> bool:
    """Whether a statement gives a kernel a name of its own, which changes nothing by itself."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    kernel = ast.unparse(node.value.func).endswith(("Kernel", "RawModule"))
    return kernel and all(isinstance(t, ast.Name) and t.id not in known for t in node.targets)


def _executable(tree: ast.Module) -> list[ast.stmt]:
    """Statements that run; what only runs as a program does not run here."""
    return [
        node
        for node in tree.body
        if not isinstance(node, _DEFINITIONS)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        and not (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test))
    ]


def loop_counters(tree: ast.AST) -> set[str]:
    """Names that loops of the module count with, and that nothing reads outside of these loops."""
    found: set[str] = set()
    inside: set[int] = set()
    for loop in _loops(getattr(tree, "body", [])):
        names = {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
        own = [p for p in ast.walk(loop) if isinstance(p, ast.Name) and p.id in names]
        found |= names
        inside |= {id(part) for part in own}
    others = {p.id for p in ast.walk(tree) if isinstance(p, ast.Name) and id(p) not in inside}
    return found - others


def _loops(body: list[ast.stmt]) -> Iterator[ast.For]:
    """Loops of module-level code, those in other statements too."""
    for node in body:
        if isinstance(node, ast.For):
            yield node
        if not isinstance(node, _DEFINITIONS):
            for name in ("body", "orelse", "finalbody"):
                yield from _loops(getattr(node, name, []))


def compare_modules(
    original: Mapping[str, Any],
    port: Mapping[str, Any],
    to_host: Callable[[Any], Any],
    counters: Collection[str] = (),
    own: Collection[str] = (),
) -> dict[str, Any]:
    """Names that hold the same, another type or another value.

    `counters` may be gone: a loop that has become a kernel counts with none. `own` are the names of
    the program's modules: of an object of another library, such as a figure, the type is compared.

    Returns
    -------
    dict
        ``alike``: how many values are equal; ``deviating``: names, with how far; ``other``: the
        first name whose type, shape or dtype is another, and what it became, or None.
    """
    alike = 0
    deviating: list[str] = []
    foreign = lambda held: _is_foreign(held, own)  # noqa: E731
    for name, value in original.items():
        if name.startswith("_") or isinstance(value, ModuleType) or callable(value):
            continue
        if name not in port and name in counters:
            deviating.append(f"`{name}`, a loop's counter, is not there any more")
            continue
        if name not in port:
            return _found(alike, deviating, f"`{name}` is not there any more")
        first = list(leaves_of(name, value, to_host, foreign))
        second = list(leaves_of(name, port[name], to_host, foreign))
        if [leaf.path for leaf in first] != [leaf.path for leaf in second]:
            return _found(alike, deviating, f"`{name}` has other parts")
        for a, b in zip(first, second, strict=True):
            other = _other(a, b)
            if other is not None:
                return _found(alike, deviating, other)
            text = _deviation(a, b)
            alike += text is None
            deviating += [] if text is None else [text]
    return _found(alike, deviating, None)


def _is_foreign(held: Any, own: Collection[str]) -> bool:
    """Whether another library keeps in it what it likes: its parts are not the program's."""
    module = str(getattr(type(held), "__module__", ""))
    known = module.partition(".")[0]
    return module not in own and known not in _KNOWN and known not in sys.stdlib_module_names


def _found(alike: int, deviating: list[str], other: str | None) -> dict[str, Any]:
    return {"status": "module", "alike": alike, "deviating": deviating[:5], "other": other}


def _other(a: Leaf, b: Leaf) -> str | None:
    # a script's own names may hold device arrays: what it prints and saves is what counts
    moved = b.kind == "device" and a.kind in ("array", "numpy scalar")
    if a.kind != b.kind and not moved:
        return f"`{a.path}`: {a.kind} became {b.kind}"
    if a.kind == "opaque" and a.value != b.value:
        return f"`{a.path}`: {a.value} became {b.value}"
    if a.kind not in VALUE_KINDS:
        return None
    x, y = np.asarray(a.value), np.asarray(b.value)
    if (x.dtype, x.ndim) != (y.dtype, y.ndim):
        return f"`{a.path}`: {x.dtype} of {x.ndim} axes became {y.dtype} of {y.ndim} axes"
    return None


def _deviation(a: Leaf, b: Leaf) -> str | None:
    if a.kind not in VALUE_KINDS:
        same = a.value == b.value or "0x" in str(a.value) or a.kind == "struct"
        return None if same else f"`{a.path}` became {str(b.value)[:60]!r}"
    x, y = np.asarray(a.value), np.asarray(b.value)
    if x.shape != y.shape:
        return f"`{a.path}`: shape {x.shape} became {y.shape}"
    bad = unequal(x, y)
    if x.dtype.kind in "fc":
        bad = judge_floats(a.path, x, y, bad, Policy(elements=max(x.size, 1))).bad
    if not bad.any():
        return None
    if x.dtype.kind not in "fc":
        return f"`{a.path}`: {int(bad.sum())} of {x.size} values are others"
    with np.errstate(all="ignore"):
        scale = np.max(np.abs(x), where=np.isfinite(x), initial=0.0)
        largest = np.max(np.abs(y - x), where=bad & np.isfinite(x) & np.isfinite(y), initial=0.0)
    return f"`{a.path}` by {largest:.1g} where the largest is {scale:.3g}"
