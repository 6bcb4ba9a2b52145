"""The table of small programs before and after a port, and how to port one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse
from gpuport.source.suppression import Suppressions

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One folder of ``cases``: ``before.py``, ``after.py`` unless nothing changes, and what is
    to be reported.

    ``expected.json`` holds ``functions`` (name to status), ``findings`` (line and code), and
    where they are not the defaults ``path`` and ``config``.
    """

    name: str
    before: str
    after: str
    path: str
    config: dict[str, str]
    functions: dict[str, str]
    findings: list[str]


def gives_the_same(before: str, after: str) -> None:
    """Run the function ``program`` of a text and of its port, on the emulation, and compare."""
    results = []
    for source in (before, after):
        names: dict[str, Any] = {"__name__": "m"}
        exec(compile(source, "m.py", "exec"), names)
        result = names["program"]()
        results.append(result.get() if hasattr(result, "get") else result)
    np.testing.assert_allclose(results[1], results[0], rtol=1e-12)


def read_case(name: str) -> Case:
    """Read one folder; texts with their line endings as they are."""
    folder = CASES / name
    before = (folder / "before.py").read_bytes().decode()
    changed = folder / "after.py"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return Case(
        name,
        before,
        changed.read_bytes().decode() if changed.exists() else before,
        expected.get("path", f"{name}.py"),
        expected.get("config", {}),
        expected["functions"],
        expected["findings"],
    )


def port(text: str, path: str = "module.py", **config: object) -> FileReport:
    """Port a text as the engine does."""
    module = parse(path, text)
    settings = Config(**config)  # type: ignore[arg-type]
    return port_module(module, settings, suppressions=Suppressions.of(module))


@cache
def _case_report(name: str) -> FileReport:
    case = read_case(name)
    return port(case.before, case.path, **case.config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each folder of ``cases``."""
    if "case" in metafunc.fixturenames:
        names = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())
        metafunc.parametrize("case", [read_case(name) for name in names], ids=names)


@pytest.fixture
def report(case: Case) -> FileReport:
    """The port of a case as it stands, made once for all tests."""
    return _case_report(case.name)


@pytest.fixture(name="port")
def _port() -> Callable[..., FileReport]:
    return port
