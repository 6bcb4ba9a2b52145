"""Loops over the arrays of a dict: they get names before the loop, where each is surely there."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

FRAME = """\
import numpy as np


def bump(net):
    net["x"] = net["x"] * 1.5
    return 1.0


def build(net: dict[str, np.ndarray], n: int, use: bool, key: str):
    out = np.zeros(n)
{body}
    return out
"""
NAMED = {
    "heads": """
    for f, x in zip(net["from"], net["x"]):
        out[f] += x * 2.0
""",
    "places": """
    for k in range(len(net["from"])):
        out[net["from"][k]] += net["x"][k]
""",
    "a choice after it": """
    for k in range(n):
        if net["x"][k] > 0.5:
            out[k] = net["x"][k] * net["scale of x"][0]
        else:
            out[k] = net["scale of x"][1]
        out[k] += net["scale of x"][2]
""",
}
LEFT = {
    "a key that may not be there": """
    for k in range(n):
        if use:
            out[k] = net["weight"][k]
        else:
            out[k] = net["x"][k]
""",
    "a key after an end": """
    for k in range(n):
        if net["x"][k] > 0.5:
            break
        out[k] = net["weight"][k]
""",
    "another array": """
    for k in range(n):
        out[k] = net["x"][k]
        net["x"] = net["x"] * 2.0
""",
    "another array under any key": """
    for k in range(n):
        out[k] = net["x"][k]
        net[key] = out * 2.0
""",
    "another array by a function": """
    for k in range(n):
        out[k] = net["x"][k] * bump(net)
    for k in range(n):
        out[k] += net["x"][k]
""",
    "an item that is taken out": """
    for k in range(n):
        out[k] = net["x"][k] + net.pop(key)[k]
""",
}


@pytest.mark.parametrize("body", NAMED.values(), ids=NAMED)
def test_arrays_of_a_dict_are_named(body: str) -> None:
    ported = port(FRAME.format(body=body)).after or ""
    assert "@kernel(" in ported
    assert '    x = net["x"]\n' in ported or '    net_x = net["x"]\n' in ported


@pytest.mark.parametrize("body", LEFT.values(), ids=LEFT)
def test_what_may_be_another_or_none_stays_under_its_key(body: str) -> None:
    assert port(FRAME.format(body=body)).after is None
