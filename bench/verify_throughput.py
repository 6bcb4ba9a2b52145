"""Examples a second: the verifier end to end, against drawing arrays by Hypothesis.

    python bench/verify_throughput.py [--size 64] [--seconds 5] [--rounds 3] [--save]

throughput
    Examples a second for one cheap function of two SIZE x SIZE float64 arrays, all of an example
    counted: drawing, original, repetition, tracing, port on the host backend, comparison, perturbed
    runs. ``equal`` is a port that gives the original's bits, ``rounding`` one that rounds
    otherwise, so that perturbed runs have to explain it.

    Beside it stand two loops of Hypothesis that draw arrays of the same shape, run both formulas on
    NumPy and compare with ``allclose``. ``filled`` is ``arrays(np.float64, shape)`` as it comes:
    it draws some dozens of the elements and fills the rest with one value. ``drawn`` draws every
    element (``fill=nothing()``), for which Hypothesis' limit of one example's choices has to be
    lifted: without that it makes no example at all.

    The rate is the median of the rounds, in which all take turns. ``processor`` is the same by
    the seconds of all processors used: a machine that does other work beside shows less in it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gpuport.verify.records import VerifyOptions
from gpuport.verify.sides.changes import Version, facts_of
from gpuport.verify.sides.originals import located
from gpuport.verify.sides.processortime import processor_time
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
_UNLIMITED = 1 << 20

Rate = tuple[float, float]
"""Examples a second, by the clock and by the processors."""


def verifier(texts: tuple[str, str], size: int, seconds: float) -> Rate:
    """The rate of a campaign whose arrays are `size` x `size` float64."""
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
            return _rate(answers, campaign, worker.process, seconds)


def _sized(trial: Trial, size: int) -> Trial:
    from dataclasses import replace

    return replace(trial, sizes=dict.fromkeys(trial.sizes, size), dtype="float64")


def filled(size: int, seconds: float) -> Rate:
    """The rate where Hypothesis draws some elements, and fills the rest with one value."""
    from hypothesis.extra.numpy import arrays

    return _hypothesis(arrays(np.float64, (size, size)), seconds)


def drawn(size: int, seconds: float) -> Rate:
    """The rate where Hypothesis draws every element, its limit of choices lifted."""
    from hypothesis import strategies as st
    from hypothesis.extra.numpy import arrays

    limit = "BUFFER_SIZE"
    holders = [
        m for n, m in sys.modules.items() if n.startswith("hypothesis") and hasattr(m, limit)
    ]
    kept = [getattr(module, limit) for module in holders]
    for module in holders:
        setattr(module, limit, _UNLIMITED)
    try:
        return _hypothesis(arrays(np.float64, (size, size), fill=st.nothing()), seconds)
    finally:
        for module, value in zip(holders, kept, strict=True):
            setattr(module, limit, value)


def _hypothesis(strategy: Any, seconds: float) -> Rate:
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings

    made, clock, used = 0, time.perf_counter(), time.process_time()

    @settings(
        max_examples=100, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet,
    )  # fmt: skip
    @given(strategy, strategy)
    def compare(x: np.ndarray, y: np.ndarray) -> None:
        nonlocal made
        if time.perf_counter() - clock >= seconds:
            raise TimeoutError
        made += 1
        with np.errstate(all="ignore"):
            first, second = (x * 2.0 + np.sqrt(np.abs(y)), 2.0 * x + np.sqrt(np.abs(y)))
            assert np.allclose(first, second, equal_nan=True)

    with suppress(TimeoutError):
        while True:
            compare()
    return made / (time.perf_counter() - clock), made / (time.process_time() - used)


def _rate(
    answers: Iterator[tuple[Trial, Answer]], campaign: Campaign, worker: int | None, seconds: float
) -> Rate:
    made, clock, used = 0, time.perf_counter(), time.process_time() + _used(worker)
    while time.perf_counter() - clock < seconds:
        assert campaign.weigh(*next(answers)) is None
        made += 1
    used = time.process_time() + _used(worker) - used
    return made / (time.perf_counter() - clock), made / used


def _used(process: int | None) -> float:
    """Seconds of the processor that another process has used (Linux)."""
    found = None if process is None else processor_time(process)
    return 0.0 if found is None else found.seconds


def main() -> None:
    """Measure all in the same run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    recorder = Recorder("verify_throughput", chosen.save)
    contestants: dict[str, Callable[[int, float], Rate]] = {
        "equal": partial(verifier, EQUAL),
        "rounding": partial(verifier, ROUNDING),
        "filled": filled,
        "drawn": drawn,
    }
    rounds = [
        {name: rate(chosen.size, chosen.seconds) for name, rate in contestants.items()}
        for _ in range(chosen.rounds)
    ]
    for which, measure in enumerate(("throughput", "processor")):
        found = {
            name: statistics.median(one[name][which] for one in rounds) for name in contestants
        }
        recorder.emit(
            measure, size=chosen.size, **{name: round(rate, 1) for name, rate in found.items()},
            of_filled=round(found["equal"] / found["filled"], 1),
            of_drawn=round(found["equal"] / found["drawn"], 1),
        )  # fmt: skip
    recorder.close()


if __name__ == "__main__":
    main()
