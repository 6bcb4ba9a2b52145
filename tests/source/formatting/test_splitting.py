"""Statements lie as Ruff lays them, which is asked where it is installed."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpuport.source.formatting.splitting import Layout
from gpuport.source.formatting.tokens import Unsure

PROGRAMS = Path(__file__).parents[3] / "fixtures" / "programs"
FILES = ("heat2d/heat2d.py", "statistics/pipeline.py", "hard/tracking.py", "spectra/spectra.py")
RUFF = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")


def lines(statement: str, width: int = 40, depth: int = 0) -> list[str]:
    return [" " * 4 * k + line for k, line in Layout(width).lay_out(statement, depth)]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("x = f(a, b)", ["x = f(a, b)"]),
        ("total = first_name(a, b, c, d, e, f1, f2)", [
            "total = first_name(", "    a, b, c, d, e, f1, f2", ")",
        ]),
        ("total = first_name(alpha, beta, gamma, delta, epsilon)", [
            "total = first_name(", "    alpha, beta, gamma, delta, epsilon", ")",
        ]),
        ("total = first_name(alpha, beta, gamma, delta, epsilon, zeta)", [
            "total = first_name(", "    alpha,", "    beta,", "    gamma,", "    delta,",
            "    epsilon,", "    zeta,", ")",
        ]),
        ("f(\n    a,\n    b,\n)", ["f(", "    a,", "    b,", ")"]),
        ("if first_condition(a) and second_condition(b):", [
            "if first_condition(", "    a", ") and second_condition(b):",
        ]),
        ("value = alpha_beta + gamma_delta * epsilon_zeta", [
            "value = (", "    alpha_beta", "    + gamma_delta * epsilon_zeta", ")",
        ]),
        ("terms = (alpha_beta + gamma_delta)", ["terms = alpha_beta + gamma_delta"]),
        ("first, second = convert(a_value), convert(b_value)", [
            "first, second = (", "    convert(a_value),", "    convert(b_value),", ")",
        ]),
        ("from gpuport.runtime import device, floor_divide", [
            "from gpuport.runtime import (", "    device,", "    floor_divide,", ")",
        ]),
        ("print(cp.asnumpy(simulate(field, steps).sum()))", [
            "print(", "    cp.asnumpy(", "        simulate(field, steps).sum()", "    )", ")",
        ]),
        ("y = x ** 2 + f(x) ** 2 + a.b ** -c", ["y = x**2 + f(x) ** 2 + a.b**-c"]),
        ("with copied(u, writes=(v,)) as (u_host, v_host):", [
            "with copied(u, writes=(v,)) as (", "    u_host,", "    v_host,", "):",
        ]),
    ],
)  # fmt: skip
def test_a_statement_has_the_lines_that_it_needs(statement: str, expected: list[str]):
    assert lines(statement) == expected


@pytest.mark.parametrize(
    "statement",
    ["x = 1  # why", 'x = """a\nb"""', "f = lambda x: x", "x: int = 1", "a = 1; b = 2", "f(", "",
     'x = "a" "b"', "x = y" + "(a)" * 400],
)  # fmt: skip
def test_what_is_not_certain_is_not_touched(statement: str):
    with pytest.raises(Unsure):
        lines(statement)


def formatted(text: str, width: int) -> str:
    assert RUFF is not None
    options = ["--isolated", "--config", "format.skip-magic-trailing-comma=true"]
    return subprocess.run(
        [RUFF, "format", *options, "--line-length", str(width), "-"],
        input=text, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def statements(text: str) -> Iterator[str]:
    """The lines of each statement, and of the head of each one that has others in it."""
    every = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            decorators = getattr(body[0], "decorator_list", None) if body else None
            inner = decorators or body
            last = inner[0].lineno - 1 if inner else node.end_lineno
            yield "\n".join(every[node.lineno - 1 : last]).rstrip()


@pytest.mark.skipif(RUFF is None, reason="needs ruff")
@pytest.mark.parametrize("width", [60, 88])
def test_statements_of_programs_lie_as_ruff_lays_them(width: int):
    compared = 0
    for name in FILES:
        long = formatted((PROGRAMS / name).read_text("utf-8"), 320)
        pairs = zip(statements(long), statements(formatted(long, width)), strict=True)
        for statement, expected in pairs:
            bare = statement.lstrip()
            depth = (len(statement) - len(bare)) // 4
            try:
                assert "\n".join(lines(bare, width, depth)) == expected
            except Unsure:
                continue
            compared += 1
    assert compared > 250
