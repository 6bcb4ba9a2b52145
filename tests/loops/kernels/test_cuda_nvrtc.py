"""The text of kernels compiles for GPUs: NVRTC, where its wheel is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.host.kernels import nvrtc
from gpuport.host.kernels.declared import check_declared
from gpuport.report.compiling import texts_of

SOURCES = {
    "semantics": """
        def many(x, k, y, m):
            for i in range(len(x)):
                t = k[i] // 3 - k[i] % -4 + (k[i] >> 2) + (k[i] << 1) + abs(k[i]) ** 2
                y[i] = x[i] // 0.7 + x[i] % -1.5 + min(x[i], 2.0) + max(x[i], 0.5)
                y[i] += np.minimum(x[i], -1.0) + round(x[i]) + np.sign(x[i]) + math.pi
                m[i] = t if 0 < t < 90 else k[-1 - i] * 2
        """,
    "atomics": """
        def many(x, k, y, m):
            for i in range(len(x)):
                y[k[i]] += x[i]
                m[k[i]] += 1
        """,
    "extremes": """
        def many(x, k, y, m):
            for i in range(len(x)):
                if x[i] < y[k[i]]:
                    y[k[i]] = x[i]
                m[k[i]] = max(m[k[i]], k[i] - 3)
            for i in range(len(x)):
                y[k[i]] = max(y[k[i]], x[i])
            for i in range(len(x)):
                y[k[i]] = np.minimum(y[k[i]], x[i])
            for i in range(len(x)):
                y[k[i]] = np.maximum(y[k[i]], x[i])
        """,
    "axes": """
        def many(x, k, y, m):
            for i in range(0, m.shape[0] - 1, 2):
                s = 0.0
                for j in range(3):
                    while s < 4.0:
                        s = s + 1.5
                        if k[i] > j:
                            break
                    m[i] = m[i] + j * k[i + 1]
                y[i] = s
        """,
    "sums": """
        def many(x, k, y, m):
            total = 0.0
            best = 0
            top = x[0]
            for i in range(len(x)):
                if k[i] == 2:
                    continue
                total += math.exp(-x[i]) * np.sqrt(abs(x[i]))
            for i in range(len(x)):
                if x[i] > top:
                    top = x[i]
                    best = i
            return total, best
        """,
}


@pytest.mark.parametrize("name", sorted(SOURCES))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_kernels_compile_for_gpus(run: Any, name: str, dtype: str) -> None:
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed")
    rng = np.random.default_rng(2)
    arguments = {
        "x": rng.normal(size=12).astype(dtype),
        "k": rng.integers(0, 9, 12),
        "y": np.zeros(12, dtype),
        "m": np.zeros(12, np.int32 if name == "atomics" else np.int64),
    }
    ported = run(SOURCES[name], **arguments).ported
    assert ported.kernels
    for made in texts_of(ported.text, dtype):
        found = check_declared(made, [75, 80, 90])
        assert found
        assert all(f.spill_stores == 0 for f in found)
