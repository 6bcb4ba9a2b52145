"""Functions of NumPy that are handed on: followed where they call CuPy's for device arrays."""

import pytest
from tests.analysis.conftest import place_of
from tests.analysis.functions.test_functionvalues import on_device, program

from gpuport.analysis.calls.libraryvalues import library_functions
from gpuport.analysis.placement.graph import Place

ACT = """

def act(f, y):
    return f(y) * 2.0
"""


@pytest.mark.parametrize(
    "use",
    [
        "solver.y = act(np.tanh, solver.y)",
        "solver.y = act(np.sqrt if t > 0.5 else np.square, solver.y)",
        "for f in (np.sin, np.cos):\n        solver.y = act(f, solver.y)",
        "solver.y = act({'a': np.tanh, 'b': lambda y: y + 1.0}['a'], solver.y)",
        "solver.y = act([np.exp, np.abs][0], solver.y)",
        "print(act(np.linalg.norm, solver.y), act(np.max, solver.y))",
        "step = np.hypot\n    solver.y = step(solver.y, 1.0)",
    ],
)
def test_a_call_of_one_runs_where_its_arrays_are(use: str):
    project = program(use, ACT)
    assert project.opened_classes == {}
    assert place_of(project, "Solver", "y") is Place.DEVICE
    if "solver.y = act" in use:
        assert on_device(project, "act")


@pytest.mark.parametrize(
    ("use", "names"),
    [
        ("act(np.ones, 3)", []),  # nothing that it is given could answer
        ("act(np.save, solver.y)", []),
        ("act(np.vectorize(np.sin), solver.y)", []),
        ("act(np.nonesuch, solver.y)", []),
        ("act(np.sin, solver.y)", ["numpy.sin"]),
        ("print(np.sin(solver.y))", []),
    ],
)
def test_only_what_asks_its_arguments_is_followed(use: str, names: list[str]):
    project = program(use, ACT)
    found = library_functions(project.program)
    assert [one.path for one in found.values()] == names


def test_one_that_goes_out_of_sight_is_a_value_like_others():
    project = program("sys.function = np.sin\n    print(act(np.cos, solver.y))", ACT)
    assert project.opened_classes == {}
    assert place_of(project, "Solver", "y") is Place.DEVICE
