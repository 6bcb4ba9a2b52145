"""Random loops over vectors give what they gave, whatever becomes of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.parallel.across.ports import assert_same, loaded, on_device, outcome, ported
from tests.parallel.across.random_vectors import WAYS, Writer, arguments

EACH = 30
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.sampled(4),
]


@pytest.mark.parametrize("first", range(0, 240, EACH))
def test_random_loops_over_vectors(emulated: Any, tmp_path: Any, first: int) -> None:
    turned = 0
    for seed in range(first, first + EACH):
        text = Writer(seed).text()
        made = ported(text)
        if made is None or "over=" not in made:
            continue  # where the arguments are then is not for this test to know
        turned += 1
        original, port = loaded(text, tmp_path / "m.py"), loaded(made, tmp_path / f"port{seed}.py")
        for way in WAYS:
            given, there = arguments(way), on_device(emulated, arguments(way))
            expected, found = outcome(original["f"], given), outcome(port["f"], there)
            if isinstance(expected, str):
                assert found == expected, (seed, way, text)
                continue
            close = 1e-5 if "single precision" in way else 1e-10
            both = [*found, *there[:8]], [*expected, *given[:8]]
            assert_same(emulated, *both, f"{seed} {way}\n{text}", close)
    assert turned
