"""Functions that are handed on: followed to where they are called."""

from pathlib import Path

import pytest
from tests.analysis.conftest import GUARD, analysed, place_of
from tests.passes.conftest import port

from gpuport import engine
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.project.callgraph import Project
from gpuport.config import Config

PROGRAM = """
import functools
import sys

import numpy as np


def decay(t, y):
    return -0.5 * np.sin(y)


def growth(t, y):
    return 0.5 * np.cos(y)


def euler(f, t, y, h):
    return y + h * f(t, y)


class Solver:
    def __init__(self, rhs, y):
        self.rhs = rhs
        self.y = y

    def step(self, t, h):
        self.y = np.abs(euler(self.rhs, t, self.y, h))


def main():
    solver = Solver(decay, np.linspace(0.0, 1.0, 100_000))
    t = 0.0
    for _ in range(10):
        solver.step(t, 0.1)
        t += 0.1
    {use}
    np.save("y.npy", solver.y)
"""


def program(use: str, *more: str) -> Project:
    return analysed(PROGRAM.replace("{use}", use), *more, GUARD)


def on_device(project: Project, name: str) -> bool:
    """Whether what a function works out is on the device."""
    node = project.root.functions[name]
    done = project.results[id(node)]
    operations = done.unit.work.operations.values()
    return bool(operations) and all(
        done.placement.of(one.graph_node) is Place.DEVICE for one in operations
    )


@pytest.mark.parametrize(
    "use",
    [
        "pass",
        "solver.rhs = growth",
        "solver.y = euler(growth if t > 0.5 else decay, 0.0, solver.y, 0.1)",
        "table = {'a': decay, 'b': growth}\n    solver.y = euler(table['a'], t, solver.y, 0.1)",
        "for f in (decay, growth):\n        solver.y = f(t, solver.y)",
        "solver.y = [decay, growth][1](t, solver.y)",
        "print(solver.rhs is decay, solver.rhs.__name__, callable)",
        "step = solver.step\n    step(t, 0.1)",
        "solver.rhs = lambda t, y: y",
        "print(functools.partial(decay, t)(solver.y).sum())",
        "def rhs(t, y):\n        return t * y\n    solver.rhs = rhs",
    ],
)
def test_a_function_is_followed_to_where_it_is_called(use: str):
    project = program(use)
    assert project.opened_classes == {}
    assert place_of(project, "Solver", "y") is Place.DEVICE
    assert on_device(project, "decay")
    assert on_device(project, "euler")


@pytest.mark.parametrize(
    "use",
    [
        "print(functools.partial(decay, *[t])(solver.y).sum())",
        "print(list(map(lambda y: decay(t, y), [solver.y]))[0].sum())",
        "sys.function = decay",
        "solver.rhs = np.vectorize if t else decay",
    ],
)
def test_one_that_is_lost_sight_of_is_a_function_like_others(use: str):
    """Its class is followed; what the function gives is not known there."""
    project = program(use)
    assert project.opened_classes == {}
    assert place_of(project, "Solver", "y") is Place.HOST


def test_a_function_that_is_read_where_nobody_looks_is_not_followed():
    unseen = "\n\ndef unused(y, f=decay):\n    return f(0.0, y)\n"
    assert place_of(program("pass"), "Solver", "y") is Place.DEVICE
    assert place_of(program("pass", unseen), "Solver", "y") is Place.HOST


def test_several_functions_at_one_place_share_the_places_of_their_arguments():
    """What one of them keeps on the host is on the host for all that arrive there."""
    shown = "\n\ndef shown(t, y):\n    np.save('t.npy', y)\n    y.sort()\n    return y\n"
    project = program("solver.rhs = shown", shown)
    assert place_of(project, "Solver", "y") is not None


def test_one_that_gathers_its_arguments_is_followed():
    project = program("solver.rhs = lambda t, *y: -y[0]")
    assert project.opened_classes == {}
    assert place_of(project, "Solver", "y") is Place.DEVICE


NAMED = """
import numpy as np

wave = lambda n: np.cos(np.sin(np.arange(n) / 3))


class Model:
    def __init__(self, n):
        self.w = np.cos(np.arange(n) / 3)

    def __call__(self, x):
        return np.exp(self.w * x)


model = Model(10)
{0}

def main():
    print(repr({1}wave(20).sum()), repr(np.exp({1}wave(5)).sum()))
    print(repr({1}model(1.5).sum()))


main()
"""


def test_a_value_is_called_by_its_name_in_the_module():
    after = port(NAMED.format("", "")).after or ""
    assert "wave = lambda n: cp.cos(cp.sin(cp.arange(n) / 3))" in after
    assert "repr(cp.asnumpy(wave(20).sum())[()]), repr(cp.asnumpy(cp.exp(wave(5)).sum())" in after
    assert "repr(cp.asnumpy(model(1.5).sum())[()])" in after


@pytest.mark.parametrize(
    ("imported", "head"), [("import waves", "waves."), ("from waves import model, wave", "")]
)
def test_a_value_is_called_by_its_name_in_another_module(
    imported: str, head: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    one, other = NAMED.format("# cut", head).split("# cut")
    (tmp_path / "waves.py").write_text(one)
    (tmp_path / "main.py").write_text(f"import numpy as np\n{imported}\n{other}")
    monkeypatch.chdir(tmp_path)
    report = engine.run(["."], Config(dry_run=True, whole_program=True))
    after = {Path(file.path).name: file.after or "" for file in report.files}
    assert "wave = lambda n: cp.cos(cp.sin(cp.arange(n) / 3))" in after["waves.py"]
    assert f"repr(cp.asnumpy({head}wave(20).sum())[()])" in after["main.py"]
    assert f"repr(cp.asnumpy({head}model(1.5).sum())[()])" in after["main.py"]


def test_results_of_several_kinds_do_not_stay_on_the_device_unseen() -> None:
    """Of a tuple of which only its length is known nothing could be brought back."""
    text = (
        "import numpy as np\n\n"
        "def f(x):\n    return np.sum(x @ x), x.sum(dtype=np.float32)\n\n"
        "def g(x):\n    return (x @ x).sum() > 2, np.where(x > 1, 1, 0).dtype\n\n"
        "if __name__ == '__main__':\n"
        "    x = np.cos(np.ones((300, 300)) @ np.ones((300, 300)))\n"
        "    for fn in (f, g):\n        print(fn.__name__, fn(x))\n"
    )
    assert "return cp.asnumpy(cp.sum(x @ x))[()]" in (port(text).after or "")
