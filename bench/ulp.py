"""How far elementary functions on a GPU are from NumPy's: ``python bench/ulp.py [--save]``.

Of each function, for random arguments in its domain, the largest distance from NumPy's result in
units of the last place of that result, and the share of results that are the same. CuPy's
functions are CUDA's, which are also those of gpuport's kernels. NumPy's have an error of their own
(1 to 4 units for most, see its documentation), so that the distance is that of both.
"""

from __future__ import annotations

import argparse

import numpy as np

from batched import device
from record import Recorder

DOMAINS: dict[tuple[float, float], tuple[str, ...]] = {
    (-20.0, 20.0): ("exp", "sin", "cos", "tan", "arctan", "tanh", "sinh", "cosh", "arcsinh", "cbrt",
                    "expm1", "exp2", "floor", "rint", "square"),
    (-1.0, 1.0): ("arcsin", "arccos", "arctanh"),
    (1e-6, 1e6): ("sqrt", "log", "log2", "log10", "log1p", "reciprocal"),
    (1.0, 1e6): ("arccosh",),
    (-1e5, 1e5): ("sin", "cos"),
}  # fmt: skip
PAIRS = {
    "power": ((1e-3, 1e3), (-10.0, 10.0)),
    "hypot": ((-1e3, 1e3), (-1e3, 1e3)),
    "arctan2": ((-1e3, 1e3), (-1e3, 1e3)),
    "logaddexp": ((-1e2, 1e2), (-1e2, 1e2)),
    "fmod": ((-1e3, 1e3), (1e-2, 1e2)),
    "divide": ((-1e3, 1e3), (1e-2, 1e2)),
    "multiply": ((-1e3, 1e3), (-1e3, 1e3)),
}


def main() -> None:
    """Compare, and print a line for each function and dtype."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000_000)
    parser.add_argument("--save", action="store_true", help="write bench/results/ulp.json")
    options = parser.parse_args()
    cupy = device()
    if cupy is None:
        raise SystemExit("There is no CUDA device, or no CuPy for it.")
    record, rng = Recorder("ulp", options.save), np.random.default_rng(1)
    asked = [(name, (domain,)) for domain, names in DOMAINS.items() for name in names]
    for name, domains in (*asked, *PAIRS.items()):
        for dtype in ("float64", "float32"):
            given = [rng.uniform(*domain, options.count).astype(dtype) for domain in domains]
            with np.errstate(all="ignore"):
                expected = getattr(np, name)(*given)
            found = cupy.asnumpy(getattr(cupy, name)(*map(cupy.asarray, given)))
            off = np.abs(found - expected) / np.spacing(np.abs(expected))
            record.emit(
                name, dtype=dtype, domains=[list(domain) for domain in domains],
                largest_ulp=float(f"{np.nanmax(off):.3g}"), same=round(float(np.mean(off == 0)), 4),
            )  # fmt: skip
    record.close()


if __name__ == "__main__":
    main()
