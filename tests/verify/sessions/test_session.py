"""Finding the originals, siblings of each version, reports and exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.sessions.session import verify_paths
from gpuport.verify.verdicts import render

SHIFT = "import numpy as np\n\ndef shift(x: np.ndarray) -> np.ndarray:\n    return x + 1\n"
PORT = SHIFT.replace("x + 1", "np.add(x, 1)")


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path, files: dict[str, str]) -> None:
    git(folder, "init", "-q")
    write(folder, files)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def options(root: Path) -> VerifyOptions:
    return VerifyOptions(root=root, examples=12)


def test_in_place_ports_are_compared_with_head(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": SHIFT})
    write(tmp_path, {"a.py": PORT})
    report = verify_paths([tmp_path / "a.py"], None, options(tmp_path))
    assert [f.verdict for f in report.functions()] == [Verdict.EQUIVALENT]
    assert report.exit_status == 0


def test_each_version_sees_its_own_siblings(tmp_path: Path) -> None:
    user = (
        "import numpy as np\nfrom .part import step\n\ndef f(x: np.ndarray):\n    return step(x)\n"
    )
    part = "import numpy as np\n\ndef step(x):\n    return np.add(x, {})\n"
    files = {"pkg/__init__.py": "", "pkg/user.py": user, "pkg/part.py": part.format(1)}
    repository(tmp_path, files)
    write(tmp_path, {"pkg/part.py": part.format(2)})
    report = verify_paths([tmp_path / "pkg" / "user.py"], "HEAD", options(tmp_path))
    (function,) = report.functions()
    assert function.verdict is Verdict.DIFFERS, function
    assert report.exit_status == 1


def test_a_replay_fails_without_gpuport_or_hypothesis(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": SHIFT})
    write(tmp_path, {"a.py": SHIFT.replace("+ 1", "+ 2")})
    report = verify_paths([tmp_path / "a.py"], None, options(tmp_path))
    (function,) = report.functions()
    assert function.counterexample is not None
    test = function.counterexample.test
    assert "hypothesis" not in test.read_text()
    # the import hook of the host emulation is the only thing the replay takes from gpuport
    replay = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(replay, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "Mismatched elements" in done.stdout
    write(tmp_path, {"a.py": SHIFT})
    done = subprocess.run(replay, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_nothing_to_compare_with_is_an_error_of_the_run(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": SHIFT, "old/b.py": SHIFT})
    report = verify_paths([tmp_path / "a.py"], "old", options(tmp_path))
    assert report.exit_status == 2
    assert "no original to compare with" in render.text(report)


def test_an_unknown_revision_is_an_error_of_the_run(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": SHIFT})
    report = verify_paths([tmp_path / "a.py"], "no-such-revision", options(tmp_path))
    assert report.exit_status == 2
    assert "--against" in render.text(report)


def test_a_missing_path_and_a_syntax_error_are_named(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def f(:\n", "old/a.py": SHIFT})
    report = verify_paths([tmp_path / "a.py", tmp_path / "gone.py"], "old", options(tmp_path))
    assert report.exit_status == 2
    assert "a.py" in render.text(report)
    assert "gone.py" in render.text(report)


def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": SHIFT})
    write(tmp_path, {"a.py": PORT})
    reports = [verify_paths([tmp_path / "a.py"], None, options(tmp_path)) for _ in range(2)]
    assert render.as_json(reports[0]) == render.as_json(reports[1])


def test_json_holds_the_evidence(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": SHIFT})
    write(tmp_path, {"a.py": PORT})
    document = json.loads(render.as_json(verify_paths([tmp_path], None, options(tmp_path))))
    (function,) = document["files"][0]["functions"]
    assert function["evidence"]["accepted"] >= 10
    assert function["evidence"]["coverage"] == 1.0
    assert document["summary"] == {"EQUIVALENT": 1}


def test_a_function_that_is_not_there_is_an_error_of_the_run(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": SHIFT})
    chosen = VerifyOptions(root=tmp_path, functions=("shift", "shfit"))
    report = verify_paths([tmp_path / "a.py"], None, chosen)
    assert report.exit_status == 2
    assert report.errors == ("no function is called shfit",)


def test_a_replay_makes_the_calls_that_came_before(tmp_path: Path) -> None:
    original = """
    import numpy as np

    class Total:
        def __init__(self):
            self.total = 0.0

        def add(self, x: np.ndarray):
            self.total = self.total + x.sum()

        def get(self, x: np.ndarray):
            return x * self.total
    """
    text = textwrap.dedent(original)
    repository(tmp_path, {"a.py": text})
    write(tmp_path, {"a.py": text.replace("x * self.total", "x * abs(self.total)")})
    report = verify_paths([tmp_path / "a.py"], None, options(tmp_path))
    found = {function.name: function for function in report.functions()}["Total.get"]
    assert found.verdict is Verdict.DIFFERS, found
    assert found.counterexample is not None
    test = found.counterexample.test
    replay = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    assert subprocess.run(replay, cwd=tmp_path, capture_output=True, check=False).returncode == 1
    write(tmp_path, {"a.py": text})
    done = subprocess.run(replay, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
