"""What holds for a class with those that are made of it, told as Python tells it."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.knowledge.tables import knowledge
from gpuport.analysis.objects.candidates import known_classes
from gpuport.analysis.objects.families import Family, families, mixed
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.lattice import Scalar
from gpuport.source.module import Module

TEXT = """
from abc import abstractmethod
from dataclasses import dataclass

class A:
    rate = 1
    def __init__(self, n): self.n = n
    def step(self): return 1
    def hidden(self): raise NotImplementedError("a class made of this one has it")
    @abstractmethod
    def shape(self): ...
    @staticmethod
    def make(): return 1
    def __repr__(self): return "A"

class B(A):
    rate = 2.5
    def step(self): return super().step() + 1
    def hidden(self): return 2
    def shape(self): return 3

class C(B):
    def __init__(self): super().__init__(3)
    @staticmethod
    def make(): return 2
    def __str__(self): return "C"

@dataclass
class D:
    x: float
    y: float = 2.0
    def total(self): return self.x + self.y

@dataclass
class E(D):
    z: float = 3.0
    y: float = 4.0

if __name__ == "__main__":
    print(A(1), B(2), C(), D(1.0), E(1.0), A.make(), C.make())
"""


def family(name: str, text: str = TEXT) -> Family:
    """The family of a class of a program."""
    source = textwrap.dedent(text)
    project = Project(Module("m.py", source, ast.parse(source)), knowledge())
    classes, opened, _ = known_classes(project.program)
    assert opened == {}
    return families(classes)[name]


def names(nodes: list[ast.FunctionDef | ast.AsyncFunctionDef]) -> list[str]:
    return [ast.unparse(node.body[-1]) for node in nodes]


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_a_family_has_the_name_of_what_the_others_are_made_of(name: str):
    found = family(name)
    assert found.name == "A"
    assert list(found.classes) == ["A", "B", "C"]


def test_a_method_is_one_of_its_definitions_and_none_that_only_announces_it():
    found = family("A")
    assert names(found.methods("step")) == ["return 1", "return super().step() + 1"]
    assert names(found.methods("hidden")) == ["return 2"]
    assert names(found.methods("shape")) == ["return 3"]
    assert found.methods("other") == []


def test_of_a_class_it_is_known_exactly():
    found = family("A")
    for owner, text in (("A", "return 1"), ("C", "return super().step() + 1")):
        exact = found.exactly(owner, "step")
        assert exact is not None
        assert names([exact]) == [text]
    above = found.above("C", "step")
    assert above is found.exactly("B", "step")
    assert found.above("A", "step") is None


def test_functions_without_an_instance_are_those_of_the_class_that_is_named():
    found = family("A")
    made = [found.without_instance(owner, "make") for owner in "ABC"]
    assert [names([one[0]]) for one in made if one is not None] == [
        ["return 1"], ["return 1"], ["return 2"]
    ]  # fmt: skip
    assert found.any_without_instance("make") is None  # of an instance it may be either


def test_a_constant_is_what_any_of_the_classes_says():
    assert family("B").constant("rate") == Scalar("number")
    assert family("B").constant("other") is None


def test_makers_and_fields_are_those_that_python_makes():
    found = family("A")
    assert found.maker("B") is found.exactly("A", "__init__")
    assert found.maker("C") is found.exactly("C", "__init__")
    data = family("D")
    fields = data.maker("E")
    assert isinstance(fields, tuple)
    assert [field.name for field in fields] == ["x", "y", "z"]
    assert [ast.unparse(f.default) for f in fields if f.default is not None] == ["4.0", "3.0"]


def test_a_text_may_be_left_to_python():
    found = family("A")
    assert names(found.texts(as_repr=True)[0]) == ["return 'A'"]
    assert names(found.texts(as_repr=False)[0]) == ["return 'A'", "return 'C'"]
    assert not found.texts(as_repr=True)[1]
    assert family("D").texts(as_repr=True) == ([], True)


def test_descendants():
    assert list(family("A").descendants("B")) == ["B", "C"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    rate = 2.5", "    def rate(self): return 1"),
        ("    def hidden(self): return 2", "    @property\n    def hidden(self): return 2"),
        ("    def hidden(self): return 2", "    @staticmethod\n    def hidden(): return 2"),
        ("    def hidden(self): return 2", "    hidden = 3"),
    ],
)
def test_a_name_that_means_other_things_in_another_class_is_told(before: str, after: str):
    found = mixed(family("A", TEXT.replace(before, after)))
    assert found is not None
    assert found[0] in before
    assert mixed(family("A")) is None
