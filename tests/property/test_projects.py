"""Programs of several files: their ports, made together, give what the originals give."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent / "projects"
PROJECTS = sorted(path.parent for path in HERE.glob("*/program.py"))

MODEL = """
import numpy as np


class Model:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)

    def step(self):
        self.u = self.u + 0.1 * np.sin(self.u) * np.cos(self.u)

    def total(self):
        return float(np.sum(self.u))

    def values(self):
        return 2.0 * self.u
"""

PROGRAM = """
import sys

import numpy as np

{imports}


def main(path):
    one = {make}
    for _ in range(10):
        one.step()
    {use}
    print(f"{{one.total():.6f}}")
    np.savez(path, u={result})


if __name__ == "__main__":
    main(sys.argv[1])
"""


def texts_of(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.py")}


def program(
    imports: str = "from model import Model",
    make: str = "Model(500)",
    use: str = "pass",
    result: str = "one.u",
) -> str:
    return PROGRAM.format(imports=imports, make=make, use=use, result=result)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("folder", PROJECTS, ids=[p.name for p in PROJECTS])
def test_the_port_of_a_project_gives_the_same(folder, examine_files):
    found = examine_files(texts_of(folder), folder.name)
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after
    assert found.after.count("import cupy as cp") >= 2, found.after


@pytest.mark.parametrize(
    ("imports", "make"),
    [
        ("from model import Model", "Model(500)"),
        ("from model import Model as M", "M(500)"),
        ("import model", "model.Model(500)"),
        ("import model as m", "m.Model(n=500)"),
        ("from handed import Model", "Model(500)"),
        ("from handed import made", "made(500)"),
        ("from model import *", "Model(500)"),
        ("from handed import *", "made(500)"),
    ],
)
def test_the_attributes_of_an_imported_class_live_on_the_device(imports, make, examine_files):
    texts = {"model.py": MODEL, "program.py": program(imports, make)}
    if "handed" in imports:
        handed = "from model import Model\n\n\ndef made(n):\n    return Model(n)\n"
        texts["handed.py"] = handed
    found = examine_files(texts, "device")
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after
    assert "self.u = cp.linspace(0.0, 1.0, n)" in found.after
    assert "cp.savez(path, u=one.u)" in found.after


@pytest.mark.parametrize(
    ("imports", "name"), [("import rates", "rates.decay"), ("from rates import decay as f", "f")]
)
def test_a_function_of_another_file_is_followed_to_where_it_is_called(imports, name, examine_files):
    rates = "import numpy as np\n\n\ndef decay(y):\n    return -0.5 * np.sin(y)\n"
    entry = f"""
import sys

import numpy as np

{imports}


def run(f, y):
    for _ in range(20):
        y = y + 0.1 * f(y) * np.cos(y)
    return y


if __name__ == "__main__":
    np.savez(sys.argv[1], y=run({name}, np.linspace(0.0, 1.0, 1000)))
"""
    found = examine_files({"rates.py": rates, "program.py": entry}, "handed_on")
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after
    assert "return -0.5 * cp.sin(y)" in found.after
    assert "cp.asarray" not in found.after


@pytest.mark.parametrize(
    ("others", "entry"),
    [
        ({}, program(use="import model as m; m.Model.step = lambda self: None")),
        ({}, program(use="import model as m; setattr(m, 'n', 3)")),
        ({"names.py": "import model\n\nModel = model.Model\n__all__ = sorted(['Model'])\n"},
         program("from names import *")),
        ({"extra.py": "from model import Model\n\n\ndef extra():\n    one = Model(900)\n"
                      "    for _ in range(50):\n        one.step()\n    return one.total()\n"},
         program("from extra import extra\n\ntry:\n    from model import Model\n"
                 "except ImportError:\n    from other.model import Model",
                 use="print(extra())", result="one.values()")),
        ({}, program(use="import model as m; m.Model.scale = 3")),
        ({"call.py": "def step(one):\n    one.step()\n"},
         program("from model import Model\nimport call", use="list(map(call.step, [one]))")),
        ({"make.py": "from model import Model\n\n\ndef make(kind=Model):\n"
                     "    return kind(500)\n"},
         program("from make import make", "make()")),
        ({}, program(make="getattr(sys.modules['model'], 'Model')(500)")),
        ({}, program("import importlib", "importlib.import_module('model').Model(500)")),
        ({"test_model.txt": ""}, program(use="import pickle; pickle.dumps(one)")),
        ({"other.py": "from model import Model\n\n\nclass Other(Model, dict):\n    pass\n"},
         program("from model import Model\nfrom other import Other", "Other(500)")),
        ({"other.py": "import other2\n\n\nclass Model:\n    pass\n",
          "other2.py": "from model import Model\n"},
         program("import other\nfrom model import Model")),
        ({"setup.py": "from setuptools import setup\n\nsetup(py_modules=['model'])\n",
          "lib.py": "from model import Model\n"}, program()),
    ],
)  # fmt: skip
def test_a_class_that_is_used_in_other_ways_stays_on_the_host(others, entry, examine_files):
    found = examine_files({"model.py": MODEL, **others, "program.py": entry}, "host")
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after
    assert "cp.linspace" not in found.after


@pytest.mark.parametrize(
    ("others", "entry"),
    [
        ({}, program(make="{'a': Model}['a'](500)")),
        ({"kinds.py": "from model import Model\n\nKINDS = [Model]\n"},
         program("from kinds import KINDS", "KINDS[0](500)")),
    ],
)  # fmt: skip
def test_a_class_that_is_a_value_is_followed(others, entry, examine_files):
    found = examine_files({"model.py": MODEL, **others, "program.py": entry}, "host")
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after
    assert "cp.linspace" in found.after
    assert "asarray" not in found.after


@pytest.mark.parametrize(
    ("others", "entry"),
    [
        ({"hold.py": "from model import Model\n\n_ONE = Model(500)\n\n\ndef get():\n"
                     "    return _ONE\n"},
         program("from hold import get", "get()")),
        ({"other.py": "from model import Model\n\nMODEL = Model(500)\n"},
         program("from other import MODEL", "MODEL")),
    ],
)  # fmt: skip
def test_an_instance_that_is_a_name_of_a_module_is_followed(others, entry, examine_files):
    found = examine_files({"model.py": MODEL, **others, "program.py": entry}, "host")
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after
    assert "cp.linspace" in found.after


def test_what_is_not_handled_with_a_program_keeps_its_classes_on_the_host(examine_files):
    tests = "from model import Model\n\n\ndef test_it():\n    assert Model(3).u.sum() == 1.5\n"
    texts = {"model.py": MODEL, "program.py": program(), "test_model.py": tests}
    found = examine_files(texts, "apart", "model.py", "program.py")
    assert found.faults == (), found.after
    assert "cp.linspace" not in found.after


@pytest.mark.parametrize(("folder", "stays"), [("tests", True), ("copies", False)])
def test_only_files_that_import_the_program_itself_are_in_its_way(folder, stays, examine_files):
    """Copies beside their own modules, such as the ports of a run before, mean those."""
    texts = {"model.py": MODEL, "program.py": program(), f"{folder}/other.py": program()}
    if folder == "copies":
        texts["copies/model.py"] = MODEL
    found = examine_files(texts, folder, "model.py", "program.py")
    assert found.faults == (), found.after
    assert ("cp.linspace" in found.after) is not stays


def test_files_of_a_project_beside_the_folder_of_a_program_are_seen(examine_files, tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_model.py").write_text("import model\n")
    found = examine_files({"model.py": MODEL, "program.py": program()}, "src")
    assert found.faults == (), found.after
    assert "cp.linspace" not in found.after


def test_tests_are_ported_with_what_they_test(examine_files):
    tests = (
        "import numpy as np\n\nfrom model import Model\n\n\n"
        "def test_it():\n    assert np.max(Model(3).u) == 1.0\n"
    )
    texts = {"model.py": MODEL, "program.py": program(), "test_model.py": tests}
    found = examine_files(texts, "together")
    assert found.faults == (), found.after
    assert "cp.linspace" in found.after
    assert "cp.max(Model(3).u)" in found.after


def test_a_class_of_a_program_that_is_suppressed_stays_on_the_host(examine_files):
    model = MODEL.replace("class Model:", "class Model:  # gpuport: skip")
    found = examine_files({"model.py": model, "program.py": program()}, "suppressed")
    assert found.faults == (), found.after
    assert "cp.linspace" not in found.after


def test_partials_at_the_same_place_of_two_files_are_two(examine_files):
    file = """
from functools import partial

import numpy as np
{imports}

def {name}(p, q):
    {body}


def run(x):
    f = partial({function}, x)
    return f(np.sin(x))
"""
    end = """

def main():
    x = np.linspace(0.0, 1.0, 30000)
    for _ in range(6):
        x = np.exp(-x) * np.sin(x) + np.sqrt(x)
    print(run(x).sum(), other.run(x).sum())


main()
"""
    other = file.format(imports="", name="less", body="return p - q", function="less")
    entry = file.format(
        imports="import other", name="twice", body="return 2 * p + q", function="np.multiply"
    )
    found = examine_files({"other.py": other, "program.py": entry + end}, "partials")
    assert found.original.error is None, found.original.trace
    assert found.faults == (), found.after
    assert found.after.count("f(np.sin(x))") == 2  # what `partial(np.multiply, x)` keeps is unknown
