"""Which loops may run once for all of their items, by names and control flow alone."""

from __future__ import annotations

import ast
import builtins
import textwrap

import pytest

from gpuport.parallel.items.plan import Around, planned
from gpuport.parallel.items.records import ItemLoop, Refusal
from gpuport.source.standing import (
    bound_before,
    is_caught,
    read_outside,
    shared_names,
    wanted_after,
)


class Text:
    """A module with functions, whose other names are values."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.functions = {
            one.name: one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)
        }

    def segment(self, node: ast.AST) -> str:
        return ast.unparse(node)

    def resolve(self, node: ast.expr) -> str | None:
        path = ast.unparse(node)
        first, _, rest = path.partition(".")
        if first == "np":
            return f"numpy.{rest}"
        return f"builtins.{path}" if path in vars(builtins) else None

    def definition(self, node: ast.Call) -> ast.FunctionDef | None:
        return self.functions.get(ast.unparse(node.func))

    def inside(self, function: ast.FunctionDef) -> Text:
        return self

    def properties(self, name: str) -> list[ast.FunctionDef]:
        return [one for one in self.functions.values() if one.name == name and one.decorator_list]

    def is_passed(self, name: str) -> bool:
        return name not in self.functions and self.resolve(ast.Name(name, ast.Load())) is None


def found(body: str, more: str = "") -> ItemLoop | Refusal:
    """What becomes of the last loop of a function, or its last comprehension."""
    source = Text(f"{more}\ndef f(a, b, out, self, show):\n{textwrap.indent(body, '    ')}")
    function = source.functions["f"]
    kinds = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.DictComp)
    node = next(one for one in ast.walk(function) if isinstance(one, kinds))
    if not isinstance(node, ast.For):
        return planned(source, node, Around())
    live = read_outside(function, node)
    around = Around(
        live, bound_before(function, node), wanted_after(function, node),
        shared_names(function), is_caught(function, node),
    )  # fmt: skip
    return planned(source, node, around)


def over(*lines: str, before: str = "", after: str = "") -> str:
    inner = "".join(f"    {line}\n" for line in lines)
    return f"{before}for i, m in enumerate(a):\n{inner}{after}"


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (over("b = np.linalg.inv(m) @ b", "out[i] = b"), "GP302", "iteration i reads `b`"),
        (over("if i:", "    x = m", "out[i] = x"), "GP302", "iteration i reads `x`"),
        (over("t += np.linalg.det(m)", "out[i] = t", before="t = 0\n"), "GP302", "reads `t`"),
        (over("t += m * t", before="t = 0\n"), "GP302", "reads `t`"),
        (over("t *= m", before="t = 1\n"), "GP302", "reads `t`"),
        (over("out[i] = out[i - 1] @ m"), "GP302", "parts of `out` that others write"),
        (over("a[i] = np.linalg.inv(a[i + 1])"), "GP302", "parts of `a` that others write"),
        (over("self.k[i] = self.k[i - 1] @ m"), "GP302", "parts of `self.k`"),
        (over("b[0] = m", "out[i] = np.linalg.inv(m)"), "GP302", "are written twice"),
        (over("out[i] = np.linalg.inv(b)", "b[0] = m"), "GP302", "parts of `b`"),
        (over("out.append(m * len(b) + out[-1])"), "GP302", "parts of `out`"),
        (over("c = m.sum()", "if c < t:", "    t = c", before="t = 9\n"), "GP302", "better than"),
        (over("out.append(np.linalg.inv(m))", "b.sort()"), "GP305", "side effect: `b.sort()`"),
        (over("print(m)", "out[i] = m @ m"), "GP305", "happens once for each item"),
        (over("self.last = m @ m"), "GP305", "`self.last` is bound"),
        (over("out[i] = show(m)"), "GP303", "`show` has no form"),
        (over("out[i] = m.solve(b)"), "GP303", "`.solve()` has no form"),
        (over("out[i] = np.linalg.eigvals(m)"), "GP301", "`batched.eigvals` takes all"),
        (over("out[i] = m @ np.vander(b)"), "GP301", "is the same for all: name it before"),
        (over("np.dot(m, b, out=out)"), "GP305", "side effect"),
        (over("out[i] = np.dot(m, b, out=b)"), "GP303", "is given `out`"),
        (over("if m[0, 0] > 1:", "    break", "out[i] = m @ m"), "GP301", "`break`"),
        (over("try:", "    out[i] = m @ m", "finally:", "    pass"), "GP301", "exception handling"),
        (over("out[i] = sorted(b, key=lambda x: x @ m)"), "GP301", "a lambda"),
        (over("out[i] = (x := m @ m)"), "GP301", "`:=`"),
        (over("x = m @ m", after="if b:\n    return x\n"), "GP301", "`x` of the last"),
        (over("out[i] = b @ b".replace("i", "0")), "GP301", "do not differ"),
        (over("x = np.linalg.inv(m)"), "GP301", "nothing of the items is kept"),
        ("global x\nfor m in a:\n    x = m @ m\nreturn x\n", "GP301", "other functions"),
        ("try:\n    t = 0\n    for m in a:\n        t += m\nfinally:\n    print(t)\n", "GP301",
         "where an item has raised"),
        ("while i < 3:\n    out[i] = a[i] @ a[i]\n    i += 1\n", "GP301", "counts by hand"),
        ("while i < 3:\n    b = a @ b\n    i += 1\n", "GP302", "a trip reads `b`"),
        ("return [m @ n for m in a for n in b]\n", "GP301", "several loops"),
        (over("y = m", "for x in b:", "    if x > i:", "        y = y @ m", "out[i] = y"), "GP301",
         "time after time"),
        ("return [show(m) for m in a]\n", "GP303", "`show`"),
        (over("out[i] = np.linalg.svd(m, hermitian=True)"), "GP303", "with these arguments"),
        (over("out[i] = np.sum(m @ b, where=b)"), "GP303", "with these arguments"),
        (over("out[i] = (m @ b).max(axis=0, initial=0)"), "GP303", "with these arguments"),
        (over("out[i] = np.linalg.norm(a[:i + 1] - m)"), "GP301", "one end at `i + 1`"),
        (over("t = 0", "for j in range(i):", "    t += m @ a[j]", "out[i] = t"), "GP301",
         "a loop with one end at `i` has another length"),
    ],
)  # fmt: skip
def test_why_a_loop_stays(body: str, code: str, words: str) -> None:
    refusal = found(body)
    assert isinstance(refusal, Refusal), refusal
    assert (refusal.code, words in refusal.message) == (code, True), refusal


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("def g(m):\n    print(m)\n    return m @ m\n", "in `g`"),
        ("def g(m):\n    m[0] = 1\n    return m @ m\n", "it stores to `m[0]`"),
        ("def g(m):\n    x = m.T\n    x[0] = 1\n    return x @ m\n", "it stores to `x[0]`"),
        ("def g(m):\n    return g(m[1:])\n", "it calls itself"),
        ("def g(m):\n    yield m @ m\n", "in `g`"),
        ("@cached\ndef g(m):\n    return m @ m\n", "it is decorated"),
        ("def h(m):\n    global n\n    return m\n\ndef g(m):\n    return h(m)\n", "in `g`: in `h`"),
    ],
)
def test_functions_of_the_module_hold_to_the_same(function: str, words: str) -> None:
    refusal = found(over("out[i] = g(m)"), function)
    assert isinstance(refusal, Refusal)
    assert words in refusal.message


def test_attributes_may_be_functions() -> None:
    text = "@property\ndef size(self):\n    self.n = 1\n    return self.n\n"
    refusal = found(over("out[i] = m @ self.size"), text)
    assert isinstance(refusal, Refusal)
    assert "it stores to `self.n`" in refusal.message


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (over("out[i] = np.linalg.inv(m) @ b"), (("a", "out", "b"), "out", "", "", 1)),
        (over("out[i] = out[i] @ m"), (("a", "out"), "out", "", "", 1)),
        (over("self.k[i] = self.k[i] @ m * self.n"), (("a", "self"), "self", "", "", 1)),
        (over("out[:, i] = out[:, i] @ m"), (("a", "out"), "out", "", "", 1)),
        (over("x = m @ m", "x += 1", "out += [x]"), (("a", "out"), "out", "", "", 1)),
        (over("x = out[i]", "x[0] = m @ m"), (("a", "out"), "out", "", "", 1)),
        (over("x = out[i]", "x += m"), (("a", "out"), "out", "", "", 1)),
        (over("t += m", before="t = 0\n", after="return t\n"), (("a", "t"), "", "t", "", 1)),
        (over("b[0] = m", "out[i] = np.linalg.inv(b)"), (("a", "b", "out"), "b, out", "", "", 1)),
        (over("t = max(m.sum(), t)", before="t = 0\n", after="return t\n"),
         (("a", "t"), "", "t", "", 1)),
        (over("if m[0]:", "    continue", "out.append(m @ m)"), (("a", "out"), "out", "", "", 1)),
        (over("if m[0]:", "    raise ValueError(i)", "out.append(m)"),
         (("a", "out"), "out", "", "", 1)),
        (over("x = m @ m", after="return x\n"), (("a",), "", "", "x", 1)),
        (over("x = m @ m", before="x = b\n", after="if x:\n    return x\n"),
         (("a", "x"), "", "", "x", 1)),
        (over("out[i] = [x @ m for x in b]"), (("a", "out", "b"), "out", "", "", 1)),
        ("for i in range(3):\n    for j in range(i):\n        out[i, j] = a[i] @ a[j]\n",
         (("out", "a"), "out", "", "", 2)),
        ("for i in range(3):\n    x = a[i] @ b\n    for j in range(i):\n"
         "        out[i, j] = x @ a[j]\n",
         (("a", "b", "out"), "out", "", "", 2)),
        ("for i in range(3):\n    for j in range(3):\n        out[i] = a[i] @ a[j]\n",
         (("out", "a"), "out", "", "", 1)),
        (over("out[i] = np.std(m, 0, ddof=1, keepdims=True) + np.clip(m, a_min=0, a_max=None)"),
         (("a", "out"), "out", "", "", 1)),
        (over("out[i] = np.linalg.norm(b[i:i + 3] - m)"), (("a", "out", "b"), "out", "", "", 1)),
        ("for a in a:\n    out.append(a @ b)\n", (("a", "out", "b"), "out", "", "", 1)),
    ],
)  # fmt: skip
def test_what_a_loop_is_given_and_gives(body: str, expected: tuple[object, ...]) -> None:
    one = found(body)
    assert isinstance(one, ItemLoop), one
    given = (one.parameters, *map(", ".join, (one.writes, one.sums, one.returns)), one.axes)
    assert given == expected
