"""Programs whose loops are kernels as the coming core hands them over, run beside the originals.

    python bench/handed.py PROGRAM.py ...

says which loops of files become functions with `gpuport.runtime.kernel`, and why others do not. As
a module it builds these functions, from the record and the text of each loop, and runs them on
device arrays of the host backend.
"""

from __future__ import annotations

import ast
import builtins
import copy
import dis
import re
import symtable
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.rewriting import canonicalise
from gpuport.facts import infer
from gpuport.lower import lower
from gpuport.parallel.decorated import Decorated, decorated
from gpuport.parallel.dependence import check_independent


@dataclass
class Handed:
    """The loops of a program: records, and reasons of those that have none, each with its line."""

    records: list[Decorated] = field(default_factory=list)
    left: list[tuple[int, str]] = field(default_factory=list)


def records(text: str, name: str = "program") -> Handed:
    """What the loops of a program are handed over as."""
    module = lower(text, name)
    facts = infer([module])
    made = Handed()
    for function in module.functions:
        contexts = facts.contexts.get(function, ())
        if not contexts:
            continue
        found = canonicalise(function, contexts, check_independent)
        made.left += [
            (left.op.span.line, left.reason) for left in found.left if left.op.kind == "For"
        ]
        for region in found.regions:
            if region.replaces[-1].kind != "For":
                continue
            span = region.replaces[-1].span
            try:
                record = decorated(region, contexts[0], check_independent(region))
            except Blocked as blocked:
                made.left.append((span.line, blocked.reason))
            else:
                made.records.append(record)
    return made


class _Substitute(ast.NodeTransformer):
    """Puts parameters in the place of the expressions that are handed in for them."""

    def __init__(self, arguments: tuple[tuple[str, str], ...]) -> None:
        self.names = {text: name for name, text in arguments}

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = self.names.get(ast.unparse(node))
            if name is not None:
                return ast.copy_location(ast.Name(name, node.ctx), node)
        return self.generic_visit(node)


def built(tree: ast.Module, made: list[Decorated]) -> tuple[str, str]:
    """The text of a program whose loops are calls of decorated functions, and that of these."""
    tree = copy.deepcopy(tree)
    functions: list[str] = []
    for number, record in enumerate(made):
        _Replace(record, f"_kernel_{number}", functions).visit(tree)
    assert len(functions) == len(made), "a loop is not where its record says"
    kernels = "\n".join(["from gpuport.runtime import kernel", *functions])
    return ast.unparse(ast.fix_missing_locations(tree)), kernels


class _Replace(ast.NodeTransformer):
    def __init__(self, record: Decorated, name: str, functions: list[str]) -> None:
        self.record, self.name, self.functions = record, name, functions

    def visit_For(self, node: ast.For) -> ast.AST:
        span = self.record.span
        if (node.lineno, node.end_lineno) != (span.line, span.end_line):
            return self.generic_visit(node)
        record = self.record
        body = ast.unparse(ast.fix_missing_locations(_Substitute(record.arguments).visit(node)))
        names = {text: name for name, text in record.arguments}
        given = ", ".join(names.get(name, name) for name in record.assigned)
        lines = [*body.splitlines(), *([f"return {given}"] if given else [])]
        self.functions.append(
            f"@kernel({record.inputs!r}, {record.outputs!r}, {chr(10).join(record.body)!r}, "
            f"over={record.over!r}, where={record.where!r}, returns={record.returns!r}, "
            f"preamble={record.preamble!r})\n"
            f"def {self.name}({', '.join(name for name, _ in record.arguments)}):\n"
            + "\n".join(f"    {line}" for line in lines)
        )
        call = f"_launch({self.name}, {', '.join(text for _, text in record.arguments)})"
        assigned = f"{', '.join(record.assigned)} = {call}" if record.assigned else call
        return ast.parse(assigned).body[0]


def root_of(array: np.ndarray) -> np.ndarray:
    """The array in whose memory a view lies."""
    while getattr(array, "base", None) is not None and not isinstance(array.base, bytes):
        array = array.base
    return array


def flat(root: np.ndarray) -> np.ndarray:
    """All elements of an array without gaps, as they lie in memory."""
    return root.reshape(-1, order="F" if root.flags.f_contiguous else "C")


def place_in(root: np.ndarray, array: np.ndarray) -> int:
    """At which element of the memory of an array a view begins."""
    first, begin = (one.__array_interface__["data"][0] for one in (array, root))
    return (first - begin) // root.itemsize if array.size else 0


class Launcher:
    """Calls kernels with device arrays that lie as their arguments do, and takes results back.

    Attributes
    ----------
    calls : Counter
        How often each kernel was called.
    """

    def __init__(self, cupy: Any) -> None:
        self.cupy = cupy
        self.calls: Counter[str] = Counter()

    def __call__(self, function: Callable[..., Any], *args: Any) -> Any:
        self.calls[function.__name__] += 1
        roots: dict[int, tuple[np.ndarray, Any]] = {}
        moved = [self._moved(one, roots) if isinstance(one, np.ndarray) else one for one in args]
        try:
            result = function(*moved)
        finally:
            for root, there in roots.values():
                if root.flags.writeable:
                    flat(root)[...] = self.cupy.asnumpy(there)
        return self._back(result)

    def _moved(self, array: np.ndarray, roots: dict[int, tuple[np.ndarray, Any]]) -> Any:
        root = root_of(array)
        if id(root) not in roots:
            roots[id(root)] = root, self.cupy.asarray(flat(root))
        there = roots[id(root)][1]
        return self.cupy.lib.stride_tricks.as_strided(
            there[place_in(root, array) :], array.shape, array.strides
        )

    def _back(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self._back, value))
        if isinstance(value, self.cupy.ndarray):
            found = self.cupy.asnumpy(value)
            return found[()] if not found.ndim else found
        return value


def run(text: str, cupy: Any) -> tuple[dict[str, Any], Launcher, Handed]:
    """Run a program with kernels; gives its names."""
    made = records(text)
    launcher = Launcher(cupy)
    program, kernels = built(ast.parse(text), made.records)
    space: dict[str, Any] = {"__name__": "handed_program", "_launch": launcher}
    exec(compile(kernels, "kernels", "exec"), space)
    exec(compile(program, "program", "exec"), space)
    return space, launcher, made


def general(reason: str) -> str:
    """A reason without the names and lines in it."""
    return re.sub(r"`[^`]*`|line \d+|[\w%]+(\.shape)?\[\d\]|%\d+", "*", reason)


def unresolved(text: str, made: list[Decorated]) -> set[str]:
    """Names that the functions of records read and that the module does not have."""
    if not made:
        return set()
    tree = ast.parse(text)
    code = compile(built(tree, made)[1], "kernels", "exec")
    read = {
        name
        for one in code.co_consts
        if isinstance(one, CodeType)
        for instruction in dis.get_instructions(one)
        for name in [instruction.argval]
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL")
    }
    table = symtable.symtable(text, "program", "exec")
    return read - set(table.get_identifiers()) - set(dir(builtins))


def loops(text: str) -> list[tuple[int, int]]:
    """The lines of the `for` statements in functions of a program: first and last."""
    tree = ast.parse(text)
    inside = [
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.For)
    ]
    return sorted({(node.lineno, node.end_lineno or node.lineno) for node in inside})


def main() -> None:
    """Say for files which of their loops are handed over, those inside of others included."""
    warnings.simplefilter("ignore")
    reasons: Counter[str] = Counter()
    every = handed = 0
    for name in sys.argv[1:]:
        text = Path(name).read_text(encoding="utf-8")
        made = records(text, name)
        assert not (lost := unresolved(text, made.records)), f"{name}: {lost}"
        spans = [(record.span.line, record.span.end_line) for record in made.records]
        found = loops(text)
        covered = [(a, b) for a, b in found if any(c <= a and b <= d for c, d in spans)]
        every, handed = every + len(found), handed + len(covered)
        told = dict(made.left)
        for line, _ in found if len(covered) < len(found) else ():
            if not any(c <= line <= d for c, d in spans):
                reasons[general(told.get(line, "is not reached"))] += 1
    print(f"{handed} of {every} loops")
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main()
