"""What is told of calls that stay where they are."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import Finding, Severity
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

class Measures:
    @staticmethod
    def distance(a, b):
        return np.linalg.norm(a - b)

def main():
    a = np.linspace(-1, 2, 12).reshape(3, 4)
    print(round(float(Measures.distance(a[0], a[1])), 6))
    b = np.einsum(*[a, [0, 1], a, [2, 1], [0, 2]])
    print(b.sum())

main()
"""


def findings(text: str) -> tuple[Finding, ...]:
    return port_module(parse("program.py", text), Config()).findings


def test_nothing_waits_for_a_device_on_which_nothing_runs() -> None:
    assert "GP403" not in {finding.code for finding in findings(PROGRAM)}


def test_a_call_that_unpacks_its_arguments_is_told() -> None:
    """Arrays may be among them."""
    told = [f for f in findings(PROGRAM) if f.code == "GP901"]
    assert [f.message for f in told] == [
        "unknown type: what `*[a, [0, 1], a, [2, 1], [0, 2]]` gives to `np.einsum` is not known",
        "unknown type: the container holds things of different kinds",
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("rows = sorted(rows, key=operator.itemgetter(0))", "GP902"),
        ("print(rows == rows)", "GP906"),
    ],
)
def test_what_keeps_the_results_of_all_work_on_the_host_is_told(line: str, code: str) -> None:
    """No operation stands there itself: each would gain nothing, since its result goes there."""
    text = f"""import operator
import numpy as np

def main():
    x = np.linspace(0.0, 1.0, 5000)
    rows = [(np.sin(x * k), np.cos(x)) for k in range(5)]
    {line}
    print(len(rows))

main()
"""
    told = [f for f in findings(text) if f.severity is not Severity.INFO]
    assert code in {f.code for f in told if f.span.line == 7}


FLOCK = """import numpy as np

class Flock:
    def __init__(self, n):
        self.v = np.zeros(n)

    def run(self):
        v = self.v
        self.v = np.divide(v, 2.0, where=v > 1)

def main():
    flock = Flock(9)
    flock.run()
    print(flock.v)

if __name__ == "__main__":
    main()
"""


def test_work_that_stays_on_the_host_is_told_by_what_is_known_of_instances() -> None:
    """Not that attributes are unknown, which they are not."""
    codes = {finding.code for finding in findings(FLOCK)}
    assert "GP103" in codes
    assert "GP901" not in codes


OPENED = """import pickle
import numpy as np

class Model:
    def __init__(self, n):
        self.u = np.zeros(n)

    def step(self):
        self.u = np.tanh(self.u)

"""
RUN = """
def main():
    model = Model(9)
    model.step()
    print(pickle.dumps(model))

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(("rest", "severity"), [(RUN, Severity.WARNING), ("", Severity.INFO)])
def test_why_attributes_are_not_followed_is_shown_where_a_program_is_run(
    rest: str, severity: Severity
) -> None:
    """In a library it goes without saying: anybody may read them."""
    told = [f.severity for f in findings(OPENED + rest) if f.code == "GP913"]
    assert told == [severity]


@pytest.mark.parametrize("decorator", ["@lru_cache", "@lru_cache(maxsize=None)", "@cache"])
def test_what_a_cache_gives_is_shared(decorator: str) -> None:
    text = f"""\
import numpy as np
from functools import cache, lru_cache


{decorator}
def weights(n: int):
    return np.exp(np.linspace(0, 1, n))
"""
    (finding,) = [one for one in findings(text) if one.code == "GP908"]
    assert "gives the same array to all who ask for it" in finding.message


def test_a_loop_that_could_be_a_kernel_says_that_it_stays_on_the_host():
    text = (
        "import numpy as np\n\n\ndef doubled(x: np.ndarray, names):\n    out = np.zeros(len(x))\n"
        "    for i in range(len(x)):\n        out[i] = x[i] * 2.0\n    names.note(x, out)\n"
    )
    report = port_module(parse("program.py", text), Config())
    told = [f for f in report.findings if f.span.line == 6]
    assert [f.code for f in told] == ["GP407"]
    assert "this loop could run as a kernel" in told[0].message


def test_what_rests_on_axes_is_told_to_rest_on_them() -> None:
    """Of vectors `np.gradient` gives an array, of matrices several."""
    text = "import numpy as np\n\ndef slope(f: np.ndarray):\n    return np.gradient(f)\n"
    (told,) = (f for f in findings(text) if f.code == "GP901")
    assert told.help is not None
    assert told.help.startswith("say how many axes `f` has, as in `rows, columns = f.shape`")


def test_elements_counted_through_all_axes_are_told() -> None:
    text = (
        "import numpy as np\n\n\ndef double(x: np.ndarray):\n    for i in range(x.size):\n"
        "        x.flat[i] = x.flat[i] * 2\n    return np.sqrt(x)\n"
    )
    (told,) = (f for f in findings(text) if f.code == "GP201")
    assert told.message == (
        "the loop stays in Python: `x.flat[...]` counts through all axes of `x`: loop over each of "
        "them, `x[i, j]`, or use operations on whole arrays"
    )


FITTED = """import numpy as np


class Model:
    def __init__(self):
        self.best = None

    def fit(self, x):
        m = np.zeros(x.shape[1])
        for k in range(50):
            m = m + np.tanh(x - m).mean(axis=0)
        self.best = m


def show(m):
    return m.best, "x"


m = Model()
m.fit(np.cos(np.arange(40000.0)).reshape(-1, 4))
print(show(m))
"""


def test_what_is_printed_in_a_tuple_and_may_be_none_is_told() -> None:
    assert {f.message for f in findings(FITTED) if f.code in ("GP901", "GP902")} == {
        "not all that `show(m)` holds is known to be arrays of one kind or none: it cannot be "
        "brought back for `print`"
    }


def test_a_default_that_no_array_is_keeps_its_calls_on_the_host() -> None:
    text = (
        "import numpy as np\n\n\ndef shade(n: np.ndarray, light=(0.3, 0.8)):\n"
        "    l = np.asarray(light) / np.linalg.norm(light)\n    return np.clip(n @ l, 0, 1)\n"
    )
    (told,) = (f for f in findings(text) if f.code == "GP407")
    assert (told.message, told.help) == (
        "calls that leave `light` at its default run on the host: it is a tuple",
        "make an array of it: `light=np.array((0.3, 0.8))`",
    )


def test_numbers_that_begin_as_elements_stay_numbers() -> None:
    """The boundary asks how many axes `x` has."""
    text = (
        "import numpy as np\n\n\ndef softmax(x: np.ndarray):\n    m = x[0]\n"
        "    for i in range(1, len(x)):\n        if x[i] > m:\n            m = x[i]\n"
        "    e = np.exp(x - m)\n    return e / e.sum()\n"
    )
    after = port_module(parse("program.py", text), Config()).after
    assert after is not None
    assert '@device("x", axes={"x": 1})' in after


MATRICES = """import numpy as np

def placed(a, poles):
    a = unknown(a)
    p = np.real(np.poly(poles))
    n = np.size(p)
    powers = p[n - 1] * np.linalg.matrix_power(a, 0)
    for i in np.arange(1, n):
        powers = powers + p[n - i - 1] * np.linalg.matrix_power(a, i)
    return np.linalg.solve(powers, a)
"""


def test_reasons_are_told_in_the_codes_of_the_findings() -> None:
    """Of a loop over matrices it is told what is not known of its items."""
    report = port_module(parse("program.py", MATRICES), Config())
    function = next(one for one in report.functions if one.name == "placed")
    assert "GP901" in function.reasons
    assert set(function.reasons) <= {finding.code for finding in report.findings}


ROWS = """import numpy as np

def f(x: np.ndarray):
    out = np.zeros(len(x))
    for {head}:
        {body}
    return np.exp(x) * out
"""


@pytest.mark.parametrize(
    ("head", "body", "said"),
    [
        ("row in x", "out[0] += sum(row) * row[0]", "`row` is a part of the array, not one"),
        ("i, row in enumerate(x)", "out[i] = sum(row) + row.max()", "`row` is a part of the array"),
        ("i in range(len(x))", "out[i] = sum(x[i]) + x[i, 0]", "`x[i]` has 1 of 2 indices"),
    ],
)
def test_rows_have_the_names_that_they_were_given(head: str, body: str, said: str) -> None:
    """And no places by a counter that nobody wrote."""
    told = [one.message for one in findings(ROWS.format(head=head, body=body))]
    assert any(said in one for one in told)
    assert not any("i_" in one for one in told)


GIVEN = """import numpy as np

def f(n: int, {parameter}):
    b = np.zeros((n, n), dtype={dtype})
    b += np.eye(n)
    return np.linalg.det(b)
"""


@pytest.mark.parametrize("parameter", ["dtype", "dtype=np.float32", "dtype=None", "dtype: type"])
def test_a_type_that_is_given_leaves_no_doubt_that_there_is_an_array(parameter: str) -> None:
    report = port_module(parse("f.py", GIVEN.format(parameter=parameter, dtype="dtype")), Config())
    assert "cp.zeros((n, n), dtype=dtype)" in (report.after or "")
    assert "GP901" not in {finding.code for finding in report.findings}


ENDING = """import numpy as np

def f(x: np.ndarray, box: list):
    v = np.sin(x)
    {body}
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("v += 1.0; v[1:] *= v.sum(); return v[0]", False),
        ("v += 1.0; return v[0], v[1]", False),
        ("w = v; v += 1.0; return v[0]", True),
        ("box.v = v; v += 1.0; return v[0]", True),
        ("keep = lambda: v; v += 1.0; return v[0]", True),
        ("box = v[0]; v += 1.0; return box", True),
        ("x += 1.0; return x[0]", True),
    ],
)
def test_an_element_of_what_ends_with_the_function_is_kept_by_nobody(body: str, told: bool) -> None:
    found = findings(ENDING.format(body=body))
    assert bool({"GP907", "GP902", "GP909"} & {finding.code for finding in found}) == told


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("for i in range(10)", "it is not known whether `shape` is an array"),
        ("for i, shape in enumerate(range(10))", "`shape` is a number, and `shape[0]` takes it"),
    ],
)
def test_what_is_subscripted_is_a_number_only_where_that_is_known(head: str, said: str) -> None:
    text = f"""import numpy as np

def f(shape, x: np.ndarray):
    out = np.zeros(shape)
    {head}:
        for j in range(10):
            out[j] += shape[0] * x[j] + i
    return out
"""
    assert any(said in finding.message for finding in findings(text))


@pytest.mark.parametrize("rows", ['("hot", 180.0), ("cold", 20.0)', "(180.0, 1.0), (20.0,)"])
def test_a_list_of_which_no_array_can_be_made_goes_to_no_kernel(rows: str):
    report = port(f"""\
import numpy as np

STREAMS = [{rows}]


def fill(rate: np.ndarray):
    made = np.empty((len(rate), len(STREAMS)))
    for k, (_, supply) in enumerate(STREAMS):
        made[:, k] = supply
    return np.exp(made) * rate
""")
    assert "asarray(STREAMS)" not in (report.after or "")
    assert any("`STREAMS` is a list of which no array" in one.message for one in report.findings)
