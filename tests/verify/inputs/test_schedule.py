"""The examples of a function: reproducible, of every kind, and shrinkable."""

from __future__ import annotations

import ast
import math

from gpuport.verify.inputs.drawing import build
from gpuport.verify.inputs.layouts import LAYOUTS
from gpuport.verify.inputs.residencies import most_arrays, residencies
from gpuport.verify.inputs.schedule import Schedule
from gpuport.verify.inputs.sizes import AHEAD
from gpuport.verify.inputs.values import ALL_FAMILIES, RANGE
from gpuport.verify.signatures.signatures import Signature, signatures_of
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import Slot, Trial
from gpuport.verify.verdicts.shrinking import smaller


def signature() -> Signature:
    text = "import numpy as np\n\ndef f(x: np.ndarray, y: np.ndarray):\n    return x < y\n"
    return next(signatures_of(ast.parse(text)))


def template(*names: str) -> Template:
    slots = tuple(Slot(name, "array", dims=(f"{name}0",)) for name in names)
    return Template(slots, None, tuple((f"{name}0",) for name in names))


def schedule(examples: int = 60, **changes: object) -> Schedule:
    return Schedule(signature(), [template("x", "y")], examples, 0, **changes)  # type: ignore[arg-type]


def test_the_seed_reproduces_the_examples() -> None:
    assert list(schedule().trials()) == list(schedule().trials())


def test_every_family_layout_and_size_comes_up() -> None:
    trials = list(schedule().trials())
    assert {t.family for t in trials} == set(ALL_FAMILIES)
    assert {t.layout for t in trials} == set(LAYOUTS)
    assert {0, 1, 33} <= {t.sizes["x0"] for t in trials}
    assert any(t.alias == "overlap" for t in trials)
    assert {t.tied for t in trials} == {True, False}


def test_whole_numbers_come_in_every_width_where_nothing_says_which() -> None:
    whole = Template((Slot("x", "array", "int64", ("x0",)),), None, (("x0",),))
    text = "def f({}):\n    return x << 1\n"
    guessed = next(signatures_of(ast.parse(text.format("x"))))
    annotated = next(signatures_of(ast.parse(text.format("x: NDArray[np.int64]"))))

    def drawn(signature: Signature) -> set[tuple[str | None, bool]]:
        trials = Schedule(signature, [whole], 100, 0).trials()
        return {(t.slots[0].dtype, t.family == RANGE) for t in trials}

    widths = {"int8", "uint8", "int16", "uint16", "int32", "uint32", "uint64"}
    assert {(width, True) for width in widths} <= drawn(guessed)
    assert {(width, False) for width in widths} <= drawn(guessed)
    assert {dtype for dtype, _ in drawn(annotated)} == {"int64"}


def test_axes_that_have_to_be_alike_are_not_all_made_long() -> None:
    dims = tuple(f"x{axis}" for axis in range(3))
    cube = Template((Slot("x", "array", dims=dims),), None, (dims,))
    row = Template((Slot("x", "array", dims=dims),), None, tuple((dim,) for dim in dims))
    sizes = [t.sizes for t in Schedule(signature(), [cube, row], 300, 0).trials()]
    assert max(math.prod(size.values()) for size in sizes) <= 50_000
    assert any(257 in size.values() for size in sizes)


def test_what_stands_beside_a_kernel_runs_in_some_examples() -> None:
    assert not any(t.refused for t in schedule().trials())
    assert any(t.refused for t in schedule(guarded=True).trials())


def test_where_few_sizes_are_accepted_they_come_up_more_often() -> None:
    proven: list[tuple[int, dict[str, int]]] = []
    fitting = []
    for trial in schedule(proven=proven).trials():
        fitting.append(trial.sizes["x0"] == trial.sizes["y0"] == 3)
        if fitting[-1]:
            proven.append((trial.seed[-1], dict(trial.sizes)))
    assert sum(fitting) > 4 * sum(t.sizes["x0"] == t.sizes["y0"] == 3 for t in schedule().trials())
    assert not all(fitting[60:])


def test_the_latest_examples_do_not_decide_what_comes_next() -> None:
    """They may not be answered yet, and the same seed must give the same examples."""
    prompt: list[tuple[int, dict[str, int]]] = []
    late: list[tuple[int, dict[str, int]]] = []
    first, second = [], []
    for here, there in zip(
        schedule(proven=prompt).trials(), schedule(proven=late).trials(), strict=True
    ):
        first.append(here)
        second.append(there)
        prompt.append((here.seed[-1], here.sizes))
        if len(second) >= AHEAD:
            known = second[-AHEAD]
            late.append((known.seed[-1], known.sizes))
    assert first == second


def test_histories_hold_what_is_needed() -> None:
    fit, more = ("fit", ()), ("more", ())
    found = [t.before for t in schedule(states=[more], needed=(fit,)).trials()]
    assert all(before[0] == fit for before in found)
    assert any(more in before for before in found)


def test_smaller_trials_end() -> None:
    trial = Trial(
        (), sizes={"a": 9, "b": 2}, family="wide", layout="F", alias="same", refused=True, tied=True
    )
    steps = 0
    while following := next(smaller(trial), None):
        assert following != trial
        trial, steps = following, steps + 1
        assert steps < 40
    assert trial == Trial((), sizes={"a": 1, "b": 1})


def test_residencies_begin_with_all_arrays() -> None:
    slots = (Slot("x", "array", dims=("n",)), Slot("k", "int"))
    assert residencies(Trial(slots, sizes={"n": 1})) == [("x",), ()]


def test_templates_with_most_arrays_are_kept() -> None:
    both, one = template("x", "y"), Template((Slot("x", "float"),), None)
    assert most_arrays([one, both]) == [both]


def test_what_earlier_calls_take_is_of_several_sizes() -> None:
    state = ("push", (Slot("batch", "array", dims=("batch.0",)),))
    sizes = {trial.earlier for trial in schedule(states=[state]).trials()}
    assert {1, 2, 3, 4, 5} <= sizes
    assert {trial.earlier for trial in schedule().trials()} == {4}


def test_whole_numbers_of_any_magnitude_stand_beside_plain_ones() -> None:
    text = "def f(x: NDArray[np.int64], y: NDArray[np.int64]):\n    return x // y\n"
    annotated = next(signatures_of(ast.parse(text)))
    slots = tuple(Slot(name, "array", "int64", (f"{name}0",)) for name in "xy")
    template = Template(slots, None, (("x0",), ("y0",)))
    drawn = [build(t.slots, t) for t in Schedule(annotated, [template], 100, 0).trials()]
    held = [(abs(a["x"]).max(), abs(a["y"]).max()) for a in drawn if a["x"].size and a["y"].size]
    assert any(int(x) > 1 << 53 and int(y) < 1 << 10 for x, y in held)
    assert all(a["x"].dtype == a["y"].dtype == "int64" for a in drawn)


def test_what_stands_beside_a_kernel_runs_in_a_good_part_of_the_examples() -> None:
    slots = tuple(Slot(name, "array", dims=(f"{name}0", f"{name}1")) for name in "xy")
    tables = Template(slots, None, tuple((f"{name}{axis}",) for name in "xy" for axis in "01"))
    guarded = list(Schedule(signature(), [tables], 200, 0, guarded=True).trials())
    assert 0.3 < sum(trial.refused for trial in guarded) / len(guarded) < 0.5
    assert not any(trial.refused for trial in Schedule(signature(), [tables], 50, 0).trials())


def test_an_index_is_a_mask_as_long_as_what_it_chooses_of_now_and_then() -> None:
    slots = Slot("x", "array", dims=("x0",)), Slot("k", "array", "int64", ("k0",))
    indexed = Template(slots, None, (("x0",), ("k0",)))
    text = "def f(x, {}):\n    return x[k]\n"
    guessed = next(signatures_of(ast.parse(text.format("k"))))
    every = Schedule(guessed, [indexed], 100, 0).trials()
    trials = [trial for trial in every if trial.slots[1].dtype == "bool"]
    assert trials
    assert all(trial.sizes["k0"] == trial.sizes["x0"] for trial in trials)
    annotated = next(signatures_of(ast.parse(text.format("k: NDArray[np.int64]"))))
    drawn = Schedule(annotated, [indexed], 100, 0).trials()
    assert {trial.slots[1].dtype for trial in drawn} == {"int64"}


def test_values_do_not_depend_on_what_the_schedule_chose() -> None:
    slots = (Slot("n", "near", choices=(12,)),)
    recorded = Template(slots, None, recorded=True)
    trials = Schedule(signature(), [recorded], 200, 0, literals=(3.0, 4.0)).trials()
    assert {build(slots, t)["n"] for t in trials} == {1, 2, 3, 4, 5, 6, 11, 12, 13}
