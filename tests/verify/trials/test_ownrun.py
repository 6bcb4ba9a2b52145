"""Programs are verified for what they give their functions, where the port fails for more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.signatures.kinds import Given, kind_of, kinds_of
from gpuport.verify.trials.ownrun import own_run

PROGRAM = """
def scale(x, k):
    return np.sqrt(x) * k

def main():
    print(scale(np.ones((2, 3)), 4).sum())

main()
"""
TYPED = PROGRAM.replace(
    "    return np.sqrt(x) * k",
    "    if x.dtype != 'float64':\n        raise TypeError('Type is mismatched')\n"
    "    return cp.sqrt(x) * k",
).replace("scale(np.ones((2, 3)), 4).sum()", "cp.asnumpy(scale(cp.ones((2, 3)), 4).sum())")


def test_a_port_for_what_its_program_gives_is_right(verify) -> None:
    found = verify(PROGRAM, TYPED)["scale"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert found.reason.endswith("for arguments such as its program gives")
    assert found.evidence.inputs == "called"
    assert found.evidence.coverage == 1.0
    notes = " ".join(name for name, _ in found.evidence.notes)
    assert "no call in the program gives x: " in notes
    assert "Type is mismatched" in notes


@pytest.mark.parametrize("wrong", ["x * 1.0000001", "x[::-1]", "abs(x) ** 0.25"])
def test_a_fault_for_what_it_gives_is_found(wrong: str, verify) -> None:
    port = TYPED.replace("cp.sqrt(x)", f"cp.sqrt({wrong})")
    assert verify(PROGRAM, port)["scale"].verdict.failing


@pytest.mark.parametrize(
    "other",
    [
        PROGRAM.replace("4).sum())", "4).sum())\n    raise SystemExit('no data')"),
        PROGRAM.replace("\nmain()\n", ""),  # anybody may call it
        PROGRAM.replace("\nmain()\n", "\n__all__ = ['scale']\nmain()\n"),
    ],
)
def test_without_a_whole_run_of_a_program_all_that_is_drawn_counts(other: str, verify) -> None:
    assert other != PROGRAM
    assert verify(other, TYPED)["scale"].verdict.failing


def test_what_no_call_gives_is_left_out_of_functions_with_a_boundary(verify) -> None:
    port = TYPED.replace("def scale", '@device("x")\ndef scale').replace("cp.ones", "np.ones")
    port = port.replace("cp.asnumpy(scale", "(scale")
    assert verify(PROGRAM, port)["scale"].verdict is Verdict.EQUIVALENT


def test_the_run_of_a_program_tells_its_calls(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        "import sys\nimport numpy as np\nclass C:\n"
        "    def __init__(self, x):\n        self.x = x\n"
        "    def step(self, k=2):\n        return self.x * k\n"
        "def g(items, *more, **named):\n    return len(items)\n"
        "if __name__ == '__main__':\n"
        "    C(np.zeros(3)).step()\n    g([1, 2.0], 'a', b=None)\n    sys.exit(0)\n"
    )
    run = own_run(file, tmp_path, tmp_path / "work", 4 << 30)
    assert run.given["C.step"].calls == [{"self.x": "float64 1-d", "k": "int"}]
    assert run.given["g"].calls == [
        {"items": "list(float, int)", "more": "tuple(str)", "named": "dict(b: None)"}
    ]
    assert run.calls["C.step"][0].instance is not None
    assert not list(tmp_path.glob("*.npz"))


@pytest.mark.parametrize(
    "end", ["raise ValueError", "import sys\nsys.exit(1)", "import os\nos._exit(0)"]
)
def test_a_program_that_breaks_off_tells_nothing(end: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"def f(x):\n    return x\nf(1)\n{end}\n")
    assert not own_run(file, tmp_path, tmp_path / "work", 4 << 30).given


def test_kinds_leave_out_sizes_and_values() -> None:
    assert kind_of(np.ones((2, 3))) == kind_of(np.zeros((5, 1))) == "float64 2-d"
    assert kind_of(np.ones(0)) == "float64 1-d, empty"
    assert kind_of((1, 2.0)) != kind_of((2.0, 1))
    assert kind_of([1, 2.0]) == kind_of([2.0, 1, 1])
    assert kind_of(np.float32(1)) == "NumPy's float32"
    assert kind_of(True) == "bool"


def test_a_state_may_be_of_several_calls_and_arguments_of_one() -> None:
    given = Given([{"x": "int", "y": "float", "self.a": "int"}, {"x": "str", "y": "int"}])
    assert given.foreign({"x": "int", "y": "float"}) is None
    assert given.foreign({"x": "int", "y": "int"}) is not None
    assert given.foreign({"x": "str", "y": "int", "self.a": "int"}) is None
    assert given.foreign({"x": "str", "y": "int", "self.a": "float"}) == "self.a: float"


def test_memory_that_two_arguments_share_is_of_a_kind_of_its_own() -> None:
    x = np.zeros(4)
    assert kinds_of({"x": x[1:], "y": x[:-1]})["x and y"] == "of one memory"
    assert "x and y" not in kinds_of({"x": x, "y": x.copy()})


@pytest.mark.parametrize(("body", "ends"), [("time.sleep(1.4)", True), ("while True: pass", False)])
def test_a_run_is_given_seconds_of_the_processor(tmp_path: Path, body: str, ends: bool) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"import time\ndef f(x):\n    {body}\nf(1)\n")
    run = own_run(file, tmp_path, tmp_path / "work", 4 << 30, seconds=1)
    assert ("f" in run.given) is ends
    assert bool(run.unseen) is not ends


def test_a_failure_tells_why_nothing_is_known_of_what_the_program_gives(verify) -> None:
    found = verify(f"import os\n{PROGRAM}", f"import os\n{TYPED}")["scale"]
    assert found.verdict.failing
    notes = [name for name, _ in found.evidence.notes]
    assert any("it may do more than calculate" in note for note in notes), notes


NAMED = """
table = {}
table.update(low=np.arange(4.0), high=np.arange(9.0))

def scaled(x, name):
    return np.sqrt(table[name]).sum() * x

def main():
    print(scaled(np.ones((2, 3)), "low").sum())

main()
"""


def test_what_no_input_is_found_for_gets_those_of_its_program(verify) -> None:
    port = NAMED.replace("np.sqrt", "cp.sqrt").replace("np.arange", "cp.arange")
    port = port.replace("np.ones", "cp.ones")
    found = verify(NAMED, port)["scaled"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert found.evidence.inputs == "called"
    wrong = verify(NAMED, port.replace(".sum() * x", ".sum() * x * 1.0000001"))["scaled"]
    assert wrong.verdict is Verdict.DIFFERS, wrong


def test_what_takes_numpy_arrays_too_is_tried_on_the_device(verify) -> None:
    original = """
    import os

    class Run:
        def __init__(self, x):
            self.x = x

        def norm(self):
            return np.sqrt((self.x**2).sum())

    if __name__ == "__main__":
        print(Run(np.ones(3)).norm())
    """
    port = original.replace("np.ones", "cp.ones")
    port = port.replace("np.sqrt((self.x**2).sum())", "np.sqrt(cp.asnumpy((self.x**2).sum())[()])")
    found = verify(original, port)["Run.norm"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert dict(found.evidence.counters)["launches"] > 0


def test_what_fails_on_the_device_alone_where_none_may_be_given_is_no_difference(verify) -> None:
    original = """
    def first(x):
        k = np.zeros(2)
        y = x[0]
        if x.sum() > 2.0:
            x[0] = 5.0
        return y + len(k)

    if __name__ == "__main__":
        import os
        print(first(np.ones(3)))
    """
    port = original.replace("np.zeros", "cp.zeros")
    assert not verify(original, port)["first"].verdict.failing


REACHED_SELDOM = """
from dataclasses import dataclass, field

@dataclass
class Gather:
    traces: np.ndarray
    times: np.ndarray
    history: list = field(default_factory=lambda: ["made"])

def semblance(g: Gather):
    near = (g.times > 900.0) & (g.times < 1000.0)
    num = (g.traces * near).sum(axis=0) ** 2
    den = (g.traces**2 * near).sum(axis=0) * len(g.traces)
    return np.where(den > 0, num / np.where(den > 0, den, 1.0), 0.0)

def main():
    g = Gather(np.sin(np.arange(60.0)).reshape(6, 10), np.linspace(850.0, 1050.0, 10))
    print(semblance(g).sum())

if __name__ == "__main__":
    main()
"""


def test_what_is_guessed_is_confirmed_by_what_the_program_gives(verify) -> None:
    port = REACHED_SELDOM.replace("np.", "cp.").replace(": cp.ndarray", ": np.ndarray")
    found = verify(REACHED_SELDOM, port)["semblance"]
    assert found.verdict is Verdict.EQUIVALENT, found
    wrong = verify(REACHED_SELDOM, port.replace("num / cp", "num // cp"))["semblance"]
    assert wrong.verdict is Verdict.DIFFERS, wrong
    assert wrong.evidence.inputs == "called"


def test_a_library_that_is_refused_cannot_be_imported(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        "def f(x):\n    return x\ntry:\n    import yaml\nexcept ImportError:\n    f(1)\n"
    )
    run = own_run(file, tmp_path, tmp_path / "work", 4 << 30, refused=["yaml"])
    assert run.given["f"].calls == [{"x": "int"}]


def test_what_instances_with_slots_hold_is_what_the_program_gives(verify) -> None:
    """A number in them is no array, and arrays in them may be on the device."""
    program = """
    class Kernel:
        __slots__ = ("scale", "centre")
        def __init__(self, scale, centre):
            self.scale, self.centre = scale, centre

    def bump(kernel, x):
        d = x - kernel.centre
        if kernel.scale > 1:
            d = d / kernel.scale
        return np.exp(-d * d)

    def main():
        kernel = Kernel(1.5, np.arange(4.0))
        print(bump(kernel, np.ones(4)).sum())
        print(bump(Kernel(0.5, np.arange(4.0)), np.ones(4)).sum())

    main()
    """
    port = program.replace("np.exp", "cp.exp").replace("np.arange", "cp.arange")
    port = port.replace("np.ones(4)).sum()", "cp.ones(4)).sum()")
    found = verify(program, port)["bump"]
    assert found.verdict is Verdict.EQUIVALENT, found
    wrong = port.replace("-d * d", "-d * abs(d)")
    assert verify(program, wrong)["bump"].verdict is Verdict.DIFFERS


def test_real_numbers_of_another_type_are_told_from_other_arguments() -> None:
    given = Given([{"x": "float64 2-d", "k": "int", "items": "list(float64 1-d)"}])
    call = {"x": "int64 2-d", "k": "NumPy's float64", "items": "list(float32 1-d)"}
    assert given.differs_in_type_alone(call)
    assert not given.differs_in_type_alone(call | {"x": "complex128 2-d"})
    assert given.differs_in_type_alone(call | {"x": "float64 1-d"})
    assert not given.differs_in_type_alone(call | {"x": "float"})
    assert not given.differs_in_type_alone(call | {"x": "float64 2-d, empty"})
    assert not given.differs_in_type_alone(call | {"x and y": "of one memory"})


def test_a_result_of_another_type_for_other_real_numbers_is_found(verify) -> None:
    original = PROGRAM.replace("(x, k)", "(x)").replace(") * k", ") * 2").replace("), 4)", "))")
    wrong = "cp.sqrt(x).astype(np.result_type(x, np.float64)) * 2"
    port = original.replace("np.sqrt(x) * 2", wrong).replace("np.ones", "cp.ones")
    found = verify(original, port)["scale"]
    assert found.verdict is Verdict.DIFFERS, found
    assert "became float64" in found.reason


def test_what_a_port_does_beyond_the_calls_of_its_program_is_judged_as_well(verify) -> None:
    port = PROGRAM.replace("np.sqrt(x) * k", "cp.sqrt(x) * (k if x.ndim > 1 else 2 * k)")
    port = port.replace("scale(np.ones((2, 3)), 4)", "cp.asnumpy(scale(cp.ones((2, 3)), 4))")
    found = verify(PROGRAM, port)["scale"]
    assert found.verdict is Verdict.DIFFERS, found
    notes = " ".join(name for name, _ in found.evidence.notes)
    assert "none reaches all of the port" in notes
    raising = port.replace("2 * k", "[k] + 1")
    assert verify(PROGRAM, raising)["scale"].verdict is Verdict.ERROR
    right = port.replace("2 * k", "1 * k")
    assert not verify(PROGRAM, right)["scale"].verdict.failing
