"""Types of expressions are those that NumPy and Python give, and kernels compute the same bits."""

from __future__ import annotations

import ast
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.symbols import Array, Symbols
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.facts import ModuleFact, ScalarFact
from gpuport.loops.reasons import Refused
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.text import ATOM, Text
from gpuport.parallel.ranges import of_constant, of_type
from gpuport.parallel.typing import PYTHON, Type, TypeRefusal, compute, operate

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip
FACTS = {"np": ModuleFact("numpy"), "math": ModuleFact("math")}
BINARY = ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", ">")
CALLS = (
    "abs({})", "min({}, {})", "max({}, {})", "np.minimum({}, {})", "np.maximum({}, {})",
    "np.sqrt({})", "np.floor({})", "np.sign({})", "np.rint({})", "round({})", "int({})",
    "float({})", "bool({})", "np.float32({})", "np.int16({})", "np.uint8({})", "np.isnan({})",
    "np.fmod({}, {})", "np.copysign({}, {})", "np.abs({})", "math.floor({})", "math.fabs({})",
    "math.copysign({}, {})", "math.sqrt({})",
)  # fmt: skip
"""Functions that are exact: what they give has one right value."""


class Expressions:
    """Makes random expressions over elements ``a[i]`` of arrays of all dtypes, and numbers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def atom(self) -> str:
        kind = self.random.random()
        if kind < 0.6:
            return f"{self.random.choice(DTYPES)}_[i]"
        if kind < 0.8:
            return self.random.choice(("k", "f", "2.5", "0.0", "3", "1", "-2", "7", "True", "0.1"))
        return self.random.choice(("2", "100", "0.5", "k", "f"))

    def make(self, depth: int) -> str:
        choice = self.random.random()
        if depth == 0 or choice < 0.1:
            return self.atom()
        if choice < 0.65:
            op = self.random.choice(BINARY)
            return f"({self.make(depth - 1)} {op} {self.make(depth - 1)})"
        if choice < 0.75:
            return f"({self.random.choice(('-', '~', '+', 'not '))}{self.make(depth - 1)})"
        if choice < 0.85:
            parts = (self.make(depth - 1) for _ in range(3))
            return "({} if {} else {})".format(*parts)
        form = self.random.choice(CALLS)
        return form.format(*(self.make(depth - 1) for _ in range(form.count("{}"))))


def elements(seed: int, count: int = 24) -> dict[str, np.ndarray]:
    """Arrays of all dtypes with ordinary and extreme elements."""
    rng = np.random.default_rng(seed)
    found = {}
    for name in DTYPES:
        dtype = np.dtype(name)
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            small = rng.integers(max(info.min, -9), 10, count)
            large = rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
            values = np.where(rng.random(count) < 0.7, small.astype(dtype), large)
            values[:3] = (0, info.max, info.min)
        elif dtype.kind == "b":
            values = rng.random(count) < 0.5
        else:
            values = np.round(rng.normal(size=count) * 4, 1).astype(dtype)
            values[:2] = (0.0, -0.0)
            if dtype.kind == "c":
                values = (values + 1j * np.round(rng.normal(size=count), 1)).astype(dtype)
        found[f"{name}_"] = values
    return found


def symbols() -> Symbols:
    arrays = {f"{name}_": Array(name, 1) for name in DTYPES}
    scalars = {
        "i": of_type(PYTHON["int"], 0, 100),
        "k": of_constant(3, PYTHON["int"]),
        "f": of_constant(1.5, PYTHON["float"]),
    }
    return Symbols(arrays, scalars, FACTS)


def type_of(value: object) -> Type:
    if isinstance(value, np.generic):
        return Type(str(value.dtype))
    return PYTHON[type(value).__name__]


def inferred(text: str) -> frozenset[Type] | None:
    """Types of an expression; None where it is refused."""
    try:
        flow = Flow(symbols())
        return flow.expressions.value(ast.parse(text, mode="eval").body, {}).types
    except Refused:
        return None


def evaluated(text: str, arrays: dict[str, np.ndarray], i: int) -> Any:
    names = {**arrays, "i": i, "k": 3, "f": 1.5, "np": np, "math": math}
    with np.errstate(all="ignore"):
        return eval(text, names)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 2**20))
def test_types_are_those_that_the_interpreter_finds(seed: int) -> None:
    make, arrays = Expressions(seed), elements(seed)
    for _ in range(20):
        text = make.make(2)
        types = inferred(text)
        if types is None:
            continue
        for i in range(6):
            try:
                value = evaluated(text, arrays, i)
            except (ArithmeticError, ValueError, TypeError):
                continue
            assert type_of(value) in types, (text, i, value, types)


def test_what_raises_for_every_element_is_refused() -> None:
    for text in ("float64_[i] & 1", "bool_[i] - bool_[i]", "uint8_[i] + 300", "complex64_[i] // 1"):
        with pytest.raises((TypeError, OverflowError)):
            evaluated(text, elements(1), 3)
        assert inferred(text) is None


@pytest.mark.parametrize(
    ("ufunc", "types", "expected"),
    [
        ("add", ("float32", "float"), "float32"),
        ("true_divide", ("int8", "int"), "float64"),
        ("multiply", ("bool", "float32"), "float32"),
        ("add", ("int32", "uint32"), "int64"),
        ("add", ("bool", "bool"), "bool"),
    ],
)
def test_operators_of_numpy_values(ufunc: str, types: tuple[str, ...], expected: str) -> None:
    operands = tuple(PYTHON[t] if t in ("int", "float") else Type(t) for t in types)
    assert operate(ufunc, operands).output == Type(expected)


def test_python_numbers_stay_python_s() -> None:
    two = (PYTHON["bool"], PYTHON["bool"])
    assert operate("add", two).output == PYTHON["int"]
    assert operate("bitwise_and", two).output == PYTHON["bool"]
    assert operate("true_divide", (PYTHON["int"], PYTHON["int"])).output == PYTHON["float"]
    assert compute("add", (PYTHON["int"], PYTHON["int"])).output == Type("int64")


def test_half_precision_is_refused() -> None:
    with pytest.raises(TypeRefusal):
        compute("sqrt", (Type("int8"),))


@pytest.mark.parametrize("seed", range(6))
def test_kernels_compute_the_same_bits(run: Any, seed: int) -> None:
    """Several expressions in one loop, each into an array of the dtype that it has."""
    make, arrays = Expressions(100 + seed), elements(seed)
    chosen: list[tuple[str, str]] = []
    while len(chosen) < 14:
        text = make.make(2)
        dtype = storable(text, arrays)
        if dtype is not None and written(text):
            chosen.append((text, dtype))
    lines = "\n".join(f"        out{k}[i] = {text}" for k, (text, _) in enumerate(chosen))
    used = [name for name in arrays if any(f"{name}[" in text for text, _ in chosen)]
    outputs = {f"out{k}": np.zeros(24, dtype) for k, (_, dtype) in enumerate(chosen)}
    given = ", ".join([*used, *outputs, "k", "f"])
    source = f"def many({given}):\n    for i in range(24):\n{lines}\n"
    facts = {"k": ScalarFact("int", 3), "f": ScalarFact("float", 1.5)}
    both = run(source, facts, **{n: arrays[n] for n in used}, **outputs, k=3, f=1.5)
    both.same()


def written(text: str) -> bool:
    """Whether a kernel has a form for an expression."""
    node = ast.parse(text, mode="eval").body
    flow = Flow(symbols())
    flow.expressions.value(node, {})
    names = Names()
    writer = Writer(flow.expressions, names, {"i": "int64"}, {}, {}, no_length)
    try:
        writer.write(node)
    except Refused:
        return False
    return True


def no_length(array: str, axis: int) -> Text:
    return Text(f"{array}.shape()[{axis}]", ATOM, "int64")


def storable(text: str, arrays: dict[str, np.ndarray]) -> str | None:
    """The dtype of an expression that a kernel computes and that raises nowhere."""
    types = inferred(text)
    if types is None or len({t.dtype for t in types}) != 1:
        return None
    (dtype,) = {t.dtype for t in types}
    if "int(" in text or "uint8(" in text or "int16(" in text:
        return None  # what does not fit there is undefined, or raises
    if any(f"complex{n}_" in text for n in (64, 128)) and ("/" in text or "abs" in text):
        return None  # rounded in another way
    try:
        values = [evaluated(text, arrays, i) for i in range(24)]
        for value in values:
            np.zeros(1, dtype)[0] = value
    except (ArithmeticError, ValueError, TypeError):
        return None
    return dtype
