"""What programs call again and again, as far as names tell."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from gpuport.source.syntax import LOOPS, children, walk
from gpuport.source.trips import is_short, listed_in

_REPEATING = (*LOOPS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


_Call = tuple[str, bool, str]
"""A name that is called, whether in a loop, and by which function."""

_KNOWN: WeakKeyDictionary[ast.Module, tuple[_Call, ...]] = WeakKeyDictionary()
"""What each tree calls, as long as somebody has it."""

_IN_LOOPS: WeakKeyDictionary[ast.Module, tuple[tuple[int, ...], frozenset[str]]] = (
    WeakKeyDictionary()
)
"""What loops call, by the first tree of a program, with the ids of all of its trees."""


def in_loops(function: ast.AST) -> set[int]:
    """What stands in loops and comprehensions of a function, by ids."""
    loops = (one for one in walk(function) if isinstance(one, _REPEATING))
    return {id(part) for loop in loops for part in walk(loop)}


def called_in_loops(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Names of what loops call, straight or by functions, and of what is handed on."""
    trees = tuple(trees)
    ids = tuple(map(id, trees))
    known = _IN_LOOPS.get(trees[0]) if trees else None
    if known is None or known[0] != ids:
        known = ids, _called_in_loops(trees)
        if trees:
            _IN_LOOPS[trees[0]] = known
    return known[1]


def _called_in_loops(trees: Sequence[ast.Module]) -> frozenset[str]:
    inside: dict[str, set[str]] = {}
    found: set[str] = set()
    for tree in trees:
        if tree not in _KNOWN:
            _KNOWN[tree] = tuple(_Calls(listed_in(tree)).of(tree, 0, ""))
        for name, repeated, function in _KNOWN[tree]:
            inside.setdefault(function, set()).add(name)
            if repeated:
                found.add(name)
    todo = list(found)
    while todo:
        new = inside.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return frozenset(found)


class _Calls:
    """The calls of a module; a loop of few trips counts where it stands in another one."""

    def __init__(self, listed: Mapping[str, int]) -> None:
        self.listed = listed

    def of(self, node: ast.AST, loops: int, function: str) -> Iterator[_Call]:
        """What stands in so many loops; one of many trips counts twice."""
        repeated = loops > 1
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            loops, function = 0, node.name
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                yield called.id, repeated, function
            elif isinstance(called, ast.Attribute):
                yield called.attr, repeated, function
            for given in (*node.args, *(k.value for k in node.keywords)):
                if isinstance(given, ast.Name):
                    yield given.id, True, function
        if isinstance(node, _REPEATING):
            loops += 1 if self._is_short(node) else 2
        for child in children(node):
            yield from self.of(child, loops, function)

    def _is_short(self, node: ast.AST) -> bool:
        heads = [node, *getattr(node, "generators", ())]
        iterables = [one.iter for one in heads if hasattr(one, "iter")]
        return bool(iterables) and all(is_short(one, self.listed) for one in iterables)


__all__ = ["called_in_loops", "in_loops"]
