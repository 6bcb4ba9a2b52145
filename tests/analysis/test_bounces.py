"""Arrays that would only visit the device stay on the host."""

import ast
import textwrap

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.module import Module


def statuses(program: str) -> dict[str, str]:
    text = textwrap.dedent(program)
    report = port_module(Module("p.py", text, ast.parse(text)), Config())
    return {f.name: f.status.value for f in report.functions}


VALIDATED = """\
    import numpy as np
    from numpy.polynomial import polynomial


    def costs(p: np.ndarray):
        if np.any(p < 0):
            raise ValueError("negative")
        if not np.allclose(p.sum(), 1):
            raise ValueError("no sum of one")
        return polynomial.polyfromroots(p)
    """


def test_arguments_that_are_only_checked_on_the_device_do_not_go_there():
    assert statuses(VALIDATED)["costs"] == "refused"


def test_work_on_checked_arguments_takes_them_there():
    assert statuses(VALIDATED.replace("polynomial.polyfromroots", "np.sin"))["costs"] == "ported"


def test_a_number_of_the_result_is_worth_waiting_for():
    program = """\
        import numpy as np


        def distance(x: np.ndarray, y: np.ndarray):
            return float(np.sum((x - y) ** 2))
        """
    assert statuses(program)["distance"] == "ported"
