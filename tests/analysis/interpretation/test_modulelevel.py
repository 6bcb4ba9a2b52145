"""Names of a module: which of them functions read."""

from __future__ import annotations

from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def closer(level):
    def rule(x):
        return np.where(x < level, 0.5 * x, level - x)

    return rule


rng = np.random.default_rng(3)
level = np.exp(np.sqrt(rng.random(3000))) * 0.25
x = np.sin(level) + rng.random(3000)
rule = closer(level)
for _ in range(10):
    x = rule(x)
print(x.sum())
"""


def test_a_name_of_the_function_around_is_none_of_the_module():
    after = port(PROGRAM).after or ""
    assert "level = cp.exp(" in after
    assert "cp.asarray(level)" not in after
