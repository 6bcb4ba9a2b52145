"""What became of the project's own tests under the port, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from gpuport.documents.notices import Level, Notice, Topic
from gpuport.documents.pages import Table, code
from gpuport.verify.verdicts.junit import clean

LEDGER = Path(".gpuport") / "expected-failures.toml"

REGRESSION, UNEXPECTED, BEFORE = "test-regression", "test-unexpected-pass", "test-failed-before"
TOPICS = (
    Topic(
        REGRESSION, "test-regression", "A test passes with the original, not with the port",
        "It failed, was not run, or its process hung, crashed or ran out of memory.", Level.ERROR,
    ),
    Topic(
        UNEXPECTED, "test-unexpected-pass", "A test that is expected to fail passes",
        f"Take it out of {LEDGER.as_posix()}.", Level.ERROR,
    ),
    Topic(
        BEFORE, "test-failed-before", "A test fails with the original, too",
        "It says nothing about the port.", Level.NOTE,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """Tests by what became of them under the port, with the reasons of failures."""

    passed: tuple[str, ...] = ()
    regressions: tuple[tuple[str, str], ...] = ()
    expected: tuple[tuple[str, str], ...] = ()
    unexpected: tuple[str, ...] = ()
    before: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()
    backend: str = "host"
    command: str = ""

    @property
    def exit_status(self) -> int:
        """1 for a regression, or for an expected failure that passes; 2 where nothing passed."""
        if self.regressions or self.unexpected:
            return 1
        return 0 if self.passed else 2

    def text(self) -> str:
        """The outcome for people."""
        lines = [f"{what}: {name}{': ' * bool(why)}{why}" for what, name, why in self._told()]
        return "\n".join((*lines, self.summary())) + "\n"

    def summary(self) -> str:
        """How many there are of each."""
        return (
            f"{len(self.passed)} passed, {len(self.regressions)} regressions, "
            f"{len(self.expected)} expected failures, {len(self.unexpected)} unexpected passes, "
            f"{len(self.before)} fail without the port too (backend: {self.backend})"
        )

    def concise(self) -> str:
        """One line for each test that makes the run fail."""
        failing = [f"{name}: regression: {why}" for name, why in self.regressions]
        failing += [f"{name}: unexpected pass" for name in self.unexpected]
        return "".join(f"{line}\n" for line in failing)

    def plain(self) -> dict[str, Any]:
        """The outcome as plain values for JSON."""
        return {
            "command": self.command,
            "backend": self.backend,
            "passed": list(self.passed),
            "regressions": dict(self.regressions),
            "expected_failures": dict(self.expected),
            "unexpected_passes": list(self.unexpected),
            "failing_before": dict(self.before),
            "not_run": list(self.unknown),
            "exit_status": self.exit_status,
        }

    def table(self) -> Table:
        """The tests that are to be told of, for a page."""
        rows = tuple((code(name), what, why) for what, name, why in self._told())
        return Table("Tests", ("test", "outcome", "why"), rows)

    def notices(self) -> Iterator[Notice]:
        """What a reviewer has to look at."""
        for name, why in self.regressions:
            yield _notice(name, Level.ERROR, REGRESSION, f"regression: {why}")
        for name in self.unexpected:
            yield _notice(name, Level.ERROR, UNEXPECTED, "passes, and is expected to fail")
        for name, why in self.before:
            yield _notice(name, Level.NOTE, BEFORE, f"fails without the port too: {why}")

    def add_to(self, root: ElementTree.Element) -> None:
        """A suite of JUnit's with a case for each test."""
        tests = len(self.passed) + len(self.unexpected)
        skipped = (*self.expected, *self.before)
        suite = ElementTree.SubElement(root, "testsuite", name=self.command)
        suite.set("tests", str(tests + len(self.regressions) + len(skipped)))
        suite.set("failures", str(len(self.regressions) + len(self.unexpected)))
        suite.set("skipped", str(len(skipped)))
        for name in self.passed:
            _case(suite, name)
        for name, why in self.regressions:
            ElementTree.SubElement(_case(suite, name), "failure", message=clean(why))
        for name in self.unexpected:
            ElementTree.SubElement(_case(suite, name), "failure", message="unexpected pass")
        for name, why in self.expected:
            said = clean(f"expected failure: {why}")
            ElementTree.SubElement(_case(suite, name), "skipped", message=said)
        for name, why in self.before:
            said = clean(f"fails without the port too: {why}")
            ElementTree.SubElement(_case(suite, name), "skipped", message=said)

    def _told(self) -> Iterator[tuple[str, str, str]]:
        yield from (("regression", name, why) for name, why in self.regressions)
        yield from (("expected failure", name, why) for name, why in self.expected)
        away = f"take it out of {LEDGER.as_posix()}"
        yield from (("unexpected pass", name, away) for name in self.unexpected)
        yield from (("fails without the port too", name, why) for name, why in self.before)
        yield from ((f"not run, though in {LEDGER.as_posix()}", n, "") for n in self.unknown)


def _case(suite: ElementTree.Element, test: str) -> ElementTree.Element:
    owner, _, name = test.rpartition("::")
    return ElementTree.SubElement(suite, "testcase", classname=clean(owner), name=clean(name))


def _notice(test: str, level: Level, kind: str, message: str) -> Notice:
    return Notice(_file_of(test), 0, level, kind, f"`{test}` {message}")


def _file_of(test: str) -> str:
    """The file of ``tests.test_a.TestB::test_c``: the longest beginning that is one."""
    parts = test.partition("::")[0].split(".")
    for count in range(len(parts), 0, -1):
        file = Path(*parts[:count]).with_suffix(".py")
        if file.is_file():
            return file.as_posix()
    return "."
