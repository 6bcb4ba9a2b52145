"""The project's own tests against the port, with a ledger of failures that are known."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from gpuport.cli.verify import FORMATS, command
from gpuport.verify.records import VerifyError
from gpuport.verify.sessions.suite import run_suite
from gpuport.verify.sides.originals import laid_out
from gpuport.verify.verdicts.suitereport import SuiteReport


@pytest.fixture(autouse=True)
def plain_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this run itself is told is not for the suites in it."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)


ORIGINAL = "import numpy as np\n\n\ndef total(x):\n    return np.sum(x)\n"
GOOD = """
import cupy as cp
from gpuport.runtime import device


@device("x")
def total(x):
    return cp.sum(x)
"""
BAD = GOOD.replace("cp.sum(x)", "cp.sum(x) + 1")
TESTS = """
import numpy as np
from work import total


def test_sum():
    assert total(np.arange(4.0)) == 6.0


def test_kind():
    assert isinstance(total(np.ones(3)), np.float64)


def test_broken():
    assert total(np.ones(3)) == 7.0
"""
LEDGER = '[[test]]\nname = "test_work::test_sum"\nreason = "known"\n'

Suite = Callable[..., SuiteReport]


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(text), encoding="utf-8")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    def run(
        port: str, ledger: str = "", words: str = "pytest", tests: str = TESTS, **more: str
    ) -> SuiteReport:
        shared = {"test_work.py": tests, **more}
        old = write(tmp_path / "old", {"work.py": ORIGINAL, **shared})
        new = write(tmp_path / "new", {"work.py": port, **shared})
        if ledger:
            write(new, {".gpuport/expected-failures.toml": ledger})
        (tmp_path / "scratch").mkdir()
        before = contents(old), contents(new)
        report = run_suite(words, new, "host", old, tmp_path / "scratch")
        assert (contents(old), contents(new)) == before, "a run wrote beside the sources"
        return report

    return run


def test_a_port_that_holds_passes(suite: Suite) -> None:
    report = suite(GOOD)
    assert (len(report.passed), report.exit_status) == (2, 0)
    assert [name for name, _ in report.before] == ["test_work::test_broken"]
    assert "fails without the port too: test_work::test_broken" in report.text()


def test_what_passed_before_and_fails_now_is_a_regression(suite: Suite) -> None:
    report = suite(BAD)
    assert [name for name, _ in report.regressions] == ["test_work::test_sum"]
    assert report.exit_status == 1
    assert "regression: test_work::test_sum: " in report.text()


def test_an_expected_failure_is_no_regression(suite: Suite) -> None:
    report = suite(BAD, LEDGER)
    assert report.expected == (("test_work::test_sum", "known"),)
    assert (report.regressions, report.exit_status) == ((), 0)


def test_an_unexpected_pass_fails_the_run(suite: Suite) -> None:
    report = suite(GOOD, LEDGER)
    assert report.unexpected == ("test_work::test_sum",)
    assert (len(report.passed), report.exit_status) == (1, 1)


def test_an_expectation_may_hold_for_one_backend_only(suite: Suite) -> None:
    report = suite(BAD, LEDGER + 'condition = "cuda"\n')
    assert [name for name, _ in report.regressions] == ["test_work::test_sum"]


def test_a_ledger_that_names_no_test_is_told(suite: Suite) -> None:
    report = suite(GOOD, LEDGER.replace("test_sum", "test_gone"))
    assert report.unknown == ("test_work::test_gone",)
    assert "test_work::test_gone" in report.text()


@pytest.mark.parametrize(
    ("ledger", "said"),
    [('[[test]]\nname = "a"\n', "needs a name and a reason"), ("[[test", "not valid TOML")],
)
def test_a_ledger_that_cannot_be_read_stops_the_run(suite: Suite, ledger: str, said: str) -> None:
    with pytest.raises(VerifyError, match=said):
        suite(GOOD, ledger)


def test_a_test_that_the_port_skips_is_a_regression(suite: Suite) -> None:
    tests = """
    import pytest
    import work


    def test_it():
        if hasattr(work, "cp"):
            pytest.skip()
    """
    report = suite(GOOD, tests=tests)
    assert report.regressions == (("test_work::test_it", "it was not run"),)


def test_a_module_that_cannot_be_imported_any_more_is_a_regression(suite: Suite) -> None:
    report = suite("raise ImportError('gone')\n")
    names = [name for name, _ in report.regressions]
    assert {"test_work::test_sum", "test_work::test_kind"} <= set(names)


LOSING = """
import os
import time

import numpy as np
import work

PORT = hasattr(work, "cp")


def test_first():
    assert work.total(np.ones(3)) == 3.0


def test_lost():
    if PORT:
        {fault}


def test_later():
    assert work.total(np.ones(4)) == 4.0
"""


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("os.kill(os.getpid(), 9)", "killed by SIGKILL"),
        ("os.kill(os.getpid(), 11)", "killed by SIGSEGV"),
        ("time.sleep(1000)", "did not end within"),
        ("bytearray(1 << 45)", "MemoryError"),
        ("[np.empty(1 << 27) for _ in range(64)]", "Unable to allocate"),
    ],
)
def test_what_loses_its_process_is_a_regression_and_the_others_are_run(
    fault: str, said: str, suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuport.verify.sessions.suite._LEAST_SECONDS", 4.0)
    monkeypatch.setattr("gpuport.verify.sessions.suite._TIMES_LONGER", 1.0)
    report = suite(GOOD, tests=LOSING.format(fault=fault))
    ((name, why),) = report.regressions
    assert name == "test_work::test_lost"
    assert said in why
    assert report.passed == ("test_work::test_first", "test_work::test_later")


def test_a_module_that_kills_the_process_is_a_regression(suite: Suite) -> None:
    report = suite("import os\nos.kill(os.getpid(), 9)\n")
    names = dict(report.regressions)
    assert "killed by SIGKILL" in names.pop("outside of the tests")
    assert set(names.values()) == {"it was not run"}


def test_tests_that_run_pytest_themselves_tell_of_themselves_alone(suite: Suite) -> None:
    inner = "def test_inner():\n    assert False\n"
    tests = """
    import pathlib, subprocess, sys


    def test_outer(tmp_path):
        file = tmp_path / "test_it.py"
        file.write_text({inner!r})
        done = subprocess.run([sys.executable, "-m", "pytest", str(file)])
        assert done.returncode == 1
    """
    report = suite(GOOD, tests=tests.format(inner=inner))
    assert (report.passed, report.before) == (("test_work::test_outer",), ())


def test_the_automatic_backend_is_the_host_where_there_is_no_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    old = write(tmp_path / "old", {"work.py": ORIGINAL, "test_work.py": TESTS})
    new = write(tmp_path / "new", {"work.py": GOOD, "test_work.py": TESTS})
    report = run_suite("pytest", new, "auto", old, tmp_path / "scratch")
    assert (report.backend, report.regressions) == ("host", ())


def test_names_are_those_of_junit(suite: Suite) -> None:
    tests = """
    import pytest


    class TestIt:
        @pytest.mark.parametrize("x", ["a::b", "c/d.py"])
        def test_both(self, x):
            pass
    """
    report = suite(GOOD, tests=tests)
    names = tuple(f"test_work.TestIt::test_both[{x}]" for x in ("a::b", "c/d.py"))
    assert report.passed == names


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"{sys.executable} -c 'print(1)'", "must be a pytest command"),
        ("no-such-command-here tests", "cannot be started"),
        ("pytest 'tests", "closing quotation"),
        ("", "empty"),
    ],
)
def test_a_command_that_is_not_pytests_stops_the_run(suite: Suite, words: str, said: str) -> None:
    with pytest.raises(VerifyError, match=f"(?i){said}"):
        suite(GOOD, words=words)


def test_the_users_own_start_up_and_path_are_kept(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = write(
        tmp_path / "own",
        {
            "sitecustomize.py": "import os\nos.environ['STARTED'] = '1'\n",
            "helper.py": "N = 6.0\n",
        },
    )
    monkeypatch.setenv("PYTHONPATH", str(place))
    tests = """
    import os
    import numpy as np
    from helper import N
    from work import total


    def test_both():
        assert os.environ["STARTED"] == "1"
        assert total(np.arange(4.0)) == N
    """
    report = suite(GOOD, tests=tests)
    assert (len(report.passed), report.regressions, report.before) == (1, (), ())


def test_each_run_takes_the_modules_of_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # as a package that is installed in place: the port is on the path of both runs
    old = write(tmp_path / "old", {"src/work.py": ORIGINAL, "tests/test_work.py": TESTS})
    new = write(tmp_path / "new", {"src/work.py": BAD, "tests/test_work.py": TESTS})
    monkeypatch.setenv("PYTHONPATH", str(new / "src"))
    report = run_suite("pytest tests", new, "host", old, tmp_path)
    assert [name.rpartition("::")[2] for name, _ in report.regressions] == ["test_sum"]


def test_the_command_line_compares_with_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"work.py": ORIGINAL, "test_work.py": TESTS})
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "1"],
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    write(tmp_path, {"work.py": BAD})
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(command, ["--suite", "pytest"], standalone_mode=False)
    assert result.return_value == 1, result.output
    assert "1 regressions" in result.output
    assert not (tmp_path / ".pytest_cache").exists()


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_of_the_tests(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = write(tmp_path / "old", {"work.py": ORIGINAL, "test_work.py": TESTS})
    new = write(tmp_path / "new", {"work.py": BAD, "test_work.py": TESTS})
    monkeypatch.chdir(new)
    arguments = ["--suite", "pytest", "--against", str(old), "--output-format", form]
    runner = CliRunner()
    alone = runner.invoke(command, arguments, standalone_mode=False)
    both = runner.invoke(
        command, [*arguments, "work.py", "--output-file", "report"], standalone_mode=False
    )
    assert (alone.return_value, both.return_value) == (1, 1), alone.output
    whole = (new / "report").read_text()
    for text in (alone.output, whole):
        assert "test_sum" in text
    assert "nothing verified" not in alone.output
    assert "total" in whole
    if form == "json":
        document = json.loads(whole)
        assert document["suite"]["passed"] == ["test_work::test_kind"]
        assert set(document["suite"]["regressions"]) == {"test_work::test_sum"}
        assert document["exit_status"] == 1
    if form == "junit":
        first, second = ElementTree.fromstring(whole).iter("testsuite")
        assert (first.get("name"), second.get("name")) == ("work.py", "pytest")
        counts = {name: second.get(name) for name in ("tests", "failures", "skipped")}
        assert counts == {"tests": "3", "failures": "1", "skipped": "1"}
    if form in ("sarif", "github"):
        assert "test_work.py" in whole


def test_originals_are_laid_out_as_a_whole(tmp_path: Path) -> None:
    folder = write(tmp_path / "old", {"a.txt": "1"})
    assert laid_out("old", tmp_path, tmp_path / "scratch") == folder.resolve()


SLEEPING = """
import os
import time
from pathlib import Path


def test_long():
    Path({told!r}).write_text(str(os.getpid()))
    time.sleep(120)
"""


@pytest.mark.skipif(
    sys.platform == "win32", reason="processes are not terminated by a signal there"
)
def test_a_suite_ends_with_a_command_that_is_terminated(tmp_path: Path) -> None:
    told = tmp_path / "told"
    tests = SLEEPING.format(told=str(told))
    old = write(tmp_path / "old", {"work.py": ORIGINAL, "test_work.py": tests})
    new = write(tmp_path / "new", {"work.py": GOOD, "test_work.py": tests})
    words = [sys.executable, "-m", "gpuport", "verify", "--against", str(old), "--suite", "pytest"]
    with subprocess.Popen(words, cwd=new, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (told.is_file() and told.read_text()):
            time.sleep(0.05)
        process.terminate()
        assert "interrupted" in process.communicate()[1]
    assert process.returncode == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)
