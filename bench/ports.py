"""Programs and their ports, by size of the arrays: ``python bench/ports.py [--save]``.

The functions of ``ported_programs`` are ported as ``gpuport rewrite`` does it. Original and port
get the same host arrays and give host arrays, so that transfers in both directions are part of the
port's time; both run once before they are timed, so that compiling kernels is not (the first
call's seconds are given apart). Ratios are the time of the original over that of the port: above 1
the port is faster. Without a CUDA device there is nothing to measure.
"""

from __future__ import annotations

import argparse
import os
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from batched import device
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse
from ported_programs import CASES
from record import Recorder

PROGRAMS = Path(__file__).with_name("ported_programs.py")


def main() -> None:
    """Measure, and print a line for each function and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--longest", type=float, default=20.0, help="seconds of an original")
    parser.add_argument("--save", action="store_true", help="write bench/results/ports.json")
    options = parser.parse_args()
    if device() is None:
        raise SystemExit("There is no CUDA device, or no CuPy for it.")
    os.environ["GPUPORT_FALLBACK"] = "loops"
    text = PROGRAMS.read_text()
    report = port_module(parse(str(PROGRAMS), text), Config())
    assert report.after is not None
    original, port = loaded("original", text), loaded("port", report.after)
    record = Recorder("ports", options.save)
    for name, (sizes, make) in CASES.items():
        for size in sizes:
            usual = Timing(getattr(original, name), make(size), options.repeats)
            ported = Timing(getattr(port, name), make(size), options.repeats)
            record.emit(
                name, size=size, seconds_of_the_original=float(f"{usual.least:.3g}"),
                times_as_fast=float(f"{usual.least / ported.least:.3g}"),
                seconds_of_the_first_call=float(f"{ported.first:.3g}"),
                largest_difference=difference(usual.result, ported.result),
            )  # fmt: skip
            if usual.least > options.longest:
                break
    record.close()


def loaded(name: str, text: str) -> Any:
    """A module of this text."""
    module = types.ModuleType(name)
    exec(compile(text, f"<{name}>", "exec"), module.__dict__)
    return module


class Timing:
    """Time of the first call, and the least of some later ones that begin with fresh arguments."""

    def __init__(self, function: Callable[..., Any], given: tuple[Any, ...], repeats: int) -> None:
        times = []
        for _ in range(repeats + 1):
            arguments = [one.copy() if isinstance(one, np.ndarray) else one for one in given]
            start = time.perf_counter()
            self.result = function(*arguments)
            times.append(time.perf_counter() - start)
            if sum(times) > 10:
                break
        self.first, self.least = times[0], min(times[1:] or times)


def difference(expected: Any, found: Any) -> float:
    """Largest difference over the largest magnitude, of all arrays of a result."""
    if isinstance(expected, tuple):
        return max(difference(one, two) for one, two in zip(expected, found, strict=True))
    one, two = np.asarray(expected), np.asarray(found)
    assert (one.dtype, one.shape) == (two.dtype, two.shape)
    scale = np.abs(one).max(initial=0.0) or 1.0
    return float(f"{np.abs(two - one.astype(two.dtype)).max(initial=0.0) / scale:.2g}")


if __name__ == "__main__":
    main()
