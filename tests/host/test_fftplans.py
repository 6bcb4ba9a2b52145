"""Plans of cuFFT hold the transforms under them to what they were made for."""

from __future__ import annotations

import warnings
from typing import Any

import pytest


@pytest.fixture
def get_fft_plan(cp: Any) -> Any:
    scipy_fft = pytest.importorskip("cupyx.scipy.fft")
    return scipy_fft.get_fft_plan


def test_transform_that_fits(cp: Any, get_fft_plan: Any) -> None:
    x = cp.arange(24.0).reshape(4, 6) + 0j
    with get_fft_plan(x):
        under = cp.fft.fftn(x)
    assert (under == cp.fft.fftn(x)).all()
    with get_fft_plan(x, axes=1):
        assert (cp.fft.ifft(x) == cp.fft.ifft(x, axis=-1)).all()


@pytest.mark.parametrize(
    ("other", "call", "message"),
    [
        ((4, 7), "fftn", "do not match"),
        ((4, 6), "fft", "expected plan to have type"),
    ],
)
def test_transform_that_does_not_fit(
    cp: Any, get_fft_plan: Any, other: tuple[int, ...], call: str, message: str
) -> None:
    plan = get_fft_plan(cp.zeros(other, complex))
    with plan, pytest.raises(ValueError, match=message):
        getattr(cp.fft, call)(cp.zeros((4, 6), complex))


def test_length_type_and_number(cp: Any, get_fft_plan: Any) -> None:
    for made, message in (
        (cp.zeros((4, 7), complex), "Target array size"),
        (cp.zeros((5, 6), complex), "Batch size"),
        (cp.zeros((4, 6), "F"), "dtype mismatch"),
    ):
        plan = get_fft_plan(made, axes=1)
        with plan, pytest.raises(ValueError, match=message):
            cp.fft.fft(cp.zeros((4, 6), complex))
    assert cp.fft.fft(cp.zeros((4, 6), complex)).shape == (4, 6)


def test_axes_that_are_apart(cp: Any, get_fft_plan: Any) -> None:
    with pytest.raises(ValueError, match="could not be created"):
        get_fft_plan(cp.zeros((2, 3, 4), complex), axes=(0, 2))


def test_a_shape_without_axes_is_of_the_last_ones(cp: Any) -> None:
    x = cp.arange(24.0).reshape(2, 3, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cp.fft.fftn(x, (3, 5))
        back = cp.fft.irfftn(x, (None, None))
    assert back.shape == (2, 3, 6)
    assert found.shape == (2, 3, 5)
    assert cp.allclose(found, cp.fft.fftn(x, s=(3, 5), axes=(1, 2)))
