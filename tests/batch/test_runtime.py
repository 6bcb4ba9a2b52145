"""What ported loops call: stacks of lists, checked by what the results have to satisfy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuport.runtime import batched

DTYPES = ("float32", "float64", "complex64", "complex128")


def matrix(seed: int, rows: int, columns: int, condition: float, dtype: str) -> np.ndarray:
    """A matrix with singular values from 1 down to ``1 / condition``."""
    rng = np.random.default_rng(seed)
    shape = max(rows, columns), max(rows, columns)
    parts = [rng.normal(size=shape) for _ in range(4)]
    if dtype.startswith("complex"):
        parts = [parts[0] + 1j * parts[2], parts[1] + 1j * parts[3]]
    u, v = (np.linalg.qr(part)[0] for part in parts[:2])
    count = min(rows, columns)
    values = np.geomspace(1, 1 / condition, count) if count > 1 else np.ones(count)
    return np.ascontiguousarray((u[:rows, :count] * values) @ v[:count, :columns]).astype(dtype)


@st.composite
def batches(draw, square: bool = False):
    """Lists of matrices of a few shapes and dtypes, in any order, and of any condition."""
    shapes = draw(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=8))
    dtype = st.sampled_from(DTYPES)
    found = []
    for seed, (rows, columns) in enumerate(shapes):
        condition = 10.0 ** draw(st.integers(0, 12))
        size = (rows, rows) if square else (rows, columns)
        found.append(matrix(seed, *size, condition, draw(dtype)))
    return found


def epsilon(array: np.ndarray) -> float:
    return float(np.finfo(array.dtype).eps)


related = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@related
@given(matrices=batches(square=True))
def test_inverses_solve_their_systems(cp, matrices) -> None:
    rights = [np.ones(len(m), m.dtype) for m in matrices]
    found = batched.solve([cp.asarray(m) for m in matrices], [cp.asarray(r) for r in rights])
    assert len(found) == len(matrices)
    for m, right, x in zip(matrices, rights, map(cp.asnumpy, found), strict=True):
        assert x.dtype == m.dtype
        scale = np.linalg.norm(m) * np.linalg.norm(x) + np.linalg.norm(right)
        assert np.linalg.norm(m @ x - right) <= 100 * epsilon(m) * scale


@related
@given(matrices=batches())
def test_factors_give_the_matrix_back_in_its_place(cp, matrices) -> None:
    given_to = [cp.asarray(m) for m in matrices]
    decomposed = batched.svd(given_to, full_matrices=False)
    orthogonal = batched.qr(given_to)
    for m, svd, qr in zip(matrices, decomposed, orthogonal, strict=True):
        u, s, vt = map(cp.asnumpy, svd)
        q, r = map(cp.asnumpy, qr)
        bound = 100 * epsilon(m) * np.linalg.norm(m)
        assert np.linalg.norm((u * s) @ vt - m) <= bound
        assert np.linalg.norm(q @ r - m) <= bound
        assert np.linalg.norm(q.conj().T @ q - np.eye(q.shape[1])) <= 100 * epsilon(m)


@related
@given(matrices=batches(square=True))
def test_numbers_are_those_of_each_matrix(cp, matrices) -> None:
    hermitian = [m + m.conj().T for m in matrices]
    found = batched.eigvalsh([cp.asarray(m) for m in hermitian])
    for m, w in zip(hermitian, map(cp.asnumpy, found), strict=True):
        assert abs(w - np.linalg.eigvalsh(m)).max() <= 100 * epsilon(m) * np.linalg.norm(m)


@related
@given(matrices=batches())
def test_stacks_hold_every_item_once_and_in_its_place(cp, matrices) -> None:
    given_to = [cp.asarray(m) for m in matrices]
    stacks = list(batched.stacks(given_to, given_to))
    assert len(stacks) == len({(m.shape, m.dtype) for m in matrices})
    back = batched.unstack((k, (one, other)) for k, one, other in stacks)
    assert [len(pair) for pair in back] == [2] * len(matrices)
    for m, pair in zip(matrices, back, strict=True):
        for one in pair:
            np.testing.assert_array_equal(cp.asnumpy(one), m)
    places = np.zeros(len(matrices), int)
    for k, one, _ in stacks:
        places[k] += np.ones(len(one), int)
    assert (places == 1).all()


def test_items_of_a_stack_are_stacked_without_a_copy(cp) -> None:
    whole = cp.asarray(np.arange(24.0).reshape(4, 2, 3))
    ((_, stack),) = batched.stacks([whole[0], whole[1], whole[2]])
    assert stack.data.ptr == whole.data.ptr
    ((_, copied),) = batched.stacks([whole[0], whole[2], whole[1]])
    assert copied.data.ptr != whole.data.ptr
    np.testing.assert_array_equal(cp.asnumpy(copied), cp.asnumpy(whole)[[0, 2, 1]])


def test_arrays_of_the_host_are_left_to_numpy(cp) -> None:
    found = batched.inv([np.eye(2), 2 * np.eye(3)])
    assert [type(one) for one in found] == [np.ndarray] * 2
    assert not batched.stackable({3: np.zeros((2, 3, 3))})


def test_the_first_singular_item_is_named(cp) -> None:
    matrices = [np.eye(3), np.eye(2), np.zeros((2, 2)), np.zeros((3, 3))]
    from gpuport.runtime.linalg import linalg_errors

    with linalg_errors, pytest.raises(np.linalg.LinAlgError) as caught:
        batched.inv([cp.asarray(m) for m in matrices])
    assert caught.value.__notes__ == ["for item 2 of 4"]


def test_one_nan_stays_in_its_item(cp) -> None:
    matrices = [np.eye(2) * k for k in (1.0, 2.0, 3.0)]
    matrices[1][0, 0] = np.nan
    found = [cp.asnumpy(one) for one in batched.inv([cp.asarray(m) for m in matrices])]
    assert np.isnan(found[1]).any()
    np.testing.assert_allclose(found[0], np.eye(2))
    np.testing.assert_allclose(found[2], np.eye(2) / 3)


def test_a_diagonal_matrix_is_zero_beside_nan(cp) -> None:
    vectors = np.array([[1.0, np.nan], [2.0, 3.0]])
    expected = np.stack([np.diag(v) for v in vectors])
    np.testing.assert_array_equal(cp.asnumpy(batched.diag(cp.asarray(vectors))), expected)


@pytest.mark.parametrize(
    ("given_to", "answer"),
    [
        ({"stacks": {3: "a", 2: "b"}}, True),
        ({"stacks": {2: "a"}}, False),
        ({"stacks": {3: ("a", "short")}}, False),
        ({"stacks": {3: "none"}}, False),
        ({"stacks": {3: "a"}, "length": 5}, False),
        ({"stacks": {3: "a"}, "fixed": {0: "number"}}, True),
        ({"stacks": {3: "a"}, "fixed": {0: "b"}}, False),
        ({"stacks": {3: "a"}, "at_most": {1: "number", 2: "b"}}, True),
        ({"stacks": {3: "a"}, "at_most": {1: "b"}}, False),
        ({"stacks": {3: "a"}, "at_most": {1: "text"}}, False),
        ({"stacks": {3: ("a", "view")}, "writes": "view"}, False),
        ({"stacks": {3: ("a", "a")}, "writes": "a"}, False),
        ({"stacks": {3: "a"}, "writes": "a"}, True),
        ({"items": {2: "items", 1: "rows"}}, True),
        ({"items": {2: "rows"}}, False),
        ({"items": {(2, 1): "pairs"}}, True),
        ({"items": {2: "a"}}, True),
        ({"items": {2: "empty"}}, False),
        ({"items": {2: "mixed"}}, False),
        ({"stacks": {1: "out"}, "items": {2: "items"}, "writes": "out"}, True),
        ({"stacks": {3: "view"}, "items": {2: "items"}, "writes": "view"}, False),
    ],
)
def test_what_can_be_stacked(cp, given_to, answer) -> None:
    a = cp.zeros((4, 3, 3))
    values = {
        "a": a, "b": cp.zeros((4, 3)), "short": cp.zeros((3, 3, 3)), "none": cp.zeros((0, 3, 3)),
        "number": 2.0, "text": "x", "view": a[:, ::-1], "items": list(a),
        "rows": [cp.zeros(3)] * 4, "pairs": [(cp.zeros((2, 2)), cp.zeros(2))], "empty": [],
        "mixed": [*a, np.zeros((3, 3))], "out": cp.zeros(4),
    }  # fmt: skip

    def looked_up(value):
        if isinstance(value, dict):
            return {rank: looked_up(one) for rank, one in value.items()}
        if isinstance(value, tuple):
            return tuple(map(looked_up, value))
        return values[value] if isinstance(value, str) else value

    assert batched.stackable(**{key: looked_up(one) for key, one in given_to.items()}) is answer


@pytest.mark.parametrize("order", ["C", "F", "sliced", "reversed"])
def test_lists_cross_as_one_and_keep_their_layout(cp, order) -> None:
    arrays = [np.arange(12.0).reshape(3, 4) + k for k in range(5)]
    if order == "F":
        arrays = [np.asfortranarray(one) for one in arrays]
    elif order == "sliced":
        arrays = [np.tile(one, (2, 2))[:3, :4] for one in arrays]
    elif order == "reversed":
        arrays = [one[::-1, ::2] for one in arrays]
    moved = batched.upload([*arrays, np.zeros(2)])
    assert all(isinstance(one, cp.ndarray) for one in moved)
    for one, array in zip(moved, arrays, strict=False):
        np.testing.assert_array_equal(cp.asnumpy(one), array)
        assert one.flags.c_contiguous == array.flags.c_contiguous
        assert one.flags.f_contiguous == array.flags.f_contiguous
        assert np.sign(one.strides).tolist() == np.sign(array.strides).tolist()


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128", "bool"])
@pytest.mark.parametrize("shape", [(6,), (3, 2), (1, 2, 3)])
def test_numbers_of_the_host_cross_as_they_are(cp, dtype, shape) -> None:
    values = np.arange(6).astype(dtype)[::-1].reshape(shape)
    found = batched.numbers(values)
    assert isinstance(found, cp.ndarray)
    assert found.dtype == values.dtype
    np.testing.assert_array_equal(cp.asnumpy(found), values)


def test_anything_but_an_array_of_numbers_comes_back_as_it_is(cp) -> None:
    masked = np.ma.masked_array([1.0, 2.0], mask=[True, False])
    words, objects = np.array(["a"]), np.array([1, 2], dtype=object)
    for one in ([1.0, 2.0], cp.ones(3), masked, words, objects, 3.0):
        assert batched.numbers(one) is one


@pytest.mark.parametrize("start", [0, 0.0, 0j, np.float64(1), np.float32(1), np.ones(2)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "bool", "int8"])
def test_a_total_has_the_dtype_that_adding_has(cp, start, dtype) -> None:
    stack = (np.arange(6).reshape(3, 2) % 3).astype(dtype)
    expected = start
    for item in stack:
        expected = expected + item
    given_to = cp.asarray(start) if isinstance(start, np.ndarray) else start
    found = cp.asnumpy(given_to + batched.total(cp.asarray(stack), given_to))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_low_precision_does_not_lose_what_the_loop_keeps(cp) -> None:
    stack = np.full(3000, 0.1, np.float32)
    found = batched.total(cp.asarray(stack), np.float64(0))
    np.testing.assert_allclose(cp.asnumpy(found), float(np.float32(0.1)) * 3000, rtol=1e-14)


def test_what_is_added_to_shares_no_memory(cp) -> None:
    a, b = cp.ones((3, 2, 2)), cp.ones((2, 2))
    assert batched.stackable({3: a}, fixed={2: b}, adds=cp.zeros((2, 2)))
    assert not batched.stackable({3: a}, fixed={2: b}, adds=b)
    assert not batched.stackable({3: a}, adds=a)
    assert not batched.stackable({3: a}, adds=a[0])
    assert not batched.stackable({3: a}, adds=np.zeros((2, 2)))
    assert not batched.stackable({3: a}, adds=(b, b))


@related
@given(
    size=st.tuples(st.integers(1, 3), st.integers(1, 3)),
    tiles=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    order=st.sampled_from(["rows", "columns", "backwards", "without one", "twice"]),
)
def test_tiles_of_a_grid_are_stacked_in_their_order(cp, size, tiles, order) -> None:
    rows, columns = size
    shape = rows * tiles[0], columns * tiles[1]
    image = cp.asarray(np.arange(np.prod(shape), dtype=float).reshape(shape))
    parts = [
        image[i : i + rows, j : j + columns]
        for i in range(0, shape[0], rows) for j in range(0, shape[1], columns)
    ]  # fmt: skip
    if order == "columns":
        parts = [part for j in range(tiles[1]) for part in parts[j :: tiles[1]]]
    parts = {"backwards": parts[::-1], "without one": parts[:-1] or parts}.get(order, parts)
    parts = parts * 2 if order == "twice" else parts
    (found,) = batched.stacks(parts)
    assert isinstance(found[0], slice)
    np.testing.assert_array_equal(cp.asnumpy(found[1]), [cp.asnumpy(part) for part in parts])


def test_tiles_of_a_grid_are_one_copy(cp) -> None:
    from gpuport import host

    image = cp.zeros((6, 8))
    parts = [image[i : i + 2, j : j + 2] for i in range(0, 6, 2) for j in range(0, 8, 2)]
    with host.count() as counted:
        list(batched.stacks(parts))
    assert counted.snapshot.launches == 1


NAMES = (
    "inv",
    "det",
    "slogdet",
    "svd",
    "qr",
    "pinv",
    "matrix_rank",
    "eigvalsh",
    "eigh",
    "cholesky",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_small_matrices_of_the_host_give_the_same_numbers(name, dtype) -> None:
    rng = np.random.default_rng(3)
    matrices = []
    for n in [2, 3, 2, 5, 1] * 4:
        m = rng.normal(size=(n, n)).astype(dtype)
        m = m + 1j * m.T if dtype == "complex128" else m
        matrices.append(m @ m.conj().T + np.eye(n, dtype=dtype))
    function = getattr(np.linalg, name)
    for one, other in zip(getattr(batched, name)(matrices), map(function, matrices), strict=True):
        assert type(one) is type(other)
        parts = one if isinstance(one, tuple) else (one,)
        wanted = other if isinstance(other, tuple) else (other,)
        for part, expected in zip(parts, wanted, strict=True):
            assert part.dtype == expected.dtype
            np.testing.assert_array_equal(part, expected)


def test_right_sides_of_the_host_may_be_vectors() -> None:
    rng = np.random.default_rng(3)
    matrices = [rng.normal(size=(3, 3)) for _ in range(9)]
    rights = [rng.normal(size=3) if k % 2 else rng.normal(size=(3, 2)) for k in range(9)]
    found = batched.solve(matrices, rights)
    for one, m, right in zip(found, matrices, rights, strict=True):
        np.testing.assert_allclose(one, np.linalg.solve(m, right), rtol=1e-12)


def test_a_singular_matrix_of_the_host_raises_as_in_the_loop() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        batched.inv([np.eye(2)] * 9 + [np.zeros((2, 2))])


def test_a_group_that_is_too_large_for_the_device_comes_in_parts(cp, monkeypatch) -> None:
    matrices = [cp.asarray(np.eye(3) * (k + 1)) for k in range(10)]
    monkeypatch.setattr("gpuport.runtime.batched.grouping._SMALL", 0)
    monkeypatch.setattr(cp.cuda.runtime, "memGetInfo", lambda: (4 * 3 * matrices[0].nbytes, 2**40))
    assert [len(stack) for _, stack in batched.stacks(matrices)] == [3, 3, 3, 1]
    found = batched.inv(matrices)
    assert [float(one[0, 0]) for one in found] == [1 / (k + 1) for k in range(10)]


@pytest.mark.parametrize("part", ["item[::-1]", "item[:, ::-1]", "item[::-1, ::-1].T", "item.T"])
def test_items_that_run_backwards_are_stacked(cp, part) -> None:
    whole = np.arange(24.0).reshape(4, 2, 3)
    items = [eval(part, {"item": item}) for item in cp.asarray(whole)]
    ((_, stack),) = batched.stacks(items)
    expected = np.stack([eval(part, {"item": item}) for item in whole])
    np.testing.assert_array_equal(cp.asnumpy(stack), expected)
