"""Loops over matrices that stay one call for each item say why, in whatever form they stand."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

COMPREHENSION = """import numpy as np

def each(ms: list[np.ndarray], v: np.ndarray):
    return [{call} for m in ms]
"""

COUNTED = """import numpy as np

def each(ms: np.ndarray):
    out = np.zeros_like(ms)
    i = 0
    while i < len(ms):
        out[i] = {call}
        i += {step}
    return out
"""

HANDED_ON = """import numpy as np
from itertools import starmap

def fit(x, y):
    return np.linalg.solve(x.T @ x, x.T @ y)

def each(xs: list[np.ndarray], ys: list[np.ndarray]):
    return list({call})
"""

MOVED = """import numpy as np

def each(ms: list[np.ndarray], show):
    for m in ms:
        w = np.linalg.eigvalsh(m)
        show(w)
"""


BEST = """import numpy as np

def best(ms: np.ndarray, shifts: np.ndarray):
    least, place = np.inf, -1
    for k, m in enumerate(ms):
        c = np.linalg.cond(m)
        if c < least:
            {bound}
    return least, place
"""


def codes(text: str) -> list[str]:
    report = port_module(parse("program.py", text), Config())
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize("call", ["np.linalg.inv(m) @ np.vander(m[0])", "np.linalg.eigvals(m @ v)"])
def test_a_comprehension_without_a_stacked_form(call: str) -> None:
    assert {"GP301", "GP303"}.intersection(codes(COMPREHENSION.format(call=call)))


@pytest.mark.parametrize("form", ["(np.linalg.eigh(m + m.T) for m in ms)",
                                  "[np.linalg.eigh(m + m.T) for m in ms]"])  # fmt: skip
@pytest.mark.parametrize("kind", ["np.ndarray", "list[np.ndarray]"])
def test_results_that_are_taken_apart_are_stacked(form: str, kind: str) -> None:
    text = f"""import numpy as np

def each(ms: {kind}):
    w, v = zip(*{form})
    return np.array(w), np.array(v)
"""
    assert codes(text).count("GP310") == 1


@pytest.mark.parametrize("form", ["all", "any", "next"])
def test_what_may_stop_early_is_told(form: str) -> None:
    text = f"""import numpy as np

def each(ms: list[np.ndarray]):
    return {form}(np.all(np.linalg.eigvalsh(m) > 0) for m in ms)
"""
    report = port_module(parse("program.py", text), Config())
    on_device = "cp.linalg" in (report.after or "")
    assert not on_device or "may stop before its end" in told(text)


@pytest.mark.parametrize(
    "call", ["sla.qr(m, mode='economic')[1]", "sla.solve_triangular(m, v, lower=True)",
             "sla.cholesky(m)", "sla.inv(m, overwrite_a=True)"]
)  # fmt: skip
def test_functions_of_scipy_without_stacked_form_are_told_where_they_are_on_the_device(
    call: str,
) -> None:
    text = f"""import numpy as np
import scipy.linalg as sla

def each(ms: list[np.ndarray], v: np.ndarray):
    return [{call} for m in ms]
"""
    report = port_module(parse("program.py", text), Config())
    on_device = "cp.linalg" in (report.after or "") or "cupyx" in (report.after or "")
    found = {finding.code for finding in report.findings}
    assert found & ({"GP301", "GP303"} if on_device else {"GP102", "GP103", "GP407"})


def test_a_dict_of_tuples_that_are_brought_back_is_filled_from_stacks() -> None:
    text = """import numpy as np

def each(data: dict[str, np.ndarray]):
    out = {}
    for name, x in data.items():
        u, s, vt = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
        out[name] = (np.abs(x @ vt[0]), s[:2] ** 2 / np.sum(s**2))
    return out

def show(data: dict[str, np.ndarray]):
    for name, (first, share) in each(data).items():
        print(name, first[0], share)
"""
    assert "GP310" in codes(text)


def told(text: str) -> str:
    report = port_module(parse("program.py", text), Config())
    return " ".join(f.message for f in report.findings if f.code == "GP301")


def stacked(text: str) -> str:
    report = port_module(parse("program.py", text), Config())
    return " ".join(f.message for f in report.findings if f.code == "GP310")


def test_places_that_an_element_of_an_item_names_are_gathered() -> None:
    text = """import numpy as np

def normals(points: np.ndarray, faces: np.ndarray):
    out = np.zeros((len(faces), 3))
    for f in range(len(faces)):
        a = points[faces[f, 0]]
        normal = np.cross(points[faces[f, 1]] - a, points[faces[f, 2]] - a)
        out[f] = normal / np.linalg.norm(normal)
    return out
"""
    assert "GP310" in codes(text)
    assert "GP310" in codes(text.replace("faces[f, 1]", "faces[f, 1] + 1"))


def test_lists_hold_what_calls_of_the_function_pass() -> None:
    text = """import numpy as np

def norms(ms):
    out = []
    for m in ms:
        out.append(np.linalg.norm(m))
    return np.array(out)

print(norms([np.full((3, 3), k + 1.0) for k in range(4)]))
"""
    after = port_module(parse("program.py", text), Config()).after or ""
    assert '@batched.loop(writes="out")\ndef _norms_loop(ms, out):' in after
    assert "        out.append(np.linalg.norm(m))" in after


@pytest.mark.parametrize("part", ["ms[1:]", "ms[::2]", "ms[:n]", "ms[-n:]"])
def test_parts_of_stacks_are_stacks(part: str) -> None:
    text = f"""import numpy as np

def each(ms: np.ndarray, n):
    out = []
    for m in {part}:
        out.append(np.linalg.inv(m))
    return out
"""
    assert "GP310" in codes(text)


PAIRS = """import numpy as np

def distances(ms):
    n = len(ms)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d[i, j] = np.linalg.norm(ms[i] - ms[j])
    return d

print(distances(np.{given}))
"""


@pytest.mark.parametrize("shape", ["(4, 3)", "(4, 3, 3)"])
def test_a_kernel_takes_norms_of_as_many_axes_as_calls_pass(shape: str) -> None:
    found = codes(PAIRS.format(given=f"ones({shape})"))
    assert "GP210" in found
    assert "GP310" not in found


def test_a_contraction_over_one_axis_is_a_product() -> None:
    found = codes(COMPREHENSION.format(call="np.tensordot(m, v, axes=1)"))
    assert "GP310" in found
    assert not {"GP301", "GP303"}.intersection(found)


@pytest.mark.parametrize("step", [1, 2])
def test_a_loop_that_counts_by_hand(step: int) -> None:
    found = codes(COUNTED.format(call="np.linalg.inv(ms[i])", step=step))
    assert "GP301" in found
    assert "GP203" not in found


MAPPED = ["map(fit, xs, ys)", "map(lambda x: np.linalg.inv(x), xs)", "starmap(fit, zip(xs, ys))"]


@pytest.mark.parametrize("call", MAPPED)
def test_functions_of_the_module_that_are_mapped(call: str) -> None:
    found = codes(HANDED_ON.format(call=call))
    assert "GP310" in found
    assert "GP301" not in found


@pytest.mark.parametrize("call", MAPPED)
def test_functions_of_the_module_that_are_mapped_for_later(call: str) -> None:
    assert "GP301" in codes(HANDED_ON.format(call=call).replace(f"list({call})", call))


def test_a_mapped_function_without_linear_algebra_is_nothing_to_tell() -> None:
    assert "GP301" not in codes(HANDED_ON.format(call="map(lambda x: x.sum(), xs)"))


def test_what_is_moved_for_each_item() -> None:
    """The loop goes on handing single results to a function that nobody knows."""
    assert "GP305" in codes(MOVED)


def test_a_counted_loop_without_linear_algebra_is_no_loop_over_matrices() -> None:
    assert "GP301" not in codes(COUNTED.format(call="np.roll(ms[i], 1)", step=1))


REMAINING = """import numpy as np

def each(ys: np.ndarray, ts: np.ndarray, deg: int):
    return [np.linalg.lstsq({call}, y, rcond=None)[0] for y in ys]
"""


def test_what_is_the_same_for_all_items_is_to_be_named_before() -> None:
    def told(call: str) -> str:
        report = port_module(parse("program.py", REMAINING.format(call=call)), Config())
        return " ".join(one.message for one in report.findings if one.code.startswith("GP30"))

    hint = "is the same for all: name it before the loop"
    assert f"`np.vander(ts, deg + 1)` {hint}" in told("np.vander(ts, deg + 1)")
    assert "np.vander" in told("np.vander(y, deg + 1)")
    assert hint not in told("np.vander(y, deg + 1)")


HOSTED = """import numpy as np

def each(ms: np.ndarray):
    flags = []
    for m in ms:
{body}
    return flags
"""


def reasons(text: str) -> dict[str, str]:
    report = port_module(parse("program.py", text), Config())
    return {f.code: f.message for f in report.findings if f.code.startswith(("GP2", "GP3"))}


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (
            "w = np.linalg.eigvals(m)\nflags.append(bool((w.real < 0).all()))",
            "GP301",
            "NumPy computes it: what it gives is real or complex by the values of each matrix",
        ),
        (
            "try:\n    flags.append(np.linalg.inv(m))\nexcept np.linalg.LinAlgError:\n    pass",
            "GP301",
            "exception handling in it (line 6)",
        ),
        ("s = np.linalg.svd(m)[1]\nprint(f'{s[0]:.3f}')", "GP305", "happens once for each item"),
    ],
)
def test_loops_whose_work_stays_on_the_host_are_told_of(body: str, code: str, words: str) -> None:
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    found = reasons(HOSTED.format(body=lines))
    assert words in found[code]
    assert "GP203" not in found  # a kernel would be none either


CONVERGING = """import numpy as np

def mean(ms: np.ndarray):
    m = ms.mean(axis=0)
    step, k = np.inf, 0
    while step > 1e-9 and k < 50:
        k += 1
        w, v = np.linalg.eigh(m)
        new = (v * np.sqrt(w)) @ v.T @ ms[k]
        step = np.linalg.norm(np.linalg.inv(ms[k]) @ (new - m))
        m = new
    return m
"""


def test_a_loop_that_goes_on_with_what_it_left_is_no_loop_over_items() -> None:
    found = reasons(CONVERGING)
    assert "a trip reads `m`, which the one before it bound" in found["GP302"]
    assert "GP301" not in found


def test_a_loop_may_count_backwards() -> None:
    text = """import numpy as np

def each(ms: np.ndarray):
    out = np.zeros_like(ms)
    for i in range(len(ms) - 1, -1, -1):
        out[i] = np.linalg.inv(ms[i])
    return out
"""
    assert "GP310" in reasons(text)


FILTER = """import numpy as np

def filtered(zs: np.ndarray, f: np.ndarray, h: np.ndarray, q: np.ndarray, r: np.ndarray):
    x = np.zeros({states})
    p = {covariance}
    out = []
    for z in zs:
        x = f @ x
        p = f @ p @ f.T + q
        k = p @ h.T @ np.linalg.inv(h @ p @ h.T + r)
        x = x + k @ (z - h @ x)
        p = p - k @ h @ p
        out.append(x)
    return np.array(out)
"""


@pytest.mark.parametrize(
    ("states", "covariance", "size"),
    [
        ("4", "np.eye(4)", "`p` has 16 elements"),
        ("4", "10.0 * np.eye(4)", "`p` has 16 elements"),
        ("(3,)", "np.zeros((3, 3))", "`p` has 9 elements"),
        ("4", "q.copy()", "`x` has 4 elements"),
    ],
)
def test_a_filter_of_a_few_states_is_told_how_small_it_is(states, covariance, size) -> None:
    message = reasons(FILTER.format(states=states, covariance=covariance))["GP302"]
    assert "iteration i reads `x`, which iteration i-1 bound" in message
    assert size in message


@pytest.mark.parametrize("covariance", ["np.eye(400)", "np.zeros((40, 40))"])
def test_nothing_is_said_of_the_size_of_larger_states(covariance: str) -> None:
    assert "elements" not in reasons(FILTER.format(states="len(q)", covariance=covariance))["GP302"]


REPEATED = """import numpy as np

def refined(a: np.ndarray, b: np.ndarray):
    x = np.zeros(4)
    for _ in range(20):
        x = x + np.linalg.solve(a + np.diag(x), b - a @ x)
    return x
"""


def test_a_loop_that_repeats_goes_over_no_items() -> None:
    assert "GP302" not in reasons(REPEATED)


@pytest.mark.parametrize("bound", ["least, place = c, k", "least = c\n            place = k"])
def test_the_best_item_so_far_is_told_as_what_it_is(bound: str) -> None:
    report = port_module(parse("program.py", BEST.format(bound=bound)), Config())
    (found,) = [one for one in report.findings if one.code.startswith("GP30")]
    assert found.code == "GP302"
    assert "better than those before it" in found.message
    assert "np.argmax" in found.message


def test_an_item_that_a_condition_on_it_binds_anew_is_no_record() -> None:
    text = BEST.replace("c = np.linalg.cond(m)", "shifts[k] = np.linalg.det(m)").replace(
        "if c < least:", "if m[0, 0] < 0:"
    )
    report = port_module(parse("program.py", text.format(bound="m = -m")), Config())
    assert not any("better than" in one.message for one in report.findings)
