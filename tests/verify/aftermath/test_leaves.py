"""What a call made, flattened: objects that know each other, and methods of objects."""

from __future__ import annotations

from typing import Any

from gpuport.verify.aftermath.leaves import Leaf, leaves_of


class Node:
    """Holds others."""

    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)

    def step(self) -> None:
        """Something to hold."""


class Table(dict[str, float]):
    """A dictionary with attributes of its own."""


def flat(value: Any) -> list[Leaf]:
    return list(leaves_of("result", value, lambda _: None))


def ring(gain: float) -> Node:
    first = Node(gain=gain)
    first.other = Node(back=first, move=first.step)  # type: ignore[attr-defined]
    return first


def test_objects_that_know_each_other_are_looked_into_once() -> None:
    found = flat(ring(2.0))
    assert not [leaf for leaf in found if leaf.kind == "opaque"]
    assert found == flat(ring(2.0))
    assert found != flat(ring(3.0))
    assert len(found) < 10


def test_where_one_leads_back_to_counts() -> None:
    inner, outer = Node(), Node()
    outer.held = inner  # type: ignore[attr-defined]
    inner.back = inner  # type: ignore[attr-defined]
    other = Node(held=Node())
    other.held.back = other  # type: ignore[attr-defined]
    assert flat(outer) != flat(other)


def test_a_method_is_one_of_its_object() -> None:
    assert flat(Node(gain=1.0).step) == flat(Node(gain=1.0).step)
    assert flat(Node(gain=1.0).step) != flat(Node(gain=2.0).step)


def test_attributes_of_a_dictionary_count() -> None:
    first, second = Table(a=1.0), Table(a=1.0)
    first.unit, second.unit = "m", "m"  # type: ignore[attr-defined]
    assert flat(first) == flat(second)
    second.unit = "s"  # type: ignore[attr-defined]
    assert flat(first) != flat(second)
