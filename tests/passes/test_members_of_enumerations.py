"""Members of enumerations beside arrays: numbers by their ``value``, and refused as they are."""

from __future__ import annotations

import pytest

PROGRAM = """\
import enum

import numpy as np


class Kind(enum.{base}):
    LOAD = 1
    SLACK = 3
{more}

def settle(kind: np.ndarray, p: np.ndarray):
    return np.where(kind == Kind.SLACK{value}, np.sin(p), np.exp(np.cos(p))) + 0.5
"""
PORTED = "cp.where(kind == Kind.SLACK.value, cp.sin(p), cp.exp(cp.cos(p)))"


@pytest.mark.parametrize("base", ["Enum", "IntEnum"])
def test_the_number_behind_a_member_is_one(port, base: str) -> None:
    after = port(PROGRAM.format(base=base, more="", value=".value")).after or ""
    assert PORTED in after
    assert 'host="kind"' not in after


def test_what_a_class_says_that_a_value_is_is_not_known(port) -> None:
    more = "\n    @property\n    def value(self):\n        return np.arange(4)\n"
    after = port(PROGRAM.format(base="Enum", more=more, value=".value")).after or ""
    assert PORTED not in after


def test_a_member_itself_is_no_number_to_cupy(port) -> None:
    report = port(PROGRAM.format(base="IntEnum", more="", value=""))
    told = [one for one in report.findings if one.code == "GP901"]
    assert "`Kind.SLACK` is a member of an enumeration" in told[0].message
    assert told[0].help == "write `Kind.SLACK.value`"


def test_of_a_tuple_the_item_is_told_of_which_nothing_is_known(port) -> None:
    text = """\
import numpy as np


def spread(y: np.ndarray, f: np.ndarray, table, v: np.ndarray):
    t = table["t"]
    np.add.at(y, (f, t), np.exp(np.sin(v)))
"""
    messages = [one.message for one in port(text).findings if one.code == "GP901"]
    assert any("whether `t` is an array or a number" in one for one in messages)
