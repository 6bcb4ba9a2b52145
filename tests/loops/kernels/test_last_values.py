"""Names that hold after a loop what its last iteration gave them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

FORMS = {
    "a product": "v = x[i] * 2\n                y[i] = v",
    "a comparison": "v = x[i] > y[i]\n                y[i] = 1",
    "a number of Python's": "v = i * 3\n                y[i] = v",
    "in steps": "v = x[i]\n                if v > 1:\n                    v = v - 1\n"
    "                y[i] = v",
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128"])
@pytest.mark.parametrize("form", FORMS)
def test_value_and_type(run: Any, form: str, dtype: str) -> None:
    if dtype == "complex128" and ">" in FORMS[form]:
        pytest.skip("complex numbers have no order")
    source = f"""
        def keep(x, y):
            for i in range(len(x)):
                {FORMS[form]}
            return v
        """
    x = np.array([3, -1, 4, -1, 5]).astype(dtype)
    both = run(source, x=x, y=np.zeros(5, dtype))
    both.same()
    assert type(both.found) is type(both.expected)


def test_the_element_of_a_loop_over_an_array(run: Any) -> None:
    source = """
        def keep(x, y):
            v = i = 0
            for i, v in enumerate(x):
                y[i] = v + 1
            return v, i
        """
    run(source, x=np.array([3.0, -1.0, 4.0]), y=np.zeros(3)).same()


def test_nothing_is_bound_where_there_is_no_iteration(run: Any) -> None:
    source = """
        def keep(x, y):
            v = 7
            for i in range(len(x)):
                v = x[i]
                y[i] = v
            return v
        """
    run(source, x=np.zeros(0), y=np.zeros(0)).same()
