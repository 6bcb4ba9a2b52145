"""Which loops are parallel, and what is said of those that are not."""

from __future__ import annotations

import ast

import pytest

from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.reasons import Refused
from gpuport.loops.records import LoopPlan, Refusal
from gpuport.loops.sets import budgets

PARALLEL = {
    "saxpy": """
def f(x, y, a, n):
    for i in range(n):
        y[i] = a * x[i] + y[i]
""",
    "interleaved": """
def f(a):
    for i in range(len(a) // 2):
        a[2 * i] = a[2 * i + 1]
""",
    "reversed": """
def f(a, b, n):
    for i in range(n - 1, -1, -1):
        a[i] = b[n - 1 - i]
""",
    "from both ends": """
def f(n):
    w = np.ones(n)
    for i in range(n // 4):
        w[i] = 0.5 * i
        w[-1 - i] = 0.5 * i
    return w
""",
    "temporary": """
def f(a, b, n):
    for i in range(n):
        t = a[i] * 2
        if t > 1:
            t = 1
        b[i] = t
""",
    "infinity spelled out": """
def f(a, b, n, m):
    for i in range(n):
        nearest = float("inf")
        for k in range(m):
            nearest = min(nearest, abs(a[i] - a[k]))
        b[i] = nearest if nearest < float("1e9") else -float("inf")
""",
    "goes on with the next of several indices": """
def f(a, b):
    for i, j in np.ndindex(a.shape[0], a.shape[1]):
        if b[i, j] > 0:
            continue
        a[i, j] = 2 * b[i, j]
""",
    "serial inner loop": """
def f(a, b, n, m):
    for i in range(n):
        s = 0.0
        for k in range(m):
            s += a[i, k]
        b[i] = s
""",
    "recurrence along the rows": """
def f(a, n, m):
    for i in range(n):
        for j in range(1, m):
            a[i, j] = 0.5 * a[i, j - 1]
""",
    "gather": """
def f(x, y, index, n):
    for i in range(n):
        y[i] = x[index[i]]
""",
    "own cell summed over an inner loop": """
def f(a, force, n):
    for i in range(n):
        for j in range(n):
            if i != j:
                force[i] += a[j] - a[i]
""",
}


@pytest.mark.parametrize("text", PARALLEL.values(), ids=PARALLEL)
def test_parallel_without_more(plan_of, text: str) -> None:
    """Nothing is shared between iterations: no atomics, no copies."""
    plan = plan_of(text)
    assert not plan.atomics
    assert not plan.snapshots
    assert not plan.accumulations
    assert plan.grid[0].variable == "i"


CARRIED = {
    "recurrence": (
        """
def f(a, b, n):
    for i in range(1, n):
        a[i] = 0.5 * a[i - 1] + b[i]
""",
        ("distance 1", "`a[i - 1]`", "line 4", "iteration i = 1", "iteration i = 2"),
    ),
    "two apart": (
        """
def f(a, n):
    for i in range(2, n):
        a[i] = 2 * a[i - 2]
""",
        ("distance 2", "`a[i - 2]`"),
    ),
    "two writers": (
        """
def f(a, b, n):
    for i in range(n - 1):
        a[i] = b[i]
        a[i + 1] = 0.0
""",
        ("distance 1", "writes too"),
    ),
    "scalar": (
        """
def f(x, y, n):
    v = 0.0
    for i in range(n):
        v = 0.9 * v + x[i]
        y[i] = v
""",
        ("`v` is carried", "line 5"),
    ),
    "set under a condition": (
        """
def f(x, y, n):
    t = 0.0
    for i in range(n):
        y[i] = t
        if x[i] > 0:
            t = x[i] - y[i]
""",
        ("`t` is carried",),
    ),
    "scatter": (
        """
def f(x, y, order, n):
    for i in range(n):
        y[order[i]] = x[i]
""",
        ("`y[order[i]]`", "indirect", "duplicates"),
    ),
    "lengths of runs, one after another": (
        """
def f(x, y, n):
    k = 0
    for i in range(n):
        if x[i] > 0:
            k += 1
        y[k] = y[k] * x[i]
    return k
""",
        ("`y[k]`", "changed `k`", "line 6", "goes up", "nothing else"),
    ),
    "views of one array": (
        """
def f(a):
    dst = a[1:]
    src = a[:-1]
    for i in range(len(dst)):
        dst[i] += 0.5 * src[i]
""",
        ("`dst` and `src` overlap", "distance 1"),
    ),
    "views that cannot be compared": (
        """
def f(a, n):
    even = a[::2]
    for i in range(n):
        even[i] = a[i]
""",
        ("views of `a`",),
    ),
    "histogram that is read": (
        """
def f(h, x, y, n):
    for i in range(n):
        h[x[i]] += 1
        y[i] = h[0]
""",
        ("indirect",),
    ),
    "not a running sum": (
        """
def f(a, n):
    for i in range(1, n):
        a[i] = a[i - 1] * (n - i) // i
""",
        ("distance 1",),
    ),
}


@pytest.mark.parametrize(("text", "said"), CARRIED.values(), ids=CARRIED)
def test_carried(refusal_of, text: str, said: tuple[str, ...]) -> None:
    """The message names the elements, the lines and the distance."""
    refusal = refusal_of(text)
    assert refusal.code == "GP202"
    for part in said:
        assert part in refusal.message


REFUSED = {
    "a part and an element": (
        "for i in range(n):\n        y[i] = x[i] + x[i + 2, 0]",
        "GP201",
        "`x[i]` is a part of `x`, whose elements take 2 indices as in `x[i + 2, 0]`",
    ),
    "the order of memory": (
        "for v in np.nditer(x):\n        y[0] += v",
        "GP201",
        "`for i, j in np.ndindex(x.shape)` for two axes",
    ),
    "what threads do not have": (
        "for i in range(n):\n        y[i] = np.percentile(x[i:i + 3], 30)",
        "GP203",
        "`np.percentile` has no form in a kernel",
    ),
    "a word for it": (
        "for i in range(n):\n        y[i] = np.sort(x, kind='stable')[i]",
        "GP203",
        "`np.sort` has no form in a kernel",
    ),
    "ellipsis": ("for i in range(n):\n        y[..., i] = 0", "GP201", "part of an array"),
    "new axis": ("for i in range(n):\n        y[i, None] = 0", "GP201", "part of an array"),
    "NumPy's new axis": (
        "for i in range(n):\n        y[i, np.newaxis] = 0",
        "GP201",
        "part of an array",
    ),
    "key": ("for i in range(n):\n        y[i]['w'] = 0", "GP205", "a string"),
    "text": ("for i in range(n):\n        model = model + 'x'", "GP205", "a string"),
    "call of a made function": (
        "for i in range(n):\n        y[i] = model(i)[0](x[i])",
        "GP201",
        "unnamed",
    ),
    "range from a name that is assigned": (
        "for i in range(n):\n        y[i] = x[i]\n        n = 3",
        "GP201",
        "assigns `n`",
    ),
    "range from an element": (
        "for i in range(x[0]):\n        y[i] = 0",
        "GP201",
        "elements of an array",
    ),
    "builtin of another meaning": (
        "max = n\n    for i in range(n):\n        y[i] = max(x[i], 0)",
        "GP203",
        "`max`",
    ),
    "try": (
        (
            "for i in range(n):\n"
            "        try:\n"
            "            y[i] = x[i]\n"
            "        except E:\n"
            "            pass"
        ),
        "GP201",
        "`try`",
    ),
    "else": (
        ("for i in range(n):\n        y[i] = 1\n    else:\n        y[0] = 2"),
        "GP201",
        "`else`",
    ),
    "slice": (
        ("for i in range(n):\n        y[i, ::2] = 0"),
        "GP201",
        "part of an array",
    ),
    "row": (
        ("for i in range(n):\n        y[i] = x[i, 0] + x[i]"),
        "GP201",
        "not one element",
    ),
    "whole array": (
        ("for i in range(n):\n        y[i] = x[i] * np.abs(x)"),
        "GP201",
        "as a whole",
    ),
    "rebound": (
        ("for i in range(n):\n        y[i] = 1\n        y = x"),
        "GP202",
        "`y` is another array in each iteration, which begins with the one that the iteration "
        "before left",
    ),
    "made anew": (
        ("for i in range(n):\n        z = np.zeros(i)\n        z[0] = x[i]\n        y[i] = z[0]"),
        "GP201",
        "`z` is another array in each iteration: where it is room",
    ),
    "print": (
        ("for i in range(n):\n        print(x[i])"),
        "GP206",
        "`print(x[i])`",
    ),
    "append": (
        ("for i in range(n):\n        y.append(x[i])"),
        "GP206",
        "side effect",
    ),
    "yield": (
        ("for i in range(n):\n        yield x[i]"),
        "GP206",
        "generator",
    ),
    "attribute": (
        ("for i in range(n):\n        y.best = x[i]"),
        "GP206",
        "`y.best`",
    ),
    "parameter": (
        ("for i in range(n):\n        y[i] = model(x[i])"),
        "GP203",
        "`model`",
    ),
    "table of functions": (
        ("for i in range(n):\n        y[i] = model[i](x[i])"),
        "GP203",
        "model[i]",
    ),
    "method": (
        ("for i in range(n):\n        y[i] = x[i].strip()"),
        "GP203",
        "unknown call",
    ),
    "random": (
        ("for i in range(n):\n        y[i] = np.random.rand()"),
        "GP203",
        "np.random.rand",
    ),
    "break": (
        ("for i in range(n):\n        if x[i] > 0:\n            break\n        y[i] = 1"),
        "GP204",
        "`break`",
    ),
    "return": (
        ("for i in range(n):\n        y[i] = 1\n        if x[i] > 0:\n            return i"),
        "GP204",
        "`return i`",
    ),
    "while": (
        ("while x[n] > 0:\n        n = n + y[n]\n        x[n] = 0"),
        "GP204",
        "`while`",
    ),
    "unknown attribute": (
        ("for i in range(n):\n        y[i] = model.gain * x[i]"),
        "GP205",
        "model.gain",
    ),
    "f-string": (
        ("for i in range(n):\n        y[i] = f'{x[i]}'"),
        "GP201",
        "f-string",
    ),
    "last value": (
        "for i in range(n):\n        if x[i] > 0:\n            t = 2\n        t += 1\n    return t",
        "GP202",
        "`t` is carried from one iteration to the next",
    ),
}


@pytest.mark.parametrize(("loop", "code", "said"), REFUSED.values(), ids=REFUSED)
def test_refused(refusal_of, loop: str, code: str, said: str) -> None:
    """Every form that is not understood is refused, with its own code."""
    refusal = refusal_of(f"def f(x, y, n, model):\n    {loop}\n")
    assert refusal.code == code
    assert said in refusal.message
    assert refusal.line > 1


def test_time_loop_stays_in_python(planned) -> None:
    """Space loops in a time loop are plans of their own."""
    first, second, third = planned("""
def f(a, b, steps, n):
    for t in range(steps):
        for i in range(1, n - 1):
            b[i] = 0.5 * (a[i - 1] + a[i + 1])
        for i in range(1, n - 1):
            a[i] = b[i]
""")
    assert isinstance(first, Refusal)
    assert first.code == "GP202"
    assert isinstance(second, LoopPlan)
    assert isinstance(third, LoopPlan)
    assert [loop.lineno for loop in second.outer] == [3]
    assert (second.region.lineno, third.region.lineno) == (4, 6)


def test_a_loop_that_is_parallel_for_empty_arrays_alone_stays_in_python(planned) -> None:
    """Sizes that rule a conflict out are asked for where the array has elements under them."""
    outer, inner = planned("""
def f(out, x, hop, n):
    for k in range(len(x)):
        for j in range(n):
            out[k * hop + j] = x[k]
""")
    assert isinstance(outer, Refusal)
    assert outer.code == "GP202"
    assert "another one may write too as `out[k * hop + j]`" in outer.message
    assert isinstance(inner, LoopPlan)


def test_sum_inside_a_serial_loop_is_refused(refusal_of) -> None:
    """Each step of the outer loop waits for the sum: a launch would gain nothing."""
    refusal = refusal_of("""
def f(low, b, x, n):
    for i in range(n):
        s = b[i]
        for k in range(i):
            s -= low[i, k] * x[k]
        x[i] = s / low[i, i]
""")
    assert refusal.code == "GP202"


@pytest.mark.parametrize("sign", [1, -1])
def test_sizes_that_rule_a_conflict_out_become_a_guard(plan_of, sign: int) -> None:
    """Halves of one array: apart where the second begins after the first ends.

    Where an iteration reads what later ones write, it reads the old values.
    """
    plan = plan_of(f"""
def f(a, n, m):
    for i in range(n):
        a[i] = a[i {"+" if sign > 0 else "-"} m]
""")
    assert plan.snapshots == {"a"}
    size, n = 12, 4
    held = 0
    for m in range(-2 * size, 2 * size):
        holds = all(eval(guard, {"a": Sized(size), "n": n, "m": m}) for guard in plan.guards)
        inside = all(-size <= i + sign * m < size for i in range(n))
        # Each write meets the reads of its own iteration alone, and of earlier ones.
        met = [(i, k) for i in range(n) for k in range(i)]
        assert holds <= (inside and all((i + sign * m) % size != k for i, k in met))
        held += holds
    assert held > size // 2


class Sized:
    """Something with a shape."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape
        self.ndim = len(shape)

    def __len__(self) -> int:
        return self.shape[0]


def test_guards_are_exactly_the_sizes_without_index_errors(plan_of) -> None:
    """For every small size: the guards hold where the loop meets no IndexError and does run."""
    plan = plan_of("""
def f(a, b, n):
    for i in range(1, n - 1):
        b[i] = a[i - 1] + a[2 * i]
""")
    for n in range(8):
        for length in range(16):
            for other in range(9):
                names = {"a": Sized(length), "b": Sized(other), "n": n}
                fits = all(2 * i < length and i < other for i in range(1, n - 1))
                holds = all(eval(guard, dict(names)) for guard in plan.guards)
                assert holds <= fits
                if n > 2:
                    assert holds == fits


def test_pure_helpers_are_looked_into(plan_of, refusal_of) -> None:
    """A function of the project passes if it computes on its arguments alone."""
    loop = "def f(x, y, n):\n    for i in range(n):\n        y[i] = g(x[i])\n"
    pure = "def g(v):\n    w = math.sqrt(abs(v))\n    return w if v > 0 else -w\n"
    assert plan_of(pure + loop).writes == {"y"}
    logging = "def g(v):\n    print(v)\n    return v\n"
    assert refusal_of(logging + loop).code == "GP206"
    calling = "def g(v):\n    return unknown(v)\n"
    assert "unknown call" in refusal_of(calling + loop).message
    remembering = "def g(v):\n    seen[0] += v\n    return v\n"
    assert refusal_of(remembering + loop).code == "GP203"


def test_without_islpy_says_what_to_install(planned, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else changes where the package is missing."""
    monkeypatch.setattr("gpuport.loops.planning.planner.find_spec", lambda name: None)
    (refusal,) = planned(PARALLEL["saxpy"])
    assert isinstance(refusal, Refusal)
    assert refusal.code == "GP207"
    assert "pip install islpy" in refusal.message


SCATTERED = {
    "y[p[i]] = x[i]": "depends on data",
    "y[i // n] = x[i]": "`i // n` in `y[i // n]` is no sum of the loops' variables times literals",
    "k = p[i]\n        y[k * i] = x[i]": "depends on data",
}


@pytest.mark.parametrize(("line", "said"), SCATTERED.items())
def test_why_two_iterations_may_meet(refusal_of, line: str, said: str) -> None:
    """What is not followed is told from what depends on data."""
    refusal = refusal_of(f"def f(x, y, p, n):\n    for i in range(len(x)):\n        {line}\n")
    assert refusal.code == "GP202"
    assert said in refusal.message


def test_numbers_that_isl_did_not_make_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spent budget is a refusal, however it shows; any other error is one of the program."""
    node = ast.parse("for i in x: pass").body[0]
    monkeypatch.setattr(budgets, "_spent", lambda: True)
    with pytest.raises(Refused, match="too entangled"), budgets.budget(node):
        int(None)  # type: ignore[call-overload]
    monkeypatch.setattr(budgets, "_spent", lambda: False)
    with pytest.raises(TypeError), budgets.budget(node):
        int(None)  # type: ignore[call-overload]


def test_a_loop_without_a_name_of_the_users_is_told_by_its_line(planned) -> None:
    (refused, *_) = planned(
        "def f(m, g, n):\n    for k, row in enumerate(g, 1):\n        for i in range(n):\n"
        "            m[i] = 0.5 * m[i] + row[i] * k\n"
    )
    assert "carried by the loop on line 2: iteration 0 writes `m[i]`" in refused.message
    assert "which iteration 1 reads as `m[i]`" in refused.message


@pytest.mark.parametrize(
    "head", ["v in x", "v in reversed(x)", "u, v in zip(y, x)", "k, v in enumerate(x, 1)"]
)
def test_elements_that_a_head_hands_out_are_told_by_their_names(planned, head: str) -> None:
    (refused, *_) = planned(f"def f(x, y):\n    for {head}:\n        x[0] = x[1] + v\n")
    assert "reads as `v` (line 2)" in refused.message
    assert "_" not in refused.message


def test_windows_are_told_by_where_they_begin(planned) -> None:
    found = planned(
        "def f(x, n):\n    for i in range(1, n - 1):\n        for j in range(1, n - 1):\n"
        "            if (x[i - 1 : i + 2, j - 1 : j + 2] == 2).any():\n"
        "                x[i, j] = 2\n"
    )
    told = [one.message for one in found if isinstance(one, Refusal)]
    assert any("reads as `x[i - 1:, j - 1:]`" in message for message in told), told


WITNESSED = {
    "x[i * w + j] = x[i * w + j - 1]": ("j", "iteration j = 0 writes", "iteration j = 1 reads"),
    "x[i * (i + 1) // 2 + j] += x[j]": ("j", "iteration j = 0 writes", "iteration j = 1 reads"),
}


@pytest.mark.parametrize("line", WITNESSED)
def test_iterations_that_are_named_meet(planned, line: str) -> None:
    """Sizes are taken for what sizes are: not negative."""
    found = planned(f"def f(x, w, n):\n    for i in range(n):\n        for j in range(w):\n"
                    f"            {line}\n")  # fmt: skip
    variable, *said = WITNESSED[line]
    told = [one.message for one in found if isinstance(one, Refusal)]
    assert any(f"over `{variable}`" in one and all(s in one for s in said) for one in told), told


UNCERTAIN = {
    "a bound that is no sum": """
def f(p, n):
    for i in range(2, n):
        if p[i]:
            for j in range(i * i, n, i):
                p[j] = p[i] * 2
""",
    "a size times the variable": """
def f(x, n, s):
    for i in range(n):
        x[i * s] = x[i * s + 1] + 1
""",
}


@pytest.mark.parametrize("text", UNCERTAIN.values(), ids=UNCERTAIN)
def test_no_iterations_are_named_where_they_may_not_meet(planned, text: str) -> None:
    refused = next(one for one in planned(text) if isinstance(one, Refusal))
    assert "another one may have to read as" in refused.message
    assert "i = " not in refused.message


def test_what_a_function_gives_is_no_array_to_work_in(planned) -> None:
    text = (
        "def slope(x, y):\n    return y - x, x\n"
        "def f(s):\n    for i in range(len(s)):\n        k = slope(s[i], 2.0)\n"
        "        s[i] = k[0] + k[1]\n"
    )
    (refusal,) = planned(text)
    assert "`k` is what `slope(s[i], 2.0)` gives" in refusal.message


def test_a_kernel_that_no_call_would_run_is_refused(refusal_of) -> None:
    """Of all parts that grow from both ends at once, only those of nothing are within an array."""
    found = refusal_of(
        "def f(x, a, n):\n    for k in range(n):\n"
        "        a = a + np.dot(x[:k + 1], x[-k - 1:])\n    return a\n",
        x=ArrayFact("float64", 1),
        a=ScalarFact("float"),
        n=ScalarFact("int"),
    )
    assert found.code == "GP201"
    assert "`-n >= 0 and x.shape[0] == 0`: where the loop runs at all, that is never so" in (
        found.message
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("x.append(y[i] * 2)", "`x[k] = y[i] * 2` and `k += 1`, and cut to `x[:k]`"),
        ("x.append((i, y[i]))", "in the order of the iterations"),
        ("x.update(y)", "in the order of the iterations"),
    ],
)
def test_what_could_be_done_in_the_place_of_a_list(refusal_of, call: str, said: str) -> None:
    found = refusal_of(f"def f(x, y, n):\n    for i in range(n):\n        {call}\n")
    assert found.code == "GP206"
    assert said in found.message
    assert ("filled" in found.message) == ("`k += 1`" in said)


def test_limits_of_what_is_no_whole_number_decide_nothing(refusal_of) -> None:
    """No whole number is between 0 and 1, and many others are."""
    refusal = refusal_of("""
def f(x, y, n):
    for i in range(1, n):
        t = max(x[i], 0)
        if 0 < t and t < 1:
            y[i] = y[i - 1] + 1
""")
    assert "reads as `y[i - 1]`" in refusal.message
