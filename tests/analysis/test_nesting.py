"""Containers in containers: what each level is known to hold, and where it lives."""

import pytest
from tests.analysis.test_objects import analysed

from gpuport.analysis.graph import Graph, Place
from gpuport.analysis.nesting import contents_of, fill, levels
from gpuport.analysis.values import EMPTY, Array, Mapping, Scalar, Sequence, Tuple

ARRAY, NUMBER = Array("float64", 1), Scalar("int")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (ARRAY, ()),
        (Sequence(ARRAY), (ARRAY,)),
        (Mapping(Sequence(ARRAY)), (Sequence(ARRAY), ARRAY)),
        (Sequence(Tuple((NUMBER, ARRAY))), (Tuple((NUMBER, ARRAY)), EMPTY)),
        (Sequence(Sequence(EMPTY)), (Sequence(EMPTY), EMPTY)),
    ],
)
def test_levels_of_a_claim(value, found):
    assert levels(value) == found


def test_what_a_node_is_filled_with_is_what_it_holds():
    graph = Graph()
    node = graph.node("rows")
    fill(graph, node, (Sequence(ARRAY), ARRAY))
    assert contents_of(node) == (Sequence(ARRAY), ARRAY)
    assert graph.inner(node).root() is node.root()


def test_one_place_is_not_one_container():
    graph = Graph()
    outer, row = graph.node("outer"), graph.node("row")
    fill(graph, row, (ARRAY,))
    graph.gather(outer, row)
    assert outer.root() is row.root()
    assert contents_of(outer) == ()
    graph.unite(graph.inner(outer), row)
    assert contents_of(outer) == (EMPTY, ARRAY)


def test_containers_that_may_be_one_hold_what_either_holds():
    graph = Graph()
    a, b = graph.node("a"), graph.node("b")
    fill(graph, a, (Sequence(ARRAY), ARRAY))
    fill(graph, b, (Sequence(EMPTY), Array("float32", 1)))
    united = graph.unite(a, b)
    assert contents_of(united) == contents_of(a) == contents_of(b)
    assert contents_of(a)[1] == Array(None, 1)


@pytest.mark.parametrize(
    "made",
    [
        "[[np.sin(x)], [np.cos(x)]]",
        "[(np.sin(x), 1), (np.cos(x), 2)]",
        "[{'a': np.sin(x)}, {'a': np.cos(x)}]",
        "[[np.sin(x) for _ in range(2)] for _ in range(2)]",
    ],
)
def test_arrays_in_containers_in_containers_are_on_the_device(made):
    text = f"""
import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 100_000)
    key = 'a' if {"{" in made} else 0
    rows = {made}
    total = 0.0
    for row in rows:
        total += np.exp(row[key]).sum()
    print(total)


main()
"""
    project = analysed(text)
    places = {
        one.path: done.placement.of(one.graph_node)
        for done in project.results.values() for one in done.unit.operations.values() if one.path
    }  # fmt: skip
    assert {"numpy.exp", "numpy.sin", "numpy.linspace"} <= places.keys()
    assert set(places.values()) == {Place.DEVICE}


def test_keys_are_no_arrays_that_are_compared():
    asked = "d = {'a': [np.ones(3)]}\n    if 'b' not in d:\n        print(len(d['a']))"
    project = analysed(f"import numpy as np\n\n\ndef main():\n    {asked}\n\n\nmain()\n")
    (main,) = [done.unit for done in project.results.values() if done.unit.name == "main"]
    pinned = [node.pinned for node in main.graph.nodes if node.pinned is not None]
    assert not any(reason.code == "GP906" for reason in pinned)
