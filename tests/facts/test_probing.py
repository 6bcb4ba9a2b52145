"""NumPy is asked, and what it answers is claimed only where all samples agree."""

from __future__ import annotations

import json

import pytest

from gpuport.facts.probing import Prober
from gpuport.facts.questions import Numbering, received, sent
from gpuport.ir import Function
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.types import FLOAT, INT, Type, of_constant
from gpuport.records import Span

HOME = Function("f", "f", Span(1, 1, 1, 1))
N, M = (Affine.of(Symbol(HOME.fresh(name, HOME), (), name)) for name in "nm")


def array(*shape: Affine | None, dtype: str = "float64", order: str | None = None) -> Type:
    return Type("array", dtype, shape, order)


def ask(name: str, *arguments: Type, keywords: tuple[str, ...] = ()):
    answer = Prober().ask(name, list(arguments), keywords)
    return None if answer is None else answer.type


def test_extents_come_from_the_arguments():
    found = ask("numpy.outer", array(N), array(M))
    assert (found.kind, found.dtype, found.shape) == ("array", "float64", (N, M))


def test_an_extent_may_differ_from_an_arguments_by_a_constant():
    assert ask("numpy.diff", array(N)).shape == (N - 1,)


def test_what_is_neither_an_arguments_extent_nor_a_constant_is_not_told():
    assert ask("numpy.concatenate", Type("tuple", items=(array(N), array(M)))).shape == (None,)


def test_a_large_constant_is_told_apart_from_sizes_of_samples():
    size = of_constant(5000)
    found = ask("numpy.zeros", size)
    assert found.shape == (Affine((), 5000),)
    assert ask("numpy.ones", Type("tuple", items=(size, of_constant(3)))).shape == (
        Affine((), 5000),
        Affine((), 3),
    )


def test_negative_constants_are_numbers_not_sizes():
    found = ask("numpy.linspace", of_constant(-2), of_constant(1), of_constant(7))
    assert (found.dtype, found.shape) == ("float64", (Affine((), 7),))


def test_two_large_constants_are_not_taken_for_each_other():
    found = ask("numpy.zeros", Type("tuple", items=(of_constant(5000), of_constant(600))))
    assert found.shape == (Affine((), 5000), Affine((), 600))


@pytest.mark.parametrize("name", ["nonzero", "unique", "flatnonzero"])
def test_extents_that_depend_on_values_are_not_told(name):
    found = ask(f"numpy.{name}", array(N))
    parts = found.items if found.kind == "tuple" else (found,)
    assert all(part.shape == (None,) for part in parts)


def test_where_shapes_do_not_fit_each_other_only_the_rank_is_told():
    found = ask("numpy.linalg.solve", array(N, N), array(M))
    assert (found.kind, found.rank) == ("array", 1)
    assert found.shape == (None,)


def test_an_unknown_rank_is_asked_at_several():
    anything = Type("array", "float32", None)
    assert ask("numpy.sin", anything).kind == "array"
    assert ask("numpy.sin", anything).shape is None
    assert ask("numpy.sum", anything) == Type("scalar", "float32")
    assert ask("numpy.linalg.inv", anything) is None


def test_memory_order_is_part_of_an_answer():
    assert ask("numpy.sin", array(N, M, order="F")).order == "F"
    assert ask("numpy.sin", array(N, M, order="C")).order == "C"
    assert ask("numpy.sin", array(N, M)).order is None
    assert ask("numpy.zeros", Type("tuple", items=(INT, INT))).order == "C"


def test_shared_memory_is_noticed():
    prober = Prober()
    view = prober.ask("numpy.transpose", [array(N, M)])
    copy = prober.ask("numpy.sin", [array(N, M)])
    assert view is not None
    assert copy is not None
    assert (view.shares, copy.shares) == ({0}, frozenset())


def test_weak_numbers_are_weak():
    single = array(N, dtype="float32")
    assert ask("+", single, FLOAT).dtype == "float32"
    assert ask("+", single, Type("scalar", "float64")).dtype == "float64"


def test_questions_are_asked_once():
    prober = Prober()
    prober.ask("numpy.sin", [array(N)])
    asked = prober.asked
    prober.ask("numpy.sin", [array(N)])
    assert prober.asked == asked > 0


def test_what_kills_the_process_that_is_asked_tells_nothing():
    """`scipy.signal.remez` dies of some arguments: no word of it reaches anybody else."""
    many = Type("tuple", items=(FLOAT, FLOAT))
    assert ask("os.abort") is None
    assert ask("numpy.sum", many) is not None


@pytest.mark.parametrize("constant", [float("nan"), -0.0, 2**70, 1 + 2j, True, "ij->i"])
def test_constants_arrive_as_they_are(constant):
    numbering = Numbering()
    t = of_constant(constant)
    back = received(json.loads(json.dumps(sent(t, numbering))), numbering)
    assert repr(back) == repr(t)


def test_extents_arrive_as_they_are():
    numbering = Numbering()
    t = array(N * 2 - M + 1, None, Affine((), 2**80))
    assert received(sent(t, numbering), numbering) == t
