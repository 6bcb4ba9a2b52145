"""Containers in containers: what each level is known to hold, and where it lives."""

import pytest
from tests.analysis.conftest import analysed

from gpuport.analysis.placement.graph import Graph, Place
from gpuport.analysis.values.lattice import (
    EMPTY,
    Array,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    join,
    record,
)
from gpuport.analysis.values.nesting import Held, contents_of, fill, held_by


def places_in(project):
    """Where the operations of a program are, by what they call."""
    return {
        one.path: done.placement.of(one.graph_node)
        for done in project.results.values()
        for one in done.unit.work.operations.values()
        if one.path
    }  # fmt: skip


ARRAY, NUMBER = Array("float64", 1), Scalar("int")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (ARRAY, None),
        (Sequence(ARRAY), Held(ARRAY)),
        (Mapping(Sequence(ARRAY)), Held(Sequence(ARRAY), Held(ARRAY))),
        (
            Sequence(Tuple((NUMBER, ARRAY))),
            Held(Tuple((NUMBER, ARRAY)), Held(slots=(("0", Held(NUMBER)),))),
        ),
        (Sequence(Sequence(EMPTY)), Held(Sequence(EMPTY), Held())),
        (record({"n": NUMBER, "u": ARRAY}), Held(slots=(("n", Held(NUMBER)), ("u", Held(ARRAY))))),
    ],
)
def test_levels_of_a_claim(value, found):
    assert held_by(value) == found


@pytest.mark.parametrize(
    ("a", "b", "joined"),
    [
        (record({"n": NUMBER}), record({"u": ARRAY}), record({"n": NUMBER, "u": ARRAY})),
        (record({"n": NUMBER}), Mapping(ARRAY), Mapping(join(NUMBER, ARRAY))),
        (record({}), Mapping(ARRAY), Mapping(ARRAY)),
        (record({"u": ARRAY}), record({"u": NUMBER}), record({"u": join(NUMBER, ARRAY)})),
    ],
)
def test_joined_dicts_tell_keys_apart_where_both_do(a, b, joined):
    assert join(a, b) == join(b, a) == joined


def test_keys_are_told_apart_until_one_is_not_known():
    graph = Graph()
    node = graph.node("state")
    fill(graph, node, held_by(record({"n": NUMBER, "u": ARRAY})))
    assert graph.slot(node, "u").root() is node.root()
    assert dict(contents_of(node).slots) == {"n": Held(NUMBER), "u": Held(ARRAY)}
    graph.slot(node, None)
    assert contents_of(node) == Held(join(NUMBER, ARRAY))
    assert graph.slot(node, "u").cell() is node.cell()


def test_numbers_of_the_host_in_a_list_are_known_by_its_claim():
    graph = Graph()
    node = graph.node("history")
    fill(graph, node, held_by(record({"t": Sequence(NUMBER), "u": Sequence(ARRAY)})))
    assert graph.inner(graph.slot(node, "t")).holds_numbers()
    assert not graph.inner(graph.slot(node, "u")).holds_numbers()
    assert graph.inner(node).holds_numbers()


@pytest.mark.parametrize(("numpy_scalar", "mixed"), [(True, False), (False, True)])
def test_numbers_that_may_be_pythons_are_known_in_tuples_by_their_claim(numpy_scalar, mixed):
    graph = Graph()
    node = graph.node("found")
    pair = Tuple((Number("float64"), Number("float64", numpy_scalar=numpy_scalar)))
    fill(graph, node, held_by(Mapping(pair)))
    assert graph.inner(node).holds_numbers() is mixed


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_dicts_that_may_be_one_share_what_is_under_each_key(order):
    graph = Graph()
    nodes = graph.node("a"), graph.node("b")
    fill(graph, nodes[0], held_by(record({"rows": Sequence(ARRAY)})))
    fill(graph, nodes[1], held_by(record({"rows": Sequence(EMPTY), "n": NUMBER})))
    united = graph.unite(nodes[order[0]], nodes[order[1]])
    assert dict(contents_of(united).slots)["rows"].inner == Held(ARRAY)
    plain = graph.node("plain")
    fill(graph, plain, Held(ARRAY))
    assert contents_of(graph.unite(plain, united)).slots == ()


def test_what_a_node_is_filled_with_is_what_it_holds():
    graph = Graph()
    node = graph.node("rows")
    held = Held(Sequence(ARRAY), Held(ARRAY))
    fill(graph, node, held)
    assert contents_of(node) == held
    assert graph.inner(node).root() is node.root()


def test_one_place_is_not_one_container():
    graph = Graph()
    outer, row = graph.node("outer"), graph.node("row")
    fill(graph, row, Held(ARRAY))
    graph.gather(outer, row)
    assert outer.root() is row.root()
    assert contents_of(outer) is None
    graph.unite(graph.inner(outer), row)
    assert contents_of(outer) == Held(EMPTY, Held(ARRAY))


def test_containers_that_may_be_one_hold_what_either_holds():
    graph = Graph()
    a, b = graph.node("a"), graph.node("b")
    fill(graph, a, Held(Sequence(ARRAY), Held(ARRAY)))
    fill(graph, b, Held(Sequence(EMPTY), Held(Array("float32", 1))))
    united = graph.unite(a, b)
    assert contents_of(united) == contents_of(a) == contents_of(b)
    assert contents_of(a).inner == Held(Array(None, 1))


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
    places = places_in(analysed(text))
    assert {"numpy.exp", "numpy.sin", "numpy.linspace"} <= places.keys()
    assert set(places.values()) == {Place.DEVICE}


def test_keys_are_no_arrays_that_are_compared():
    asked = "d = {'a': [np.ones(3)]}\n    if 'b' not in d:\n        print(len(d['a']))"
    project = analysed(f"import numpy as np\n\n\ndef main():\n    {asked}\n\n\nmain()\n")
    (main,) = [done.unit for done in project.results.values() if done.unit.name == "main"]
    pinned = [node.pinned for node in main.graph.nodes if node.pinned is not None]
    assert not any(reason.code == "GP906" for reason in pinned)


@pytest.mark.parametrize(
    ("change", "moved"),
    [
        ("state['t'] += 0.5", True),
        ("state['name'] += 'b'", True),
        ("state['rows'].append(1.5)", True),
        ("state.setdefault('more', []).append(state['t'])", True),
        ("state = {**state, 't': 2}", True),
        ("state[input()] = 'text'", False),
        ("[len(v) for v in state.values()]", False),
    ],
)
def test_what_is_under_one_key_says_nothing_of_another(change, moved):
    text = f"""
import numpy as np


def main():
    state = {{"u": np.linspace(0.0, 1.0, 100_000), "t": 0.0, "name": "a", "rows": []}}
    for _ in range(10):
        state["u"] = np.exp(-state["u"]) * np.sin(state["u"])
        {change}
    print(np.sum(state["u"]), np.exp(state["t"]).sum(), state["name"])


main()
"""
    places = places_in(analysed(text))
    assert (places["numpy.sin"] is Place.DEVICE) == moved


@pytest.mark.parametrize(
    "helper",
    [
        "def helper(stats):\n    yield stats['n']",
        "def helper(stats):\n    global COUNT\n    COUNT = stats['n']",
        "def helper(stats):\n    return stats['n']\n\n"
        "def other():\n    yield helper({'v': np.ones(3), 'n': 1})",
    ],
)
def test_what_cannot_be_read_keeps_no_class_on_the_host_for_a_dict(helper):
    text = f"""
import numpy as np

COUNT = 0

class Field:
    def __init__(self, n):
        self.u = np.ones(n)

    def step(self):
        self.u = self.u + np.sin(self.u)

{helper}

def main():
    field = Field(100_000)
    for _ in range(10):
        field.step()
    print(helper({{"n": 1, "v": field.u + 1.0}}), field.u.sum())

main()
"""
    places = places_in(analysed(text))
    assert places["numpy.sin"] is Place.DEVICE


@pytest.mark.parametrize("items", ["[more, made]", "[made, more]"])
def test_a_dict_of_several_kinds_in_a_list_stays_on_the_host(items):
    text = f"""
import numpy as np
from elsewhere import use

def f(n, one):
    more = {{name: getattr(one, name) for name in ("a", "b")}}
    made = {{"a": np.sin(np.ones((n, n))) @ np.cos(np.ones((n, n))), "names": ["a"]}}
    return use({items})
"""
    (done,) = (d for d in analysed(text).results.values() if "made" in d.unit.env)
    origin = done.unit.env["made"].origin
    assert origin is not None
    assert done.placement.of(origin) is Place.HOST
