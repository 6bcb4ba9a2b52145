"""Many matrices, one by one against all at once: ``python bench/batched.py --scale 0.1``.

The matrices are those of a decomposition of a network's layers (56 of 3072 x 768) and of a filter
bank (4000 of 8 x 8); ``--scale`` takes that part of the number of the large ones. Ratios are the
time of a NumPy loop over the time of the form that is named: above 1 it is faster than the loop.

Without a CUDA device the runtime's functions run on the host, in a process for each core where the
work takes long (``device="auto"``), and what is measured is what they cost there. With one,
transfers in both directions are part of every time. BLAS threads of the loop are those that the
environment sets; the processes have one each.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpuport.runtime import batched
from gpuport.runtime.transfer import Crossing, Place
from record import Recorder

Form = Callable[[list[np.ndarray]], Any]

WORK: tuple[tuple[str, str, dict[str, Any], int, tuple[int, int]], ...] = (
    ("layers", "svd", {"compute_uv": False}, 56, (3072, 768)),
    ("layers", "svd", {"full_matrices": False}, 56, (3072, 768)),
    ("filters", "inv", {}, 4000, (8, 8)),
    ("filters", "svd", {"full_matrices": False}, 4000, (8, 8)),
    ("filters", "eigh", {}, 4000, (8, 8)),
    ("filters", "cholesky", {}, 4000, (8, 8)),
)


def matrices(count: int, shape: tuple[int, int], symmetric: bool) -> list[np.ndarray]:
    """Random matrices of one shape; positive definite where that is asked for."""
    rng = np.random.default_rng(1)
    found = [rng.normal(size=shape) for _ in range(count)]
    return [m @ m.T + np.eye(shape[0]) for m in found] if symmetric else found


def forms(name: str, options: dict[str, Any]) -> Iterator[tuple[str, Form]]:
    """The forms that can run on this machine."""
    function = getattr(np.linalg, name)
    together = getattr(batched, name)
    yield "NumPy, one stack", lambda ms: function(np.stack(ms), **options)
    cupy = device()
    auto = 'gpuport.runtime.batched, device="auto"'
    yield auto, lambda ms: together(ms, device="auto", **options)
    if cupy is None:
        return
    on_device = getattr(cupy.linalg, name)

    def back(results: Any) -> Any:
        if isinstance(results, (list, tuple)):
            return [back(one) for one in results]
        return cupy.asnumpy(results)

    yield "CuPy, one by one", lambda ms: back([on_device(cupy.asarray(m), **options) for m in ms])
    yield "CuPy, one stack", lambda ms: back(on_device(cupy.asarray(np.stack(ms)), **options))
    yield (
        "gpuport.runtime.batched",
        lambda ms: brought(cupy, together(batched.upload(ms), **options)),
    )


def brought(cupy: Any, results: Any) -> Any:
    """On the host, as a ported function gives back what its caller gets."""
    return Crossing(cupy).restore(results, Place.HOST)


def device() -> Any:
    """CuPy, where there is a device for it."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else None
    except Exception:  # no CuPy, no driver, no device
        return None


def seconds(form: Form, given: list[np.ndarray], repeats: int) -> float:
    """The least time of some runs, after one that is not counted."""
    form(given[:2])
    times = []
    for _ in range(max(repeats, 1)):
        start = time.perf_counter()
        form(given)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Measure, and print a line for each form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="part of the large matrices")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=("layers", "filters"), help="one kind of matrices")
    parser.add_argument("--save", action="store_true", help="write bench/results/batched.json")
    options = parser.parse_args()
    record = Recorder("batched", options.save)
    threads = os.environ.get("OPENBLAS_NUM_THREADS", "as the library sets them")
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    record.emit("circumstances", threads_of_blas_in_the_loop=threads, load_of_the_machine=load)
    backend = "CUDA device" if device() is not None else "host backend, no GPU"
    for kind, name, keywords, most, shape in WORK:
        if options.only not in (None, kind):
            continue
        count = max(2, round(most * options.scale)) if kind == "layers" else most
        given = matrices(count, shape, symmetric=name in ("eigh", "cholesky"))
        loop = getattr(np.linalg, name)

        def one_by_one(ms: list[np.ndarray], loop: Any = loop, keywords: Any = keywords) -> Any:
            return [loop(m, **keywords) for m in ms]

        usual = seconds(one_by_one, given, options.repeats)
        for form, run in forms(name, keywords):
            ratio = usual / seconds(run, given, options.repeats)
            record.emit(
                form, backend=backend, function=name, options=keywords, matrices=count,
                shape=list(shape), seconds_of_the_loop=round(usual, 2),
                times_as_fast_as_a_numpy_loop=round(ratio, 2),
            )  # fmt: skip
    record.close()


if __name__ == "__main__":
    main()
