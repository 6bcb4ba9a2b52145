"""Reductions of slices, and functions with loops, inside loops that become kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact, FunctionFact, ModuleFact, ScalarFact
from gpuport.runtime import FallbackError

WINDOWS = {
    "sum": "x[i:i + w].sum()",
    "mean": "x[i:i + w].mean()",
    "max": "np.max(x[i:i + w])",
    "min": "x[i:w + i].min()",
    "variance": "np.var(x[i:i + w])",
    "deviation": "x[i:i + w].std()",
    "deviation of a sample": "np.std(x[i:i + w] - h[0:w], ddof=1)",
    "deviation of what is cut off": "np.std(x[max(i - 2, 0):i + 2])",
    "expression": "np.sum((x[i:i + w] - h[0:w]) ** 2)",
    "dot": "np.dot(x[i:i + w], h[1:w + 1])",
    "matrix product": "x[i:i + w] @ h[:w]",
}


@pytest.mark.parametrize("form", WINDOWS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_windows(run: Any, form: str, dtype: str) -> None:
    source = f"""
        def move(x, h, y, w):
            for i in range(len(x) - w + 1):
                y[i] = {WINDOWS[form]}
        """
    rng = np.random.default_rng(5)
    x = rng.integers(-8, 8, 20).astype(dtype) / 4
    h = rng.integers(-8, 8, 9).astype(dtype) / 4
    both = run(source, x=x, h=h, y=np.zeros(20, dtype), w=4)
    both.same(ulp=1)


SEARCHES = {
    "least": "y[i] = np.argmin(x[i])",
    "greatest": "y[i] = np.argmax(x[i] * v)",
    "of a difference": "y[i] = np.abs(x[i] - v[i]).argmin()",
    "of a window": "y[i] = np.argmax(v[i:i + 3])",
    "of whole numbers": "y[i] = n[i].argmax() - np.argmin(n[i])",
    "belongs": "y[i] = np.searchsorted(v, x[i, 0])",
    "belongs to the right": "y[i] = np.searchsorted(v, x[i, 1], side='right') - 1",
    "belongs to the right by place": "y[i] = np.searchsorted(v, v[i], 'right')",
    "in a row": "y[i] = np.searchsorted(x[i], v[i])",
    "among whole numbers": "y[i] = n[i].searchsorted(v[i]) + np.searchsorted(n[i], i)",
    "as an index": (
        "k = min(max(np.searchsorted(v, x[i, 2]) - 1, 0), len(v) - 2)\n"
        "                y[i] = v[k] + (v[k + 1] - v[k]) * 0.5"
    ),
}


@pytest.mark.parametrize("form", SEARCHES)
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_places_in_vectors(run: Any, form: str, ordered: bool, dtype: str) -> None:
    """Equal ones and those that are no numbers included; in vectors out of order as well."""
    source = f"""
        def move(x, v, n, y):
            for i in range(x.shape[0]):
                {SEARCHES[form]}
        """
    rng = np.random.default_rng(21)
    x = rng.integers(-3, 3, (6, 8)).astype(dtype) / 2
    v = rng.integers(-3, 3, 8).astype(dtype) / 2
    n = rng.integers(-3, 3, (6, 8))
    if ordered:
        x, v, n = np.sort(x), np.sort(v), np.sort(n)
    else:
        x[2, 3:5], x[4, 0], v[5] = np.nan, np.nan, np.nan
    run(source, x=x, v=v, n=n, y=np.zeros(6)).same()


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = np.argmin(x[i, 0:0])",  # raises
        "y[i] = np.argmax(x)",
        "y[i] = np.searchsorted(v, x[i, 0], sorter=k)",
        "y[i] = np.searchsorted(v, x[i], side='left')[0]",
        "y[i] = np.searchsorted(x, v[i])",  # raises
        "y[i] = np.searchsorted(k, v[i])",  # these types meet as floating numbers
    ],
)
def test_places_that_are_not_looked_up(refused: Any, body: str) -> None:
    source = f"""
        def move(x, v, k, y):
            for i in range(len(y)):
                {body}
        """
    facts = {"x": ArrayFact("float64", 2), "v": ArrayFact("float64", 1)}
    facts |= {"k": ArrayFact("uint64", 1), "y": ArrayFact("float64", 1)}
    assert refused(source, **facts).code == "GP203"


TYPES = {
    "not numbers": "y[i] = np.sum(np.isnan(x[i])) + np.mean(np.isfinite(x[i]))",
    "signs": "y[i] = np.sum(np.signbit(x[i]))",
    "any of them": "y[i] = np.any(np.isinf(x[i])) + np.all(np.isfinite(x[i]))",
    "products": "y[i] = np.sum(b[i] * b[0]) + np.max(b[i] // 2)",
    "a power": "y[i] = np.sum(x[i, 1:3] ** 2) + np.mean(n[i] * 0.5)",
}


@pytest.mark.parametrize("form", TYPES)
def test_types_of_what_is_added_up(run: Any, form: str) -> None:
    source = f"""
        def move(x, b, n, y):
            for i in range(len(y)):
                {TYPES[form]}
        """
    rng = np.random.default_rng(22)
    x = rng.integers(-3, 3, (4, 5)) / 2
    x[1, 3:], x[2, 0] = np.nan, np.inf
    b, n = rng.integers(0, 255, (4, 5)).astype(np.uint8), rng.integers(0, 255, (4, 5))
    run(source, x=x, b=b, n=n, y=np.zeros(4)).same(ulp=1)


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = np.sum(k[i] * w)",  # floating numbers of narrow whole ones
        "y[i] = np.sum(k[i] / 2)",
        "y[i] = np.mean(np.sqrt(k[i]))",
        "y[i] = np.sum(k[i] * 0.5)",
        "y[i] = np.sum(f[i] * 2)",
    ],
)
def test_types_that_are_not_told_are_refused(refused: Any, body: str) -> None:
    source = f"""
        def move(k, f, y, w):
            for i in range(len(y)):
                {body}
        """
    facts = {"k": ArrayFact("int32", 2), "f": ArrayFact("bool", 2), "y": ArrayFact("float64", 1)}
    assert refused(source, **facts, w=ScalarFact("float")).code == "GP201"


def test_patches_with_channels(run: Any) -> None:
    source = """
        def convolve(x, w, y, stride):
            n, c, h, v = x.shape
            f, c, kh, kw = w.shape
            for b in range(n):
                for k in range(f):
                    for i in range(y.shape[2]):
                        for j in range(y.shape[3]):
                            patch = x[b, :, i * stride:i * stride + kh, j * stride:j * stride + kw]
                            y[b, k, i, j] = np.sum(patch * w[k]) + np.max(x[b, :, i, j])
        """
    rng = np.random.default_rng(23)
    x, w = (rng.integers(-8, 8, s) / 4 for s in ((2, 3, 7, 9), (4, 3, 3, 3)))
    run(source, x=x, w=w, y=np.zeros((2, 4, 3, 4)), stride=2).same()


def test_norms_of_matrices(run: Any) -> None:
    source = """
        def distances(x, y):
            n, h, w = x.shape
            for i in range(n):
                for j in range(n):
                    d = x[i] - x[j]
                    d *= 0.5
                    y[i, j] = np.linalg.norm(x[i] - x[j]) + np.abs(d).max()
        """
    x = np.random.default_rng(24).integers(-8, 8, (4, 3, 5)) / 4
    run(source, x=x, y=np.zeros((4, 4))).same(ulp=2)


@pytest.mark.parametrize("w", [-3, 0, 21])
def test_bounds_that_count_from_the_end_or_are_cut_off_are_turned_away(run: Any, w: int) -> None:
    source = """
        def move(x, y, w):
            for i in range(len(y)):
                y[i] = x[i:i + w].sum()
        """
    with pytest.raises(FallbackError):
        run(source, x=np.ones(20), y=np.zeros(18), w=w)


CUT_OFF = {
    "the first one is empty": "y[i] = x[:i].sum()",
    "at the beginning": "y[i] = np.mean(x[max(i - 2, 0):i + 1])",
    "from the end on": "y[i] = x[i - 3:].min()",
    "as elements tell": "y[i] = x[k[i]:k[i] + 2].sum()",
    "under names": "low = i - 2\n                y[i] = np.sum(x[max(low, 0):low + 4] ** 2)",
    "whole numbers": "y[i] = k[i:i + 2].sum()",
    "how many": "y[i] = np.sum(x[i:i + 2] > 0)",
    "what share": "y[i] = np.mean(x[i:i + 2] > 0)",
    "any": "y[i] = np.any(x[i:i + 2] > 1) + x[i:i + 3].all()",
}


@pytest.mark.parametrize("form", CUT_OFF)
def test_parts_as_slices_cut_them_off(run: Any, form: str) -> None:
    source = f"""
        def move(x, k, y):
            for i in range(len(x) - 3):
                {CUT_OFF[form]}
        """
    rng = np.random.default_rng(8)
    x = rng.integers(-3, 3, 20) / 4
    run(source, x=x, k=rng.integers(-9, 25, 20).astype(np.int32), y=np.zeros(20)).same()


def test_rows_and_columns(run: Any) -> None:
    source = """
        def product(a, b, c):
            for i in range(a.shape[0]):
                for j in range(b.shape[1]):
                    c[i, j] += np.dot(a[i, :], b[:, j]) - a[i, 1:].max()
        """
    rng = np.random.default_rng(6)
    a, b = (rng.integers(-8, 8, shape) / 4 for shape in ((4, 3), (3, 5)))
    run(source, a=a, b=b, c=np.ones((4, 5))).same()


STATEMENTS = {
    "rows": "y[i, :] = 2 * x[i, :] - v[i]",
    "itself": "y[i, :] = y[i, :] / (1 + abs(v[i]))",
    "in place": "y[i, :] *= x[i, :] + v[i]",
    "parts of rows": "y[i, 1:-1] = x[i, :-2] + x[i, 2:]",
    "one number": "y[i, 1:] = v[i]",
    "function": "y[i, :] = np.exp(-np.abs(x[i, :]))",
    "columns": "y[:, i] = x[:, i] + 1",
    "of a sum": "y[i, :] = x[i, :] / np.sum(np.abs(x[i, :]))",
    "after a sum": "s = x[i, :].max()\n                y[i, :] = x[i, :] - s",
    "comparison": "y[i, :] = x[i, :] > v[i]",
    "a vector": "y[i, :] = x[i, :] * v",
    "squares": "y[i, 0] = np.sum(x[i:i + 2, 0:2] * x[0:2, 1:3])",
    "norm": "y[i, 0] = np.linalg.norm(x[i] - x[0])",
    "product of rows": "y[i, 0] = np.dot(x[i], v) - x[i] @ x[0]",
    "greatest of a square": "y[i, 0] = np.max(x[i:i + 2, 0:3])",
}


@pytest.mark.parametrize("form", STATEMENTS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_statements_on_parts(run: Any, form: str, dtype: str) -> None:
    source = f"""
        def move(x, y, v):
            for i in range(4):
                {STATEMENTS[form]}
        """
    rng = np.random.default_rng(7)
    x, y = (rng.integers(-8, 8, (5, 5)).astype(dtype) / 4 for _ in range(2))
    x[:, 0] += 8
    both = run(source, x=x, y=y, v=rng.integers(-8, 8, 5).astype(dtype))
    both.same(ulp=4)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        # each element would be read after the one before was written
        ("y[i, 1:] = y[i, :-1]", "GP201"),
        ("y[i, :] = y[i, :] / y[i, 0]", "GP201"),
        ("y[i, :] = np.cumsum(x[i, :])", "GP203"),
        ("y[i, :] = x[i, :] if v[i] > 0 else 0", "GP201"),
        ("n[i, :] += x[i, :]", "GP201"),  # raises
        ("y[i, ::-1] = x[i, :]", "GP201"),
        ("s = x[:, i].sum()\n                y[:, i] = s", "GP201"),  # a thread for each column
    ],
)
def test_statements_on_parts_that_are_refused(refused: Any, body: str, code: str) -> None:
    source = f"""
        def move(x, y, v, n):
            for i in range(len(v)):
                {body}
        """
    facts = {name: ArrayFact("float64", 2) for name in "xy"}
    facts |= {"v": ArrayFact("float64", 1), "n": ArrayFact("int32", 2)}
    assert refused(source, **facts).code == code


BESIDE = {
    "an element": "y[i, i:] = x[i, i:] * v[i * w + i]",
    "a row": "y[i, i:] = x[k[i], i:] * 2.0",
}


@pytest.mark.parametrize("form", BESIDE)
def test_indices_beside_parts_are_looked_at_where_the_parts_are_empty(run: Any, form: str) -> None:
    """Random module 996004965: the loop raises IndexError for a part without elements as well."""
    source = f"""
        def move(x, v, k, y, w):
            for i in range(len(x)):
                {BESIDE[form]}
        """
    x, v, k = np.arange(24.0), np.arange(20.0), np.arange(6)
    run(source, x=x.reshape(4, 6), v=v, k=k[:4], y=np.zeros((4, 6)), w=2).same()
    with pytest.raises(FallbackError):  # the launch is turned away
        run(source, x=x.reshape(6, 4), v=v, k=k, y=np.zeros((6, 4)), w=2)


def test_an_element_beside_a_part_is_read_before_it(run: Any) -> None:
    source = """
        def move(x, v, k, y, first, last):
            for i in range(len(y)):
                a = first[i]
                b = last[i]
                y[i] = (x[a:b] * v[k[i]] + v[i]).sum()
        """
    first, last = np.array([0, 3, 2]), np.array([2, 3, 9])
    given = {"x": np.arange(8.0), "v": np.arange(1.0, 4.0), "first": first, "last": last}
    run(source, **given, k=np.array([2, 1, 0]), y=np.zeros(3)).same()
    with pytest.raises(IndexError):
        run(source, **given, k=np.array([2, 5, 0]), y=np.zeros(3))


def test_an_index_beside_a_part_that_may_be_empty_is_refused(refused: Any) -> None:
    source = """
        def move(x, k, y, first, last):
            for i in range(len(y)):
                a = first[i]
                b = last[i]
                y[i] = x[k[i], a:b].sum()
        """
    facts = {"x": ArrayFact("float64", 2), "y": ArrayFact("float64", 1)}
    facts |= {name: ArrayFact("int64", 1) for name in ("k", "first", "last")}
    found = refused(source, **facts)
    assert found.code == "GP201"
    assert "`k[i]` is out of range" in str(found)


def test_rows_that_are_taken_apart_and_put_together(run: Any) -> None:
    source = """
        def turn(p, q, v):
            for i in range(len(p)):
                x, y = p[i]
                x, y = y - v[i], x + v[i]
                p[i] = y, x
                q[i, :] = x, y + 1
        """
    rng = np.random.default_rng(9)
    p, q = (rng.integers(-8, 8, (6, 2)) / 4 for _ in range(2))
    run(source, p=p, q=q, v=rng.integers(-8, 8, 6) / 4).same()


def test_numbers_that_take_a_type_of_their_own_first_are_refused(refused: Any) -> None:
    source = """
        def turn(p, q):
            for i in range(len(p)):
                x, y = p[i]
                q[i] = y, x
        """
    facts = {"p": ArrayFact("float64", 2), "q": ArrayFact("int32", 2)}
    assert refused(source, **facts).code == "GP201"


def test_extremes_of_integers_and_sums_of_int64(run: Any) -> None:
    source = """
        def erode(x, y):
            for i in range(1, x.shape[0] - 1):
                for j in range(1, x.shape[1] - 1):
                    y[i, j] = x[i - 1:i + 2, j - 1:j + 2].min() + x[i, :3].sum()
        """
    x = np.random.default_rng(10).integers(-8, 8, (6, 7))
    run(source, x=x, y=np.zeros_like(x)).same()


def test_the_variable_of_an_inner_loop_after_it(run: Any) -> None:
    source = """
        def escape(x, y, m):
            for i in range(len(x)):
                v, n = x[i], -1
                for n in range(m):
                    if v > 4:
                        break
                    v = v * v + 0.5
                y[i] = n
        """
    x = np.random.default_rng(11).normal(size=20)
    run(source, x=x, y=np.zeros(20), m=6).same()
    run(source, x=x, y=np.zeros(20), m=0).same()


def test_rows_that_a_loop_names(run: Any) -> None:
    source = """
        def distances(a, b, d):
            for i, p in enumerate(a):
                for j, q in enumerate(b):
                    d[i, j] = np.sum((p - q) ** 2)
        """
    rng = np.random.default_rng(8)
    a, b = (rng.integers(-8, 8, shape) / 4 for shape in ((4, 3), (5, 3)))
    run(source, a=a, b=b, d=np.zeros((4, 5))).same()


def test_what_the_loop_writes_is_not_taken_for_what_it_was(refused: Any) -> None:
    source = """
        def smooth(x, w):
            for i in range(w, len(x)):
                x[i] = x[i - w:i].sum()
        """
    assert refused(source, x=ArrayFact("float64", 1), w=ScalarFact("int")).code == "GP202"


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = x[::2].sum()",
        "y[i] = x[i:i + 2].sum(dtype=np.float32)",
        "y[i] = x[i:i + 2].std(ddof=k[0])",
        "y[i] = np.percentile(x[i:i + 2], 30)",
        "y[i] = np.sum((x[i:i + 2] > 0) * (x[0:2] > 0))",  # of truth values, a truth value
        "y[i] = np.max(x[i:i + 2] > 0)",
    ],
)
def test_what_is_not_understood_is_refused(refused: Any, body: str) -> None:
    source = f"""
        def other(x, k, y):
            for i in range(len(y)):
                {body}
        """
    facts = {name: ArrayFact("float64", 1) for name in "xy"} | {"k": ArrayFact("int32", 1)}
    assert refused(source, **facts).code.startswith("GP20")


@pytest.fixture
def refused() -> Any:
    """The refusal of the first loop of a text."""
    import ast
    import textwrap

    from gpuport.loops.context.scalars import live_after, outermost_loops
    from gpuport.loops.facts import LoopNest
    from gpuport.loops.planning.planner import plans
    from gpuport.loops.records import Refusal

    def make(source: str, **facts: Any) -> Refusal:
        function = ast.parse(textwrap.dedent(source)).body[0]
        assert isinstance(function, ast.FunctionDef)
        node = outermost_loops(function)[0]
        known = {"np": ModuleFact("numpy"), **facts}
        found = plans(LoopNest(node, function, known, live_after(function, node)))
        assert all(isinstance(one, Refusal) for one in found), found
        return found[0]

    return make


@pytest.mark.parametrize("count", [0, 1, 7])
def test_functions_with_loops(run: Any, count: int) -> None:
    source = """
        def series(v, k):
            t = 0.0
            for j in range(k):
                t = t * v + 1.0
            return t
        def first(v):
            for j in range(9, 0, -2):
                if j < v:
                    return j
            return -1
        def apply(x, y, k):
            for i in range(len(x)):
                y[i] = series(x[i], k) + first(x[i])
        """
    x = np.random.default_rng(7).integers(-9, 9, 15) / 2.0
    run(source, x=x, y=np.zeros(15), k=count).same()


def test_a_function_with_an_else_is_refused(refused: Any) -> None:
    import ast

    inner = ast.parse(
        "def f(v):\n    for j in range(3):\n        v = v + j\n    else:\n        v = 0.0\n"
        "    return v"
    ).body[0]
    assert isinstance(inner, ast.FunctionDef)
    source = """
        def apply(x):
            for i in range(len(x)):
                x[i] = f(x[i])
        """
    facts = {"x": ArrayFact("float64", 1), "f": FunctionFact("f", inner)}
    assert refused(source, **facts).code == "GP203"


STRIDED = {
    "a stride of the caller's": "x[i * s:i * s + w, j * s:(j + 1) * s].sum()",
    "a product the other way round": "np.max(x[s * i:w + s * i, j:j + w] * h[:w, :w])",
    "a stride of two": "x[2 * i:2 * i + w, 2 * j:2 * (j + 1)].mean()",
}


@pytest.mark.parametrize("form", STRIDED)
@pytest.mark.parametrize("s", [2, 1])
def test_windows_a_stride_apart(run: Any, form: str, s: int) -> None:
    """Pooling and strided convolution: ``i * s`` is least where ``i`` is 0."""
    source = f"""
        def pool(x, h, y, w, s):
            for i in range((x.shape[0] - w) // 3):
                for j in range((x.shape[1] - w) // 3):
                    y[i, j] = {STRIDED[form]}
        """
    rng = np.random.default_rng(8)
    x, h = (rng.integers(-8, 8, shape) / 4 for shape in ((12, 11), (4, 4)))
    run(source, x=x, h=h, y=np.zeros((4, 4)), w=2, s=s).same()


def test_a_stride_below_zero_is_turned_away(run: Any) -> None:
    source = """
        def pool(x, y, w, s):
            for i in range(2):
                y[i] = x[i * s:i * s + w].sum()
        """
    with pytest.raises(FallbackError, match="not s >= 0"):
        run(source, x=np.ones(9), y=np.zeros(2), w=2, s=-1)


@pytest.mark.parametrize("form", ["np.dot(x[i], x[i])", "x[i] @ x[i]", "np.linalg.norm(x[i])"])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "bool"])
def test_products_in_few_bits_are_refused(refused: Any, form: str, dtype: str) -> None:
    """Random module 999004820: NumPy adds them in as few, and a norm takes floating numbers."""
    source = f"""
        def move(x, y):
            for i in range(x.shape[0]):
                y[i] = {form}
        """
    facts = {"x": ArrayFact(dtype, 2), "y": ArrayFact("float64", 1)}
    assert refused(source, **facts).code == "GP201"


APART = {
    "a product of two": "np.sum(x[s:s + w] * h[i:i + w])",
    "a mean of distances": "np.abs(x[s:s + w] - h[i:i + w]).mean()",
    "the greatest": "np.max(x[s:s + w] + h[s:w + s])",
    "the same one twice": "(x[s:s + w] * x[s:s + w] + h[s + 1:s + w + 1]).sum()",
    "from the end": "np.sum(x[-s - 3:-s] * h[2:5])",
}


@pytest.mark.parametrize("form", APART)
def test_parts_whose_ends_the_iterations_say(run: Any, form: str) -> None:
    source = f"""
        def move(x, h, starts, y, w):
            for i in range(len(starts)):
                s = starts[i]
                y[i] = {APART[form]}
        """
    rng = np.random.default_rng(5)
    x, h = (rng.integers(-8, 8, 30) / 4 for _ in range(2))
    starts = rng.integers(1, 20, 9)
    run(source, x=x, h=h, starts=starts, y=np.zeros(9), w=4).same(ulp=1)


@pytest.mark.parametrize(("size", "w"), [(30, 40), (8, 9), (3, 4), (0, 2)])
def test_parts_that_are_cut_off_at_different_places(run: Any, size: int, w: int) -> None:
    source = """
        def move(x, h, starts, y, w):
            for i in range(len(starts)):
                s = starts[i]
                y[i] = np.sum(x[s:s + w] * h[s + 1:s + 1 + w])
        """
    given = {"x": np.ones(max(size, 1)), "h": np.ones(30), "starts": np.array([1, 2, 0])}
    with pytest.raises(ValueError, match="broadcast") as error:
        run(source, **given, y=np.zeros(3), w=w)
    assert error.value.__notes__ == ["undone"]


def test_parts_of_two_axes_one_of_which_is_empty(run: Any) -> None:
    source = """
        def move(x, h, starts, y, w):
            for i in range(len(starts)):
                s = starts[i]
                y[i] = np.sum(x[s:s + w, 0:2] * h[0:w, 0:2])
        """
    given = {"starts": np.array([0, 0]), "y": np.zeros(2)}
    run(source, x=np.ones((9, 2)), h=np.ones((3, 2)), w=2, **given).same()
    with pytest.raises(ValueError, match="broadcast"):
        run(source, x=np.ones((9, 1)), h=np.ones((3, 2)), w=4, **given)


@pytest.mark.parametrize(
    "form",
    ["np.where(s > 3, x[s:s + w], h[i:i + w]).sum()", "np.any(x[s:s + w] > h[i:i + w])"],
)
def test_what_need_not_read_the_first_part_is_left(ported: Any, form: str) -> None:
    source = f"""
        def move(x, h, starts, y, w):
            for i in range(len(starts)):
                s = starts[i]
                y[i] = {form}
        """
    given = {"x": np.ones(30), "h": np.ones(30), "starts": np.arange(9)}
    assert not ported(source, **given, y=np.zeros(9), w=4).kernels
