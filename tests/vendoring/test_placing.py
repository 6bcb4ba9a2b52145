"""Where the copy of the runtime goes, and what ports import it as."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

CORE = """\
import numpy as np


def smooth(x: np.ndarray, width: float) -> np.ndarray:
    y = np.exp(-x / width)
    return np.sqrt(y * y + 1.0) * np.cos(x) % 0.7
"""
MORE = """\
import numpy as np

from ..core import smooth


def sizes(matrices: np.ndarray):
    return [np.linalg.svd(m, compute_uv=False) for m in matrices]


def again(x: np.ndarray):
    return np.tanh(smooth(x, 2.0)) + np.sin(x) ** 2
"""
SCRIPT = """\
import numpy as np
from package.core import smooth
from package.inner.more import again, sizes


def folded(x: np.ndarray):
    return np.sqrt(np.abs(np.cos(x))) % 0.3


x = np.linspace(0.0, 5.0, 11)
print(folded(x), smooth(x, 2.0), again(x), sizes(np.arange(36.0).reshape(4, 3, 3)))
"""


@pytest.fixture
def project(tmp_path):
    files = {
        "package/__init__.py": "",
        "package/core.py": CORE,
        "package/inner/__init__.py": "",
        "package/inner/more.py": MORE,
        "script.py": SCRIPT,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def gpuport(project, *arguments, status=0):
    done = subprocess.run(
        [sys.executable, "-m", "gpuport", *arguments, "--no-cache"],
        cwd=project, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == status, done.stderr + done.stdout
    return done.stdout + done.stderr


def ran(project, *command):
    environment = {**os.environ, "GPUPORT_FALLBACK": "error"}
    return subprocess.run(
        [sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip


def test_packages_and_scripts_have_their_own(project):
    before = ran(project, "script.py")
    told = gpuport(project, "rewrite", ".", "--vendor-runtime")
    copies = [os.path.join("package", "_gpuport_runtime.py"), "_gpuport_runtime.py"]
    assert f"Runtime: copied to {', '.join(sorted(copies))}." in told
    assert all((project / copy).is_file() for copy in copies)
    texts = {name: (project / name).read_text() for name in ("package/core.py", "script.py")}
    assert "from ._gpuport_runtime import " in texts["package/core.py"]
    assert "from _gpuport_runtime import " in texts["script.py"]
    assert "from .._gpuport_runtime import " in (project / "package/inner/more.py").read_text()
    assert ran(project, "-m", "gpuport.host", "script.py") == before
    assert "Runtime" not in gpuport(project, "rewrite", ".", "--vendor-runtime")
    assert texts == {name: (project / name).read_text() for name in texts}
    assert "2 unchanged" in gpuport(project, "check", "package/core.py", "script.py")


def test_a_dry_run_writes_nothing(project):
    told = gpuport(project, "rewrite", "package", "--vendor-runtime", "--dry-run", status=1)
    assert "+from ._gpuport_runtime import " in told
    assert f"Runtime: would be copied to {os.path.join('package', '_gpuport_runtime.py')}." in told
    assert not (project / "package/_gpuport_runtime.py").exists()


def test_copies_have_it_beside_them(project):
    options = ("--vendor-runtime", "--out-dir", "out", "--output-format", "json")
    document = json.loads(gpuport(project, "rewrite", "package", *options))
    copy = os.path.join("out", "_gpuport_runtime.py")
    assert {file.get("runtime") for file in document["files"]} == {copy, None}
    assert (project / copy).is_file()
    assert not (project / "package/_gpuport_runtime.py").exists()


def test_copies_of_an_inner_package_have_no_place_for_it(project):
    options = ("--vendor-runtime", "--out-dir", "out/copies")
    told = gpuport(project, "rewrite", "package/inner", *options, status=2)
    assert "name the outermost package" in told
    assert not list((project / "out").rglob("_gpuport_runtime.py"))


def test_ports_of_earlier_runs_get_theirs(project):
    gpuport(project, "rewrite", "package")
    assert "from gpuport.runtime import " in (project / "package/core.py").read_text()
    gpuport(project, "rewrite", "package", "--vendor-runtime")
    assert "from ._gpuport_runtime import " in (project / "package/core.py").read_text()


def test_a_file_of_the_users_is_not_replaced(project):
    own = project / "package/_gpuport_runtime.py"
    own.write_text("mine = 1\n")
    told = gpuport(project, "rewrite", "package/core.py", "--vendor-runtime", status=2)
    assert "is not gpuport's" in told
    assert own.read_text() == "mine = 1\n"
    assert (project / "package/core.py").read_text() == CORE


def test_stdin_has_no_place_for_it(project):
    done = subprocess.run(
        [sys.executable, "-m", "gpuport", "rewrite", "-", "--vendor-runtime"],
        input=CORE, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert "--vendor-runtime" in done.stderr
