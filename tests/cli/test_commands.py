"""The command line as a user sees it: in its own process, with the real port."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gpuport

Run = Callable[..., subprocess.CompletedProcess[str]]
PROGRAM = """\
import numpy as np


def smooth(signal: np.ndarray) -> np.ndarray:
    window = np.hanning(9)
    return np.fft.irfft(np.fft.rfft(signal, 16) * window)
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    # Also where the package is not installed but found by a relative PYTHONPATH.
    environment["PYTHONPATH"] = str(Path(gpuport.__file__).parents[1])

    def call(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        completed = subprocess.run(
            [sys.executable, "-m", "gpuport", *arguments],
            cwd=tmp_path, env=environment, capture_output=True, text=True, **options,  # type: ignore[call-overload]
        )  # fmt: skip
        assert "Traceback" not in completed.stderr
        return completed

    return call


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def test_version_and_help(run: Run):
    assert run("--version").stdout.startswith("gpuport 0")
    helped = run("--help")
    assert helped.returncode == 0
    for command in ("rewrite", "check", "verify", "rules", "explain"):
        assert command in helped.stdout
        assert run(command, "--help").returncode == 0


def test_version_needs_no_click(tmp_path: Path):
    code = "import sys; sys.argv = ['gpuport', '--version']; import gpuport.cli.main as m; m.main()"
    code += "; assert not {'click', 'numpy', 'yaml', 'libcst', 'ast'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_dry_run_prints_a_diff_that_applies(run: Run, program: Path):
    dry = run("rewrite", "--dry-run", "program.py")
    assert dry.returncode == 1
    assert program.read_text() == PROGRAM
    patch = dry.stdout[: dry.stdout.index("\nprogram.py:")]
    subprocess.run(["git", "apply", "-"], input=patch, text=True, cwd=program.parent, check=True)
    by_patch = program.read_text()
    program.write_text(PROGRAM)
    assert run("rewrite", "program.py").returncode == 0
    assert program.read_text() == by_patch
    assert run("rewrite", "--dry-run", "program.py").returncode == 0


def test_check_finds_and_writes_nothing(run: Run, program: Path):
    checked = run("check", "program.py")
    assert checked.returncode == 1
    assert "---" not in checked.stdout
    assert "1 would be ported" in checked.stdout
    assert run("check", "--exit-zero", "program.py").returncode == 0
    assert "--- a/program.py" in run("check", "--diff", "program.py").stdout
    assert program.read_text() == PROGRAM


def test_stdin_to_stdout_is_the_program_alone(run: Run, program: Path):
    piped = run("rewrite", "-", input=PROGRAM)
    run("rewrite", "program.py")
    assert piped.stdout == program.read_text()
    assert "Files: 1 ported" in piped.stderr
    assert run("rewrite", "-", input="x = 1").stdout == "x = 1"
    broken = run("rewrite", "-", input="def f(:\n")
    assert (broken.returncode, broken.stdout) == (2, "")
    assert "-:1:7: syntax error" in broken.stderr


def test_the_document_goes_to_stdout_or_to_a_file(run: Run, program: Path):
    document = json.loads(run("check", "--output-format", "json", ".").stdout)
    assert document["files"][0]["path"] == "program.py"
    written = run("check", "--output-format", "json", "--output-file", "r.json", ".")
    assert written.stdout == ""
    assert json.loads((program.parent / "r.json").read_text()) == document
    folder = run("check", "--output-file", ".", ".")
    assert (folder.returncode, folder.stderr) == (2, "error: .: is a folder; nothing was written\n")


def test_a_bad_file_is_named_and_the_others_are_ported(run: Run, program: Path):
    bad = program.with_name("bad.py")
    bad.write_text("import numpy\nprint 'x'\n")
    done = run("rewrite", ".", "absent")
    assert done.returncode == 2
    assert "error: bad.py:2:1: syntax error" in done.stderr
    assert "error: absent: no such file or folder" in done.stderr
    assert program.read_text() != PROGRAM
    assert bad.read_text() == "import numpy\nprint 'x'\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write any file")
def test_a_read_only_file_stays(run: Run, program: Path):
    program.chmod(0o444)
    done = run("rewrite", "program.py")
    assert done.returncode == 2
    assert "program.py: is read-only" in done.stderr
    assert program.read_text() == PROGRAM
    assert stat.S_IMODE(program.stat().st_mode) == 0o444


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rewrite", "--dri-run", "."], ["--dri-run", "--dry-run"]),
        (["rewrite"], ["PATHS"]),
        (["rewrte", "."], ["rewrte", "did you mean 'rewrite'"]),
        (["check", "--select", "GP777", "."], ["unknown code 'GP777'"]),
        (["check", "--ignore", "XY1", "."], ["unknown code 'XY1'"]),
        (["check", "--select", ",", "."], ["--select"]),
        (["check", "--boundary", "both", "."], ["both", "match"]),
        (["check", "--jobs", "-1", "."], ["--jobs"]),
        (["check", "--rules", "absent_rules", "."], ["absent_rules"]),
        (["check", "--disable", "NO-SUCH-RULE", "."], ["NO-SUCH-RULE"]),
        (["explain", "GP012"], ["GP012"]),
        (["rewrite", "-", "."], ["stdin"]),
        (["rewrite", "--out-dir", "x", "-"], ["--out-dir"]),
    ],
)
def test_mistakes_are_status_2_with_a_word_about_it(
    run: Run, arguments: list[str], words: list[str]
):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    for word in words:
        assert word in done.stderr


def test_configuration_errors_name_file_and_key(run: Run, program: Path):
    (program.parent / "pyproject.toml").write_text("[tool.gpuport]\nboundry = 'match'\n")
    done = run("check", ".")
    assert done.returncode == 2
    assert "pyproject.toml" in done.stderr
    assert "did you mean 'boundary'" in done.stderr


def test_a_broken_rule_is_named_with_its_place(run: Run, program: Path):
    folder = program.parent / "mine"
    folder.mkdir()
    (folder / "r.yaml").write_text("- id: X1\n  nam: x\n")
    done = run("check", "--rules", "mine", ".")
    assert done.returncode == 2
    assert "r.yaml:" in done.stderr


def test_rules_and_pages(run: Run):
    listed = run("rules")
    assert listed.returncode == 0
    rules = json.loads(run("rules", "--output-format", "json").stdout)
    assert len(rules) == len(listed.stdout.splitlines())
    assert rules[0]["id"] in run("explain", rules[0]["id"]).stdout
    assert "missing-in-cupy" in run("explain", "gp102").stdout


def test_verbosity(run: Run, program: Path):
    assert "GP101" not in run("check", ".").stdout
    assert "GP101" in run("check", "-v", ".").stdout
    quiet = run("check", "-q", ".")
    (line, _) = quiet.stdout.splitlines()
    assert "GP109 `smooth` would be ported" in line
    assert quiet.stderr == ""
    assert run("check", "--select", "GP4", "-v", ".").returncode == 1
    assert "GP101" not in run("check", "--select", "GP4", "-v", ".").stdout


def test_colour_on_request_only(run: Run, program: Path):
    assert "\x1b" not in run("rewrite", "--dry-run", ".").stdout
    assert "\x1b[32m+" in run("rewrite", "--dry-run", "--color", "always", ".").stdout


def test_a_closed_pipe_is_not_an_error(program: Path):
    command = f"{sys.executable} -m gpuport rules | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_without_blaming_gpuport(program: Path):
    with open("/dev/full", "w") as full:
        completed = subprocess.run(
            [sys.executable, "-m", "gpuport", "rewrite", "--dry-run", str(program)],
            stdout=full, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert completed.returncode == 2
    assert completed.stderr.splitlines()[-1].startswith("error: stdout cannot be written: ")
    assert "internal error" not in completed.stderr


def test_no_bar_where_nobody_watches(run: Run, program: Path):
    assert run("rewrite", ".").stderr == ""


def test_out_dir(run: Run, program: Path):
    assert run("rewrite", "--out-dir", "out", ".").returncode == 0
    assert program.read_text() == PROGRAM
    assert "cupy" in (program.parent / "out" / "program.py").read_text()


def test_verify_compares_a_port_with_its_original(run: Run, program: Path):
    run("rewrite", "--out-dir", "out", "program.py")
    arguments = ["verify", "--against", ".", "--examples", "3", "out/program.py"]
    assert "smooth" in run(*arguments).stdout
    port = program.parent / "out" / "program.py"
    port.write_text(port.read_text().replace("hanning(9)", "hanning(9) * 2"))
    done = run(*arguments, "--output-format", "json")
    assert done.returncode == 1
    verdicts = json.loads(done.stdout)["files"][0]["functions"]
    assert [v["verdict"] for v in verdicts if v["name"] == "smooth"] == ["DIFFERS"]


@pytest.mark.parametrize("verify", [False, True])
def test_what_is_verified_runs_in_the_users_own_environment(program: Path, verify: bool):
    """A single thread is for porting alone: a program that is run may count its threads."""
    code = (
        "import os; from gpuport.cli.porting import port; from gpuport.config import Config; "
        f"port([{str(program)!r}], Config(dry_run=True, quiet=True), verify={verify}); "
        "print('threads:', os.environ.get('OMP_NUM_THREADS'))"
    )
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("threads: None\n" if verify else "threads: 1\n")


WITHOUT_ISLPY = """\
import importlib.util
import sys

find = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "islpy" else find(name)
from gpuport.cli.app import run

for arguments in (["rewrite", "-q"], ["check", "--output-format", "sarif"], ["check", "-q"]):
    run([*arguments, "loop.py"])
    print("end of a run", file=sys.stderr)
"""


def test_a_run_without_islpy_says_so_last(tmp_path: Path):
    text = "def twice(x, y):\n    for i in range(len(x)):\n        y[i] = 2.0 * x[i]\n"
    Path(tmp_path, "loop.py").write_text("import numpy as np\n\n\n" + text)
    environment = {**os.environ, "PYTHONPATH": str(Path(gpuport.__file__).parents[1])}
    completed = subprocess.run(
        [sys.executable, "-c", WITHOUT_ISLPY],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    *runs, rest = completed.stderr.split("end of a run\n")
    assert [lines.splitlines()[-1][:31] for lines in runs] == [
        "warning: islpy is not installed"
    ] * 3
    assert rest == ""
    assert "GP207" in completed.stdout


STEPS = """\
import sys

import numpy as np


def step(u, k):
    v = np.fft.irfft(np.fft.rfft(u) * np.exp(-0.1 * k))
    return v + 0.1 * np.roll(v, 1)


def main():
    u = np.sin(np.arange(SIZE) * 0.01)
    for k in range(200):
        u = step(u, k)
    print(u.sum())


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("size", "told"), [("400", True), ("4000000", False), ("int(sys.argv[1])", False)]
)
def test_a_port_that_is_likely_to_be_slower_says_so(
    run: Run, program: Path, size: str, told: bool
) -> None:
    program.write_text(STEPS.replace("SIZE", size))
    shown = run("rewrite", "program.py", "--dry-run").stdout
    assert "ported  step" in shown
    assert ("Where the port is likely to be slower" in shown) is told
    assert ("on 800 elements at most" in " ".join(shown.split())) is told
