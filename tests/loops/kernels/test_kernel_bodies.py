"""Random thread bodies: locals that change their types, conditions, loops, arrays of all dtypes."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ScalarFact

_spec = importlib.util.spec_from_file_location(
    "random_expressions", Path(__file__).with_name("test_typing.py")
)
assert _spec is not None
assert _spec.loader is not None
typing_tests = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(typing_tests)

DTYPES = ("bool", "int8", "int32", "int64", "uint8", "uint32", "float32", "float64")
EXACT = ("abs({})", "min({}, {})", "max({}, {})", "np.maximum({}, {})", "np.float32({})",
         "float({})", "np.sqrt(abs({}))", "math.floor({})")  # fmt: skip


class Bodies:
    """Makes bodies of statements over the locals ``u``, ``v`` and ``w``."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def atom(self) -> str:
        return self.random.choice(
            [*"uvwikf", "2", "0.5", "1.0", "0", "-3", "0.0", "True", *(f"{n}_[i]" for n in DTYPES)]
        )

    def value(self, depth: int = 2) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.25:
            return self.atom()
        if choice < 0.75:
            op = self.random.choice(("+", "-", "*", "+", "-", "*", "/", "//", "%"))
            return f"({self.value(depth - 1)} {op} {self.value(depth - 1)})"
        if choice < 0.85:
            return f"({self.value(depth - 1)} if {self.test()} else {self.value(depth - 1)})"
        form = self.random.choice(EXACT)
        return form.format(*(self.value(depth - 1) for _ in range(form.count("{}"))))

    def test(self) -> str:
        op = self.random.choice(("<", ">", "<=", "==", "!="))
        test = f"{self.value(1)} {op} {self.value(1)}"
        if self.random.random() < 0.3:
            word = self.random.choice(("and", "or"))
            return f"{test} {word} not {self.atom()} {op} {self.atom()}"
        return test

    def statement(self, indent: str, depth: int) -> str:
        choice, name = self.random.random(), self.random.choice("uvw")
        if choice < 0.35 or depth == 0:
            return f"{indent}{name} = {self.value()}\n"
        if choice < 0.55:
            return f"{indent}{name} {self.random.choice(('+', '-', '*'))}= {self.value(1)}\n"
        if choice < 0.62:
            other = self.random.choice([n for n in "uvw" if n != name])
            return f"{indent}{name}, {other} = {self.value(1)}, {self.value(1)}\n"
        if choice < 0.85:
            text = f"{indent}if {self.test()}:\n{self.statement(indent + '    ', depth - 1)}"
            if self.random.random() < 0.5:
                text += f"{indent}else:\n{self.statement(indent + '    ', depth - 1)}"
            return text
        inner = self.statement(indent + "    ", depth - 1)
        if self.random.random() < 0.3:
            inner += f"{indent}    if {self.test()}:\n{indent}        break\n"
        return f"{indent}for q in range({self.random.choice(('3', 'k', '2'))}):\n{inner}"

    def function(self) -> str:
        body = "".join(f"        {n} = {self.atom_of_array()}\n" for n in "uvw")
        body += "".join(self.statement("        ", 2) for _ in range(self.random.randrange(2, 6)))
        body += "        out_u[i] = u\n        out_v[i] = v\n        out_w[i] = w\n"
        names = ", ".join(f"{name}_" for name in DTYPES)
        head = f"def many({names}, k, f, out_u, out_v, out_w):\n    for i in range(24):\n"
        return head + body

    def atom_of_array(self) -> str:
        return self.random.choice(("0", "0.0", "1", "0.5", f"{self.random.choice(DTYPES)}_[i]"))


def attempt(run: Any, seed: int) -> str:
    """Run one body both ways; what became of it."""
    source = Bodies(seed).function()
    arrays = typing_tests.elements(seed)
    used = {f"{name}_": arrays[f"{name}_"] for name in DTYPES}
    outputs = {f"out_{n}": np.zeros(24) for n in "uvw"}
    facts = {"k": ScalarFact("int", 3), "f": ScalarFact("float", 1.5)}
    try:
        # signs of zeros: g++ 12 makes -0.0 of 0.0 - double(n) for n == 0
        run(source, facts, **used, k=3, f=1.5, **outputs).same(signs=False)
    except (ArithmeticError, ValueError, TypeError):
        return "raises"
    except AssertionError as error:
        if "Refusal(" in str(error):
            return "refused"
        raise
    return "same"


@pytest.mark.parametrize("seed", range(24))
def test_bodies_compute_the_same_bits(run: Any, seed: int) -> None:
    """Many bodies are refused, for a number that may leave its type: the next one is drawn."""
    assert "same" in (attempt(run, 100 * seed + number) for number in range(20))


def test_powers_of_one_and_none_are_small(run: Any) -> None:
    """However large the exponent: `(-1) ** k` is a sign, and `0 ** 0` is 1."""
    source = """
        def signs(x, y):
            for i in range(len(x)):
                y[i] = (-1) ** i * x[i] + x[0 ** i] + 1 ** i
        """
    run(source, x=np.arange(1.0, 9.0), y=np.zeros(8)).same()


def test_nothing_to_the_power_of_nothing_is_one(ported: Any) -> None:
    """What is stored may not fit, and NumPy raises where it does not."""
    source = "def first(y):\n    for i in range(5):\n        y[i] = 127 + 0 ** i\n"
    assert ported(source, y=np.zeros(8, "int8")).kernels[0].checked
