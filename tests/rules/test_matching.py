"""Patterns match by meaning, and rewrites keep the user's text and its meaning."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.rules.matching import PatternError, compile_pattern, head, match_pattern
from gpuport.rules.model import Example, PatternRule, SwapRule
from gpuport.rules.rewriting import Refusal, render, rewrite, swap_call


def resolve(node):
    text = ast.unparse(node)
    if text.startswith("np."):
        return "numpy" + text[2:]
    if isinstance(node, ast.Attribute):
        return f"numpy.ndarray.{node.attr}"
    return f"builtins.{text}" if text in ("len", "sum") else None


def matched(pattern, code):
    return match_pattern(compile_pattern(pattern), ast.parse(code, mode="eval").body, resolve)


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("numpy.sum($X)", "np.sum(a + b)"),
        ("numpy.sum($X, axis=$A, dtype=$D)", "np.sum(a, dtype=d, axis=0)"),
        ("numpy.multiply($X, $X)", "np.multiply(a[i], a[i])"),
        ("$X.sum($...ARGS)", "a.sum(0, keepdims=True, **more)"),
        ("$X.sum($...ARGS)", "a.sum()"),
        ("len($X)", "len(a)"),
        ("$A[$I, :]", "a[3, :]"),
        ("numpy.sum($X) ** 2", "np.sum(a) ** 2"),
    ],
)
def test_matches(pattern, code):
    assert matched(pattern, code) is not None


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("numpy.sum($X)", "other.sum(a)"),
        ("numpy.sum($X)", "np.sum(a, 0)"),
        ("numpy.sum($X)", "np.sum(a, axis=0)"),
        ("numpy.sum($X)", "np.sum(*a)"),
        ("numpy.sum($X)", "np.sum(a, **k)"),
        ("numpy.sum($X, axis=0)", "np.sum(a, axis=1)"),
        ("numpy.sum($X, axis=0)", "np.sum(a, axis=False)"),
        ("numpy.multiply($X, $X)", "np.multiply(a[i], a[j])"),
        ("numpy.sum($X) ** 2", "np.sum(a) ** 2.0"),
        ("$X.sum()", "np.sum()"),
        ("len($X)", "length(a)"),
    ],
)
def test_near_misses(pattern, code):
    assert matched(pattern, code) is None


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("numpy.linalg.norm($X)", "numpy.linalg.norm"),
        ("$X.sum()", "numpy.ndarray.sum"),
        ("$X // $Y", "numpy.ndarray.__floordiv__"),
        ("len($X)", "builtins.len"),
        ("$X[0]", "numpy.ndarray.__getitem__"),
        ("$X", None),
    ],
)
def test_heads(pattern, name):
    assert head(compile_pattern(pattern)) == name


@pytest.mark.parametrize("text", ["f($x)", "f($)", "f(", "a b", "", "$...", "f($X"])
def test_bad_patterns(text):
    with pytest.raises(PatternError):
        compile_pattern(text)


def rule(match, to):
    pattern = compile_pattern(match)
    return PatternRule(
        id="X", name="x", summary="s", match=(match,), examples=(Example(before="x"),),
        rewrite=to, patterns=(pattern,), heads=(head(pattern) or "",),
    )  # fmt: skip


def rewritten(match, to, code, outer="{}"):
    source = outer.format(code)
    tree = ast.parse(source, mode="eval").body
    wanted = ast.dump(ast.parse(code, mode="eval").body)
    for parent in ast.walk(tree):
        for node in ast.iter_child_nodes(parent):
            if ast.dump(node) == wanted:
                break
        else:
            continue
        break
    else:
        parent, node = None, tree
    parts = rewrite(rule(match, to), match_pattern(compile_pattern(match), node, resolve), parent)
    if isinstance(parts, Refusal):
        return parts
    return outer.format(render(parts, source, {"cupy": "cp"}))


@pytest.mark.parametrize(
    ("match", "to", "code", "outer", "after"),
    [
        ("numpy.f($A, $B)", "$A @ $B", "np.f(x + 1, y)", "-{}", "-((x + 1) @ y)"),
        ("numpy.f($A, $B)", "$A @ $B", "np.f(x, y @ z)", "{} + 1", "x @ (y @ z) + 1"),
        ("numpy.f($A)", "$A.T", "np.f(-x)", "g({})", "g((-x).T)"),
        ("numpy.f($A)", "cupy.g($A)", "np.f(x  +  1)", "{}.T", "cp.g(x  +  1).T"),
        ("numpy.f($A, $...R)", "cupy.g($A, $...R)", "np.f(x)", "h({})", "h(cp.g(x))"),
        ("numpy.f($A, $...R)", "cupy.g($...R, a=$A)", "np.f(x)", "h({})", "h(cp.g(a=x))"),
        ("numpy.f($A, $...R)", "cupy.g($A, $...R)", "np.f(x, 1, k=2, **m)", "h({})",
         "h(cp.g(x, 1, k=2, **m))"),
        ("numpy.f($A)", "$A", "np.f(x\n  + 1)", "{}", "(x\n  + 1)"),
        ("numpy.f($A)", "$A ** 2", "np.f(-x)", "g({})", "g((-x) ** 2)"),
        ("numpy.f($A)", "$A[0]", "np.f(x if y else z)", "g({})", "g((x if y else z)[0])"),
        ("numpy.f($A)", "$A + $A", "np.f(x)", "g({})", "g(x + x)"),
    ],
)  # fmt: skip
def test_rewrites(match, to, code, outer, after):
    assert rewritten(match, to, code, outer) == after


@pytest.mark.parametrize(
    ("match", "to", "code", "words"),
    [
        ("numpy.f($A)", "$A + $A", "np.f(g())", "evaluated 2 times"),
        ("numpy.f($A, $B)", "$A", "np.f(x, g())", "not be evaluated any more"),
        ("numpy.f($A, $B)", "$B - $A", "np.f(g(), h())", "another order"),
    ],
)
def test_what_would_be_evaluated_otherwise_is_refused(match, to, code, words):
    found = rewritten(match, to, code)
    assert isinstance(found, Refusal)
    assert words in found.reason


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "@", "<<", "&", "|", "^", "<", "and", "or"]
leaves = st.sampled_from(["x", "y", "1", "x.T", "f(x)", "[x]", "lambda: x", "x if y else z", "-x",
                          "not x", "(x, y)", "'s' 't'"])  # fmt: skip
expressions = st.recursive(
    leaves, lambda inner: st.builds("({}) {} ({})".format, inner, st.sampled_from(OPERATORS), inner)
).map(lambda text: ast.unparse(ast.parse(text, mode="eval")))
templates = st.sampled_from(["$A @ $B", "$A ** $B", "$A.T + $B[0]", "-$A if $B else $A", "$A($B)"])
outers = st.sampled_from(["-{}", "{} ** 2", "2 ** {}", "{} - 1", "1 - {}", "{}.T", "h({})", "{}[0]",
                          "[{}]", "not {}", "a < {}", "{} if p else q", "p and {}"])  # fmt: skip


@given(expressions, expressions, templates, outers)
def test_rewriting_text_means_rewriting_the_tree(a, b, template, outer):
    found = rewritten("numpy.f($A, $B)", template, f"np.f({a}, {b})", outer)
    if isinstance(found, Refusal):
        return
    explicit = "(" + template.replace("$A", f"({a})").replace("$B", f"({b})") + ")"
    expected = ast.parse(outer.format(explicit), mode="eval")
    assert ast.dump(ast.parse(found, mode="eval")) == ast.dump(expected)


def swapped(code, **keys):
    swap = SwapRule(id="X", name="x", summary="s", match=("numpy.f",), to="cupy.g",
                    examples=(Example(before="x"),), **keys)  # fmt: skip
    parts = swap_call(swap, ast.parse(code, mode="eval").body)
    return parts if isinstance(parts, Refusal) else render(parts, code, {"cupy": "cp"})


def test_swapped_calls():
    assert swapped("np.f(a, k=1)") == "cp.g(a, k=1)"
    assert swapped("np.f(a, k=1)", rename={"k": "m"}) == "cp.g(a, m=1)"
    assert swapped("np.f(a, k=True)", drop={"k": True}) == "cp.g(a)"
    assert isinstance(swapped("np.f(a, k=1)", drop={"k": True}), Refusal)
    assert isinstance(swapped("np.f(a, k=v)", drop={"k": True}), Refusal)
    assert isinstance(swapped("np.f(a, 3)", refuse={"n": "no"}, positional=("x", "n")), Refusal)
    assert isinstance(swapped("np.f(a, **k)"), Refusal)
