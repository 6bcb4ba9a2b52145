"""Names and parameters that CuPy does not have as NumPy has them, and stacks in linear algebra."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("sum", {"where": True}),
        ("sum", {"initial": 0}),
        ("prod", {"initial": 1}),
        ("max", {"initial": 0}),
        ("min", {"where": True}),
        ("any", {"where": True}),
        ("mean", {"where": True}),
        ("std", {"mean": 0.0}),
        ("var", {"correction": 1}),
        ("sort", {"order": None}),
        ("argsort", {"order": None}),
        ("sort", {"stable": True}),
        ("argsort", {"stable": True}),
        ("percentile", {"q": 50, "weights": None}),
        ("quantile", {"q": 0.5, "weights": None}),
        ("unique", {"sorted": True}),
        ("isin", {"test_elements": 1, "kind": None}),
        ("count_nonzero", {"keepdims": True}),
        ("cov", {"m": 1}),
        ("linalg.pinv", {"rtol": 0.1}),
        ("linalg.pinv", {"hermitian": True}),
        ("linalg.matrix_rank", {"rtol": 0.1}),
        ("linalg.matrix_rank", {"hermitian": True}),
        ("linalg.svd", {"hermitian": True}),
        ("linalg.cholesky", {"upper": True}),
        ("fft.fft", {"out": None}),
        ("fft.rfft2", {"out": None}),
    ],
)
def test_parameters_that_are_missing(cp: Any, name: str, parameters: dict[str, Any]) -> None:
    function = cp
    for part in name.split("."):
        function = getattr(function, part)
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        function(cp.eye(3), **parameters)


@pytest.mark.parametrize("parameters", [{"min": 0.0}, {"max": 1.0}, {"min": 0.0, "max": 1.0}])
def test_clip_takes_its_bounds_by_other_names(cp: Any, parameters: dict[str, float]) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        cp.clip(cp.arange(3.0), **parameters)


@pytest.mark.parametrize(
    "parameters", [{"where": True}, {"order": "C"}, {"subok": True}, {"signature": "dd->d"}]
)
def test_ufuncs_take_three_parameters_only(cp: Any, parameters: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="Wrong arguments"):
        cp.add(cp.ones(2), 1, **parameters)
    assert cp.add(cp.ones(2), 1, dtype="f4", casting="same_kind").dtype == np.float32


def test_histograms_take_weights_before_density(cp: Any) -> None:
    x = cp.array([0.5, 1.5, 1.5])
    bounds = ((0.0, 2.0), (0.0, 2.0))
    weighed = cp.histogram2d(x, x, 2, bounds, cp.array([2.0, 1.0, 1.0]))[0]
    assert weighed.tolist() == [[2.0, 0.0], [0.0, 2.0]]


def test_put_and_ravel_multi_index_wrap(cp: Any) -> None:
    a = cp.arange(4)
    a.put(cp.array([5]), cp.array([9]))
    assert a.tolist() == [0, 9, 2, 3]
    assert cp.ravel_multi_index((cp.array([4]),), (3,)).tolist() == [1]


@pytest.mark.parametrize(
    "name",
    [
        "geomspace", "insert", "nanpercentile", "nanquantile", "ndenumerate", "nditer",
        "frompyfunc", "errstate", "block", "vecdot", "polyder", "polyint", "matrix", "datetime64",
        "ma", "char", "strings", "rec", "recarray",
    ],
)  # fmt: skip
def test_names_that_are_missing(cp: Any, name: str) -> None:
    assert hasattr(np, name)
    with pytest.raises(AttributeError, match=f"module 'cupy' has no attribute '{name}'"):
        getattr(cp, name)


@pytest.mark.parametrize("name", ["multi_dot", "svdvals", "vector_norm", "matrix_norm"])
def test_names_of_linear_algebra_that_are_missing(cp: Any, name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        getattr(cp.linalg, name)


@pytest.mark.parametrize("name", ["normal", "choice", "permutation", "shuffle"])
def test_generators_lack_methods(cp: Any, name: str) -> None:
    assert not hasattr(cp.random.default_rng(0), name)


@pytest.mark.parametrize("name", ["svd", "eigh", "inv", "solve"])
def test_factorisations_are_not_in_cupys_scipy(cp: Any, name: str) -> None:
    linalg = pytest.importorskip("cupyx.scipy.linalg")
    assert not hasattr(linalg, name)
    assert hasattr(cp.linalg, name)


@pytest.mark.parametrize("name", ["integrate", "optimize", "cluster", "io"])
def test_modules_of_scipy_that_are_missing(cp: Any, name: str) -> None:
    scipy = pytest.importorskip("cupyx.scipy")
    assert not hasattr(scipy, name)
    with pytest.raises(ImportError):
        __import__(f"cupyx.scipy.{name}")


STACK = np.array([[[4.0, 1.0], [1.0, 3.0]], [[2.0, 0.5], [0.5, 1.0]]])


@pytest.mark.parametrize(
    "name",
    [
        "svd", "eigh", "eigvalsh", "eig", "eigvals", "qr", "cholesky", "inv", "det", "slogdet",
        "pinv", "matrix_rank", "cond",
    ],
)  # fmt: skip
def test_stacks_of_matrices_are_taken(cp: Any, name: str) -> None:
    if not hasattr(cp.linalg, name):
        pytest.skip("not in this version")
    found = getattr(cp.linalg, name)(cp.asarray(STACK))
    for part in found if isinstance(found, tuple) else (found,):
        assert part.shape[0] == 2


def test_stacks_in_products_systems_and_norms(cp: Any) -> None:
    stack = cp.asarray(STACK)
    np.testing.assert_allclose((stack @ stack).get(), STACK @ STACK)
    np.testing.assert_allclose(
        cp.linalg.solve(stack, stack).get(), np.broadcast_to(np.eye(2), (2, 2, 2)), atol=1e-14
    )
    for order in (None, "fro", 2):
        assert cp.linalg.norm(stack, order, axis=(1, 2)).shape == (2,)


def test_the_exponential_takes_one_matrix(cp: Any) -> None:
    expm = pytest.importorskip("cupyx.scipy.linalg").expm
    assert expm(cp.eye(2)).shape == (2, 2)
    with pytest.raises(ValueError, match=r"Input must be 1- or 2-d"):
        expm(cp.asarray(STACK))


@pytest.mark.filterwarnings("error")
def test_shapes_are_set_in_place_where_no_copy_is_needed(cp: Any) -> None:
    a = cp.arange(6.0)
    whole = a
    a.shape = (2, -1)
    assert whole.shape == (2, 3)
    a[1, 0] = 9.0
    assert a.ravel().get().tolist() == [0, 1, 2, 9, 4, 5]
    turned = a.T
    with pytest.raises(AttributeError, match=r"(?i)incompatible shape"):
        turned.shape = 6
    with pytest.raises(ValueError, match="cannot reshape array of size 6"):
        a.shape = (4, 2)
