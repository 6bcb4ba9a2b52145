"""Functions inside of functions, and lambdas: followed as values with the names around them."""

import pytest
from tests.analysis.conftest import GUARD, analysed, on_device

from gpuport.analysis.project.callgraph import Project

PROGRAM = """
import threading

import numpy as np


def march(f, y):
    for k in range(50):
        y = y + 0.1 * f(y)
    return y


def main():
    x = np.linspace(0.0, 1.0, 100_000)
    rate = 2.0
    {before}

    def rhs(y{more}):
        {first}
        return np.sin(rate * x) - y

    {after}
    np.save("y.npy", march({given}, np.zeros_like(x)))
"""


def program(
    *, before: str = "pass", first: str = "pass", after: str = "pass", more: str = "",
    given: str = "rhs", end: str = "",
) -> Project:  # fmt: skip
    texts = {"before": before, "first": first, "after": after, "more": more, "given": given}
    text = PROGRAM
    for name, one in texts.items():
        text = text.replace("{" + name + "}", one)
    return analysed(text + end, GUARD)


def why(project: Project) -> str:
    """Why the inner function is not looked into."""
    found = [a.unit for a in project.results.values() if a.unit.name == "main.rhs"]
    reason = found[0].refusal
    assert reason is not None
    assert reason.code == "GP909"
    return reason.message


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"given": "lambda y: rhs(y) * rate"},
        {"before": "if x.size:\n        rate = 3.0"},
        {"before": "for k in range(3):\n        rate += 1.0"},
        {"after": "history = []\n    rhs2 = rhs\n    history.append(rhs2)"},
        {"more": ", scale=rate", "first": "y = y * scale"},
        {"more": ", base=x", "first": "y = y + base"},
        {"before": "calls = 0", "first": "nonlocal calls\n        calls += 1"},
        {"before": "calls = 0.5", "first": "nonlocal calls\n        calls *= 2.0"},
        {"first": "def shifted(z):\n            return z + x\n        y = shifted(y)"},
        {"first": "y = (lambda z: z + x)(y)"},
        {"given": "[rhs, lambda y: y][0]"},
        {"first": "y = y + shift", "after": "shift = 0.5 * x"},
        {"first": "y = later(y)", "after": "def later(z):\n        return z + x"},
        {"given": "rhs if rate else (lambda y: y)"},
        {"after": "rate = 3.0"},
        {"more": ", *rest, scale=1.0, **named"},
        {"after": "for rate in range(3):\n        rhs(x)"},
        {"after": "print([rate for rate in range(3)])"},
        {"first": "print([k for k in range(3)])", "after": "print([k for k in range(3)])"},
        {"first": "y = y + shift", "after": "shift = x\n    shift = 0.5 * x"},
    ],
)
def test_what_is_called_in_sight_is_followed(change: dict[str, str]):
    project = program(**change)
    assert on_device(project, "numpy.sin")
    assert on_device(project, "numpy.linspace")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"after": "threading.Thread(target=rhs).start()"}, "`threading.Thread` calls it"),
        ({"after": "print(rate := 3.0)"}, "what `rate` is when it runs is not settled"),
        ({"after": "del rate"}, "what `rate` is"),
        ({"before": "rhs = None"}, "`rhs` is bound several times"),
        ({"before": "calls = 0", "first": "nonlocal calls\n        calls += 1.5"}, "it binds"),
        ({"before": "calls = 0", "first": "nonlocal calls\n        calls = 1"}, "it binds `calls`"),
        ({"before": "calls = None", "first": "nonlocal calls\n        calls += 1"}, "it binds"),
        (
            {"before": "calls = 0", "first": "nonlocal calls\n        calls += 1",
             "after": "calls = 5"},
            "it binds `calls`",
        ),
        ({"first": "global total\n        total = 1"}, "it binds `total`"),
        ({"first": "if rate < 0:\n            yield y"}, "it is a generator"),
        ({"after": "np.rhs = rhs"}, "`rhs` on line"),
    ],
)  # fmt: skip
def test_what_is_not_followed_is_told(change: dict[str, str], reason: str):
    project = program(**change)
    assert not on_device(project, "numpy.sin")
    assert reason in why(project)


def test_the_names_around_share_the_place_of_what_an_inner_function_knows_of_them():
    """Where one of them has to be on the host, the other is."""
    assert on_device(program(after="x[0] = 1.0"), "numpy.linspace")
    project = program(after="x.tofile('x.bin')\n    print(x.ctypes)")
    assert on_device(project, "numpy.linspace") == on_device(project, "numpy.sin")


def test_what_an_unfollowed_one_reads_later_stays_on_the_host():
    """Also where its name is bound to another array after it was defined."""
    project = program(after="threading.Thread(target=rhs).start()\n    x = np.full(100_000, 2.0)")
    assert not on_device(project, "numpy.full")
    assert not on_device(project, "numpy.linspace")


def test_names_of_its_own_do_not_keep_those_around_it_on_the_host():
    """A parameter of a function that is not followed, called as an array around it."""
    text = """
    threading.Thread(target=print, args=(lambda z: z,)).start()
    z = np.full(100_000, 2.0)
    for _ in range(50):
        z = np.cos(z)
    np.save("z.npy", z)"""
    assert on_device(program(after=text), "numpy.full")
    read = text.replace("lambda z: z", "lambda y: z")
    assert not on_device(program(after=read), "numpy.full")


def test_what_a_comprehension_shadows_is_read_around_it():
    """Beside the comprehension the name is that of the function around."""
    text = "threading.Thread(target=print, args=(lambda: [x for x in range(3)] + x,)).start()"
    assert not on_device(program(after=text), "numpy.linspace")
    alone = text.replace(" + x", "")
    assert on_device(program(after=alone), "numpy.linspace")


def test_a_generator_with_a_function_inside_gives_up_nothing_else():
    text = """
def chunks(held):
    pick = lambda k: held[k]
    yield pick(0)


print(list(chunks([1, 2])))
"""
    assert on_device(program(end=text), "numpy.sin")
