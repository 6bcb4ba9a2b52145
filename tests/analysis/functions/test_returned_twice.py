"""An array that a function returns in two places is one, wherever its callers want it."""

from __future__ import annotations

import ast

import pytest

from gpuport.analysis.calls import handovers
from gpuport.analysis.placement import cut
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """
import numpy as np

LOG = []


def twice(n):
    t = np.ones(n)
    {other} = t
    for k in range(3):
        LOG.append(float(t[k]))
    return t, {other}


def main():
    p, q = twice(8)
    p += np.arange(8)
    q *= 2
    print(p.tolist(), q.tolist(), LOG)


main()
"""


@pytest.mark.parametrize("other", ["t", "u"])
def test_results_that_are_one_do_not_part(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    for module, name, cost in (
        (cut, "TRANSFER", 0.02), (handovers, "TRANSFER", 0.02), (cut, "SYNCHRONISATION", 0.01),
        (cut, "LINE", 0.01),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, cost)
    report = port_module(parse("program.py", PROGRAM.format(other=other)), Config())
    after = ast.parse(report.after or PROGRAM.format(other=other))
    bound = [node.targets[0].id for node in ast.walk(after)
             if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]  # fmt: skip
    assert not {"p", "q"} & set(bound)
