"""Functions that libraries call: followed where a rule tells what they are called with."""

import ast

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.module import Module

PROGRAM = """\
import numpy as np
from scipy.integrate import odeint, quad
from scipy.optimize import brentq, differential_evolution, fsolve, minimize, minimize_scalar, root
from other import slope


class Model:
    def __init__(self, n):
        self.x = np.cos(np.arange(float(n * n)).reshape(n, n))
        self.y = np.sin(self.x[0])

    def cost(self, w, scale=1.0):
        p = 1 / (1 + np.exp(-(self.x @ w)))
        q = np.log(p) * self.y + np.log(1 - p) * (1 - self.y)
        return scale * np.sum(np.sqrt(np.abs(q)) * np.cos(q))

    def rate(self, w, t):
        p = 1 / (1 + np.exp(-(self.x @ w)))
        q = np.log(p) * self.y + np.log(1 - p) * (1 - self.y)
        return np.sqrt(np.abs(q)) * np.cos(q)


def run(n):
    model = Model(n)
    start = np.zeros(n)
    return CALL


print(run(30))
"""


def ported(call: str) -> str:
    text = PROGRAM.replace("CALL", call)
    return port_module(Module("model.py", text, ast.parse(text)), Config()).after or text


@pytest.mark.parametrize(
    "call",
    [
        "minimize(model.cost, start).fun",
        "minimize(fun=model.cost, x0=start, args=(2.0,)).x",
        "minimize(model.cost, start, 2.0).nit",
        "minimize(lambda w: model.cost(w, 3.0), start).fun",
        "minimize(model.cost, start, method='BFGS', jac='2-point').fun",
        "odeint(model.rate, start, [0.0, 1.0])",
        "differential_evolution(model.cost, [(0, 1)] * n, maxiter=1).fun",
        "fsolve(lambda w: model.rate(w, 0.0), start)",
        "fsolve(lambda w: model.rate(w, 0.0), start, full_output=True)",
        "root(lambda w: model.rate(w, 0.0), start).x",
    ],
)
def test_what_they_share_with_the_program_is_on_the_device(call: str) -> None:
    text = ported(call)
    assert "self.x = cp.cos(" in text
    assert "cp.asarray(w)" in text


@pytest.mark.parametrize(
    "call",
    [
        "minimize(model.cost, start, jac=slope).fun",
        "minimize(*(model.cost, start)).fun",
        "odeint(model.rate, start, [0.0, 1.0], tfirst=True)",
        "differential_evolution(model.cost, [(0, 1)] * n, vectorized=True).fun",
        "minimize(model.cost, start, args=slope).fun",
        "minimize(model.cost, start, callback=model.cost).fun",
        "root(lambda w: model.rate(w, 0.0), start, method='krylov').x",
    ],
)
def test_where_it_is_not_known_what_is_called_how_all_stays_on_the_host(call: str) -> None:
    assert "self.x = cp.cos(" not in ported(call)


@pytest.mark.parametrize(
    "call",
    [
        "quad(lambda t: model.cost(start + t), 0.0, 1.0)",
        "brentq(lambda t: model.cost(start + t) - 1.0, 0.0, 1.0)",
        "minimize_scalar(lambda t: model.cost(start + t)).x",
    ],
)
def test_what_they_are_called_with_may_be_a_number(call: str) -> None:
    text = ported(call)
    assert "self.x = cp.cos(" in text
    assert "start = cp.zeros(n)" in text


@pytest.mark.parametrize("extra", ["", ", full_output=True"])
def test_with_some_arguments_something_else_is_given_back(extra: str) -> None:
    work = "np.sqrt(np.abs(y)) * np.cos(y) + np.exp(-y) * np.sin(y)"
    call = f"odeint(model.rate, start, [0.0, 1.0]{extra})"
    text = PROGRAM.replace("return CALL", f"y = {call}\n    return {work}")
    after = port_module(Module("model.py", text, ast.parse(text)), Config()).after or text
    assert ("cp.asarray(odeint(" in after) is not bool(extra)
