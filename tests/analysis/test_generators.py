"""What generators that are functions of the program hand out."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

FED = """import numpy as np

def batches(x, y, size):
    for s in range(0, len(x), size):
        rows = np.arange(s, s + size)[::-1]
        yield x[rows], y[rows]

def main():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(8000, 200)), rng.normal(size=8000)
    w = np.zeros(200)
    for xb, yb in batches(x, y, 4000):
        w = w - 0.1 * xb.T @ np.tanh(xb @ w - yb) / len(yb)
    print(w.sum())

main()
"""


def test_a_generator_of_a_program_works_where_its_arrays_are():
    report = port(FED)
    assert not {"GP901", "GP904"} & {finding.code for finding in report.findings}
    after = report.after or ""
    assert "rows = cp.arange(s, s + size)[::-1]" in after
    assert after.count("cp.asarray") == 2  # the two arrays that are drawn, once
    assert after.count("cp.asnumpy") + after.count("print(float(") == 1


def test_arrays_that_a_generator_of_the_host_hands_out_are_known():
    report = port(FED.removesuffix("main()\n"))  # callers by hand go over it as they like
    assert "cp.tanh" in (report.after or "")
    assert not [f for f in report.findings if f.code == "GP901"]
    assert [f.code for f in report.findings if f.code == "GP904"] == ["GP904"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("in batches(x, y, 4000):", "in iter(fed):"),  # others may go over it as well
        ("yield x[rows], y[rows]", "got = yield x[rows], y[rows]"),
    ],
)
def test_what_is_not_certain_is_not_known(before, after):
    text = FED.replace(before, after).replace(
        "    w = np", "    fed = batches(x, y, 9)\n    w = np"
    )
    report = port(text)
    assert {"GP901", "GP904"} <= {finding.code for finding in report.findings}
    assert "cp.tanh" not in (report.after or "")


@pytest.mark.parametrize(
    ("loop", "draw"),
    [
        ("for xb, yb in fed:", "pass"),
        ("for _ in range(5):", "xb, yb = next(fed)"),
        ("for k, (xb, yb) in enumerate(fed):", "pass"),
    ],
)
def test_one_that_is_kept_and_only_drawn_from_is_followed(loop, draw):
    text = FED.replace("    w = np", "    fed = batches(x, y, 4000)\n    w = np")
    head = next(line for line in text.splitlines() if "in batches(" in line)
    inner = (
        f"        {loop}\n            {draw}"
        if head.startswith("        ")
        else f"    {loop}\n        {draw}"
    )
    report = port(text.replace(head, inner))
    assert "GP904" not in {finding.code for finding in report.findings}
    after = report.after or ""
    assert "rows = cp.arange(s, s + size)[::-1]" in after
    assert after.count("cp.asnumpy") + after.count("print(float(") == 1


@pytest.mark.parametrize(
    "use",
    [
        "held = [fed]",
        "again = fed",
        "fed.close()",
        "print(list(fed))",
        "def later():\n        return next(fed)",
        "fed = iter([])",
    ],
)
def test_one_of_which_more_is_read_is_not(use):
    text = FED.replace("    w = np", f"    fed = batches(x, y, 4000)\n    {use}\n    w = np")
    text = text.replace("in batches(x, y, 4000):", "in fed:")
    assert "GP904" in {finding.code for finding in port(text).findings}


WRITES = """import numpy as np

def steps(u, n):
    for _ in range(n):
        u[1:-1] += 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        yield u

held = []
for u in steps(np.sin(np.linspace(0.0, 6.0, 5000)), 4):
    held.append(u)
    print(np.exp(u).sum())
print([np.exp(-h).sum() for h in held])
"""


def test_an_array_that_is_written_after_it_was_handed_out_is_not_copied():
    after = port(WRITES).after or ""
    assert "held.append(u)" in after
    assert "cp.asarray" not in after


def test_who_stands_in_the_way_of_a_generator_is_told():
    text = FED.replace("in batches(x, y, 4000):", "in iter(fed):")
    text = text.replace("    w = np", "    fed = batches(x, y, 9)\n    w = np")
    found = [f.message for f in port(text).findings if f.code == "GP904"]
    assert found == ["generator: `batches(x, y, 9)` on line 11 is not gone through where it stands"]


LOADER = """import numpy as np

class Loader:
    def __init__(self, x, size):
        self.x, self.size = x, size

    def __len__(self):
        return len(self.x) // self.size

    def __iter__(self):
        yield from self.parts(0)

    def parts(self, first):
        for k in range(first, len(self)):
            yield k, self.x[k * self.size:(k + 1) * self.size]

loader = Loader(np.linspace(0.0, 1.0, 10000).reshape(-1, 4), 500)
total = np.zeros(4)
for epoch in range(3):
    for k, part in loader:
        total += np.exp(part).mean(axis=0)
print(total)
"""


def test_generators_among_methods_are_followed():
    after = port(LOADER).after or ""
    assert after.count("cp.asnumpy") + after.count("print(float(") == 1
    assert "cp.asarray" not in after
    assert "np.exp(" not in after.replace("cp.exp(", "")
