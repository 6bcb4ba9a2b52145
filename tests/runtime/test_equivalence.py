"""Any call of a ported function gives what the original gives: values, types, identity, errors."""

from __future__ import annotations

import copy
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gpuport.host
from gpuport.runtime import device

BODIES = {
    "pure": "return x * 2 + y",
    "reduce": "return xp.sum(x), xp.max(x)",
    "argument": "return x, y",
    "in place": "x += 1\n    return x",
    "in place of both": "x += 1\n    y *= 2\n    return None",
    "out": "return xp.add(x, 1, out=y)",
    "view": "return x[1:], x[::-1], y[0]",
    "reshaped and written": "z = x.ravel()\n    z[...] = 3\n    return x, z",
    "asarray": "x = xp.asarray(x)\n    x[...] = 5\n    return x",
    "astype": "return x.astype(xp.float32, copy=False), xp.asarray(y, dtype=xp.float64)",
    "container": "return [x, {'y': y}], (x.shape, None)",
    "raises midway": "x[...] = 1\n    raise ValueError('midway')",
    "aliasing": "return x is y",
    "attributes": "return x.dtype, x.ndim, x.shape, len(y)",
}
# Bodies that handle arrays otherwise than numbers, for which the port says so.
REQUIRE = {"out", "asarray", "astype", "reduce", "view", "reshaped and written", "attributes"}
# Those whose results without dimensions are arrays in NumPy: a device result is a scalar then.
KEEPS_ZERO_DIMENSIONS = {"astype", "asarray"}
SOURCE = "def f(x, y):\n    {}\n"


class Pair(NamedTuple):
    """One body, as the original and as the port."""

    original: object
    port: object


@pytest.fixture(scope="module", autouse=True)
def _host_backend():
    gpuport.host.install()
    yield
    gpuport.host.uninstall()


def pair(body: str) -> Pair:
    import cupy

    made = []
    for module in (np, cupy):
        names: dict = {"xp": module, "__name__": "program"}
        exec(SOURCE.format(BODIES[body]), names)
        made.append(names["f"])
    require = ("x", "y") if body in REQUIRE else ()
    return Pair(made[0], device("x", "y", require=require, writes=("x", "y"))(made[1]))


dtypes = st.sampled_from(["f8", "f4", "i4", "i8", "c16", ">f8", "O"])


@st.composite
def arrays(draw):
    shape = draw(st.sampled_from([(), (1,), (4,), (2, 3), (3, 4), (0,)]))
    count = int(np.prod(shape))
    array = (np.arange(count) + draw(st.integers(0, 5))).reshape(shape).astype(draw(dtypes))
    layout = draw(st.sampled_from(["C", "F", "strided", "reversed", "read-only", "masked"]))
    if layout == "F":
        array = np.asfortranarray(array) if array.ndim else array
    elif layout == "strided" and array.ndim:
        array = np.repeat(array, 2, axis=-1)[..., ::2]
    elif layout == "reversed" and array.ndim:
        array = array[::-1]
    elif layout == "read-only":
        array.flags.writeable = False
    elif layout == "masked":
        array = np.ma.array(array)
    return array


scalars = st.sampled_from([2, 2.5, True, np.float32(1.5), np.int64(3), None, "text", 1 + 2j])
lists = st.lists(st.floats(0, 4), max_size=4)


@st.composite
def arguments(draw):
    x = draw(arrays() | arrays() | arrays() | scalars | lists)
    y = draw(arrays() | scalars | lists | st.just("the same") | st.just("a view"))
    if isinstance(y, str) and y == "the same":
        y = x
    elif isinstance(y, str) and y == "a view":
        y = x[...] if isinstance(x, np.ndarray) else x
    return x, y


def called(function, values):
    """Everything that a caller can see of a call."""
    memo: dict = {}
    x, y = values
    base = copy.deepcopy(x, memo)
    other = base if y is x else base[...] if y is not None and shares(x, y) else copy.deepcopy(y)
    for old, new in ((x, base), (y, other)):
        if isinstance(old, np.ndarray):
            new.flags.writeable = old.flags.writeable
    with np.errstate(all="ignore"):
        try:
            outcome: object = function(base, other)
        except Exception as error:
            # NumPy raises private subclasses that CuPy does not have.
            outcome = next(one for one in type(error).__mro__ if one.__module__ == "builtins")
            if outcome is TypeError:  # where a shape and a dtype are wrong, either may be named
                outcome = ValueError
    return seen(outcome, (base, other)), seen((base, other), ())


def shares(x, y):
    both = isinstance(x, np.ndarray) and isinstance(y, np.ndarray)
    return both and x.size > 0 and np.may_share_memory(x, y)


def seen(value, given_):
    """A value as comparable data: types, dtypes, values, and which argument it is or shows."""
    if isinstance(value, (list, tuple)):
        return type(value), [seen(one, given_) for one in value]
    if isinstance(value, dict):
        return type(value), [(key, seen(one, given_)) for key, one in value.items()]
    if not isinstance(value, (np.ndarray, np.generic)):
        return type(value), repr(value)
    same = [value is one for one in given_]
    shown = [isinstance(one, np.ndarray) and shares(one, value) for one in given_]
    return type(value), value.dtype, value.shape, repr(value.tolist()), same, shown


@pytest.mark.parametrize("body", BODIES)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(values=arguments())
def test_port_is_the_original(body, values):
    if body in KEEPS_ZERO_DIMENSIONS:
        assume(all(np.ndim(one) for one in values if isinstance(one, np.ndarray)))
    functions = pair(body)
    assert called(functions.port, values) == called(functions.original, values)
