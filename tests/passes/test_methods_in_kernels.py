"""Methods that loops over elements call become parts of their kernels."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


class Base:
    def source(self, x):
        return 0.0


class Model(Base):
    def __init__(self, n):
        self.k, self.calls = 2.5, 0
        self.u = np.linspace(0.0, 1.0, n)

    {method}

    def advance(self):
        new = np.zeros_like(self.u)
        for i in range(1, len(new) - 1):
            new[i] = {call}
        self.u = new


if __name__ == "__main__":
    model = {made}(50)
    for _ in range(10):
        model.advance()
    print(model.u.sum())
"""

DOES_MORE = "unknown call: `self.rate` is a method that does more with `self` than read from it"


def ported(method: str, call: str, made: str = "Model") -> tuple[str, str]:
    """The port, and all that is said of loops."""
    report = port(PROGRAM.format(method=method, call=call, made=made))
    said = " ".join(one.message for one in report.findings if "stays in Python" in one.message)
    return report.after or "", said


@pytest.mark.parametrize(
    ("method", "call", "line"),
    [
        ("def rate(self, x): return x * self.k", "self.rate(self.u[i])", "new[i] = u[i] * k;"),
        (
            "def rate(this, i): return this.u[i - 1] * this.k",
            "self.rate(i)",
            "new[i] = u[i - 1] * k;",
        ),
        (
            "def rate(self, k): u = k * self.k; return u + 1",
            "self.rate(self.u[i])",
            "const T u_ = k_ * k;",
        ),
        (
            "def rate(self, x): return self.half(x) + 1\n    def half(self, x): return x / self.k",
            "self.rate(self.u[i])",
            "new[i] = u[i] / k + 1;",
        ),
        (
            "@staticmethod\n    def rate(x, *, k=1.5): return x * k",
            "self.rate(self.u[i], k=0.5)",
            "new[i] = u[i] * 0.5;",
        ),
        (
            "def source(self, x): return x * self.k",
            "self.source(self.u[i])",
            "new[i] = u[i] * k;",
        ),
    ],
)
def test_its_statements_stand_in_the_kernel(method: str, call: str, line: str):
    made, said = ported(method, call)
    assert line in made
    assert not said
    assert ("object self" in made) == ("self.rate(" in call or "self.source(" in call)


@pytest.mark.parametrize(
    ("method", "call", "why"),
    [
        ("def rate(self, x): self.calls += 1; return x", "self.rate(self.u[i])", DOES_MORE),
        ("def rate(self, x): return x * vars(self)['k']", "self.rate(self.u[i])", ""),
        (
            "@property\n    def rate(self): return lambda x: x",
            "self.rate(self.u[i])",
            "`self.rate`",
        ),
        ("def rate(self, x): return x if x > 0 else self", "self.rate(self.u[i])", ""),
    ],
)
def test_a_method_that_is_more_than_arithmetic_is_refused(method: str, call: str, why: str):
    made, said = ported(method, call)
    assert "ernel(" not in made
    assert why in said


def test_a_method_that_may_be_one_of_several_is_refused():
    inherited = "def advance_all(self): pass\n\n    def source(self, x): return x"
    other = "class Other(Model):\n    def source(self, x): return 2 * x\n\n\nif __name__"
    text = PROGRAM.format(method=inherited, call="self.source(self.u[i])", made="Other")
    report = port(text.replace("if __name__", other))
    assert "ernel(" not in (report.after or "")
    assert any("which method `self.source` is" in one.message for one in report.findings)


def test_numbers_of_an_object_in_a_loop_over_local_arrays():
    text = """\
import numpy as np


class Clock:
    def __init__(self, dt):
        self.dt = dt


def advance(clock, n):
    u = np.linspace(0.0, 1.0, n)
    v = np.zeros(n)
    for i in range(n):
        v[i] = u[i] * clock.dt
    return v


if __name__ == "__main__":
    clock = Clock(0.1)
    for _ in range(10):
        print(advance(clock, 1000).sum())
"""
    assert "v[i] = u[i] * clock.dt;" in (port(text).after or "")


def test_attributes_of_attributes():
    text = """\
import numpy as np


class Mesh:
    def __init__(self, n):
        self.n, self.dx = n, 1.0 / n
        self.w = np.linspace(1.0, 2.0, n)


class Rod:
    def __init__(self, mesh):
        self.mesh = mesh
        self.u = np.ones(mesh.n)

    def step(self):
        for i in range(self.mesh.n):
            self.u[i] = self.u[i] * self.mesh.w[i] * self.mesh.dx


if __name__ == "__main__":
    rod = Rod(Mesh(100))
    for _ in range(10):
        rod.step()
    print(rod.u.sum())
"""
    made = port(text).after or ""
    assert "u[i] = u[i] * w[i] * dx;" in made
    assert "self.mesh.dx" in made
