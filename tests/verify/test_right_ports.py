"""Ports of programs that are right, and looked wrong: each once raised an alarm."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

RIGHT = {
    "an array that is kept, not copied": (
        "Signal.__init__",
        """
        class Signal:
            def __init__(self, data, rate):
                self._data = np.asarray(data, dtype=float)
                self.rate = rate

        if __name__ == "__main__":
            print(Signal(np.ones(3), 2)._data.sum())
        """,
        (),
    ),
    "a generator of one array that changes": (
        "frames",
        """
        def frames(m, n):
            for k in range(n):
                m += np.eye(3) * k
                yield m, k

        if __name__ == "__main__":
            print([float(f.sum()) for f, _ in frames(np.ones((3, 3)), 3)])
        """,
        (),
    ),
    "single precision of narrow whole numbers": (
        "damped",
        """
        def damped(x: "NDArray[np.uint16]", y: "NDArray[np.uint16]"):
            return np.exp(-np.sqrt(x)) * y
        """,
        ("x", "y"),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_no_alarm(name: str, verify: Any) -> None:
    function, text, bounded = RIGHT[name]
    port = text.replace("np.", "cp.").replace("[cp.", "[np.")
    if bounded:
        port = port.replace("def ", f"@device{bounded}\n        def ")
    found = verify(text, port)[function]
    assert found.verdict is Verdict.EQUIVALENT, found


def test_a_generator_that_gives_what_comes_later_differs(verify: Any) -> None:
    function, text, _ = RIGHT["a generator of one array that changes"]
    port = text.replace("np.", "cp.").replace("yield m, k", "yield m + 0 * k, k - (k == 2)")
    assert verify(text, port)[function].verdict.failing


REFUSING = """
class Model:
    def __init__(self, a):
        self.a = a

    def solve(self, x):
        if x.ndim != 1:
            raise ValueError("one axis")
        if np.isnan({sum}):
            raise ValueError("no number")
        return np.exp(self.a) * x

if __name__ == "__main__":
    print(Model(np.ones(3)).solve(np.ones(3)).sum())
"""


def test_what_both_refuse_where_arrays_are_on_the_device(verify: Any) -> None:
    original = REFUSING.format(sum="np.sum(np.log(self.a))")
    port = original.replace("np.", "cp.").replace("cp.ones", "cp.ones")
    found = verify(original, port)["Model.solve"]
    assert found.verdict is Verdict.EQUIVALENT, found


def test_a_port_that_is_merely_slow_in_emulation(verify: Any, tmp_path: Any) -> None:
    original = "def f(x: np.ndarray):\n    return np.sin(x)\n"
    slow = (
        "import time\n@device('x')\ndef f(x: np.ndarray):\n"
        "    time.sleep(5 * (x.size > {size}))\n    return cp.sin(x)\n"
    )
    options = VerifyOptions(root=tmp_path, examples=25, example_seconds=1.0)
    found = verify(original, slow.format(size=600), options)["f"]
    assert found.verdict is not Verdict.ERROR, found
    assert any("slow on host emulation" in note for note, _ in found.evidence.notes), found
    assert verify(original, slow.format(size=1), options)["f"].verdict is Verdict.ERROR
