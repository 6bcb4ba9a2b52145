"""Arrays that would only visit the device stay on the host."""

import ast
import textwrap

import pytest
from tests.passes.conftest import port

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.module import Module


def statuses(program: str) -> dict[str, str]:
    text = textwrap.dedent(program)
    report = port_module(Module("p.py", text, ast.parse(text)), Config())
    return {f.name: f.status.value for f in report.functions}


STABLE = """\
    import numpy as np


    def is_stable(system):
        if np.any(np.abs(np.linalg.eigvalsh(system.A)) >= 1):
            return False
        return True
    """


def test_a_condition_alone_is_no_reason_to_move_an_array():
    assert statuses(STABLE)["is_stable"] == "refused"


def test_a_condition_on_what_is_on_the_device_is_asked_there():
    program = STABLE.replace("system.A", "a").replace("system", "a: np.ndarray")
    assert statuses(program)["is_stable"] == "ported"


def test_a_number_of_the_result_is_worth_waiting_for():
    program = """\
        import numpy as np


        def distance(x: np.ndarray, y: np.ndarray):
            return float(np.sum((x - y) ** 2))
        """
    assert statuses(program)["distance"] == "ported"


def test_an_array_of_the_host_is_not_moved_for_a_number_that_the_host_works_with():
    program = """\
        import numpy as np


        def levelled(y):
            dy = np.diff(y)
            (zeros,) = np.where(dy == 0)
            (steps,) = np.add(np.where(np.diff(zeros) != 1), 1)
            for plateau in np.split(zeros, steps):
                middle = np.median(plateau)
                np.put(dy, plateau[plateau < middle], dy[plateau[0] - 1])
                np.put(dy, plateau[plateau >= middle], dy[plateau[-1] + 1])
            return dy
        """
    assert statuses(program)["levelled"] == "refused"


def test_calls_that_move_for_themselves_are_left_as_they_are():
    """What nobody is known to give back is worked on by the host: each call moves for itself."""
    program = """\
        import numpy as np


        def dot(a, b):
            return float(np.sum(a * b))


        def solve(operator, rhs):
            x = np.zeros_like(rhs)
            r = rhs - operator(x)
            z = operator(r)
            rz = dot(r, z)
            while dot(r, r) > 1e-9:
                r -= rz / dot(z, z) * z
                z = operator(r)
                rz = dot(r, z)
            return x
        """
    text = textwrap.dedent(program)
    report = port_module(Module("p.py", text, ast.parse(text)), Config())
    assert {f.name: f.status.value for f in report.functions}["dot"] == "ported"
    assert text[text.index("def solve") :] in (report.after or "")


def test_single_elements_that_are_asked_for_are_no_work_for_the_device():
    program = """\
        import numpy as np


        class Sets:
            def __init__(self, n):
                self.rank = np.zeros(n)

            def first(self, a, b):
                if self.rank[a] < self.rank[b]:
                    a, b = b, a
                if self.rank[a] == self.rank[b]:
                    self.rank[a] += 1
                return a


        def follow(after, i, j):
            route = [i]
            while i != j:
                i = after[i, j]
                route.append(int(i))
            return route


        def main(n):
            distance = np.exp(np.arange(n * n).reshape(n, n) / 7)
            after = np.where(np.isfinite(distance), np.arange(n)[None, :], -1)
            print(follow(after, 0, 3), follow(after, 1, 2), Sets(n).first(1, 2))


        main(5)
        """
    text = textwrap.dedent(program)
    after = port_module(Module("p.py", text, ast.parse(text)), Config()).after or ""
    changed = set(after.splitlines()) - set(text.splitlines())
    assert changed == {
        "import cupy as cp",
        "    distance = cp.exp(cp.arange(n * n).reshape(n, n) / 7)",
        "    after = cp.asnumpy(cp.where(cp.isfinite(distance), cp.arange(n)[None, :], -1))",
    }


WRITTEN_OUT = """\
    import math
    import numpy as np


    def made(n):
        return {expression}


    for k in range(3):
        print(made(k))
    """


@pytest.mark.parametrize(
    "expression",
    [
        "np.array([np.eye(2) * np.nan for _ in range(n)])",
        "float(np.sum(np.array([1.0, 2.0])))",
        "np.dot(np.array([1.0, 2.0]), [0.5, -0.5])",
        "np.ones((4, 3)).T / math.pi",
        "np.exp(np.full((3, 3), 0.5)).sum(axis=0)",
    ],
)
def test_one_expression_on_what_is_written_out_in_it_stays(expression: str):
    assert statuses(WRITTEN_OUT.format(expression=expression))["made"] == "refused"


@pytest.mark.parametrize(
    "expression",
    [
        "np.array([np.eye(200) * np.nan for _ in range(n)])",
        "float(np.sum(np.ones(2000) / 3.0))",
        "float(np.sum(np.ones(10**6) / 3.0))",
        "float(np.exp(np.full((30, 30, 30), 0.5)).sum())",
        "np.dot(np.ones(n), np.ones(n) / 2.0)",
        "np.exp(np.tile([1.0, 2.0], n)).sum()",
    ],
)
def test_one_expression_on_more_is_worth_what_it_brings_back(expression: str):
    assert statuses(WRITTEN_OUT.format(expression=expression))["made"] == "ported"


def test_what_is_written_out_goes_where_it_is_worked_with():
    program = """\
        import numpy as np


        def smoothed(x: np.ndarray):
            return np.convolve(np.exp(x), np.array([0.25, 0.5, 0.25]) / 2.0)
        """
    assert statuses(program)["smoothed"] == "ported"


STORES = """\
import numpy as np

x = np.linspace(0.0, 1.0, 1000)
u = np.cos(x)  # gpuport: skip
w = np.sort(u)
{stores}
np.savetxt("sorted.txt", w)
"""


def test_stores_of_single_elements_pay_for_no_transfer():
    single = ("w[0] = 0.0", "w[-1] = 0.0", "w[1] = 0.5", "w[-2] = 0.5")
    assert port(STORES.format(stores="\n".join(single))).after is None
    parts = ("w[1:] *= 0.5", "w[:-1] *= 0.5", "w[2:] = 1 - w[2:]", "w[:-2] = 1 - w[:-2]")
    assert "cp.sort(" in (port(STORES.format(stores="\n".join(parts))).after or "")
