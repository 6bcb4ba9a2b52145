"""The device copy of a strided array behaves as the array under reshape and ravel."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpuport.runtime.layout import upload


class Copies:
    """CuPy's part in an upload, on the host."""

    asarray = staticmethod(np.array)
    broadcast_to = staticmethod(np.broadcast_to)


@st.composite
def strided_arrays(draw):
    shape = draw(st.lists(st.integers(1, 7), min_size=1, max_size=4))
    array = (
        np.arange(np.prod(shape)).reshape(shape).transpose(draw(st.permutations(range(len(shape)))))
    )
    index = tuple(
        slice(draw(st.integers(0, 2)), draw(st.none() | st.integers(1, 6)), draw(st.integers(1, 3)))
        for _ in shape
    )
    array = array[index]
    flips = tuple(slice(None, None, draw(st.sampled_from([1, -1]))) for _ in shape)
    return array[flips]


@given(strided_arrays(), st.booleans())
def test_copy_has_the_values_and_reshapes_alike(array, repeat):
    if repeat:
        array = np.broadcast_to(array[:, np.newaxis], (len(array), 3, *array.shape[1:]))
    moved = upload(Copies, array)
    np.testing.assert_array_equal(moved, array)
    assert not np.shares_memory(moved, array)
    for view in (
        lambda a: a.ravel(),
        lambda a: a.reshape(-1),
        lambda a: a.reshape(-1, order="F"),
        lambda a: a.T.ravel(),
        lambda a: a.reshape(a.shape[0], -1) if a.size else a,
        lambda a: a.reshape(-1, a.shape[-1]) if a.size else a,
    ):
        assert np.shares_memory(view(moved), moved) == np.shares_memory(view(array), array)
