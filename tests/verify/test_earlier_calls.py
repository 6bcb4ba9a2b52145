"""State that earlier calls made moves as their arguments do."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict

ORIGINAL = """
class Kept:
    def __init__(self):
        self.kept = np.zeros(4)
        self.count = 0

    def push(self, x: "NDArray[np.complex64]"):
        self.kept[self.count % 4] = np.max(np.abs(x))
        self.count += 1
        return self.kept.sum()
"""
PORT = ORIGINAL.replace("    def push", '    @device("x")\n    def push').replace(
    "np.max(np.abs(x))", "float({absolute}.max())"
)


def test_state_of_single_precision_is_no_fault(verify: Any) -> None:
    found = verify(ORIGINAL, PORT.format(absolute="cp.abs(x)"))["Kept.push"]
    assert found.verdict is Verdict.EQUIVALENT, found
    # by hypot on the one side and a root on the other: an ULP of single precision
    root = "cp.sqrt(x.real * x.real + x.imag * x.imag)"
    kept = verify(ORIGINAL, PORT.format(absolute=root))["Kept.push"]
    assert "argument self.kept: value" not in kept.reason or "inf" in kept.reason, kept


def test_a_fault_of_such_state_is_found(verify: Any) -> None:
    port = PORT.format(absolute="cp.abs(x.real)")
    assert verify(ORIGINAL, port)["Kept.push"].verdict is Verdict.DIFFERS


POOL = """
class Pool:
    total = 0
    scale = 1.0

    @classmethod
    def add(cls, x: "Float[np.ndarray, 'n']"):
        cls.total += len(x)
        return x / (1 + cls.total)

    @staticmethod
    def grow():
        Pool.scale *= 2.0
        return Pool.scale

    def scaled(self, x: "Float[np.ndarray, 'n']"):
        return x * self.scale
"""


def test_what_functions_of_a_class_keep_in_it_was_changed_by_earlier_calls(verify: Any) -> None:
    right = POOL.replace("x / (1 + cls.total)", "x / (cls.total + 1)").replace(
        "x * self", "+x * self"
    )
    assert all(f.verdict is not Verdict.DIFFERS for f in verify(POOL, right).values())
    counted = right.replace("cls.total += len(x)", "cls.total = len(x)")
    assert verify(POOL, counted)["Pool.add"].verdict is Verdict.DIFFERS
    # attributes of the class, not of an instance, that an instance's method reads
    fixed = right.replace("* self.scale", "* 1.0")
    assert verify(POOL, fixed)["Pool.scaled"].verdict is Verdict.DIFFERS


MEAN = """
class Mean:
    def __init__(self):
        self.values = []

    def add(self, value: float):
        self.values.append(value)
        return sum(self.values) / len(self.values)

    def latest(self):
        return np.array(self.values[-2:])
"""


def test_a_method_that_appends_to_what_an_instance_keeps_was_called_before(verify: Any) -> None:
    right = verify(MEAN, MEAN.replace("sum(self.values) /", "sum(self.values[:]) /"))
    assert right["Mean.add"].verdict is Verdict.EQUIVALENT, right
    assert verify(MEAN, MEAN.replace("[-2:]", "[:2]"))["Mean.latest"].verdict is Verdict.DIFFERS
    cut = MEAN.replace(
        "sum(self.values) / len(self.values)", "sum(self.values[-6:]) / len(self.values[-6:])"
    )
    assert verify(MEAN, cut)["Mean.add"].verdict is Verdict.DIFFERS


WRITING = """
def f(x: "Float[np.ndarray, 'n']"):
    with open("log.txt", "{mode}") as stream:
        stream.write(f"{x.size} values\\n")
    return x * 2.0
"""


@pytest.mark.parametrize(("mode", "wrong"), [("a", "w"), ("w", "a")])
def test_what_an_earlier_call_wrote_may_be_added_to(mode: str, wrong: str, verify: Any) -> None:
    original = WRITING.replace("{mode}", mode)
    port = original.replace("x * 2.0", "2.0 * x")
    right = verify(original, port)["f"]
    assert right.verdict is Verdict.EQUIVALENT, right
    found = verify(original, port.replace(f'"{mode}"', f'"{wrong}"'))["f"]
    assert found.verdict is Verdict.DIFFERS
    assert found.reason.startswith("file log.txt"), found
