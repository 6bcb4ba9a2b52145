"""Ports of random functions whose arguments share memory: ``python bench/aliasing.py [N] [FIRST]``.

Small functions store in parts of arrays, in statements and in loops. Each is called as it is and
as its port, with NumPy arrays and with CuPy arrays on the host emulation, of which some overlap:
``f(a[1:], a[:-1], ...)``, ``f(a[::-1], a, ...)``. Results and what is left in the arrays are
compared. Exits with 1 where one differs.
"""

from __future__ import annotations

import importlib
import random
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport import host
from gpuport.config import Config
from gpuport.porter import port_text
from gpuport.source.reading import decode

NAMES = ("x", "y", "z")
PARTS = ("[1:-1]", "[2:]", "[:-2]")
CALLS = (
    "f(a, b, c, 0.7)", "f(a, a, c, 0.7)", "f(a[1:], a[:-1], b[1:], 0.7)", "f(a[::-1], a, c, 0.7)",
    "f(a, b, b, 2)",
)  # fmt: skip


def expression(draw: random.Random, leaves: list[str], depth: int = 0) -> str:
    kind = draw.random()

    def inner() -> str:
        return expression(draw, leaves, depth + 1)

    if depth > 3 or kind < 0.25:
        return draw.choice(leaves)
    if kind < 0.45:
        return draw.choice(("0.5", "2.0", "k", "3"))
    if kind < 0.75:
        return f"({inner()} {draw.choice('+-*')} {inner()})"
    if kind < 0.9:
        return f"np.{draw.choice(('sin', 'cos', 'abs', 'square'))}({inner()})"
    return f"np.where({inner()} > 0.2, {inner()}, {inner()})"


def statement(draw: random.Random) -> list[str]:
    kind = draw.random()
    array, parts = draw.choice(NAMES), [name + part for name in NAMES for part in PARTS]
    change = draw.choice(("=", "+=", "-=", "*="))
    if kind < 0.3:
        return [f"{draw.choice(parts)} {change} {expression(draw, parts)}"]
    if kind < 0.45:
        return [f"{draw.choice(parts)} = {draw.choice(parts)}"]
    if kind < 0.6:
        return [f"{array}[...] = {draw.choice(NAMES)}{draw.choice(('', '[::-1]'))}"]
    if kind < 0.75:
        return [f"{array} {draw.choice(('+=', '-='))} {expression(draw, [*NAMES])}"]
    if kind < 0.85:
        return [f"{array} = {expression(draw, [*NAMES])} + {array}"]
    at = [f"{name}[i{step}]" for name in NAMES for step in ("", " - 1", " + 1")]
    return ["for i in range(1, len(x) - 1):", f"    {array}[i] {change} {expression(draw, at)}"]


def program(draw: random.Random) -> str:
    loop = draw.random() < 0.5
    lines = [line for _ in range(draw.randint(2, 5)) for line in statement(draw)]
    body = "\n".join(("        " if loop else "    ") + line for line in lines)
    head = "    for _ in range(2):\n" if loop else ""
    taken = ", ".join(f"{name}: np.ndarray" for name in NAMES)
    return f"import numpy as np\n\n\ndef f({taken}, k):\n{head}{body}\n    return x, y, z\n"


def outcome(text: str, call: str, dtypes: list[str], moved: Callable[[Any], Any]) -> Any:
    """What a call gives and leaves in its arrays; its error."""
    draw = np.random.default_rng(0)
    arrays = {
        n: moved((draw.normal(size=12) * 2).astype(t)) for n, t in zip("abc", dtypes, strict=True)
    }
    space: dict[str, Any] = {"__name__": "program", **arrays}
    try:
        exec(compile(text, "program.py", "exec"), space)
        results = eval(call, space)
    except Exception as error:
        return type(error)
    return [one.get() if hasattr(one, "get") else one for one in (*results, *arrays.values())]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, type) or isinstance(other, type):  # NumPy's errors are more special
        return isinstance(one, type) and isinstance(other, type) and issubclass(one, other)
    return all(
        a.dtype == b.dtype and np.allclose(a, b, rtol=1e-5, atol=1e-5, equal_nan=True)
        for a, b in zip(one, other, strict=True)
    )


def main() -> None:
    count, first = (*map(int, sys.argv[1:]), *(200, 0)[len(sys.argv) - 1 :])
    host.install(version=14)
    warnings.simplefilter("ignore")
    cupy = importlib.import_module("cupy")
    ported = kernels = differing = 0
    for seed in range(first, first + count):
        draw = random.Random(seed)
        text, call = program(draw), draw.choice(CALLS)
        dtypes = [draw.choice(("f8", "f8", "f8", "f4", "i8")) for _ in NAMES]
        after = port_text("program.py", decode(text.encode()), Config()).after
        if after is None:
            continue
        ported, kernels = ported + 1, kernels + ("@kernel" in after)
        expected = outcome(text, call, dtypes, np.asarray)
        for moved in (np.asarray, cupy.asarray):
            if not same(expected, outcome(after, call, dtypes, moved)):
                differing += 1
                print(f"seed {seed}: {call} of {dtypes}, {moved.__module__}\n{text}\n{after}")
    print(f"{count} programs: {ported} ported, {kernels} with kernels, {differing} differ")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
