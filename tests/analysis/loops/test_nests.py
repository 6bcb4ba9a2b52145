"""Loops over elements: which become kernels, and what is taken to be known of their names."""

from __future__ import annotations

import pytest

from gpuport.analysis.placement.graph import Place

HEAD = "import numpy as np\n\n"


@pytest.fixture
def loops(analyse):
    """Names of the kernels that run on the device, and the codes of the refusals."""

    def run(body: str, function: str = "f"):
        analysed = analyse(HEAD + body, function)
        launches = analysed.unit.forms.launches.values()
        on_device = [
            one for one in launches if analysed.placement.of(one.graph_node) is Place.DEVICE
        ]
        return on_device, sorted(r.code for r in analysed.unit.forms.refusals.values())

    return run


def test_a_parallel_loop_is_one_operation_with_its_arrays(loops):
    (launch,), refusals = loops(
        "def f(x: np.ndarray, a: float):\n"
        "    y = np.zeros_like(x)\n"
        "    for i in range(len(x)):\n"
        "        y[i] = a * x[i]\n"
        "    return y\n"
    )
    assert refusals == []
    assert launch.plan.reads == {"x"}
    assert launch.plan.writes == launch.written == {"y"}


def test_call_sites_tell_the_dtype_that_the_kernel_is_made_for(loops):
    body = (
        "def f(x):\n"
        "    y = np.zeros(len(x), dtype=x.dtype)\n"
        "    for i in range(len(x)):\n"
        "        y[i] = 2 * x[i]\n"
        "    return y\n"
    )
    call = "\n\ndef main():\n    return f(np.ones(4).astype(np.float32))\n"
    (alone,), _ = loops(body)
    (called,), _ = loops(body + call)
    types = [[one.type for one in launch.kernel.declared.inputs] for launch in (alone, called)]
    assert types == [["T"], ["float32"]]


@pytest.mark.parametrize(
    ("change", "written"),
    [
        ("v = x[i]\n        v = v + 1", {"y"}),
        ("v = 0.0\n        v += x[i]", {"y"}),
        ("y[k] = v = x[i]\n        k += 1", {"y"}),
    ],
)
def test_what_changes_no_row_writes_to_none(loops, change, written):
    (launch,), _ = loops(
        "def f(x: np.ndarray, y: np.ndarray):\n"
        "    k = 0\n"
        "    for i in range(len(x)):\n"
        f"        {change}\n"
        "        y[i] = v\n"
    )
    assert launch.written == written


@pytest.mark.parametrize(
    ("before", "written", "axes"),
    [("", {"y"}, (("x", 1),)), ("x = x[::2]", {"x", "y"}, ()), ("x = np.ones(9)", {"y"}, ())],
)
def test_rows_that_may_change_in_place_count_as_written_or_are_asked(loops, before, written, axes):
    (launch,), _ = loops(
        "def f(x: np.ndarray, y: np.ndarray):\n"
        f"    {before or 'pass'}\n"
        "    for i in range(len(x)):\n"
        "        v = x[i]\n"
        "        v += 1\n"
        "        y[i] = v\n"
    )
    assert launch.written == written
    assert launch.axes == axes


def test_an_unknown_value_is_no_array(loops):
    launches, refusals = loops(
        "def f(make, y: np.ndarray):\n"
        "    x = make()\n"
        "    for i in range(len(y)):\n"
        "        y[i] = x[i]\n"
    )
    assert launches == []
    assert refusals == ["GP205"]


def test_arrays_of_the_module_are_copied_for_the_launch_unless_written(loops):
    text = "TABLE = np.array([1.0, 2.0, 3.0])\n\n"
    (launch,), _ = loops(
        text + "def f(x: np.ndarray):\n"
        "    y = np.zeros_like(x)\n"
        "    for i in range(len(x)):\n"
        "        y[i] = TABLE[0] * x[i]\n"
        "    return y\n"
    )
    assert launch.borrowed == {"TABLE"}
    launches, refusals = loops(
        text + "def f(x: np.ndarray):\n    for i in range(len(x)):\n        TABLE[i] = x[i]\n"
    )
    assert launches == []
    assert refusals == ["GP205"]


def test_numbers_of_the_module_inside_a_called_function_guard_the_launch(loops):
    (launch,), _ = loops(
        "SCALE = 4\n\ndef grown(v):\n    return SCALE * v + 1.0\n\n"
        "def f(x: np.ndarray, y: np.ndarray):\n"
        "    for i in range(len(x)):\n"
        "        y[i] = grown(x[i])\n"
    )
    assert launch.constants == (("SCALE", 4),)


def test_what_numba_compiles_stays_a_plain_function(analyse):
    unit = analyse(
        "import numpy as np\nfrom numba import njit\n\n"
        "def f(x, y):\n    for i in range(len(x)):\n        y[i] = np.sin(x[i])\n\n"
        "fast = njit(f)\n"
    ).unit
    assert unit.refusal is not None
    assert unit.refusal.code == "GP902"


def test_a_carried_loop_keeps_its_arrays_on_the_host(loops, analyse):
    launches, refusals = loops(
        "def f(x: np.ndarray):\n"
        "    y = np.zeros_like(x)\n"
        "    for i in range(1, len(x)):\n"
        "        y[i] = 0.5 * y[i - 1] + x[i] ** 2\n"
        "    return y\n"
    )
    assert launches == []
    assert refusals == ["GP202"]


def test_an_array_that_a_loop_only_measures_may_be_anywhere(loops):
    (launch,), refusals = loops(
        "def f(x: np.ndarray, k: int):\n"
        "    y = np.cos(x)\n"
        "    sums = np.zeros((k, x.shape[1]))\n"
        "    for c in range(k):\n"
        "        for d in range(x.shape[1]):\n"
        "            sums[c, d] += c + d\n"
        "    return sums, y\n"
    )
    assert refusals == []
    assert launch.plan.writes == {"sums"}


INDICES = {
    "sums": ("out[k] = f[(k - c[k]) % n]", "c"),
    "names of a tuple": ("i, j = t[k, 0], t[k, 1] + 1\n        out[k] = f[j] - f[i - 1]", "t"),
    "a row taken apart": ("i, j = t[k]\n        out[k] = f[j] - f[i]", "t"),
    "extremes": ("out[k] = f[min(max(c[k], 0), n - 1)]", "c"),
}


@pytest.mark.parametrize(("body", "array"), INDICES.values(), ids=INDICES)
def test_elements_that_indices_are_made_of_are_taken_for_whole_numbers(
    loops, body: str, array: str
):
    (launch,), refusals = loops(
        "def f(f: np.ndarray, c: np.ndarray, t: np.ndarray, n: int):\n"
        "    out = np.zeros(n)\n"
        "    for k in range(n):\n"
        f"        {body}\n"
        "    return out\n"
    )
    assert refusals == []
    declared = launch.kernel.declared
    given = (one for one in (*declared.inputs, *declared.outputs) if one.raw)
    whole = {one.name for one in given if one.type == "int64"}
    assert whole == {array}


def test_what_is_binned_is_not_taken_for_whole_numbers(loops):
    (launch,), _ = loops(
        "def f(x: np.ndarray, low: float, width: float, n: int):\n"
        "    h = np.zeros(n, dtype=np.int64)\n"
        "    for v in x:\n"
        "        h[int((v - low) / width)] += 1\n"
        "    return h\n"
    )
    types = {one.name: one.type for one in launch.kernel.declared.inputs}
    assert types["x"] in ("T", "float64")


SERIAL = """def f(x: np.ndarray, mu: np.ndarray, n: int):
    out = np.zeros({count})
    for a in range({count}):
        tau = np.zeros(n)
        for k in range(60):
            tau[:] = 0.9 * tau + x[k] / mu[a]
            out[a] += tau.sum()
    return out

{call}
"""


@pytest.mark.parametrize(
    ("count", "call"),
    [
        ("3", "pass"),
        ("len(mu)", "f(np.ones((60, 4000)), np.array([0.1, 0.5]), 4000)"),
        ("mu.shape[0]", "f(np.ones((60, 4000)), np.zeros(5), n=4000)"),
        ("len(mu)", "f(np.ones((60, 100)), np.ones(3), 100)"),
    ],
)
def test_a_few_threads_that_go_through_arrays_do_not_pay(loops, count, call):
    on_device, refusals = loops(SERIAL.format(count=count, call=call))
    assert [one for one in on_device if one.plan.workspaces] == []
    assert "GP201" in refusals


@pytest.mark.parametrize(
    ("count", "call"),
    [
        ("len(mu)", "pass"),
        ("len(mu)", "f(np.load('x.npy'), np.load('mu.npy'), 4000)"),
        ("300", "pass"),
        ("len(mu)", "f(np.ones((60, 4000)), np.ones(50), 4000)"),
        ("3", "f(np.ones((60, 20)), np.ones(3), 20)"),
    ],
)
def test_many_threads_do_and_so_does_little_work(loops, count, call):
    (launch,), refusals = loops(SERIAL.format(count=count, call=call))
    assert refusals == []
    assert launch.plan.workspaces


def test_a_few_threads_are_faster_than_python_is_with_single_elements(loops):
    (launch,), refusals = loops(
        "def f(x: np.ndarray):\n"
        "    out = np.zeros(3)\n"
        "    for a in range(3):\n"
        "        s = 0.0\n"
        "        for i in range(x.shape[1]):\n"
        "            s = 0.5 * s + x[a, i]\n"
        "        out[a] = s\n"
        "    return out\n"
    )
    assert refusals == []
    assert [axis.stop for axis in launch.plan.grid] == ["3"]


@pytest.mark.parametrize(
    "rows",
    [
        "ROWS = [(0, 1, 0.5), (1, 2, 0.25)]",
        "HALF = 0.5\nROWS = [(0, 1, HALF), (1, 2, HALF / 2)]",
        "from typing import NamedTuple\nclass Row(NamedTuple):\n    a: int\n    b: int\n"
        "    w: float\nROWS = [Row(0, 1, 0.5), Row(1, 2, 0.25)]",
    ],
)
def test_whole_numbers_beside_others_are_no_column_of_an_array(loops, rows):
    body = (
        "def f(x: np.ndarray, d: np.ndarray):\n"
        "    for a, b, w in ROWS:\n"
        "        for j in range(x.shape[1]):\n"
        "            d[a, j] += w * x[b, j]\n"
    )
    launches, refusals = loops(f"{rows}\n{body}")
    assert refusals == ["GP205"]
    assert not any("ROWS" in launch.plan.reads for launch in launches)
