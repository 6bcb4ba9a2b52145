"""Objects with operators of their own decide what an operator on an array gives."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """import numpy as np

class Plain:
    def __init__(self, size):
        self.size = size

class Base:
    {body}

class Unit(Base):
    pass

def scale(x, k):
    return x * k + np.sin(x)

if __name__ == '__main__':
    print(scale(np.arange(3.0), {given}))
    print(scale(np.arange(3.0), 2.0))
"""


@pytest.mark.parametrize(
    "body",
    ["__array_ufunc__ = None", "__array_priority__ = 1000",
     "def __rmul__(self, x): return 'quantity'", "def __lt__(self, x): return 1",
     "def __array__(self, dtype=None, copy=None): return np.ones(3)"],
)  # fmt: skip
def test_what_is_given_such_an_object_stays(body: str) -> None:
    assert "cp.sin" not in (port(TEXT.format(body=body, given="Unit()")).after or "")
    assert "cp.sin" in (port(TEXT.format(body=body, given="1.5")).after or "")


def test_an_array_beside_a_followed_instance_stays() -> None:
    text = (
        "import numpy as np\n\n"
        "class Money:\n    def __init__(self, v):\n        self.v = v\n\n"
        "    def __rmul__(self, x):\n        return (x, self.v)\n\n"
        "if __name__ == '__main__':\n"
        "    y = np.cos(np.ones((300, 300)) @ np.ones((300, 300)))\n"
        "    print(y * Money(2.0))\n"
    )
    assert "cp.asnumpy" in (port(text).after or "")


def test_operators_of_one_operand_are_calls() -> None:
    text = (
        "import numpy as np\n\n"
        "class Vec:\n    def __init__(self, x):\n        self.x = x\n\n"
        "    def __abs__(self):\n        return np.abs(self.x)\n\n"
        "    def __invert__(self):\n        return Vec(-self.x)\n\n"
        "    def __pos__(self):\n        return Vec(self.x * 2)\n\n"
        "def work(v):\n    return abs(~v) + (+v).x\n\n"
        "if __name__ == '__main__':\n    print(work(Vec(np.ones((300, 300)))).sum())\n"
    )
    found = port(text)
    assert "cp.abs" in (found.after or "")
    assert not [one for one in found.findings if one.code in ("GP901", "GP913")]
