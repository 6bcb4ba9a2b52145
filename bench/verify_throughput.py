"""Examples a second: the verifier end to end, against drawing arrays by Hypothesis.

    python bench/verify_throughput.py [--size 64] [--seconds 5] [--save]

throughput
    Examples a second for one cheap function of two SIZE x SIZE float64 arrays, all of an example
    counted: drawing, original, repetition, tracing, port on the host backend, comparison, perturbed
    runs. ``equal`` is a port that gives the original's bits, ``rounding`` one that rounds
    otherwise, so that perturbed runs have to explain it. ``naive`` is a Hypothesis loop over
    ``arrays()`` of the same shape (which draws a few elements and fills the rest with one value:
    it cannot draw 4096) that compares with ``allclose``.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gpuport.verify.records import VerifyOptions
from gpuport.verify.sides.changes import Version, facts_of
from gpuport.verify.sides.originals import located
from gpuport.verify.signatures.signatures import signatures_of
from gpuport.verify.slots import Trial
from gpuport.verify.trials.examiner import Answer
from gpuport.verify.trials.isolation import Worker
from gpuport.verify.verdicts.campaign import Campaign
from record import Recorder

_PORT = """import cupy as cp
from gpuport.runtime import device


@device("x", "y")
"""
EQUAL = (
    """import numpy as np


def f(x: np.ndarray, y: np.ndarray):
    return x * 2.0 + np.sqrt(np.abs(y))
""",
    f"""{_PORT}def f(x, y):
    return x * 2.0 + cp.sqrt(cp.abs(y))
""",
)
ROUNDING = (
    """import numpy as np


def f(x: np.ndarray, y: np.ndarray):
    return x.sum(axis=0) - (x * y).sum(axis=1)
""",
    f"""{_PORT}def f(x, y):
    return x[::-1].cumsum(axis=0)[-1] - (x * y)[:, ::-1].cumsum(axis=1)[:, -1]
""",
)
_WARM_UP = 30


def verifier(texts: tuple[str, str], size: int, seconds: float) -> float:
    """Examples a second of a campaign whose arrays are `size` x `size` float64."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, text in zip(("old", "new"), texts, strict=True):
            (folder / side).mkdir()
            (folder / side / "module.py").write_text(text)
        old, new = (located(folder / side / "module.py") for side in ("old", "new"))
        signature = next(signatures_of(Version(texts[0], old).tree))
        options = VerifyOptions(root=folder, examples=100_000, function_seconds=1e6)
        load = {
            "op": "load", "original": old.request(), "port": new.request(),
            "scratch": str(folder), "backend": "host", "host_module": options.host_module,
            "memory": options.memory_bytes,
        }  # fmt: skip
        with Worker(load, folder) as worker:
            worker.start()
            campaign = Campaign(worker, signature, facts_of(Version(texts[1], new), "f"), options)
            found = campaign.acceptance.templates()
            templates = [t for t in found if len(t.symbols()) == 4]
            trials = (_sized(trial, size) for trial in campaign.schedule(templates[:1]).trials())
            answers = campaign.examiner.compared(trials, lambda: True)
            for _ in range(_WARM_UP):
                campaign.weigh(*next(answers))
            return _rate(answers, campaign, seconds)


def _sized(trial: Trial, size: int) -> Trial:
    from dataclasses import replace

    return replace(trial, sizes=dict.fromkeys(trial.sizes, size), dtype="float64")


def naive(size: int, seconds: float) -> float:
    """Examples a second where Hypothesis draws the arrays."""
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings
    from hypothesis import strategies as st
    from hypothesis.extra.numpy import arrays

    drawn = arrays(np.float64, (size, size), elements=st.floats(-1e3, 1e3))

    @settings(
        max_examples=20, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet,
    )  # fmt: skip
    @given(drawn, drawn)
    def compare(x: np.ndarray, y: np.ndarray) -> None:
        nonlocal made
        made += 1
        assert np.allclose(x * 2.0 + np.sqrt(np.abs(y)), 2.0 * x + np.sqrt(np.abs(y)))

    made, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        compare()
    return made / (time.perf_counter() - started)


def _rate(answers: Iterator[tuple[Trial, Answer]], campaign: Campaign, seconds: float) -> float:
    made, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        assert campaign.weigh(*next(answers)) is None
        made += 1
    return made / (time.perf_counter() - started)


def main() -> None:
    """Measure all in the same run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    recorder = Recorder("verify_throughput", chosen.save)
    size, seconds = chosen.size, chosen.seconds
    equal, rounding = (verifier(texts, size, seconds) for texts in (EQUAL, ROUNDING))
    theirs = naive(size, seconds)
    recorder.emit(
        "throughput", size=size, equal=round(equal, 1), rounding=round(rounding, 1),
        naive=round(theirs, 1), times=round(equal / theirs, 1),
    )  # fmt: skip
    recorder.close()


if __name__ == "__main__":
    main()
