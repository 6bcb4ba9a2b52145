"""A plugin of pytest, for ``gpuport verify --suite``: which test begins, and how each ends.

Each line of the journal is whole when it is written, so that it holds what happened even where the
process dies. With pytest-xdist the process that hands out the tests writes it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

JOURNAL, DONE, MEMORY = "GPUPORT_SUITE_JOURNAL", "GPUPORT_SUITE_DONE", "GPUPORT_SUITE_MEMORY"
CUT = 300
_SEPARATOR = "\x1f"
_PARTS = 3
_journal = ""


def lines_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Event, test and message of each line."""
    for line in text.splitlines():
        parts = line.split(_SEPARATOR)
        if len(parts) == _PARTS:
            yield parts[0], parts[1], parts[2]


def name_of(nodeid: str) -> str:
    """``tests.test_a.TestB::test_c`` of ``tests/test_a.py::TestB::test_c``, as JUnit names it."""
    path, _, rest = nodeid.partition("::")
    module = re.sub(r"\.py$", "", path).replace("/", ".")
    if not rest:
        return module
    before, bracket, parameters = rest.partition("[")
    *owners, name = before.split("::")
    return f"{'.'.join((module, *owners))}::{name}{bracket}{parameters}"


def pytest_configure(config: Any) -> None:
    """Take the journal for this run alone: tests may run pytest themselves."""
    global _journal
    _journal = os.environ.pop(JOURNAL, "") or _journal


def _write(event: str, nodeid: str, text: str = "") -> None:
    if _journal and not os.environ.get("PYTEST_XDIST_WORKER"):
        words = (event, name_of(nodeid), " ".join(text.split())[:CUT])
        with open(_journal, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_SEPARATOR.join(words) + "\n")


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leave out what has run already, before the process was lost."""
    done = os.environ.get(DONE)
    if done and os.path.exists(done):
        with open(done, encoding="utf-8") as file:
            known = set(file.read().splitlines())
        left = [item for item in items if name_of(item.nodeid) not in known]
        if len(left) < len(items):
            config.hook.pytest_deselected(items=[i for i in items if i not in left])
            items[:] = left


def pytest_collectreport(report: Any) -> None:
    """A module that cannot be imported."""
    if report.failed:
        _write("failed", report.nodeid, _said(report) or "it cannot be collected")


def pytest_runtest_logstart(nodeid: str, location: Any) -> None:
    """A test begins."""
    _write("begins", nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    """A test has been set up, called or taken down."""
    if report.failed:
        _write("failed", report.nodeid, _said(report) or "failed")
    elif report.when == "call" and report.passed:
        _write("passed", report.nodeid)


def pytest_runtest_logfinish(nodeid: str, location: Any) -> None:
    """A test has ended."""
    _write("ends", nodeid)


def _said(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = getattr(crash, "message", None) or report.longreprtext
    lines = text.strip().splitlines()
    # pytest-xdist puts a line of its own before
    return next((line for line in lines if line.strip() and not line.startswith("[gw")), "")
