"""What a cold start finds: by docstrings, by use, by how far a refused input came, by bases."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.inputs.candidates import Candidates
from gpuport.verify.inputs.search import search
from gpuport.verify.records import Verdict
from gpuport.verify.sides.originals import located
from gpuport.verify.signatures.docstrings import documented_types, slots_from_text
from gpuport.verify.signatures.signatures import signatures_of, without_constructor
from gpuport.verify.signatures.templates import Refusal
from gpuport.verify.signatures.usage import used_as_array
from gpuport.verify.slots import Trial


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ndarray of float, shape (n, 3)", [("array", "float64", ("n", "=3"))]),
        (
            "array-like, shape (samples, features)",
            [("array", None, ("samples", "features"))],
        ),
        ("array, shape (n+1, )", [("array", None, ("n+1",))]),
        (
            "np.ndarray [shape=(..., n)]",
            [("array", None, ("n",)), ("array", None, ("x.more", "n"))],
        ),
        ("np.ndarray [shape=(n,), dtype=int]", [("array", "int64", ("n",))]),
        ("{'full', 'valid'}, optional", [("choice", None, ())]),
        ("int > 0 [scalar]", [("int", None, ())]),
        ("number > 0", [("float", None, ())]),
        ("callable", [("callable", None, ())]),
        ("array of integers, shape (k,)", [("array", "int64", ("k",))]),
        ("np.ndarray of str", []),
        ("dict", []),
    ],
)
def test_type_texts(text: str, expected: list[tuple[str, str | None, tuple[str, ...]]]) -> None:
    assert [(s.kind, s.dtype, s.dims) for s in slots_from_text("x", text)] == expected


def test_texts_of_alternatives_give_all_of_them() -> None:
    kinds = [s.kind for s in slots_from_text("x", "numeric")]
    assert kinds == ["array", "array", "array", "float"]
    kinds = [s.kind for s in slots_from_text("x", "string, number, function, or array (n,)")]
    assert kinds == ["array", "float", "callable", "str"]
    assert all(s.nullable for s in slots_from_text("x", "None or int"))


@pytest.mark.parametrize(
    "text",
    [
        "Sum.\n\nParameters\n----------\nx : (n,) ndarray\n    Data.\nk : int\n",
        "Sum.\n\nArgs:\n    x ((n,) ndarray): It\n        goes on.\n    k (int): How many.\n",
        "Sum.\n\n:param x: Data.\n:type x: (n,) ndarray\n:type k: int\n",
    ],
)
def test_three_styles_of_docstrings(text: str) -> None:
    assert documented_types(text) == {"x": "(n,) ndarray", "k": "int"}


def test_attributes_are_a_section_of_their_own() -> None:
    text = (
        "M.\n\nParameters\n----------\nk : int\n\nAttributes\n----------\nw_ : array, shape (k,)\n"
    )
    assert documented_types(text) == {"k": "int"}
    assert documented_types(text, "Attributes") == {"w_": "array, shape (k,)"}


def test_what_comes_furthest_is_varied_first() -> None:
    text = "def f(a, b, c, d):\n    a.sum()\n    b.shape[2]\n    g(c)\n    return a + d\n"
    (signature,) = signatures_of(ast.parse(text))
    tried: list[tuple[str, ...]] = []
    refusal = Refusal()

    def accepts(trial: Trial) -> bool:
        nonlocal refusal
        kinds = tuple(f"{s.kind}{len(s.dims)}" for s in trial.slots)
        tried.append(kinds)
        wanted = ("array2", "array3", "float0", "array2")
        reached = next((k for k in range(4) if kinds[k] != wanted[k]), 4)
        refusal = Refusal(2 + reached, f"{'abcd'[min(reached, 3)]}.f()", "")
        return reached == 4

    assert search(signature, accepts, 0, refusal=lambda: refusal)
    # not a tenth of the combinations of two of their ten candidates
    assert len(set(tried)) < 60


def test_defaults_are_left_out_together_soon() -> None:
    text = "def f(a: np.ndarray, b=1.0, c='x', d=None): return a"
    (signature,) = signatures_of(ast.parse(text))
    kinds = []
    candidates = Candidates(signature, (), ())
    for template in candidates:
        kinds.append([slot.kind for slot in template.slots])
        candidates.learn(Refusal())
        if len(kinds) == 6:
            break
    assert ["array", "omitted", "omitted", "omitted"] in kinds


def test_used_as_array() -> None:
    node = ast.parse("def f(x, y, z, k, m):\n    x[0]; np.sin(y); z + 1; np.zeros(k); m.fit(x)")
    assert [used_as_array(name, node) for name in "xyzkm"] == [True, True, False, False, False]


CASES = {
    "a function": "def f(x: np.ndarray, g):\n    return np.asarray(g(x)) * 2.0 + x[:1]",
    "a function of two": "def f(x: np.ndarray, g):\n    return g(x, 2.0) * 2.0",
    "an object": "def f(x: np.ndarray, p):\n    return p.scale * x + p.shift",
    "a choice": """
        def f(x: np.ndarray, mode):
            if mode == "up":
                return x + 1.0
            if mode == "down":
                return x - 1.0
            raise ValueError(mode)
        """,
    "a documented default": '''
        def f(x: np.ndarray, mode="up"):
            """F.

            Parameters
            ----------
            mode : str
            """
            return {"up": x + 1.0, "down": x - 1.0}[mode]
        ''',
}


@pytest.mark.parametrize("name", CASES)
def test_stand_ins_are_accepted_and_tell_faults(name: str, verify: Any) -> None:
    text = CASES[name]
    port = text.replace("return ", "return 1 * ")
    assert verify(text, port)["f"].verdict is Verdict.EQUIVALENT
    wrong = text.replace("2.0", "2.5").replace("p.shift", "2 * p.shift").replace("+ 1.0", "+ 2.0")
    assert verify(text, wrong)["f"].verdict is Verdict.DIFFERS


METHODS = """
class Model:
    def __init__(self, k: int):
        self.k = k

    def fit(self, path):
        with open(path) as stream:
            self.weights_ = np.array(stream.read())
        return self

    def predict(self, x: np.ndarray):
        return x @ self.weights_ * 2.0


class Abstract:
    def __init__(self, a, b, c, service):
        service.connect(a, b, c)
        self.scale = service.scale()

    def apply(self, x: np.ndarray):
        return x * self.scale + 1.0
"""


def test_attributes_that_nothing_sets_are_made_up(verify: Any) -> None:
    port = METHODS.replace("x @ self.weights_ * 2.0", "2.0 * (x @ self.weights_)")
    found = verify(METHODS, port.replace("x * self.scale + 1.0", "1.0 + x * self.scale"))
    for name, attribute in (("Model.predict", "weights_"), ("Abstract.apply", "scale")):
        verdict = found[name]
        assert verdict.verdict is Verdict.EQUIVALENT, verdict
        notes = dict(verdict.evidence.notes)
        assert any("made up" in note and attribute in note for note in notes), notes
        assert verdict.evidence.inputs == "guessed"


def test_faults_are_found_with_made_up_attributes(verify: Any) -> None:
    port = METHODS.replace("* 2.0", "* 2.5").replace("self.scale + 1.0", "self.scale + 1.5")
    found = verify(METHODS, port)
    assert found["Model.predict"].verdict is Verdict.DIFFERS
    assert found["Abstract.apply"].verdict is Verdict.DIFFERS
    assert found["Abstract.apply"].counterexample is not None


def test_made_up_attributes_that_the_port_keeps_elsewhere_prove_nothing(verify: Any) -> None:
    on_device = "return (cp.asarray(x) @ self.weights_).get() * 2.0"
    port = METHODS.replace("return x @ self.weights_ * 2.0", on_device)
    verdict = verify(METHODS, port)["Model.predict"]
    assert verdict.verdict is Verdict.UNTESTED
    assert "made up" in verdict.reason


def test_constructors_and_methods_of_bases_in_other_files(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    (package / "deep").mkdir(parents=True)
    (package / "__init__.py").write_text("from .base import Base\n")
    (package / "deep" / "__init__.py").write_text("")
    (package / "base.py").write_text(
        "class Base:\n    def __init__(self, rows: int, gain=1.0):\n        self.rows = rows\n"
    )
    file = package / "deep" / "model.py"
    file.write_text(
        "from .. import Base as Foundation\n\n\nclass Model(Foundation):\n"
        "    def run(self, x):\n        return x[: self.rows] * self.weights_\n"
    )
    tree, place = ast.parse(file.read_text()), located(file)
    (signature,) = signatures_of(tree, place)
    assert [p.name for p in signature.init or ()] == ["rows", "gain"]
    beside, instead = without_constructor(signature, tree, place)
    assert [p.name for p in beside.init or ()] == ["rows", "gain", ".weights_"]
    assert {p.name for p in instead.init or ()} == {"..", ".rows", ".weights_"}


def test_attributes_are_found_through_bases_and_in_texts(tmp_path: Path) -> None:
    text = """
class Base:
    def score(self, x):
        return x * self.gain_


class Model(Base):
    def score(self, x):
        check(self, "fitted_", "not an attribute")
        return super().score(x)
"""
    (tmp_path / "m.py").write_text(text)
    tree, place = ast.parse(text), located(tmp_path / "m.py")
    signature = next(s for s in signatures_of(tree, place) if s.name == "Model.score")
    beside = next(without_constructor(signature, tree, place))
    assert {p.name for p in beside.init or ()} == {".gain_", ".fitted_"}


def test_private_methods_are_called_by_their_own_name(verify: Any) -> None:
    text = "class _M:\n    def __twice(self, x: np.ndarray):\n        return x * 2.0"
    assert verify(text, text.replace("x * 2.0", "2.0 * x"))["_M.__twice"].verdict is (
        Verdict.EQUIVALENT
    )
    wrong = verify(text, text.replace("2.0", "2.5"))["_M.__twice"]
    assert wrong.verdict is Verdict.DIFFERS


def test_constructors_take_the_texts_that_methods_compare_with(tmp_path: Path) -> None:
    text = """
class Model:
    def __init__(self, kind):
        self.kind = kind

    def run(self, x):
        return {"up": x + 1, "down": x - 1}[self.kind]
"""
    signature = next(s for s in signatures_of(ast.parse(text)) if s.name == "Model.run")
    (kind,) = signature.init or ()
    assert kind.candidates[0].choices == ("up", "down")


def test_joining_arrays_is_no_indexing_and_whole_numbers_are_not_all(verify: Any) -> None:
    original = "def f(x: np.ndarray):\n    return np.r_[0.0, np.cumsum(x)] {}\n"
    ported = '@device("x")\ndef f(x: np.ndarray):\n    return cp.r_[0.0, cp.nancumsum(x)] {}\n'
    assert verify(original.format(""), ported.format(""))["f"].verdict is Verdict.DIFFERS


def test_floats_are_tried_where_whole_numbers_are_accepted() -> None:
    text = "import numpy as np\ndef f(x: np.ndarray, n):\n    return n[x]\n"
    found = search(next(signatures_of(ast.parse(text))), lambda trial: True, 0)
    assert {slot.dtype for t in found for slot in t.slots if slot.name == "x"} == {"int64", None}


@pytest.mark.parametrize(
    "text",
    [
        # of matrices and points of one plane: two parameters have to be alike
        """
        def f(P1, P2, x1, x2):
            rows = [x1[0] * P1[2] - P1[0], x1[1] * P1[2] - P1[1],
                    x2[0] * P2[2] - P2[0], x2[1] * P2[2] - P2[1]]
            return np.linalg.svd(np.stack(rows), compute_uv=False)
        """,
        # sizes that the text shows
        """
        def f(Ps):
            return np.array([-np.linalg.solve(P[:, :3], P[:, 3]) for P in Ps])
        """,
        """
        def f(Ps, x):
            h = [P @ np.append(x, 1.0) for P in Ps]
            return np.array([y[:2] / y[2] for y in h])
        """,
    ],
    ids=["two-alike", "columns", "one-more"],
)
def test_sizes_and_ranks_that_have_to_fit_are_found(text: str, verify: Any) -> None:
    text = text.replace("\n        ", "\n")
    same = text.replace("np.linalg.", "1.0 * np.linalg.").replace("y[:2] /", "1.0 * y[:2] /")
    found = verify(text, same)["f"]
    assert found.verdict is Verdict.EQUIVALENT, found
    wrong = text.replace("P1[1]", "P1[2]", 1).replace("-np.linalg", "np.linalg")
    assert verify(text, wrong.replace("y[2]", "y[1]"))["f"].verdict is Verdict.DIFFERS


def test_what_places_are_taken_of_may_be_a_list_of_numbers() -> None:
    text = "def f(x, m: np.ndarray):\n    return x[0] * m[0] + x[2] * m[1]\n"
    (signature,) = signatures_of(ast.parse(text))
    lists = [s for s in signature.parameters[0].candidates if s.kind == "list"]
    assert any([item.kind for item in one.items] == ["float"] * 3 for one in lists)
