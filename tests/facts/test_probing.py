"""NumPy is asked, and what it answers is claimed only where all samples agree."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.facts.probing import Prober
from gpuport.ir import Function
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.types import FLOAT, INT, Type, of_constant
from gpuport.records import Span

HOME = Function("f", "f", Span(1, 1, 1, 1))
N, M = (Affine.of(Symbol(HOME.fresh(name, HOME), (), name)) for name in "nm")


def array(*shape: Affine | None, dtype: str = "float64", order: str | None = None) -> Type:
    return Type("array", dtype, shape, order)


def ask(how, *arguments: Type, keywords: tuple[str, ...] = (), name: str | None = None):
    answer = Prober().ask(how, name or f"numpy.{how.__name__}", list(arguments), keywords)
    return None if answer is None else answer.type


def test_extents_come_from_the_arguments():
    found = ask(np.outer, array(N), array(M))
    assert (found.kind, found.dtype, found.shape) == ("array", "float64", (N, M))


def test_an_extent_may_differ_from_an_arguments_by_a_constant():
    assert ask(np.diff, array(N)).shape == (N - 1,)


def test_what_is_neither_an_arguments_extent_nor_a_constant_is_not_told():
    assert ask(np.concatenate, Type("tuple", items=(array(N), array(M)))).shape == (None,)


def test_a_large_constant_is_told_apart_from_sizes_of_samples():
    size = of_constant(5000)
    found = ask(np.zeros, size)
    assert found.shape == (Affine((), 5000),)
    assert ask(np.ones, Type("tuple", items=(size, of_constant(3)))).shape == (
        Affine((), 5000),
        Affine((), 3),
    )


def test_negative_constants_are_numbers_not_sizes():
    found = ask(np.linspace, of_constant(-2), of_constant(1), of_constant(7))
    assert (found.dtype, found.shape) == ("float64", (Affine((), 7),))


def test_two_large_constants_are_not_taken_for_each_other():
    found = ask(np.zeros, Type("tuple", items=(of_constant(5000), of_constant(600))))
    assert found.shape == (Affine((), 5000), Affine((), 600))


@pytest.mark.parametrize("how", [np.nonzero, np.unique, np.flatnonzero])
def test_extents_that_depend_on_values_are_not_told(how):
    found = ask(how, array(N))
    parts = found.items if found.kind == "tuple" else (found,)
    assert all(part.shape == (None,) for part in parts)


def test_where_shapes_do_not_fit_each_other_only_the_rank_is_told():
    found = ask(np.linalg.solve, array(N, N), array(M), name="numpy.linalg.solve")
    assert (found.kind, found.rank) == ("array", 1)
    assert found.shape == (None,)


def test_an_unknown_rank_is_asked_at_several():
    anything = Type("array", "float32", None)
    assert ask(np.sin, anything).kind == "array"
    assert ask(np.sin, anything).shape is None
    assert ask(np.sum, anything) == Type("scalar", "float32")
    assert ask(np.linalg.inv, anything, name="numpy.linalg.inv") is None


def test_memory_order_is_part_of_an_answer():
    assert ask(np.sin, array(N, M, order="F")).order == "F"
    assert ask(np.sin, array(N, M, order="C")).order == "C"
    assert ask(np.sin, array(N, M)).order is None
    assert ask(np.zeros, Type("tuple", items=(INT, INT))).order == "C"


def test_shared_memory_is_noticed():
    prober = Prober()
    view = prober.ask(np.transpose, "numpy.transpose", [array(N, M)])
    copy = prober.ask(np.sin, "numpy.sin", [array(N, M)])
    assert view is not None
    assert copy is not None
    assert (view.shares, copy.shares) == ({0}, frozenset())


def test_weak_numbers_are_weak():
    def add(left, right):
        return left + right

    single = array(N, dtype="float32")
    assert ask(add, single, FLOAT).dtype == "float32"
    assert ask(add, single, Type("scalar", "float64")).dtype == "float64"


def test_questions_are_asked_once():
    prober = Prober()
    prober.ask(np.sin, "numpy.sin", [array(N)])
    asked = prober.asked
    prober.ask(np.sin, "numpy.sin", [array(N)])
    assert prober.asked == asked > 0
