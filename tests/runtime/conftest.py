"""A strict CuPy of the tests' own: arrays that mix with nothing, and that can be counted."""

from __future__ import annotations

import importlib
import operator
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from gpuport import host


@pytest.fixture(scope="module", params=["host", pytest.param("cuda", marks=pytest.mark.cuda)])
def either_cupy(request):
    """CuPy for a whole module: emulated, and real where there is a GPU."""
    if request.param == "cuda":
        real = pytest.importorskip("cupy")
        if not real.cuda.is_available():
            pytest.skip("no CUDA device")
        yield real
        return
    host.install(version=14)
    yield importlib.import_module("cupy")
    host.uninstall()


class FakeArray:
    """A device array: NumPy memory that only the module's functions reach."""

    __array_ufunc__ = None

    def __init__(self, host):
        self._host = host

    def __array__(self, *args, **kwargs):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._host, name)
        if callable(value):
            return lambda *args, **kwargs: _wrap(value(*_unwrap(args), **_unwrap(kwargs)))
        return _wrap(value) if isinstance(value, np.ndarray) else value

    @property
    def data(self):
        return SimpleNamespace(ptr=self._host.ctypes.data)

    def __getitem__(self, index):
        index = _unwrap(index)
        whole = index if isinstance(index, tuple) else (index,)
        if not any(isinstance(part, np.ndarray) for part in whole) and Ellipsis not in whole:
            index = (*whole, Ellipsis)  # a scalar is a view without dimensions
        return _wrap(self._host[index])

    def __setitem__(self, index, value):
        self._host[_unwrap(index)] = _unwrap(value)

    def __len__(self):
        return len(self._host)

    def __float__(self):
        return float(self._host)

    def __bool__(self):
        return bool(self._host)


def _binary(name):
    function = getattr(operator, name)

    def forward(self, other):
        return _wrap(function(self._host, _unwrap(other)))

    def backward(self, other):
        return _wrap(function(_unwrap(other), self._host))

    def in_place(self, other):
        self._host[...] = function(self._host, _unwrap(other))
        return self

    return forward, backward, in_place


for _name in ("add", "sub", "mul", "truediv"):
    _methods = zip(("", "r", "i"), _binary(_name), strict=True)
    for _prefix, _method in _methods:
        setattr(FakeArray, f"__{_prefix}{_name}__", _method)
for _name in ("lt", "gt"):
    setattr(FakeArray, f"__{_name}__", _binary(_name)[0])


def _wrap(value):
    if isinstance(value, (np.ndarray, np.generic)):
        return FakeArray(np.asarray(value))
    return type(value)(map(_wrap, value)) if type(value) in (list, tuple) else value


def _unwrap(value):
    if isinstance(value, np.ndarray):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    if isinstance(value, FakeArray):
        return value._host
    if type(value) in (list, tuple):
        return type(value)(map(_unwrap, value))
    return {key: _unwrap(one) for key, one in value.items()} if type(value) is dict else value


class FakeModule(ModuleType):
    """NumPy's functions on device arrays; refuses NumPy arrays and lists as CuPy does."""

    def __init__(self, name, numpy):
        super().__init__(name)
        self._numpy = numpy

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(self._numpy, name)
        if isinstance(value, type) or not callable(value):
            return value

        def function(*args, **kwargs):
            if any(type(one) is list and name not in ("array", "stack") for one in args):
                raise TypeError("Unsupported type <class 'list'>")
            return _wrap(value(*_unwrap(args), **_unwrap(kwargs)))

        function.__module__ = self.__name__
        return function


class Cuda(ModuleType):
    available = True

    def is_available(self):
        return self.available


def _fake_cupy():
    cupy = FakeModule("cupy", np)
    cupy.ndarray = FakeArray
    cupy.moves = []
    cupy.full = False

    def asarray(value, dtype=None, order=None):
        if isinstance(value, FakeArray) and dtype is None:
            return value
        if cupy.full:
            raise cupy.cuda.memory.OutOfMemoryError("out of memory allocating 8 bytes")
        host = value._host if isinstance(value, FakeArray) else value
        cupy.moves.append(("h2d", id(value)))
        layout = "F" if getattr(host, "ndim", 0) > 1 and host.flags.fnc else "C"
        return FakeArray(np.array(host, dtype=dtype, order=layout))

    def asnumpy(value, stream=None, order="C", out=None, *, blocking=True):
        cupy.moves.append(("d2h", id(value)))
        return np.array(value._host if isinstance(value, FakeArray) else value, order=order)

    cupy.asarray, cupy.asnumpy = asarray, asnumpy
    cupy.cuda = Cuda("cupy.cuda")
    memory = type("OutOfMemoryError", (MemoryError,), {})
    cupy.cuda.memory = SimpleNamespace(OutOfMemoryError=memory)
    cupy.linalg = FakeModule("cupy.linalg", np.linalg)
    return cupy


@pytest.fixture
def cp(monkeypatch):
    """The fake CuPy, imported as ``cupy`` for the length of a test."""
    cupy = _fake_cupy()
    cupyx = ModuleType("cupyx")
    settings = {"linalg": "ignore"}

    def seterr(*, linalg):
        before = dict(settings)
        settings["linalg"] = linalg
        return before

    cupyx.seterr = seterr
    cupy.linalg_setting = lambda: settings["linalg"]
    for name, module in (
        ("cupy", cupy),
        ("cupy.linalg", cupy.linalg),
        ("cupy.cuda", cupy.cuda),
        ("cupyx", cupyx),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    return cupy


@pytest.fixture
def ported(cp):
    """Run the source of a ported program in a namespace of its own; give the namespace."""

    def run(source: str):
        names = {"__name__": "program", "__builtins__": __builtins__}
        header = "import numpy as np\nimport cupy as cp\nfrom gpuport.runtime import device\n"
        exec(compile(header + source, "program.py", "exec"), names)
        return SimpleNamespace(**{k: v for k, v in names.items() if not k.startswith("__")})

    return run
