"""Functions spread over a Dask cluster: the same verdicts, and errors that say what is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import FunctionVerdict, VerifyOptions, VerifyReport
from gpuport.verify.sessions.session import verify_paths

ORIGINAL = """
import numpy as np


def same(x: np.ndarray):
    return np.exp(x) * 2.0


def other(x: np.ndarray):
    return x + 1.0


def untouched(x: np.ndarray):
    return x - 1.0


class Model:
    def __init__(self, a: float):
        self.a = a

    def run(self, x: np.ndarray):
        return self.a * x
"""
PORT = ORIGINAL.replace("np.exp(x) * 2.0", "2.0 * np.exp(x)").replace("x + 1.0", "x + 1.5")
PORT = PORT.replace("self.a * x", "x * self.a")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    distributed: Any = pytest.importorskip("distributed")
    made = distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None,
        protocol="tcp://",
    )  # fmt: skip
    with made as cluster:
        yield cluster.scheduler_address


def report(folder: Path, options: VerifyOptions) -> VerifyReport:
    for name, text in (("old", ORIGINAL), ("new", PORT)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "module.py").write_text(text)
    return verify_paths([folder / "new"], str(folder / "old"), options)


def plain(function: FunctionVerdict) -> Any:
    return replace(function, counterexample=None)


def test_verdicts_are_the_same_as_without(tmp_path: Path, address: str) -> None:
    options = VerifyOptions(root=tmp_path, examples=25, function_seconds=120.0)
    here = report(tmp_path, options)
    there = report(tmp_path, replace(options, scheduler=address))
    assert not there.failed, there
    assert list(map(plain, here.functions())) == list(map(plain, there.functions()))
    saved = [f.counterexample for f in there.functions() if f.verdict.failing]
    assert saved
    assert all(c is not None and c.test.is_file() for c in saved)


def test_an_address_where_nothing_answers_fails_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("gpuport.verify.sessions.spread._CONNECT_SECONDS", 1)
    found = report(tmp_path, VerifyOptions(root=tmp_path, scheduler="tcp://127.0.0.1:1"))
    assert found.exit_status == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in found.errors[0]


def test_without_the_package_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = report(tmp_path, VerifyOptions(root=tmp_path, scheduler="tcp://127.0.0.1:1"))
    assert found.exit_status == 2
    assert "gpuport[dask]" in found.errors[0]
