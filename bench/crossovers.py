"""From which size on which algorithm is faster: ``python bench/crossovers.py --repeats 5``.

One line for each pair of algorithms among which ``rules/linalg-sizes.json`` chooses, with the time
of the one over that of the other for sizes around the limit, and the size at which they change
places (none, where one is faster at all of them). Where there is a CUDA device, it is CuPy's
functions that are compared, which is what the table is for. Elsewhere it is NumPy's: ``backend``
says so, and the table is not to be changed by them. What is compared:

- ``svd_jacobi_at_most``: the ``svd`` of a stack in one call against a call for each matrix;
- ``svd_qr_first_from``: the decomposition of the triangular factor against that of the matrix, by
  the long side over the short one;
- ``gram_condition_at_most``: singular values from the Gram matrix against a decomposition (time),
  and how far off they are by the condition, in units of the roundoff times the largest (error);
- ``lu_batched_at_most``, ``eigh_batched_at_most``: ``inv`` and ``eigh`` of a stack in one call
  against a call for each matrix.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from batched import device
from gpuport.runtime.batched.sizes import sizes
from record import Recorder

WORK = 2.0e8
"""Floating-point operations of a stack, about: large enough to time, small enough to wait for."""


def main() -> None:
    """Measure, and print a line for each pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--work", type=float, default=WORK, help="operations of a stack")
    parser.add_argument("--save", action="store_true", help="write bench/results/crossovers.json")
    options = parser.parse_args()
    record = Recorder("crossovers", options.save)
    bench = Bench(options.repeats, options.work)
    for measure in (bench.jacobi, bench.factor_first, bench.gram, bench.inverses, bench.symmetric):
        for name, fields in measure():
            record.emit(name, backend=bench.backend, **fields)
    for dtype in ("f", "d"):
        record.emit("gram_condition_at_most, error", backend=bench.backend, **bench.errors(dtype))
    record.close()


class Bench:
    """Pairs of algorithms, timed where there is a device, else on the host."""

    def __init__(self, repeats: int, work: float) -> None:
        cupy = device()
        self.xp: Any = np if cupy is None else cupy
        self.backend = "host, NumPy: no GPU" if cupy is None else "CUDA device"
        self.repeats, self.work = repeats, work

    def seconds(self, function: Callable[[], Any]) -> float:
        """The least time of some calls, after one that is not counted; the device is waited for."""
        found = []
        for _ in range(self.repeats + 1):
            start = time.perf_counter()
            function()
            if self.xp is not np:
                self.xp.cuda.Device().synchronize()
            found.append(time.perf_counter() - start)
        return min(found[1:])

    def stack(self, rows: int, columns: int, dtype: str = "d") -> Any:
        """As many random matrices as make up the work: a pile, but not of thousands."""
        count = int(self.work / (4.0 * rows * columns * min(rows, columns)))
        a = np.random.default_rng(1).normal(size=(min(max(count, 16), 256), rows, columns))
        return self.xp.asarray(a.astype(dtype))

    def pair(
        self, limit: Any, places: Sequence[Any], ratios: Sequence[float], what: str
    ) -> dict[str, Any]:
        """The fields of a line: below 1 the first algorithm is faster."""
        faster = [ratio < 1 for ratio in ratios]
        change = next(
            (places[k] for k in range(1, len(places)) if faster[k] != faster[k - 1]), None
        )
        shown = {str(place): round(ratio, 2) for place, ratio in zip(places, ratios, strict=True)}
        return {"compared": what, "ratios": shown, "changes_at": change, "table": limit}

    def one_by_one(self, function: Callable[[Any], Any], stack: Any) -> list[Any]:
        return [function(matrix) for matrix in stack]

    def jacobi(self) -> Any:
        """One call for a stack against a call for each."""
        places, svd = (4, 8, 16, 24, 32, 33, 48, 64), self.xp.linalg.svd
        yield "svd_jacobi_at_most", self.in_one_call(places, svd, sizes().svd_jacobi, "svd")

    def inverses(self) -> Any:
        """Likewise."""
        places = (8, 32, 64, 128, 256, 384, 512)
        inv = self.xp.linalg.inv
        yield "lu_batched_at_most", self.in_one_call(places, inv, sizes().lu_batched, "inv")

    def symmetric(self) -> Any:
        """Likewise."""
        places = (8, 32, 64, 128, 256, 384, 512)
        limit = sizes().eigh_batched
        yield "eigh_batched_at_most", self.in_one_call(places, self.xp.linalg.eigh, limit, "eigh")

    def in_one_call(
        self, places: Sequence[int], function: Callable[[Any], Any], limit: int, name: str
    ) -> dict[str, Any]:
        ratios = []
        for n in places:
            stack = self.stack(n, n)
            stack = stack @ stack.swapaxes(-1, -2) + self.xp.eye(n)
            together = self.seconds(lambda s=stack: function(s))
            ratios.append(together / self.seconds(lambda s=stack: self.one_by_one(function, s)))
        return self.pair(limit, places, ratios, f"{name} of a stack over {name} of each")

    def factor_first(self) -> Any:
        """QR, then the decomposition of R, against that of the matrix."""
        places, xp = (1.0, 1.25, 1.6, 2.0, 3.0, 4.0, 8.0), self.xp
        for short in (64, 256):
            ratios = []
            for place in places:
                stack = self.stack(int(short * place), short)

                def first(s: Any = stack) -> Any:
                    q, r = xp.linalg.qr(s)
                    u, values, vh = xp.linalg.svd(r, full_matrices=False)
                    return xp.matmul(q, u), values, vh

                direct = self.seconds(lambda s=stack: xp.linalg.svd(s, full_matrices=False))
                ratios.append(self.seconds(first) / direct)
            what = f"svd of the triangular factor over svd, {short} columns"
            yield "svd_qr_first_from", self.pair(sizes().svd_qr_first, places, ratios, what)

    def gram(self) -> Any:
        """Singular values from the Gram matrix against a decomposition."""
        places, xp = (1.0, 1.6, 2.0, 4.0, 8.0), self.xp
        for dtype in ("f", "d"):
            ratios = []
            for place in places:
                stack = self.stack(int(128 * place), 128, dtype)

                def squares(s: Any = stack) -> Any:
                    wide = s.astype("d")
                    return xp.linalg.eigvalsh(xp.matmul(wide.swapaxes(-1, -2), wide))

                direct = self.seconds(lambda s=stack: xp.linalg.svd(s, compute_uv=False))
                ratios.append(self.seconds(squares) / direct)
            what = f"eigvalsh of the Gram matrix over svd without vectors, dtype {dtype}"
            yield "gram_condition_at_most", self.pair(None, places, ratios, what)

    def errors(self, dtype: str) -> dict[str, Any]:
        """How far values from the Gram matrix are off, in roundoffs of the largest one."""
        rng, found = np.random.default_rng(1), {}
        for exponent in range(9):
            u, v = (np.linalg.qr(rng.normal(size=(n, 32)))[0] for n in (96, 32))
            exact = np.geomspace(1, 10.0**-exponent, 32)
            a = self.xp.asarray(((u * exact) @ v.T).astype(dtype)).astype("d")
            squares = self.xp.linalg.eigvalsh(a.T @ a)[::-1]
            values = np.sqrt(
                np.maximum(np.asarray(getattr(squares, "get", lambda s=squares: s)()), 0)
            )
            decomposed = np.linalg.svd(
                ((u * exact) @ v.T).astype(dtype).astype("d"), compute_uv=False
            )
            off = np.abs(values - decomposed).max() / np.finfo(dtype).eps
            found[f"1e{exponent}"] = float(f"{off:.2g}")
        limit = sizes().gram_single if dtype == "f" else sizes().gram_double
        return {"dtype": dtype, "roundoffs_by_condition": found, "table": limit}


if __name__ == "__main__":
    main()
