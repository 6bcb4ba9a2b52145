"""What all tests share: the two tiers, and CuPy without a GPU.

Plain ``pytest`` takes minutes: it leaves out tests marked ``everything``, and of those of a file
that are marked ``sampled(k)`` it runs the k-th part. ``pytest --everything`` leaves out nothing,
and neither does a test file or a single test that is named on the command line.
"""

from __future__ import annotations

import compileall
import importlib
import os
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

import gpuport
from gpuport import host, probing
from gpuport.facts.sizes import SizesShown

HERE = Path(__file__).parent
SAMPLED = {"verify": 20, "loops/kernels": 6, "host/kernels": 3}
"""Folders in which each test runs programs or compiles kernels, and that are `sampled(k)` whole."""

# Arrays of tests are small: boundaries take them to the device all the same.
os.environ.setdefault("GPUPORT_FROM_SIZE", "0")

# Machines that are shared are slow at times, which says nothing of the tests. Fresh examples are
# for who looks for faults: neither the first tier nor what decides on a change is a lottery.
settings.register_profile("all", suppress_health_check=(HealthCheck.too_slow,), deadline=None)
settings.register_profile("ci", settings.get_profile("all"), derandomize=True)
settings.register_profile("first", settings.get_profile("ci"), max_examples=25)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--everything``, the second tier."""
    parser.addoption("--everything", action="store_true", help="run what takes long, too")


def pytest_configure(config: pytest.Config) -> None:
    """Say how many examples Hypothesis tries; compile the package once, and not in each process.

    Where Python is told to keep no bytecode, hundreds of processes would compile it anew.
    """
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(gpuport.__file__).parent, quiet=1, workers=0)
    every = "ci" if os.environ.get("CI") else "all"
    settings.load_profile(every if config.getoption("everything") else "first")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to ``--everything`` what the first tier does without."""
    if config.getoption("everything"):
        return
    whole = {Path(name.split("::")[0]).resolve() for name in config.args if ".py" in name}
    kept = _sample([item for item in items if item.path not in whole])
    kept |= {item.nodeid for item in items if item.path in whole}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in kept])
    items[:] = [item for item in items if item.nodeid in kept]


def _share(item: pytest.Item) -> int:
    """The k of `sampled(k)`, of the test itself or of its folder."""
    mark = item.get_closest_marker("sampled")
    if mark is not None:
        return int(mark.args[0])
    place = item.path.relative_to(HERE)
    return next((k for folder, k in SAMPLED.items() if place.is_relative_to(folder)), 1)


def _sample(items: list[pytest.Item]) -> set[str]:
    """Names of the tests of the first tier: the same in every run, and some of each file."""
    shares: dict[tuple[Path, int], list[str]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("everything") is None:
            shares[item.path, _share(item)].append(item.nodeid)
    kept: set[str] = set()
    for (_, share), names in shares.items():
        names.sort(key=lambda name: zlib.crc32(name.encode()))
        kept.update(names[: -(-len(names) // share)])
    return kept


@pytest.fixture(scope="session", autouse=True)
def _options_of_this_run_alone() -> Iterator[None]:
    """Options in the environment are not meant for the pytest that some tests call."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTEST_ADDOPTS", raising=False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _answers_of_libraries(pytestconfig: pytest.Config) -> Iterator[None]:
    """What libraries answered is kept from run to run, apart from what the user keeps."""
    if "GPUPORT_CACHE_DIR" not in os.environ:
        os.environ["GPUPORT_CACHE_DIR"] = str(pytestconfig.cache.mkdir("gpuport-answers"))
    yield
    probing.save()


@pytest.fixture(autouse=True)
def _same_folder() -> Iterator[None]:
    """A side of a verification that runs in this process stays in its folder, which is removed."""
    here = Path.cwd()
    yield
    os.chdir(here)


@pytest.fixture(autouse=True)
def _numbers_of_its_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test draws the same numbers whichever tests ran before it in its worker."""
    if isinstance(getattr(request.module, "RNG", None), np.random.Generator):
        seed = zlib.crc32(request.node.nodeid.encode())
        monkeypatch.setattr(request.module, "RNG", np.random.default_rng(seed))


OF_TRUE_SIZES = ("cost", "facts", "fixtures", "cli")
"""Folders of tests in which what calls pass tells how large arrays are."""


@pytest.fixture(autouse=True)
def _examples_are_small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of a few elements are there to be ported, where a test is of something else."""
    if request.path.relative_to(HERE).parts[0] not in OF_TRUE_SIZES:
        monkeypatch.setattr(SizesShown, "__call__", lambda *_: None)
        monkeypatch.setattr(SizesShown, "repeats", lambda *_: 0)


@pytest.fixture
def emulated() -> Iterator[Any]:
    """The host backend, for what a real CuPy cannot show (counters, tables) or is not there for."""
    host.install(version=14)
    yield importlib.import_module("cupy")
    host.uninstall()
