"""Kernels that loops become, against the loops, NumPy, CuPy and the device's memory.

    python bench/loops.py [--repeats 5] [--scale 1.0] [--save]
    python bench/loops.py --check

For each loop of ``loop_classics``, ported as ``gpuport rewrite`` does it:

iterations a second
    Of the loop in Python (at a small size), of NumPy's array operations, of the port with NumPy
    arrays in and out (``moved``) and with arrays of the device (``port``), and of the same array
    operations in CuPy (``cupy``), all at the large size.
share_of_bandwidth
    The bytes that the kernel has to read and write at least, over the port's time without
    transfers, over the same quotient of a copy of one array of a gibibyte to another. Where memory
    is what it waits for the target is 0.85.

Without a CUDA device there is nothing to measure. ``--check`` compares the values of loop, port and
array operations at the small size, on CuPy over NumPy where there is no device.
"""

from __future__ import annotations

import argparse
import importlib
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from batched import device
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse
from loop_classics import CLASSICS, LOOPS, Classic
from ports import difference, loaded
from record import Recorder

GIBIBYTE = 1 << 30


def main() -> None:
    """Measure, or compare, and print a line for each loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="of the large sizes")
    parser.add_argument("--check", action="store_true", help="compare values at the small sizes")
    parser.add_argument("--save", action="store_true", help="write bench/results/loops.json")
    options = parser.parse_args()
    cupy = device()
    if cupy is None and not options.check:
        raise SystemExit("There is no CUDA device, or no CuPy for it.")
    if cupy is None:
        importlib.import_module("gpuport.host").install()
        cupy = importlib.import_module("cupy")
    os.environ["GPUPORT_FALLBACK"] = "error"
    report = port_module(parse("loops.py", LOOPS), Config())
    assert report.after is not None
    loops, ports = loaded("loops", LOOPS), loaded("ports", report.after)
    record = Recorder("loops", options.save)
    copied = None if options.check else copy_bandwidth(cupy, options.repeats)
    for name, classic in CLASSICS.items():
        loop, port = getattr(loops, name), getattr(ports, name)
        expected = loop(*classic.make(classic.few))
        record.emit(
            f"{name} differs", size=classic.few,
            port=difference(expected, port(*classic.make(classic.few))),
            numpy=difference(expected, classic.arrays(np, *classic.make(classic.few))),
        )  # fmt: skip
        if copied is not None:
            size = max(int(classic.many * options.scale), classic.few)
            rates = measured(cupy, classic, loop, port, size, options.repeats)
            record.emit(name, size=size, **compared(classic, size, rates, copied))
    record.close()


def measured(
    cupy: Any,
    classic: Classic,
    loop: Callable[..., Any],
    port: Callable[..., Any],
    size: int,
    repeats: int,
) -> dict[str, float]:
    """Innermost iterations a second of each form."""
    small, large = classic.make(classic.few), classic.make(size)
    there = [cupy.asarray(one) if isinstance(one, np.ndarray) else one for one in large]
    many = classic.elements(size)
    wait = cupy.cuda.Device().synchronize
    return {
        "loop": classic.elements(classic.few) / seconds(lambda: loop(*small), 1, None),
        "numpy": many / seconds(lambda: classic.arrays(np, *large), repeats, None),
        "moved": many / seconds(lambda: port(*large), repeats, wait),
        "port": many / seconds(lambda: port(*there), repeats, wait),
        "cupy": many / seconds(lambda: classic.arrays(cupy, *there), repeats, wait),
    }


def compared(
    classic: Classic, size: int, rates: dict[str, float], copied: float
) -> dict[str, float]:
    """The rates, how much faster the port is than the others, and its share of the bandwidth."""
    found = {f"{name}_iterations_a_second": rounded(rate) for name, rate in rates.items()}
    for name in ("loop", "numpy", "cupy"):
        found[f"times_as_fast_as_{name}"] = rounded(rates["port"] / rates[name])
    if classic.bytes is not None:
        bytes_a_second = classic.bytes(size) * rates["port"] / classic.elements(size)
        found["share_of_bandwidth"] = rounded(bytes_a_second / copied)
    return found


def copy_bandwidth(cupy: Any, repeats: int) -> float:
    """Bytes read and written a second when one array is copied to another."""
    source = cupy.ones(GIBIBYTE // 8)
    target = cupy.empty_like(source)
    wait = cupy.cuda.Device().synchronize
    return 2 * GIBIBYTE / seconds(lambda: cupy.copyto(target, source), repeats, wait)


def seconds(work: Callable[[], Any], repeats: int, wait: Callable[[], Any] | None) -> float:
    """The least time of some runs behind one that is not counted, the device waited for."""
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        work()
        if wait is not None:
            wait()
        times.append(time.perf_counter() - start)
    return min(times[1:])


def rounded(value: float) -> float:
    """Three digits."""
    return float(f"{value:.3g}")


if __name__ == "__main__":
    main()
