"""Programs that make exceptions of NumPy's floating-point errors: CuPy has none to make."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import warnings
import numpy as np
import scipy.special
from warnings import filterwarnings

def f(a: np.ndarray, i):
    {body}
    return np.log(a) + np.exp(a)
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("np.seterr(all='raise')", True),
        ("old = np.seterr(divide='raise')", True),
        ("np.seterr(all='ignore')", False),
        ("old = np.seterr(invalid='ignore')", False),
        ("scipy.special.seterr(all='raise')", True),
        ("warnings.simplefilter('error')", True),
        ("warnings.simplefilter('error', RuntimeWarning)", True),
        ("warnings.simplefilter('error', DeprecationWarning)", False),
        ("warnings.simplefilter('ignore')", False),
        ("filterwarnings('error', category=RuntimeWarning)", True),
        ("filterwarnings('error', 'divide by zero')", True),
        ("filterwarnings('error', '.*', UserWarning)", False),
        ("filterwarnings(action='error')", True),
        ("i = dict(mode='raise')", False),
    ],
)
def test_errors_asked_for_by_a_call(body: str, told: bool) -> None:
    report = port_module(parse("program.py", PROGRAM.format(body=body)), Config())
    assert ("GP507" in {finding.code for finding in report.findings}) == told
    assert ("cp.log" in (report.after or "")) != told


def test_asked_for_by_a_module_they_are_told_there() -> None:
    text = "import numpy as np\nnp.seterr(all='raise')\nprint(np.exp(np.arange(3.0)).sum())\n"
    report = port_module(parse("program.py", text), Config())
    assert report.after is None
    assert "GP507" in {finding.code for finding in report.findings}
