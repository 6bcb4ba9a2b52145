"""The nodes of a tree by their classes and places, to be found without walking the tree again."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from gpuport.source.syntax import DEFINITIONS, Kinds, bound_in, children, inside, walk


class Nodes:
    """The nodes of a tree in source order: those of a kind that are in one of them stand together.

    A tree is asked for the nodes of a kind in a function or in a loop by many, and again in each
    round: only the first of them all goes through it.

    Parameters
    ----------
    tree : ast.AST
        Nothing may change it, nor end before this.
    """

    __slots__ = ("_bound", "_definitions", "_depths", "_ends", "_kinds", "_nodes", "_starts")

    def __init__(self, tree: ast.AST) -> None:
        self._nodes: list[ast.AST] = []
        self._starts: dict[int, int] = {}
        """Place of each node that has others below it, by its id."""
        self._ends: list[int] = []
        """Place behind all that is below a node, by its own place."""
        self._depths: list[int] = []
        """How many nodes are around each, by its place."""
        self._kinds: dict[type[ast.AST], list[int]] = defaultdict(list)
        self._read(tree)
        nodes, load = self._nodes, ast.Load
        names = self._kinds.get(ast.Name, ())
        self._bound = [place for place in names if nodes[place].ctx.__class__ is not load]  # type: ignore[attr-defined]
        of_definitions = (self._kinds.get(kind, ()) for kind in DEFINITIONS)
        self._definitions = sorted(place for places in of_definitions for place in places)

    def by_kind(self) -> Kinds:
        """All nodes by their classes, as `gpuport.source.syntax.walk` orders them."""
        found: Kinds = defaultdict(list)
        for kind, places in self._kinds.items():
            found[kind] = [self._nodes[k] for k in sorted(places, key=self._depths.__getitem__)]
        return found

    def inside(self, node: ast.AST, *kinds: type[ast.AST]) -> list[Any]:
        """The nodes of these classes in a node, itself included, in source order.

        Inner functions, lambdas and classes are left out, as `gpuport.source.syntax.inside` does.
        """
        start = self._starts.get(id(node))
        if start is None:  # a name, a constant, or of no tree of a file
            return [one for one in inside(node) if one.__class__ in kinds]
        return self._shown(start, self._places(start, self._ends[start], kinds))

    def bound_in(self, node: ast.AST) -> frozenset[str]:
        """Names that a node binds, those of inner functions left out."""
        start = self._starts.get(id(node))
        if start is None:
            return bound_in(node)
        places = _between(self._bound, start, self._ends[start])
        return frozenset(one.id for one in self._shown(start, places))

    def way(self, around: ast.AST, node: ast.AST) -> list[ast.AST]:
        """The nodes from one of them down to one that is in it; empty where it is not."""
        if id(around) not in self._starts:
            return _way(around, node)
        place = self._starts.get(id(node), -1)
        found = [around]
        while found[-1] is not node:
            for one in children(found[-1]):
                start = self._starts.get(id(one), place + 1)
                if start <= place < self._ends[start]:
                    found.append(one)
                    break
            else:
                return []
        return found

    def below(self, node: ast.AST, *kinds: type[ast.AST]) -> list[Any]:
        """As `inside`, with all that is in inner functions, lambdas and classes as well."""
        start = self._starts.get(id(node))
        if start is None:
            return [one for one in walk(node) if one.__class__ in kinds]
        return [self._nodes[place] for place in self._places(start, self._ends[start], kinds)]

    def _read(self, tree: ast.AST) -> None:
        nodes, starts, ends, kinds = self._nodes, self._starts, self._ends, self._kinds
        depths, depth = self._depths, 0
        name, constant = ast.Name, ast.Constant
        waiting: list[ast.AST | int] = [tree]
        while waiting:
            one = waiting.pop()
            place = len(nodes)
            if isinstance(one, int):  # all that is below the node at that place was met
                ends[one] = place
                depth -= 1
                continue
            kind = one.__class__
            kinds[kind].append(place)
            nodes.append(one)
            ends.append(place + 1)
            depths.append(depth)
            if kind is not name and kind is not constant:
                starts[id(one)] = place
                waiting.append(place)
                depth += 1
                below = children(one)
                below.reverse()
                waiting += below

    def _places(self, start: int, end: int, kinds: tuple[type[ast.AST], ...]) -> list[int]:
        found: list[int] = []
        for kind in kinds:
            places = self._kinds.get(kind)
            if places is not None:
                found += _between(places, start, end)
        if len(kinds) > 1:
            found.sort()
        return found

    def _shown(self, start: int, places: list[int]) -> list[Any]:
        """The nodes at places below a node, but those that are in inner definitions."""
        for first, end in self._hidden(start) if places else ():
            places = [place for place in places if not first <= place < end]
        return [self._nodes[place] for place in places]

    def _hidden(self, start: int) -> Iterator[tuple[int, int]]:
        """The extents of the outermost definitions below a node."""
        definitions, end = self._definitions, self._ends[start]
        following = bisect_left(definitions, start + 1)
        while following < len(definitions) and definitions[following] < end:
            first = definitions[following]
            yield first, self._ends[first]
            following = bisect_left(definitions, self._ends[first])


def _way(around: ast.AST, node: ast.AST) -> list[ast.AST]:
    if around is node:
        return [node]
    ways = (_way(one, node) for one in children(around))
    found = next((way for way in ways if way), None)
    return [] if found is None else [around, *found]


def _between(places: list[int], start: int, end: int) -> list[int]:
    return places[bisect_left(places, start) : bisect_left(places, end)]


__all__ = ["Nodes"]
