"""What other modules of a project tell: functions, constants, classes of numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpuport import engine
from gpuport.config import Config
from gpuport.records import RunReport

OPERATORS = """\
import numpy as np

KEPT = []


def laplacian(u, dx):
    return (np.roll(u, 1) - 2 * u + np.roll(u, -1)) / dx**2


def scaled(u, factor):
    u *= factor


def kept(u):
    KEPT.append(u)
    return np.sin(u)


def norm(u, axis=None):
    return np.sqrt(np.sum(u**2, axis=axis))


def initial(n):
    return np.exp(-np.linspace(0.0, 1.0, n))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "operators.py").write_text(OPERATORS)
    return tmp_path


def port(*names: str, **settings: object) -> dict[str, str]:
    """The texts of a run, as a dry run makes them."""
    report: RunReport = engine.run(
        list(names) or ["."],
        replace(Config(dry_run=True), **settings),  # type: ignore[arg-type]
    )
    assert not report.failed
    return {file.path: file.after or Path(file.path).read_text() for file in report.files}


def program(body: str, head: str = "import operators as ops\n") -> None:
    Path("main.py").write_text(f"import numpy as np\n{head}\n\ndef run(n):\n{body}")


def test_an_array_stays_on_the_device_between_functions_of_another_file(project: Path):
    program(
        "    u = np.zeros(n)\n    for _ in range(9):\n"
        "        u = u + 0.1 * ops.laplacian(u, 0.5)\n    return u\n"
    )
    text = port()["main.py"]
    assert "u = u + 0.1 * ops.laplacian(u, 0.5)" in text
    assert text.count("asnumpy") == 1


def test_a_file_that_the_run_leaves_alone_takes_numpy(project: Path):
    program("    u = np.fft.ifft(np.zeros(n)).real\n    return np.fft.fft(ops.laplacian(u, 0.5))\n")
    assert "ops.laplacian(u, 0.5)" in port()["main.py"]
    assert "laplacian(u, 0.5)" not in port("main.py")["main.py"]
    (project / "operators.py").write_text(port()["operators.py"])
    assert "ops.laplacian(u, 0.5)" in port("main.py")["main.py"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_ways_to_run_make_the_same_texts(
    project: Path, jobs: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(engine, "FILES_WORTH_WORKERS", 2)
    program("    u = ops.initial(n)\n    return ops.laplacian(np.exp(u), 0.5) + ops.norm(u)\n")
    expected = port()
    assert port(jobs=jobs) == expected
    engine.run(["."], Config(jobs=jobs))
    assert {p.name: p.read_text() for p in project.glob("*.py")} == expected
    assert port(jobs=jobs) == expected


def test_a_function_is_read_for_the_arguments_of_the_call(project: Path):
    program(
        "    u = np.fft.fft(np.zeros((n, 3))).real\n    v = np.exp(u) * ops.norm(u, axis=0)\n"
        "    return np.fft.fft(v), ops.norm(2.0) * v\n"
    )
    text = port()["main.py"]
    assert "v = cp.exp(u) * ops.norm(u, axis=0)" in text
    assert "ops.norm(2.0) * v" in text


def test_what_a_function_keeps_stays_on_the_host(project: Path):
    program("    u = np.zeros(n)\n    s = ops.kept(u)\n    u[0] = 5.0\n    return np.exp(u) + s\n")
    text = port()["main.py"]
    assert "u = np.zeros(n)" in text


def test_operators_alone_work_on_either_side(project: Path):
    program("    u = np.exp(np.zeros(n))\n    ops.scaled(u, 2.0)\n    return np.sin(u)\n")
    text = port()["main.py"]
    assert "ops.scaled(u, 2.0)" in text
    assert "@device" not in port()["operators.py"].partition("def scaled")[0][-12:]
    assert text.count("asnumpy") == 1


CONSTANTS = "import numpy as np\n\nDT = 0.25\nN = 4\nTABLE = np.arange(4.0)\nTWICE = 1\nTWICE = 2\n"


def test_constants_are_known_by_their_kind_alone(project: Path):
    (project / "constants.py").write_text(CONSTANTS)
    program(
        "    u = np.zeros(N)\n    for i in range(n):\n        u = u + DT * np.sin(u)\n"
        "    return u * c.TABLE\n",
        "import constants as c\nfrom constants import DT, N\n",
    )
    text = port()["main.py"]
    assert "u = _run_u(u, DT)" in text
    (project / "constants.py").write_text(
        CONSTANTS.replace("0.25", "0.5").replace("N = 4", "N = 8")
    )
    assert port()["main.py"] == text


@pytest.mark.parametrize(
    "before",
    ["constants.DT = 1.0\n", 'setattr(constants, "DT", 1.0)\n'],
)
def test_a_name_that_the_file_gives_another_value_is_not_known(project: Path, before: str):
    (project / "constants.py").write_text("DT = 0.25\n")
    body = "    u = np.fft.fft(np.zeros(n))\n    return np.fft.fft(u * constants.DT)\n"
    program(body, f"import constants\n{before}")
    assert "cp.fft.fft(u * constants.DT)" not in port("main.py")["main.py"]
    program(body, "import constants\n")
    assert "cp.fft.fft(u * constants.DT)" in port("main.py")["main.py"]


def test_classes_of_numbers_are_known(project: Path):
    (project / "config.py").write_text(
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Case:\n    nu: float = 0.1\n"
        "    steps: int = 3\n"
    )
    Path("main.py").write_text(
        "import numpy as np\nfrom config import Case\n\n\ndef run(case: Case):\n"
        "    u = np.zeros(9)\n    for _ in range(case.steps):\n"
        "        u = u + case.nu * np.sin(u)\n    return u\n\n\n"
        "def start():\n    case = Case(nu=0.5)\n"
        "    return np.fft.fft(np.fft.fft(np.zeros(3)) * case.nu)\n"
    )
    text = port("main.py")["main.py"]
    assert "u = _run(u, case.nu)" in text
    assert "cp.fft.fft(cp.fft.fft(cp.zeros(3)) * case.nu)" in text


def test_a_name_that_a_package_hands_on_is_followed(project: Path):
    package = project / "package"
    package.mkdir()
    (package / "__init__.py").write_text("from .core import laplacian\n")
    (package / "core.py").write_text(OPERATORS)
    program(
        "    u = np.exp(np.zeros(n))\n    return np.sin(package.laplacian(u, 0.5))\n",
        "import package\n",
    )
    assert "cp.sin(package.laplacian(u, 0.5))" in port()["main.py"]


def test_modules_in_a_circle_tell_each_other_nothing(project: Path):
    (project / "operators.py").write_text("import main\n" + OPERATORS)
    program("    u = np.exp(np.zeros(n))\n    return np.sin(ops.laplacian(u, 0.5))\n")
    report = engine.run(["main.py"], Config(dry_run=True)).files[0]
    assert any("ops.laplacian" in f.message for f in report.findings)


def test_code_on_cupy_by_hand_is_not_taken_for_numpy(project: Path):
    (project / "operators.py").write_text(
        "import cupy as cp\n\n\ndef laplacian(u, dx):\n    return cp.roll(cp.asarray(u), 1) / dx\n"
    )
    program("    u = np.exp(np.zeros(n))\n    return np.sin(ops.laplacian(u, 0.5))\n")
    report = engine.run(["main.py"], Config(dry_run=True)).files[0]
    assert any("ops.laplacian" in f.message for f in report.findings)


def test_recursion_ends(project: Path):
    (project / "operators.py").write_text(
        "import numpy as np\n\n\ndef even(u, n):\n    return odd(np.sin(u), n - 1) if n else u\n"
        "\n\ndef odd(u, n):\n    return even(np.cos(u), n - 1) if n else u\n"
    )
    program("    u = np.exp(np.zeros(n))\n    return np.sin(ops.even(u, 5)) + ops.odd(u, 3)\n")
    assert "main.py" in port()


HEAT = """\
import numpy as np


class Heat:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)

    def step(self):
        self.u = self.u + 0.1 * (np.roll(self.u, 1) - self.u)
"""


def test_who_imports_a_program_is_not_looked_for_in_what_was_built(project: Path):
    (project / "heat.py").write_text(HEAT)
    (project / "main.py").write_text(
        "from heat import Heat\n\n\ndef main():\n    heat = Heat(1000)\n    for _ in range(9):\n"
        '        heat.step()\n    print(heat.u)\n\n\nif __name__ == "__main__":\n    main()\n'
    )
    alone = port("main.py", "heat.py")
    assert "self.u = cp.linspace" in alone["heat.py"]
    for folder in ("build", "tools"):
        (project / folder).mkdir()
        (project / folder / "use.py").write_text("from heat import Heat\n")
        same = port("main.py", "heat.py") == alone
        assert same == (folder == "build")


COMMON = """\
import numpy as np
from numpy.linalg import norm, solve


def size(u):
    return np.sum(u * u) + norm(u)


def solved(a, b):
    return solve(a, b)
"""


@pytest.mark.parametrize(
    ("head", "kept", "dropped"),
    [
        ("from common import *", {"import numpy as np", "numpy.linalg import norm, solve"}, set()),
        ("from common import np, size", {"import numpy as np"}, {"numpy.linalg"}),
        ("from common import (\n    norm,\n    size,\n)\nimport numpy as np",
         {"from numpy.linalg import norm\n"}, {"import numpy as np"}),
        ("import common\nfrom common import size\nnp = common.np", {"import numpy as np"},
         {"numpy.linalg"}),
        ("import numpy as np\nfrom common import size", set(),
         {"import numpy as np", "numpy.linalg"}),
    ],
)  # fmt: skip
def test_imports_that_other_files_take_from_a_module_stay_in_it(head, kept, dropped, project):
    Path("common.py").write_text(COMMON)
    Path("main.py").write_text(
        f"{head}\n\n\ndef run(n):\n    return size(np.sqrt(np.ones(n)))\n\n\nprint(run(9))\n"
    )
    for names in (["."], ["common.py"]):
        text = port(*names)["common.py"]
        moved = "from cupy.linalg import norm" in text
        assert f"cp.sum(u * u) + {'' if moved else 'cp.linalg.'}norm(u)" in text
        assert all(one in text for one in kept), text
        assert not any(one in text for one in dropped), text


@pytest.mark.parametrize("names", [["."], ["main.py"]])
@pytest.mark.parametrize(
    ("head", "sine"),
    [
        ("from common import *", "np.sin"),
        ("from common import np, size", "np.sin"),
        ("import common\nfrom common import *", "common.np.sin"),
    ],
)
def test_numpy_is_known_by_the_name_that_another_file_gave_to_it(head, sine, names, project):
    Path("common.py").write_text(COMMON)
    Path("main.py").write_text(
        f"{head}\n\n\ndef run(n):\n    x = np.fft.fft(np.ones((n, n))).real\n"
        f"    return {sine}(x) @ x\n\n\nprint(run(9))\n"
    )
    text = port(*names)["main.py"]
    assert "x = cp.fft.fft(cp.ones((n, n))).real" in text
    assert "cp.sin(x) @ x" in text
    (found,) = (f for f in engine.run(["main.py"], Config(dry_run=True)).files)
    assert {one.code for one in found.findings}.isdisjoint({"GP104", "GP106"})


def test_all_names_of_a_file_that_has_all_of_numpys_are_told_to_be_hidden(project):
    Path("common.py").write_text("from numpy import *\n\nCOUNT = 9\n")
    Path("main.py").write_text(
        "import numpy as np\nfrom common import *\n\nprint(sum(sin(COUNT)))\n"
    )
    (found,) = engine.run(["main.py"], Config(dry_run=True)).files
    assert [(one.code, one.span.line) for one in found.findings if one.code == "GP104"] == [
        ("GP104", 2)
    ]
