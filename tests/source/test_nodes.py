"""The nodes of a tree by their places: what is found is what a walk finds, in the same order."""

from __future__ import annotations

import ast
from itertools import pairwise

import pytest

from gpuport.source.nodes import Nodes
from gpuport.source.syntax import bound_in, by_kind, inside, walk

TEXT = '''
"""Of everything."""
import numpy as np
from os import path as p

x: int = 3

@np.vectorize
def outer(a, *rest, b=lambda q: q + 1, **more):
    """Doc."""
    total, (first, *others) = 0, rest
    def inner(c):
        nonlocal total
        k = [i * c for i in range(3) if i]
        return k
    for i, row in enumerate(a):
        while total < 3:
            total += row[i:, None] @ inner(i)
        else:
            del first
        with np.errstate(all="ignore") as state:
            f = lambda z: z if z else -z
    try:
        (walrus := total)
    except (ValueError, TypeError) as error:
        raise RuntimeError(f"{error!r:>{total}}") from error
    finally:
        pass
    return {**more, "k": {1, 2}, **{j: j for j in others}}

class Held(dict):
    size = 3
    def method(self):
        match self:
            case {"a": 1, **left}:
                yield left
            case [1, *tail] | str() as tail:
                yield from tail
'''
TREE = ast.parse(TEXT)
EVERY = list(walk(TREE))
KINDS = sorted({node.__class__ for node in EVERY}, key=lambda kind: kind.__name__)


@pytest.fixture(scope="module")
def nodes() -> Nodes:
    return Nodes(TREE)


@pytest.mark.parametrize("kind", KINDS)
def test_one_kind_inside(nodes: Nodes, kind: type[ast.AST]) -> None:
    for node in EVERY:
        assert nodes.inside(node, kind) == [n for n in inside(node) if n.__class__ is kind]


def test_several_kinds_stand_in_source_order(nodes: Nodes) -> None:
    kinds = (ast.Name, ast.Call, ast.Assign, ast.For)
    for node in EVERY:
        assert nodes.inside(node, *kinds) == [n for n in inside(node) if n.__class__ in kinds]


def test_below_has_inner_functions(nodes: Nodes) -> None:
    for node in EVERY:
        named = [one for one in walk(node) if isinstance(one, ast.Name)]
        found = nodes.below(node, ast.Name)
        assert len(found) == len(named)
        assert set(map(id, found)) == set(map(id, named))


def test_names_that_are_bound(nodes: Nodes) -> None:
    for node in EVERY:
        assert nodes.bound_in(node) == bound_in(node)


def test_kinds_of_the_whole_tree_as_a_walk_orders_them(nodes: Nodes) -> None:
    assert nodes.by_kind() == by_kind(EVERY)


def test_way_down_to_a_node(nodes: Nodes) -> None:
    above = {id(child): node for node in EVERY for child in ast.iter_child_nodes(node)}
    for node in EVERY:
        if isinstance(node, (ast.Name, ast.Constant)) or node is TREE:
            continue
        way = nodes.way(TREE, node)
        assert way[0] is TREE
        assert way[-1] is node
        assert all(above[id(low)] is high for high, low in pairwise(way))


def test_no_way_to_what_is_elsewhere(nodes: Nodes) -> None:
    function, held = (one for one in TREE.body if isinstance(one, (ast.FunctionDef, ast.ClassDef)))
    assert nodes.way(held, function.body[-1]) == []
    assert nodes.way(function, ast.parse("f(x)").body[0]) == []


def test_nodes_of_no_tree_of_a_file(nodes: Nodes) -> None:
    """A lambda is read as a function that is made for it, of parts that are in the tree."""
    (made,) = (one for one in EVERY if isinstance(one, ast.Lambda) and one.args.args[0].arg == "z")
    function = ast.FunctionDef("<lambda>", made.args, [ast.Return(made.body)], decorator_list=[])
    names = [one for one in inside(function) if isinstance(one, ast.Name)]
    assert len(names) == 3
    assert nodes.inside(function, ast.Name) == names
    (choice,) = nodes.inside(function, ast.IfExp)
    assert nodes.way(function, choice) == [function, function.body[0], choice]
