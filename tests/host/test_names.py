"""The surface has CuPy's names and parameters: no name more, none less."""

from __future__ import annotations

import importlib
import inspect
import sys
from typing import Any

import pytest

from gpuport import host
from gpuport.host import surface


@pytest.fixture(params=[13, 14])
def version(request: pytest.FixtureRequest) -> Any:
    host.install(version=request.param)
    yield request.param
    host.uninstall()


def test_every_name_is_there_and_no_other(version: int) -> None:
    table = surface.entries(version)
    for qualified, entry in table.items():
        parent, _, name = qualified.rpartition(".")
        if not parent or table.get(parent, {}).get("kind") != "module":
            continue
        home = importlib.import_module(parent)
        assert hasattr(home, name), qualified
        assert name in dir(home)
        assert entry["kind"] != "module" or importlib.import_module(qualified) is not None
    for module in [m for m in sys.modules if m.split(".")[0] in ("cupy", "cupyx")]:
        for name in dir(sys.modules[module]):
            assert f"{module}.{name}" in table


@pytest.mark.parametrize("owner", ["cupy.ndarray", "cupy.random.Generator"])
def test_methods(version: int, owner: str) -> None:
    table = surface.entries(version)
    listed = {q.rpartition(".")[2] for q in table if q.rpartition(".")[0] == owner}
    home, _, name = owner.rpartition(".")
    found = getattr(importlib.import_module(home), name)
    assert {m for m in dir(found) if not m.startswith("_")} - listed <= {"bit_generator"}
    if version == 14:
        assert listed <= set(dir(found))


def test_functions_have_cupys_parameters(version: int) -> None:
    checked = 0
    for qualified, entry in surface.entries(version).items():
        parent, _, name = qualified.rpartition(".")
        if entry["kind"] != "function" or parent not in ("cupy", "cupy.linalg", "cupy.fft"):
            continue
        found = getattr(importlib.import_module(parent), name)
        if getattr(found, "__gpuport_absent__", False) or name in surface._HOST_ONLY:
            continue
        if not inspect.isfunction(found) or entry.get("parameters") is None:
            continue
        names = [row[0] for row in entry["parameters"]]
        assert list(inspect.signature(found).parameters) == names, qualified
        checked += 1
    assert checked > 200


def test_a_missing_submodule(version: int) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'cupy\.ma'"):
        importlib.import_module("cupy.ma")


def test_uninstall_takes_everything_out() -> None:
    host.install()
    importlib.import_module("cupyx.scipy.ndimage")
    host.uninstall()
    assert not host.installed()
    assert not [m for m in sys.modules if m.split(".")[0] in ("cupy", "cupyx")]


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(ValueError, match="13 and 14"):
        host.install(version=12)
