"""CuPy's own tests pass on the host backend, but for those that the ledger gives a reason for.

A fixed sample of files by default; ``GPUPORT_CONFORMANCE=all`` runs every file of the modules that
``docs/conformance.md`` lists. Skipped, with pip's reason, where the source cannot be had.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

WHOLE = os.environ.get("GPUPORT_CONFORMANCE") == "all"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each file of CuPy's tests."""
    if "cupy_file" not in metafunc.fixturenames:
        return
    import importlib.util

    path = Path(__file__).with_name("conftest.py")
    spec = importlib.util.spec_from_file_location("gpuport_conformance_conftest", path)
    assert spec is not None
    assert spec.loader is not None
    helper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(helper)
    runner = helper.load_runner()
    files = list(runner.SAMPLE)
    if WHOLE:
        # where it cannot be fetched, the sample's tests say why they are skipped
        with contextlib.suppress(runner.Unavailable):
            files = runner.listed_files(runner.fetch())
    metafunc.parametrize("cupy_file", files)


@pytest.fixture(scope="session")
def source(conformance: ModuleType) -> Path:
    """CuPy's unpacked source distribution."""
    try:
        folder: Path = conformance.fetch()
    except conformance.Unavailable as reason:
        pytest.skip(f"CuPy's source distribution cannot be fetched: {reason}")
    return folder


@pytest.mark.everything
def test_agrees_with_the_ledger(
    cupy_file: str, source: Path, conformance: ModuleType, tmp_path: Path
) -> None:
    outcomes = conformance.run_file(source, cupy_file, tmp_path, 900)
    verdict = conformance.judge(outcomes, conformance.read_ledger(), {cupy_file})
    assert outcomes
    assert verdict.regressions == []
    assert verdict.unexpected_passes == []
    assert verdict.unused == []


def test_ledger_names_files_that_are_run(conformance: ModuleType) -> None:
    groups = conformance.read_ledger()
    assert len({group.name for group in groups}) == len(groups)
    for group in groups:
        for pattern in group.tests:
            folder = pattern.split("/")[0].removesuffix("_tests")
            assert folder in conformance.FOLDERS, pattern


def _group(conformance: ModuleType, **given: Any) -> Any:
    row = {"name": "g", "kind": "gap", "reason": "r", "condition": None, "flaky": False}
    return conformance.Group(**{**row, **given})


def test_judge_tells_regressions_and_unexpected_passes(conformance: ModuleType) -> None:
    outcome = conformance.Outcome
    outcomes = [
        outcome("a/f.py::T::test_x[1]", "failed"),
        outcome("a/f.py::T::test_x[2]", "passed"),
        outcome("a/f.py::T::test_xy", "failed"),
        outcome("a/f.py::T::test_z", "skipped"),
    ]
    group = _group(conformance, tests=["a/f.py::T::test_x", "a/f.py::T::test_gone"])
    verdict = conformance.judge(outcomes, [group], {"a/f.py"})
    assert [row.name for row in verdict.regressions] == ["a/f.py::T::test_xy"]
    assert verdict.unexpected_passes == [("a/f.py::T::test_x[2]", "g")]
    assert verdict.unused == [("a/f.py::T::test_gone", "g")]
    assert verdict.kind == {"a/f.py::T::test_x[1]": "gap"}


def test_group_whose_condition_does_not_hold_excuses_nothing(conformance: ModuleType) -> None:
    failed = [conformance.Outcome("a/f.py::test_x", "failed")]
    for condition, regressions in (("numpy>=1.0", 0), ("numpy<1.0", 1), ("python<3", 1)):
        group = _group(conformance, condition=condition, tests=["a/f.py::test_x"])
        verdict = conformance.judge(failed, [group], {"a/f.py"})
        assert len(verdict.regressions) == regressions
        assert verdict.unused == []


@pytest.mark.parametrize(
    ("pattern", "named", "other"),
    [
        ("f.py::test_a", ["f.py::test_a", "f.py::test_a[x]"], ["f.py::test_ab"]),
        ("f.py::T", ["f.py::T::test_a[x]"], ["f.py::TU::test_a"]),
        ("f.py::*::test_a", ["f.py::T_0_{a='[x]'}::test_a"], ["f.py::T::test_b"]),
        ("f.py::test_a[*-x]", ["f.py::test_a[1-x]"], ["f.py::test_a[1-y]"]),
    ],
)
def test_patterns(
    conformance: ModuleType, pattern: str, named: list[str], other: list[str]
) -> None:
    assert all(conformance.matches(pattern, name) for name in named)
    assert not any(conformance.matches(pattern, name) for name in other)


@pytest.mark.parametrize(
    ("test", "module"),
    [
        ("core_tests/test_raw.py::TestRaw::test_basic[x]", "user kernels"),
        ("core_tests/fusion_tests/test_misc.py::T::test_a", "fusion"),
        ("core_tests/test_ndarray_ufunc.py::T::test_a", "ufunc"),
        ("core_tests/test_ndarray.py::T::test_a", "core"),
        ("math_tests/test_misc.py::T::test_a", "math"),
    ],
)
def test_rows_of_the_table(conformance: ModuleType, test: str, module: str) -> None:
    assert conformance.module_of(test) == module


def test_process_that_ends_early_is_an_error(conformance: ModuleType, tmp_path: Path) -> None:
    record = tmp_path / "r.jsonl"
    record.write_text('["tests/cupy_tests/a/f.py::test_x", "passed", ""]\n["tests/cup', "utf-8")
    found = conformance.read_outcomes(record, "a/f.py")
    assert [(row.name, row.outcome) for row in found] == [
        ("a/f.py::test_x", "passed"),
        ("a/f.py", "error"),
    ]
