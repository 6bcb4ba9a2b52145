"""The operations that later stages rely on."""

from __future__ import annotations

import pytest

from gpuport.ir import Op, Passing, check, render, walk
from gpuport.lower import lower


def ops(text: str, *kinds: str) -> list[Op]:
    """All operations of these kinds, in order."""
    module = lower(text)
    for function in module.functions:
        check(function)
    return [op for function in module.functions for op in walk(function.body) if op.kind in kinds]


@pytest.mark.parametrize(
    ("iterable", "forms"),
    [
        ("range(n)", ["range"]),
        ("range(1, n, 2)", ["range"]),
        ("enumerate(n)", ["enumerate"]),
        ("enumerate(n, start=1)", ["enumerate"]),
        ("enumerate(zip(n, range(3)))", ["range", "zip", "enumerate"]),
        ("zip(n, n)", ["zip"]),
        ("reversed(range(n))", ["range", "reversed"]),
        ("map(f, n)", ["map"]),
        ("it.product(n, n)", ["product"]),
        ("product(n, n)", ["product"]),
        ("np.ndindex(2, 3)", ["ndindex"]),
        ("ndi(2, 3)", ["ndindex"]),
        ("n", ["elements"]),
        ("n.items()", ["elements"]),
        ("range(*n)", ["elements"]),
        ("zip(n, n, strict=True)", ["elements"]),
        ("product(n, repeat=2)", ["elements"]),
        ("other.range(n)", ["elements"]),
    ],
)
def test_what_a_loop_goes_over_is_told_by_its_form(iterable, forms):
    head = (
        "import itertools as it, numpy as np, other\n"
        "from itertools import product\nfrom numpy import ndindex as ndi\n"
    )
    text = f"{head}def f(n):\n    for v in {iterable}: print(v)\n"
    assert [op.attributes["form"] for op in ops(text, "Iterate")] == forms


@pytest.mark.parametrize(
    "before",
    [
        "def range(n): return n",
        "range = list",
        "from mine import range",
        "from mine import *",
        "import mine as range",
        "def g():\n    global range\n    range = 1",
        "class range: pass",
        "for range in (): pass",
        "(range := list)",
        "with a as range: pass",
        "try: pass\nexcept E as range: pass",
        "match a:\n    case [*range]: pass",
    ],
)
def test_a_built_in_whose_name_is_bound_is_no_form(before):
    text = f"{before}\ndef f(n):\n    for v in range(n): print(v)\n"
    assert [op.attributes["form"] for op in ops(text, "Iterate")][-1:] == ["elements"]


def test_names_of_numpy_do_not_hide_range():
    text = "from numpy import *\nfor v in range(n): print(sum(k for k in v))\n"
    assert ops(text, "Iterate")[0].attributes["form"] == "range"
    assert any(function.name == "<genexpr>" for function in lower(text).functions)


def test_two_imports_under_one_name_are_no_library():
    text = (
        "try: from itertools import product\nexcept ImportError: from mine import product\n"
        "for v in product(n): print(v)\n"
    )
    assert [op.attributes["form"] for op in ops(text, "Iterate")] == ["elements"]


def test_a_swap_makes_no_tuple():
    assert (
        ops("def f(u, v):\n    for _ in range(9): u, v = v, u\n    return u\n", "Tuple", "Unpack")
        == []
    )


def test_a_loop_carries_what_it_assigns_and_needs():
    text = (
        "def f(a):\n    s = 0\n    for x in a:\n        t = x * x\n        s += t\n    return s\n"
    )
    (loop,) = ops(text, "For")
    assert [value.name for value in loop.results] == ["s"]


def test_what_a_try_may_leave_in_any_version_is_a_cell_and_nothing_else_is():
    text = (
        "def f(a):\n    r = b = 0\n    try:\n        t = g(a)\n        u = t + 1\n        r = u\n"
        "    except ValueError:\n        r = -1\n    return r\n"
    )
    assert lower(text).functions[1].cells == {"r": None}


@pytest.mark.parametrize("ends", ["raise", "return None"])
def test_a_try_whose_handlers_leave_needs_no_cell(ends):
    text = f"def f(a):\n    r = 0\n    try: r = g(a)\n    except ValueError: {ends}\n    return r\n"
    assert lower(text).functions[1].cells == {}


def test_a_handler_that_may_jump_does_not_only_leave():
    text = (
        "def f(n):\n    for k in n:\n        try: r = g(k)\n        except E:\n"
        "            if k: break\n            raise\n    return r\n"
    )
    assert set(lower(text).functions[1].cells) == {"r"}


def test_names_that_the_next_round_reads_are_cells():
    text = (
        "def f(n):\n    for k in n:\n        try:\n            if k: use(r)\n            r = g(k)\n"
        "        except E: pass\n"
    )
    assert set(lower(text).functions[1].cells) == {"r"}
    text = (
        "def f(n):\n    for k in n:\n        try:\n            r = g(k)\n            use(r)\n"
        "        except E: pass\n"
    )
    assert lower(text).functions[1].cells == {}


@pytest.mark.parametrize(
    ("manager", "results"),
    [
        ("np.errstate(all='ignore')", ["r"]),
        ("open('x')", ["r"]),
        ("warnings.catch_warnings()", ["r"]),
        ("contextlib.suppress(E)", []),
        ("mine.errstate()", []),
        ("errstate", []),
    ],
)
def test_only_managers_that_are_known_let_names_be_values(manager, results):
    text = (
        "import numpy as np, warnings, contextlib, mine\n"
        f"def f(a):\n    with {manager}:\n        r = a + 1\n    return r\n"
    )
    (operation,) = ops(text, "With")
    assert [value.name for value in operation.results] == results


def test_exits_are_terminators_and_statements_after_them_stay_unguarded():
    text = "def f(a):\n    for x in a:\n        if x: continue\n        g(x)\n"
    (test,) = ops(text, "If")
    assert [region.terminator.kind for region in test.regions] == ["Continue", "Yield"]
    assert test.results == []


def test_a_walrus_of_a_condition_may_be_unassigned():
    text = "def f(a, b):\n    if a and (y := b): pass\n    return y\n"
    assert len(ops(text, "CheckBound")) == 1


def test_a_module_writes_its_names_through():
    text = "x = 1\nfor k in range(3): x += k\nprint(x)\n"
    assert [op.attributes["name"] for op in ops(text, "StoreGlobal")] == ["x", "k", "x"]
    assert [op.attributes["name"] for op in ops(text, "LoadGlobal")] == ["print"]


def test_signatures_are_as_written():
    module = lower("class A:\n    def f(self, a, /, __b=1, *c, d, e=2, **g): pass\n")
    function = module.functions[1]
    told = [(p.name, p.passing, p.has_default) for p in function.signature]
    assert told == [
        ("self", Passing.POSITION, False),
        ("a", Passing.POSITION, False),
        ("_A__b", Passing.EITHER, True),
        ("c", Passing.VARIADIC, False),
        ("d", Passing.KEYWORD, False),
        ("e", Passing.KEYWORD, True),
        ("g", Passing.KEYWORDS, False),
    ]
    assert (function.owner_class, function.qualname) == ("A", "A.f")


def test_the_same_text_gives_the_same_ir():
    text = "def f(a): return [[lambda: (i, j) for i in a] for j in a]\n"
    first, second = ([render(function) for function in lower(text).functions] for _ in range(2))
    assert first == second


def test_each_name_is_looked_at_once():
    """Lowering is linear: twice the text makes twice the operations, whatever stands around it."""
    body = "    for k in a:\n        if k: x = k\n        else: y = k\n"
    counts = [len(ops(f"def f(a):\n{body * n}", "For", "If", "Yield")) for n in (1, 10, 20)]
    assert counts[2] - counts[1] == 10 * counts[0]
