"""Numbers that arrays' lengths may be compared with, or cut into."""

from __future__ import annotations

import ast

import pytest

from gpuport.verify.sides.blocklengths import block_lengths


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("    if len(x) > 500:\n        return x\n", (500,)),
        ("    return x[512:], x[::BLOCK]\n", (512, 1024)),
        ("    return (len(x) + 1023) // 1024\n", (1023, 1024)),
        ("    size = 400\n    return [x[k] for k in range(0, len(x), size)]\n", (400,)),
        ("    return x + 500, x * 600.0, [700], f(800)\n", ()),
        ("    return x[:128], len(x) > 100_000, x > 300.0\n", ()),
    ],
)
def test_of_a_text(text: str, lengths: tuple[int, ...]) -> None:
    module = ast.parse(f"BLOCK = 1024\n\n\ndef f(x):\n{text}")
    assert block_lengths(module.body[-1], module) == lengths
