"""What is not understood is `Opaque`, with its reason, and takes along no more than it must."""

from __future__ import annotations

import sys

import pytest
from tests.lower.running import printed

from gpuport.ir import check, opaque, walk
from gpuport.lower import lower


def told(text: str) -> list[tuple[str, int, int]]:
    """Reason, first and last line of each opaque operation."""
    module = lower(text)
    for function in module.functions:
        check(function)
    return [(op.attributes["reason"], op.span.line, op.span.end_line) for op in opaque(module)]


def test_a_coroutine_is_opaque_and_its_neighbours_are_not():
    text = "def f(): return 1\nasync def g(v):\n    return await v\ndef h(): return 2\n"
    assert told(text) == [("it is a coroutine", 2, 3)]
    assert [function.name for function in lower(text).functions] == ["<module>", "f", "h"]


def test_a_method_that_is_a_coroutine_leaves_its_class_alone():
    text = "class A:\n    def f(self): return 1\n    async def g(self): return 2\n"
    assert told(text) == [("it is a coroutine", 3, 3)]


@pytest.mark.parametrize(
    "body", ["return self.__x", "return super().g()", "return __class__"], ids=str
)
def test_a_method_that_needs_its_class_takes_it_along(body):
    text = f"class A:\n    def f(self): return 1\n    async def g(self): {body}\n"
    assert told(text) == [("it is a coroutine", 1, 3)]


def test_a_function_that_shares_variables_with_a_coroutine_is_opaque_too():
    text = "def f(n):\n    async def g(): return n\n    return g\ndef h(n): return n\n"
    assert told(text) == [("it is a coroutine", 1, 3)]


def test_a_coroutine_that_shares_nothing_leaves_its_function_alone():
    text = "def f(n):\n    k = n\n    async def g(v=k): return v\n    return g\n"
    assert told(text) == [("it is a coroutine", 3, 3)]


def test_a_statement_that_control_leaves_takes_along_what_it_leaves():
    head = "def f(n):\n    for k in range(n):\n"
    tries = "        try:\n            {}\n        except* ValueError: pass\n    return n\n"
    assert told(head + tries.format("n += 1"))[0][1:] == (3, 5)
    assert told(head + tries.format("break"))[0][1:] == (2, 5)
    assert told(head + tries.format("return k"))[0][1:] == (1, 6)
    assert told(head + tries.format("yield k"))[0][1:] == (1, 6)
    assert told(head + tries.format("while k: break"))[0][1:] == (3, 5)
    assert told(head + tries.format("for n in (yield k): pass"))[0][1:] == (1, 6)
    assert told(head + tries.format("while (yield k): pass"))[0][1:] == (1, 6)
    assert told(head + tries.format("g = lambda: n"))[0][1:] == (1, 6)


def test_an_opaque_statement_says_what_it_reads_and_binds():
    text = (
        "def f(a, b, c):\n    x = 1\n    try: x, y = a, b\n"
        "    except* E as z: pass\n    return x, y\n"
    )
    (op,) = opaque(lower(text))
    assert op.attributes["reads"] == ("a", "b", "x")  # the old `x` stays where nothing is assigned
    assert op.attributes["writes"] == ("x", "y", "z")
    assert [value.name for value in op.results] == ["x", "y", "z"]


@pytest.mark.parametrize("call", ["locals()", "vars()", "dir()", "eval('a')", "exec('b = 1')"])
def test_a_function_that_looks_at_its_own_frame_is_opaque(call):
    assert told(f"def f(a):\n    return {call}\ndef g(a): return a\n")[0][1:] == (1, 2)


def test_a_module_of_which_everything_is_imported_does_not_hide_what_looks_at_frames():
    assert told("from mine import *\ndef f(a): return locals()\n")[0][1:] == (2, 2)


@pytest.mark.parametrize("call", ["vars(a)", "dir(a)", "eval('a', {})", "exec('b = 1', {}, {})"])
def test_a_call_that_names_what_it_looks_at_is_a_call(call):
    assert told(f"def f(a):\n    return {call}\n") == []


def test_functions_of_the_same_name_as_those_that_look_at_frames_are_just_functions():
    assert told("def locals(): return 1\ndef f(eval): return locals(), eval('x')\n") == []


def test_the_names_of_the_module_are_opaque_values_and_nothing_else_is():
    text = "x = 1\ndef f(): return globals()['x']\nprint(f())\n"
    assert [reason for reason, *_ in told(text)] == ["`globals` gives all names of the module"]


def test_names_of_a_module_that_looks_at_itself_are_kept_in_its_dictionary():
    module = lower("x = 1\nglobals()['x'] = 2\nprint(x)\n")
    loads = [op.attributes["name"] for op in walk(module.body.body) if op.kind == "LoadGlobal"]
    assert "x" in loads


def test_text_of_a_statement_runs_by_itself():
    text = (
        "if 1:\n"
        "    @print\n"
        "    async def f():\n"
        "        return '''a\n    b'''\n"
        "    x = 1; y = [\n  2]\n"
    )
    (op,) = opaque(lower(text))
    compile(op.attributes["text"], "text", "exec")
    assert "'a\\n    b'" in op.attributes["text"]  # dedenting would have changed the string
    (op,) = opaque(lower("class A:\n    @print\n    async def f(self):\n        pass\n"))
    assert op.attributes["text"].startswith("@print\nasync def f(self):")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f[T](v: T) -> T: return v\nprint(f(1))", "it has type parameters"),
        ("class A[T]:\n    def f(self) -> T: return 1\nprint(A().f())", "it has type parameters"),
        ("type X = int | None\nprint(X)", "it is a type alias"),
        (
            "def f(base):\n    class A[T](base): pass\n    return A.__mro__[1:3]\nprint(f(dict))",
            "it has type parameters",
        ),
        (
            "def f(v):\n    type X = list[v]\n    return X.__value__\nprint(f(int))",
            "it is a type alias",
        ),
    ],
)
def test_type_parameters_and_aliases_are_opaque(text, reason):
    assert told(text)[0][0] == reason
    assert printed(text, through_ir=True) == printed(text, through_ir=False)


# -- depth


def test_a_very_long_sum_is_lowered():
    text = "def f(a):\n    return " + " + ".join("a" for _ in range(2500))
    module = lower(text)
    assert opaque(module) == []
    assert sum(op.kind == "Binary" for op in walk(module.functions[1].body)) == 2499


@pytest.mark.parametrize(
    "body",
    [
        "return a" + ".m()" * 1000,
        "return " + " or ".join(f"a == {k}" for k in range(300)),
        "if a == 0: return 0\n    "
        + "    ".join(f"elif a == {k}: return {k}\n" for k in range(300)),
    ],
    ids=["calls", "conditions", "elif"],
)
def test_what_is_nested_too_deeply_is_opaque(body):
    text = f"def g(a): return a\ndef f(a):\n    {body}\ndef h(a): return a\n"
    module = lower(text)
    assert {op.attributes["reason"] for op in opaque(module)} == {"it is nested too deeply"}
    assert {function.name for function in module.functions} >= {"g", "h"}


def test_text_that_is_too_deep_to_be_compared_is_kept_as_written():
    text = "async def f():\n    return " + "+".join(["a"] * 20000)
    try:
        (op,) = opaque(lower(text))
    except RecursionError:
        pytest.skip("this Python does not parse it")
    assert op.attributes["text"] == text


def test_nests_that_people_write_are_lowered():
    lines = [f"{'  ' * k}{'if a > 0:' if k % 2 else f'for i{k} in a:'}" for k in range(1, 51)]
    text = "\n".join(["def f(a):", *lines, "  " * 51 + "return a"])
    assert told(text) == []


def test_lowering_leaves_the_limits_of_python_as_they_were():
    before = sys.getrecursionlimit()
    lower("x = 1")
    with pytest.raises(SyntaxError):
        lower("x =")
    assert sys.getrecursionlimit() == before
