"""Each place where the host waits for the device is told, and what it waits for."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.analysis.knowledge.tables import knowledge
from gpuport.config import Config
from gpuport.host.counters import count
from gpuport.passes.port import port_module
from gpuport.records import FileReport
from gpuport.source.reading import parse

CALLS = {
    "numpy.nonzero": "cp.nonzero(x)",
    "numpy.ndarray.nonzero": "x.nonzero()",
    "numpy.flatnonzero": "cp.flatnonzero(x)",
    "numpy.argwhere": "cp.argwhere(x)",
    "numpy.where": "cp.where(x)",
    "numpy.unique": "cp.unique(x)",
    "numpy.unique_all": "cp.unique_all(x)",
    "numpy.unique_counts": "cp.unique_counts(x)",
    "numpy.unique_inverse": "cp.unique_inverse(x)",
    "numpy.unique_values": "cp.unique_values(x)",
    "numpy.compress": "cp.compress(x > 1, x)",
    "numpy.ndarray.compress": "x.compress(x > 1)",
    "numpy.extract": "cp.extract(x > 1, x)",
    "numpy.union1d": "cp.union1d(x, x)",
    "numpy.intersect1d": "cp.intersect1d(x, x)",
    "numpy.setdiff1d": "cp.setdiff1d(x, x)",
    "numpy.setxor1d": "cp.setxor1d(x, x)",
    "numpy.bincount": "cp.bincount(x.astype(int))",
    "numpy.place": "cp.place(x, x > 1, x[:1])",
    "numpy.histogram": "cp.histogram(x)",
    "numpy.nanmax": "cp.nanmax(x)",
    "numpy.nanmin": "cp.nanmin(x)",
    "numpy.average": "cp.average(x, weights=x)",
    "numpy.unravel_index": "cp.unravel_index(x.astype(int), (3, 4))",
    "numpy.polyfit": "cp.polyfit(x, x, 1)",
    "numpy.linalg.lstsq": "cp.linalg.lstsq(x.reshape(2, 3).T, x[:3])",
    "numpy.linalg.pinv": "cp.linalg.pinv(x.reshape(2, 3))",
    "numpy.linalg.cond": "cp.linalg.cond(x.reshape(2, 3))",
    "scipy.linalg.expm": "expm(x[:4].reshape(2, 2))",
}


def read_back() -> list[str]:
    return sorted(knowledge().words.reads_back)


@pytest.mark.parametrize("name", read_back())
def test_what_is_said_to_wait_waits(emulated: Any, name: str) -> None:
    from cupyx.scipy.linalg import expm

    x = emulated.asarray([1.0, 2.0, 0.0, 2.0, 5.0, 3.0])
    with count() as counted:
        eval(CALLS[name], {"cp": emulated, "x": x, "expm": expm})
    assert counted.syncs + counted.d2h > 0


def told(body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"import numpy as np\n\ndef work(x: np.ndarray, t: float):\n{lines}"
    report: FileReport = port_module(parse("work.py", text), Config())
    return [f"{f.span.line - 3}: {f.message}" for f in report.findings if f.code == "GP403"]


def test_sizes_that_values_decide() -> None:
    body = """mask = np.sqrt(x) > t
kept = x[mask]
x[mask] *= 0.5
x[~mask] = 0.0
for _ in range(10):
    kept = kept[kept > t]
return kept.sum()"""
    how = "the host waits for the device: its values decide how many elements"
    assert told(body) == [
        f"2: {how} `x[mask]` has",
        f"3: {how} `x[mask]` has",
        f"4: {how} `x[~mask]` has",
        f"6: {how} `kept[kept > t]` has, in a loop (line 8): 10 times",
    ]


def test_one_form_waits_and_the_other_does_not() -> None:
    body = """y = np.where(x > t, x, 0.0)
places = np.where(y > t)
return y, places, np.average(y), np.average(y, weights=x)"""
    device = "the host waits for the device"
    assert told(body) == [
        f"2: {device}: its values decide how many elements `np.where(y > t)` has",
        f"3: {device}: `np.average(y, weights=x)` reads values back to check them",
    ]


def test_places_and_slices_wait_for_nothing() -> None:
    assert told("order = np.argsort(x)\nreturn np.sqrt(x[order])[1:]") == []


def test_counts_of_a_histogram_are_no_view_of_the_data() -> None:
    """Edges that are given come back; a number of bins makes new ones."""
    text = """import numpy as np

def work(x: np.ndarray):
    x[x > 1.0] = 0.0
    return np.histogram(np.sqrt(x), {bins})
"""

    def codes(bins: str) -> set[str]:
        return {
            f.code for f in port_module(parse("work.py", text.format(bins=bins)), Config()).findings
        }

    assert "GP907" not in codes("20")
    assert "GP907" in codes("x")
