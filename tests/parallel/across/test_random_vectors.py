"""Random loops over vectors give what they gave, whatever becomes of them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.parallel.across.random_vectors import WAYS, Writer, arguments

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

EACH = 30
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.sampled(4),
]


def outcome(function: Any, given: list[Any]) -> Any:
    """What a call gives, or the kind of its error."""
    with np.errstate(all="ignore"):
        try:
            return function(*given)
        except Exception as error:
            return type(error).__name__


def on_device(cupy: Any, given: list[Any]) -> list[Any]:
    """Arguments on the device, the same array for the same."""
    there: dict[int, Any] = {}
    return [
        there.setdefault(id(one), cupy.asarray(one)) if isinstance(one, np.ndarray) else one
        for one in given
    ]


@pytest.mark.parametrize("first", range(0, 240, EACH))
def test_random_loops_over_vectors(emulated: Any, tmp_path: Any, first: int) -> None:
    turned = 0
    for seed in range(first, first + EACH):
        text = Writer(seed).text()
        made = port_module(parse("m.py", text), Config()).after
        if made is None:
            continue
        turned += "over=" in made
        original: dict[str, Any] = {"__name__": "original"}
        exec(compile(text, "original.py", "exec"), original)
        file = tmp_path / f"port{seed}.py"
        file.write_text(made)  # a kernel reads the lines of its function
        port = ModuleType(file.stem)
        sys.modules[file.stem] = port
        exec(compile(made, str(file), "exec"), port.__dict__)
        for way in WAYS:
            given, there = arguments(way), on_device(emulated, arguments(way))
            expected, found = outcome(original["f"], given), outcome(port.f, there)
            if isinstance(expected, str):
                assert found == expected, (seed, way, text)
                continue
            close = 1e-5 if way == "single precision" else 1e-10
            for one, other in zip([*found, *there[:8]], [*expected, *given[:8]], strict=True):
                np.testing.assert_allclose(
                    emulated.asnumpy(one), other, close, close, err_msg=f"{seed} {way}\n{text}"
                )
    assert turned
