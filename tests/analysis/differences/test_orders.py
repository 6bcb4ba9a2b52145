"""Functions that do one thing or another by the order of memory are told so across calls."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

CLEAR = """import numpy as np

def clear(a):
    flat = a.ravel()
    flat[::2] = 0.0
    return float(a.sum())

def wave(x):
    for _ in range(50):
        x = np.sin(x) + np.cos(x) * 0.5
    return {given}

def main():
    x = wave(np.ones((300, 400)))
    y = {made}
    print(clear(y), y.sum())

main()
"""


@pytest.mark.parametrize(
    ("given", "made"),
    [("x.T", "x + 1.0"), ("x", "np.exp(x.T) + 1.0"), ("x", "np.exp(np.asfortranarray(x))")],
)
def test_what_is_given_and_what_it_is_made_of_stay_on_the_host(given, made):
    found = port(CLEAR.format(given=given, made=made))
    assert found.after is None
    told = {one.span.line: one.message for one in found.findings if one.code == "GP508"}
    lines = CLEAR.splitlines()
    assert "`a.ravel()`" in told[lines.index("    flat = a.ravel()") + 1]
    assert "what a caller does" in told[lines.index("def wave(x):") + 1]
    assert "what `clear` does" in told[lines.index("    print(clear(y), y.sum())") + 1]


def test_what_is_in_order_for_certain_is_ported():
    text = CLEAR.format(given="x", made="np.zeros((300, 400))\n    print(x.sum())")
    found = port(text.replace("return float(a.sum())", "return a"))
    assert "@kernel(" in (found.after or "")


@pytest.mark.parametrize(
    "call", ["g(c.reshape(-1))", "(lambda a: bump(a))(c.reshape(-1))", "Flat(c.ravel()).clear()"]
)
def test_calls_of_values_store_as_others_do(call):
    """Functions handed on, lambdas and methods may store into what they are given."""
    text = (
        "import numpy as np\n\n"
        "def bump(v):\n    v += 1.0\n\n"
        "class Flat:\n    def __init__(self, v):\n        self.v = v\n\n"
        "    def clear(self):\n        self.v *= 0.0\n\n"
        f"def work(m, g):\n    c = np.exp(m)\n    {call}\n    return c\n\n"
        "if __name__ == '__main__':\n"
        "    x = np.asfortranarray(np.outer(np.arange(300.0), np.arange(400.0)))\n"
        "    print(work(x, bump).sum())\n"
    )
    found = port(text)
    assert "cp.exp" not in (found.after or "")
    assert [one.span.line for one in found.findings if one.code == "GP508"] == [15]


HANDED_ON = """import numpy as np

def cleared(a):
    flat = a.ravel()
    flat[::2] = 0.0
    return float(a.sum())

class Field:
    def __init__(self, a):
        self.a = a

    def clear(self):
        flat = self.a.reshape(-1)
        flat[::2] = 0.0
        return self.a.sum()

def wave(n):
    x = np.outer(np.sin(np.arange(n)), np.arange(n) + 1.0)
    for _ in range(500):
        x = np.sin(x) + np.cos(x) * 0.5 + np.tanh(x) * np.exp(-x * x)
    return x.T

def work(n{given}):
    y = np.exp(wave(n))
    return {result}, y.sum()

if __name__ == "__main__":
    print(work(500))
"""


@pytest.mark.parametrize(
    ("given", "result"),
    [
        ("", "Field(y).clear()"),
        ("", "[f(y) for f in (cleared,)]"),
        (", run=cleared", "run(y)"),
    ],
)
def test_followed_functions_that_store_so_are_given_what_numpy_gives(given, result):
    found = port(HANDED_ON.format(given=given, result=result))
    assert found.after is None
    lines = HANDED_ON.splitlines()
    told = {one.span.line: one.message for one in found.findings if one.code == "GP508"}
    assert "what a caller does" in told[lines.index("def wave(n):") + 1]


PATTERNS = """import numpy as np

def patterns(x, k):
    scaled = np.nan_to_num(np.sin(x) * 2.0)
    u, s, vt = np.linalg.svd(scaled, full_matrices=False)
    first = vt[:k].reshape((k, 4, -1))
    for i in range(k):
        first[i] *= np.sign(first[i].sum())
    return first, {also}

def main():
    x = np.arange(480.0).reshape(20, 24)
    print(patterns(x * x, 3)[0].shape)

main()
"""


def test_a_view_of_what_nothing_else_reads_may_be_a_copy():
    found = port(PATTERNS.format(also="s[:k]"))
    assert not [one for one in found.findings if one.code == "GP508"]
    assert "cp.linalg.svd" in (found.after or "")


def test_the_order_of_a_factorisation_does_not_come_from_what_it_is_given():
    """The factors stay on the host; what they are factors of need not."""
    found = port(PATTERNS.format(also="vt"))
    assert [one.span.line for one in found.findings if one.code == "GP508"] == [6]
    assert "np.linalg.svd" in (found.after or "")
    assert "cp.nan_to_num(cp.sin(x)" in (found.after or "")


@pytest.mark.parametrize(
    "line",
    [
        "vt = x[1:]\n    first = vt[:k].reshape((k, 4, -1))",
        "vt = np.exp(x.T)\n    kept = vt\n    first = vt[:k].reshape((k, 4, -1))\n    print(kept)",
        "s = -x\n    vt = np.exp(x.T, out=s)\n    first = vt[:k].reshape((k, 4, -1))\n    print(s)",
        "s = x + 1\n    vt = np.exp(x.T, s)\n    first = vt[:k].reshape((k, 4, -1))\n    print(s)",
        "vt = np.exp(x.T)\n    for _ in range(2):\n        first = vt[:k].reshape((k, 4, -1))",
    ],
)
def test_what_something_else_reads_is_not_left(line):
    before, _, rest = PATTERNS.partition("    u, s, vt")
    text = before + "    " + line + rest.partition("\n    first =")[2].partition("\n")[1]
    text += rest.partition("\n    first =")[2].partition("\n")[2]
    found = port(text.format(also="k"))
    assert [one for one in found.findings if one.code == "GP508"], text


ORDER = """import numpy as np

def work(m, order):
    y = np.sort(m, axis=0) + np.exp(m) * m
    return y * y, {asked}

if __name__ == '__main__':
    print(work(np.asfortranarray(np.ones((2, 3))), "K"))
"""


@pytest.mark.parametrize(
    "asked",
    [
        'y.ravel("K")', 'np.ravel(y, "A")', "y.flatten(order)", 'y.reshape(-1, order="A")',
        'np.reshape(y, (6,), order="A")', 'y.tobytes("A")', "y.strides", "y.flags.f_contiguous",
        "np.isfortran(y)", "list(np.nditer(y))", "[v.item() for v in np.nditer(y)]",
        "np.lib.stride_tricks.as_strided(y, (2, 2), (8, 16))", "(y.ravel, 1)[1]",
        "np.lib.stride_tricks.as_strided(y, (2, 2), m.strides)", 'y.copy("K").ravel("K")',
    ],
)  # fmt: skip
def test_what_depends_on_the_order_in_memory_stays_on_the_host(asked):
    """CuPy's results are in C order, NumPy's in that of their operands."""
    found = port(ORDER.format(asked=asked))
    assert "cp." not in (found.after or "")
    assert "GP508" in {one.code for one in found.findings}


@pytest.mark.parametrize(
    "asked",
    [
        'y.ravel("F")', "y.flatten()", 'y[0].ravel("K")', "np.reshape(y, (-1,), None)",
        'np.ones((2, 3)).ravel("A")', 'list(np.nditer(y, order="C"))', "y.tobytes(None)",
        "np.lib.stride_tricks.as_strided(y, (2, 2), y.strides)",
    ],
)  # fmt: skip
def test_what_does_not_depend_on_it_is_ported(asked):
    assert "cp.exp" in (port(ORDER.format(asked=asked)).after or "")


STORED = """import numpy as np

def work(w, x):
    out = {out}
    for k in range(5):
        {line}
        w += x[k]
    return out

out = work(np.linspace(0, 1, 10000).reshape(100, 100), np.ones((5, 100, 100)))
print(sum(float(one.sum()) for one in out))
"""


@pytest.mark.parametrize(
    ("out", "line"),
    [
        ("np.zeros((5, w.size))", "out[k] = w.T.reshape(-1)"),
        ("np.zeros((5, w.size))", "out[k] += w.T.reshape(-1)"),
        ("np.zeros((1, w.size))", "out += w.T.reshape(1, -1)"),
        ("np.zeros((5, w.size))", "out[k] = out[0] = w.T.ravel()"),
    ],
)
def test_arrays_take_the_elements_of_what_is_stored_in_them(out, line):
    found = port(STORED.format(out=out, line=line))
    assert not [one for one in found.findings if one.code == "GP508"]
    assert "w.T" in (found.after or "")
    assert "cp.zeros(" in (found.after or "")


@pytest.mark.parametrize(
    ("out", "line"),
    [
        ("[None] * 5", "out[k] = w.T.reshape(-1)"),
        ("[]", "out += [w.T.reshape(-1)]"),
        ("[]", "out += (w.T.reshape(-1),)"),
        ("[]", "out += w.T.reshape(4, -1)"),
        ("{}", "out[k] = w.T.reshape(-1)"),
        ("np.empty(5, dtype=object)", "out[k] = w.T.reshape(-1)"),
        ("[w.T.reshape(-1)]", "out[0][k] = 1.0"),
    ],
)
def test_what_keeps_the_view_itself_sees_later_stores(out, line):
    found = port(STORED.format(out=out, line=line))
    assert "cp.linspace" not in (found.after or "")


@pytest.mark.parametrize("made", ["(a * 2).T", "np.sqrt(a).T", "np.exp(1j * a).T.real"])
def test_a_view_of_what_has_no_name_may_be_a_copy(made):
    text = f"import numpy as np\n\ndef table(a):\n    x = {made}.ravel()\n    x[0] = 1.0\n"
    text += "    return x\n"
    found = port(text + "\nprint(table(np.ones((300, 400))).sum())\n")
    assert not [one for one in found.findings if one.code == "GP508"]
    assert "cp.ones" in (found.after or "")
