"""The runtime as one file: everything is there, nothing of the package is needed."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gpuport.runtime
from gpuport import host
from gpuport.runtime import batched
from gpuport.vendoring.onefile import MARK, runtime_text


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vendored")
    (folder / "own_runtime.py").write_text(runtime_text())
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield importlib.import_module("own_runtime")


def test_it_hands_on_what_the_package_does(runtime):
    for name in gpuport.runtime.__all__:
        assert hasattr(runtime, name), name
    for name in batched.__all__:
        assert callable(getattr(runtime.batched, name)), name


def test_it_imports_nothing_but_numpy_and_the_standard_library():
    nodes = list(ast.walk(ast.parse(runtime_text())))
    names = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    names |= {n.module for n in nodes if isinstance(n, ast.ImportFrom)}
    roots = {name.partition(".")[0] for name in names}
    assert roots - sys.stdlib_module_names == {"numpy", "cupyx"}  # cupyx where CuPy is in use
    assert MARK in runtime_text()


def test_every_definition_has_one_name():
    tree = ast.parse(runtime_text())
    definitions = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    assert len(definitions) == len(set(definitions))


def test_all_names_are_defined():
    ruff = Path(sys.executable).with_name("ruff")
    command = [ruff, "check", "--isolated", "--ignore-noqa", "--select", "F", "-"]
    done = subprocess.run(command, input=runtime_text(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_functions_work_on_the_host(runtime):
    @runtime.device("x", "out", writes="out")
    def double(x, out):
        out[:] = 2 * x
        return out.sum()

    out = np.zeros(3)
    with pytest.warns(runtime.FallbackWarning):
        assert double(np.arange(3.0), out) == 6.0
    assert out.tolist() == [0.0, 2.0, 4.0]
    assert runtime.stats()[f"{__name__}.{double.__qualname__}"].fallbacks == 1
    assert runtime.remainder(5.5, 2) == 1.5


def test_functions_work_on_the_device(runtime):
    host.install(version=14)
    try:
        cp = importlib.import_module("cupy")

        @runtime.device("stack", creates=True)
        def sizes(stack):
            return cp.stack(runtime.batched.svd(cp.abs(stack), compute_uv=False))

        matrices = np.random.default_rng(0).normal(size=(5, 3, 3))
        found = sizes(matrices)
        assert type(found) is np.ndarray
        np.testing.assert_allclose(found, np.linalg.svd(np.abs(matrices), compute_uv=False))
        assert type(sizes(cp.asarray(matrices))) is cp.ndarray
    finally:
        host.uninstall()


def test_kernels_work(runtime, monkeypatch):
    monkeypatch.delenv("GPUPORT_FROM_SIZE", raising=False)

    @runtime.kernel("raw T x, float a", "raw T y", "y[i] = a * x[i];", over="i in range(len(x))")
    def scale(x, a, y):
        for i in range(len(x)):
            y[i] = a * x[i]

    @runtime.device("x", where="x.ndim == 1", from_size=3)
    def scaled(x, a):
        y = x.copy()
        scale(x, a, y)
        return y

    host.install(version=14)
    try:
        for size in (2, 3):
            assert scaled(np.ones(size, "f4"), 0.1).tolist() == [np.float32(0.1)] * size
        name = f"{__name__}.{scale.__qualname__}"
        assert (runtime.stats()[name].device, runtime.stats()[name].host) == (1, 1)
    finally:
        host.uninstall()
