"""With ``boundary = "device"`` or ``"none"``, callers in the same file follow, or are told."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent

FOLLOWED = {
    "device": (
        "alias_default_array", "calls_around_arrays", "containers_dict_updated_in_place",
        "containers_same_result_twice", "containers_star_args", "flow_caller_catches",
        "found2_array_argument_not_named", "found2_list_of_arrays_argument",
        "found_element_of_unknown_rank_to_host", "found_lost_write_host_parameter",
        "found_number_changed_in_place", "found_second_pass_unported_helper",
        "numbers_as_shape", "numbers_index_list", "scipy_ndimage", "stacks_forms",
        "stacks_singular_items", "tuple_into_elements",
    ),
    "none": (
        "containers_same_result_twice", "flow_early_return_same_kind",
        "found2_array_argument_not_named", "found2_host_body_with_decorator",
        "found4_warnings_recorded", "found_number_argument_changed_in_place",
        "found_number_changed_in_place", "scipy_ndimage", "tuple_into_elements",
    ),
}  # fmt: skip
"""Programs whose module-level code, or functions that stay on the host, call ported functions."""

TOLD = {
    "device": (
        "found4_lists_added", "found_int_element_plus_float", "numbers_json", "stacks_imports",
    ),
    "none": (
        "alias_default_array", "containers_star_args", "found2_no_boundary_no_transfer",
        "numbers_boolean_logic", "numbers_int_plus_float", "stacks_forms",
    ),
}  # fmt: skip


def _cases(table):
    return [(policy, name) for policy, names in table.items() for name in names]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("policy", "name"), _cases(FOLLOWED))
def test_callers_in_the_file_follow(policy, name, examine):
    path = HERE / "programs" / f"{name}.py"
    found = examine(path.read_text(encoding="utf-8"), path.name, boundary=policy)
    assert found.report.after is not None
    assert found.faults == (), found.after


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("policy", "name"), _cases(TOLD))
def test_callers_that_cannot_follow_are_told(policy, name, examine):
    path = HERE / "programs" / f"{name}.py"
    found = examine(path.read_text(encoding="utf-8"), path.name, boundary=policy)
    assert found.faults == () or "GP408" in {f.code for f in found.report.findings}, found.after


HOST_CALLER = """
import sys
import numpy as np


def wave(x: np.ndarray):
    return np.sin(x) * np.cos(x) + np.exp(x)


def pick(x, rng):
    p = wave(x)
    return rng.choice(len(x), p=p / p.sum())


def show(x):
    return float(wave(x).sum()), float(wave(x)[0])


if __name__ == "__main__":
    x = np.linspace(0.0, 1.0, 9)
    print(pick(x, np.random.default_rng(3)), show(x))
    np.savez(sys.argv[1], w=wave(x))
"""


@pytest.mark.parametrize("policy", ["device", "none"])
def test_a_caller_that_stays_on_the_host_gets_its_transfers(policy, examine):
    found = examine(HOST_CALLER, boundary=policy)
    assert found.faults == (), found.after
    assert "@kernel(" in found.after
    assert "GP408" not in {f.code for f in found.report.findings}


WRITTEN = """
import sys
import numpy as np


def damp(field: np.ndarray, factor):
    field *= np.exp(-np.abs(field)) * factor
    field[1:] += np.sin(field[:-1])


def main(path):
    field = np.random.default_rng(0).normal(size=12)
    saved = field.copy()
    for _ in range(3):
        damp(field, 0.5)
    np.savez(path, field=field, saved=saved)


main(sys.argv[1])
"""


@pytest.mark.parametrize("policy", ["device", "none"])
def test_what_a_function_writes_reaches_its_caller(policy, examine):
    found = examine(WRITTEN, boundary=policy)
    assert found.faults == (), found.after


LEFT_BEHIND = """
import numpy as np


def wave(x: np.ndarray):
    return np.sin(x) * np.cos(x) + np.exp(x)


{caller}
"""


@pytest.mark.parametrize(
    "caller",
    [
        "later = lambda x: wave(x) + 1",
        "chosen = wave\nprint(chosen(np.ones(3)))",
        "def each(rows):\n    for row in rows:\n        yield wave(row)",
        "def spread(*rows):\n    return wave(*rows)",
        "values = list(map(wave, [np.ones(3)]))",
        "print(globals()['wave'](np.ones(3)))",
    ],
)
@pytest.mark.parametrize("policy", ["device", "none"])
def test_a_caller_that_is_not_understood_is_told(policy, caller, examine):
    found = examine(LEFT_BEHIND.format(caller=caller), boundary=policy)
    told = [f for f in found.report.findings if f.code == "GP408"]
    assert told
    assert "wave" in told[0].message
    plain = examine(LEFT_BEHIND.format(caller=caller))
    assert "GP408" not in {f.code for f in plain.report.findings}


PRINTED = """
import sys

import numpy as np


def wave(x):
    return np.sin(x) * np.cos(x) + np.exp(x)


def text(x):
    return f"{wave(x)} {wave(x)[0]:.3f}"


def main(path):
    x = np.linspace(0.0, 1.0, 4)
    print(text(x), f"{wave(x).sum():.6f}")
    np.savez(path, x=x)


main(sys.argv[1])
"""


@pytest.mark.parametrize("policy", ["device", "none"])
def test_texts_of_what_comes_back_are_the_same(policy, examine):
    found = examine(PRINTED, boundary=policy)
    assert found.faults == (), found.after


GIVEN_WHAT_IS_NOT_KNOWN = """
import numpy as np


def wave(x: np.ndarray):
    return np.sin(x) * np.cos(x) + np.exp(x)


def make(n):
    return np.linspace(0.0, 1.0, n)


def main(path, maker=make):
    np.savez(path, w=wave(maker(9)), n=float(wave(maker(3)).sum()))
"""


def test_a_caller_that_passes_what_is_not_known_is_told(examine):
    """Nothing says that what ``maker`` gives is to be moved."""
    found = examine(GIVEN_WHAT_IS_NOT_KNOWN, boundary="none")
    assert "@kernel(" in found.after
    assert "GP408" in {f.code for f in found.report.findings}
    moved = examine(GIVEN_WHAT_IS_NOT_KNOWN, boundary="device")
    assert "GP408" not in {f.code for f in moved.report.findings}, moved.after


NUMBERS_OR_ARRAYS = """
import sys

import numpy as np


class Model:
    def __init__(self):
        rng = np.random.default_rng(0)
        self.rewards = rng.random((4, 6, 6))


def best(r):
    v = np.zeros(r.shape[1])
    for _ in range(20):
        q = np.exp(r) @ v * 0.1 + np.sqrt(r).sum(axis=1)
        v = q.max(axis=0)
    return v, q.argmax(axis=0)


def main(path, model):
    v, choice = best(model.rewards)
    names = np.array(list("^v<>"))[choice]
    print("".join(names))
    np.savez(path, v=v)


if __name__ == "__main__":
    main(sys.argv[1], Model())
"""


def test_what_may_be_a_number_comes_back_where_the_arguments_are_not_known(examine):
    """Arguments of which nothing is known are no plain numbers: what they give may be arrays."""
    found = examine(NUMBERS_OR_ARRAYS, boundary="device")
    assert found.faults == () or "GP408" in {f.code for f in found.report.findings}, found.after
    assert "cp.exp" in found.after


METHOD = """
import numpy as np


class Filter:
    width = 3

    def smooth(self, x: np.ndarray):
        return np.exp(-np.abs(x)) * np.sin(x) + np.cos(x)

    def twice(self, path):
        return self.smooth(np.loadtxt(path))
"""


def test_the_call_of_a_ported_method_is_told(examine):
    found = examine(METHOD, boundary="device")
    assert "@kernel(" in found.after
    assert [f.code for f in found.report.findings if f.code == "GP408"] == ["GP408"]
