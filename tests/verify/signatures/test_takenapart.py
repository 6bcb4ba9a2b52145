"""Parameters that a function takes apart get items of the length, and of what, it has names for."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict

TAKEN_APART = {
    "points of a picture": (
        """
        def f(a, points, half=1):
            out = np.zeros(len(points))
            for k, (r, c) in enumerate(points):
                out[k] = a[slice(r, r + half), slice(c, c + half)].sum() * 2.0
            return out
        """,
        "* 2.0",
    ),
    "pairs in step": (
        """
        def f(src, dst):
            rows = []
            for (x, y), (u, v) in zip(src, dst):
                rows.append([x, y, 1.0, u * x, v * y])
            return np.array(rows)
        """,
        "u * x",
    ),
    "pairs of matrices": (
        """
        def f(pairs):
            return [np.linalg.norm(a @ b.T) * 3.0 for a, b in pairs]
        """,
        "* 3.0",
    ),
    "one triple": (
        """
        def f(v):
            x, y, z = v
            return np.sqrt(x * x + y * y + z * z) + 4.0
        """,
        "+ 4.0",
    ),
    "a dict of stacks": (
        """
        def f(groups):
            return {k: [np.linalg.svd(m, compute_uv=False) + 1.0 for m in v]
                    for k, v in groups.items()}
        """,
        "+ 1.0",
    ),
    "a chain of cores": (
        """
        def f(cores):
            e = np.ones((1, 1))
            for g in cores:
                e = np.einsum("ab,aic,bid->cd", e, g, g)
            return np.sqrt(np.abs(e).sum()) * 5.0
        """,
        "* 5.0",
    ),
}


@pytest.mark.parametrize("name", TAKEN_APART)
def test_its_inputs_are_found_and_tell_faults(name: str, verify: Any) -> None:
    text, part = TAKEN_APART[name]
    same = text.replace(part, f"{part} + 0.0")
    verdict = verify(text, same)["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    wrong = text.replace(part, part.replace("* 2.0", "* 2.5").replace("u * x", "v * x")
                         .replace("* 3.0", "* 3.5").replace("+ 4.0", "+ 4.5")
                         .replace("+ 1.0", "+ 1.5").replace("* 5.0", "* 5.5"))  # fmt: skip
    assert verify(text, wrong)["f"].verdict is Verdict.DIFFERS


PROGRAM = """
class Model:
    def __init__(self, x, k):
        self.x = x
        self.k = k

    def fit(self, y):
        self.w = np.linalg.pinv(self.x) @ y * self.k
        return self

model = Model(np.eye(3), 2.0).fit(np.ones(3))
print(np.sum(model.w))
"""


def test_a_call_on_a_call_makes_a_file_a_program(verify: Any) -> None:
    port = PROGRAM.replace("np.eye", "cp.eye").replace("np.ones", "cp.ones").replace(
        "np.linalg", "cp.linalg"
    ).replace("print(np.sum(model.w))", "print(cp.asnumpy(cp.sum(model.w)))")  # fmt: skip
    verdict = verify(PROGRAM, port)["Model.fit"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
