"""The pipeline, with a port that is a few text replacements: what is tested is all around it."""

import ast
import os
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path

import pytest

from gpuport import engine, porter
from gpuport.config import Config
from gpuport.records import (
    CallCounts,
    FileReport,
    Finding,
    FunctionReport,
    RunReport,
    Severity,
    Span,
    Status,
)
from gpuport.report.diff import unified_diff
from gpuport.source.module import Module

PROGRAM = b"import numpy as np\ny = np.sin(1)\n"
PORTED = b"import cupy as cp\nimport numpy as np\ny = cp.sin(1)\n"


def fake_port(module: Module, config: Config, **_: object) -> FileReport:
    text = module.text
    if "explode" in text:
        raise KeyError("boom")
    if "bottomless" in text:
        raise RecursionError
    if "nonsense" in text:
        return FileReport(module.path, before=text, after=text + "def (\n")
    if "restless" in text:
        return FileReport(module.path, before=text, after=text + "# restless\n")
    after = text.replace("np.sin", "cp.sin")
    if after != text and "import cupy" not in after:
        after = after.replace("import numpy", "import cupy as cp\nimport numpy", 1)
    findings = [Finding("GP101", Severity.INFO, Span(2, 5, 2, 11), "np.sin swapped")]
    if "np.missing" in text:
        findings.append(Finding("GP102", Severity.ERROR, Span(2, 1, 2, 2), "no", reason="missing"))
    functions = (FunctionReport("<module>", 1, Status.PORTED, swapped=1),)
    return FileReport(
        module.path, tuple(findings), functions, CallCounts(1, 1, 0), before=text, after=after
    )


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fake = types.ModuleType("gpuport.passes.port")
    fake.port_module = fake_port  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpuport.passes.port", fake)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(**files: bytes) -> None:
    for name, data in files.items():
        Path(f"{name}.py").write_bytes(data)


def run(*paths: str, **settings: object) -> RunReport:
    return engine.run(paths, Config(**settings), warn=lambda _: None)  # type: ignore[arg-type]


def error_of(report: RunReport, name: str) -> str:
    error = next(file.error for file in report.files if file.path == f"{name}.py")
    assert error is not None
    return error.message


def test_a_run_ports_in_place():
    make(a=PROGRAM)
    report = run(".")
    assert Path("a.py").read_bytes() == PORTED
    assert report.files[0].changed
    assert engine.exit_status(report, Config()) == 0
    assert not run(".").files[0].changed


def test_a_dry_run_writes_nothing():
    make(a=PROGRAM)
    config = Config(dry_run=True, out_dir="out")
    report = engine.run(["a.py"], config)
    assert Path("a.py").read_bytes() == PROGRAM
    assert not Path("out").exists()
    assert engine.exit_status(report, config) == 1
    assert engine.exit_status(report, replace(config, exit_zero=True)) == 0


@pytest.mark.parametrize(
    "original",
    [
        PROGRAM,
        PROGRAM.rstrip(b"\n"),
        PROGRAM.replace(b"\n", b"\r\n"),
        PROGRAM.replace(b"\n", b"\r\n").rstrip(b"\r\n"),
        b"import numpy as np\r\nx = 1\ny = np.sin(1)\r\n\f\nz = '\x1c\xe2\x80\xa8'\r\n",
        b"\xef\xbb\xbf" + PROGRAM,
        b"# coding: latin-1\ns = '\xe9'\n" + PROGRAM + b"t = '\xe8'\n",
        b"\n" * 50 + PROGRAM + b"\tx\n" * 0 + b"if y:\n\tpass\n" + b"\n" * 50,
    ],
)
def test_the_diff_applies_and_reverts_to_the_same_bytes(original: bytes, work: Path):
    make(a=original)
    diff = unified_diff(run("a.py", dry_run=True).files[0])
    patch = diff.encode("utf-8", "surrogateescape")
    run("a.py")
    ported = Path("a.py").read_bytes()
    assert ported != original
    for arguments, expected in (["--reverse"], original), ([], ported):
        command = ["git", "apply", "--whitespace=nowarn", *arguments, "-"]
        subprocess.run(command, input=patch, check=True, cwd=work)
        assert Path("a.py").read_bytes() == expected


def test_a_diff_of_a_name_with_blanks_applies(work: Path):
    Path("a b.py").write_bytes(PROGRAM)
    diff = unified_diff(run("a b.py", dry_run=True).files[0])
    subprocess.run(["git", "apply", "-"], input=diff.encode(), check=True, cwd=work)
    assert Path("a b.py").read_bytes() == PORTED


@pytest.mark.parametrize("newline", [b"\r\n", b"\r"])
def test_inserted_lines_end_as_the_files_own(newline: bytes):
    make(a=PROGRAM.replace(b"\n", newline))
    run("a.py")
    assert Path("a.py").read_bytes() == PORTED.replace(b"\n", newline)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b"import numpy\ndef f(:\n", "syntax error"),
        (b"import numpy\nprint 'old'\n", "Python 2"),
        (b"import numpy\ns = '\xe9'\n", "cannot be decoded"),
        (b"# coding: ascii\nimport numpy; s = '\xe9'\n", "ascii"),
        (b"numpy\0\1\2", "null byte"),
        (b"import numpy\nx = " + b"(" * 5000 + b")" * 5000, "nested|parenthes"),
        (b"import numpy\nexplode\n", "internal error: KeyError.*--debug"),
        (b"import numpy\nbottomless\n", "nested too deeply"),
        (b"import numpy\nnonsense\n", "INTERNAL ERROR.*does not parse"),
    ],
)
def test_a_bad_file_fails_alone_and_stays_as_it_was(bad: bytes, message: str):
    make(bad=bad, good=PROGRAM)
    report = run(".")
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(error_of(report, "bad"))
    assert Path("bad.py").read_bytes() == bad
    assert Path("good.py").read_bytes() == PORTED
    assert engine.exit_status(report, Config(exit_zero=True)) == 2
    assert "Traceback" not in error_of(report, "bad")


def test_debug_shows_where_it_happened_and_ports_twice():
    make(explodes=b"import numpy\nexplode\n", restless=b"import numpy # restless\n")
    report = run(".", debug=True)
    assert "Traceback" in error_of(report, "explodes")
    assert "change it again" in error_of(report, "restless")
    assert Path("restless.py").read_bytes() == b"import numpy # restless\n"


def test_a_missing_path_fails_and_the_rest_is_done():
    make(good=PROGRAM)
    report = run("absent", "good.py")
    assert Path("good.py").read_bytes() == PORTED
    assert engine.exit_status(report, Config()) == 2


def test_files_without_numpy_are_not_parsed_unless_named(monkeypatch: pytest.MonkeyPatch):
    make(plain=b"x = 1\n", broken=b"def f(:\n")
    parse = ast.parse
    monkeypatch.setattr(ast, "parse", lambda *_: pytest.fail("parsed"))
    report = run(".")
    assert not report.failed
    assert len(report.files) == 2
    monkeypatch.setattr(ast, "parse", parse)
    assert "syntax error" in error_of(run("broken.py"), "broken")


def test_a_notebook_is_refused_not_passed_over():
    Path("n.ipynb").write_text("{}")
    report = run("n.ipynb")
    assert report.files[0].error is not None
    assert "notebook" in report.files[0].error.message


def test_copies_keep_the_structure_and_originals_stay():
    Path("p/q").mkdir(parents=True)
    Path("p/q/a.py").write_bytes(PROGRAM)
    Path("p/plain.py").write_bytes(b"x = 1\n")
    run("p", out_dir="out")
    assert Path("out/q/a.py").read_bytes() == PORTED
    assert Path("out/plain.py").read_bytes() == b"x = 1\n"
    assert Path("p/q/a.py").read_bytes() == PROGRAM


def test_no_copy_replaces_another_or_an_original():
    for folder in "ab":
        Path(folder).mkdir()
        Path(folder, "x.py").write_bytes(PROGRAM)
    report = run("a/x.py", "b/x.py", out_dir="out")
    assert [file.error is None for file in report.files] == [True, False]
    assert run("a/x.py", out_dir="a").failed
    assert Path("a/x.py").read_bytes() == PROGRAM


def test_select_ignore_and_comments_choose_what_is_reported():
    make(a=PROGRAM + b"np.missing\n")
    assert [f.code for f in run("a.py", dry_run=True).files[0].findings] == ["GP101", "GP102"]
    assert engine.exit_status(run("a.py"), Config()) == 1
    assert [f.code for f in run("a.py", ignore=("GP101",)).files[0].findings] == ["GP102"]
    make(a=PROGRAM.replace(b"sin(1)", b"sin(1)  # gpuport: ignore[GP1]") + b"np.missing\n")
    assert run("a.py").files[0].findings == ()


def test_a_skipped_file_stays_and_says_so():
    make(a=b"# gpuport: skip-file\n" + PROGRAM)
    report = run("a.py")
    assert Path("a.py").read_bytes() == b"# gpuport: skip-file\n" + PROGRAM
    assert [f.code for f in report.files[0].findings] == [porter.SUPPRESSED]


def test_a_misspelt_comment_is_a_finding():
    make(a=b"import numpy  # gpuport: skip-fil\n")
    findings = run("a.py").files[0].findings
    assert [(f.code, f.span.line) for f in findings if f.severity is Severity.WARNING] == [
        (porter.MISREAD_COMMENT, 1)
    ]


def test_workers_give_the_same_reports_in_the_same_order():
    count = engine.FILES_WORTH_WORKERS + 9
    for number in range(count):
        Path(f"f{number:03}.py").write_bytes(PROGRAM)
    Path("f005.py").write_bytes(b"import numpy\nexplode\n")
    alone = run(".", dry_run=True, jobs=1)
    steps: list[tuple[int, int]] = []
    config = Config(dry_run=True, jobs=2)
    together = engine.run(["."], config, progress=lambda *step: steps.append(step))
    assert together == alone
    assert steps == [(n + 1, count) for n in range(count)]


def test_a_worker_that_dies_costs_its_files_only_a_message(monkeypatch: pytest.MonkeyPatch):
    for number in range(engine.FILES_WORTH_WORKERS):
        Path(f"f{number:03}.py").write_bytes(PROGRAM)
    monkeypatch.setattr(
        sys.modules["gpuport.passes.port"], "port_module", lambda *_, **__: os._exit(3)
    )
    report = run(".", jobs=2)
    assert len(report.files) == engine.FILES_WORTH_WORKERS
    assert "worker process died" in error_of(report, "f000")
    assert Path("f000.py").read_bytes() == PROGRAM


def test_streams_are_ported_as_files_are():
    report, data = porter.port_stream(PROGRAM, Config())
    assert (report.changed, data) == (True, PORTED)
    assert porter.port_stream(b"x = 1\r\n", Config())[1] == b"x = 1\r\n"
    failed, data = porter.port_stream(b"def f(:\n", Config())
    assert failed.error is not None
    assert data == b""


def test_a_large_file_is_handled():
    make(a=PROGRAM + b"".join(b"v%d = np.sin(%d)\n" % (n, n) for n in range(50_000)))
    report = run("a.py")
    assert report.files[0].error is None
    assert b"np.sin" not in Path("a.py").read_bytes()
