"""Names that have a value by all means, and what is known of names where a loop begins."""

from __future__ import annotations

from gpuport.ir import walk
from gpuport.lower import lower

TEXT = """
import numpy as np
A, (B, *C) = 1, (2, 3)
if A:
    BOTH = ONE = 1
else:
    BOTH = 2
try:
    import fast
except ImportError as error:
    fast = None
GONE = 1
def outer(given):
    before = 1
    def f(x):
        for i in x:
            i + before + later + given
    later = 2
    return f
del GONE
LATER = 1
"""


def test_names_that_are_bound_whenever_a_function_runs():
    module = lower(TEXT, "sample")
    (function,) = [one for one in module.functions if one.name == "f"]
    bound = {"np", "A", "B", "C", "BOTH", "fast", "given", "before", "len"}
    assert bound <= function.bound
    assert function.bound.isdisjoint({"ONE", "error", "GONE", "later", "LATER", "outer"})


def test_names_where_a_loop_begins():
    module = lower(
        "def f(a, b, n):\n    a, b = b, a\n    if n:\n        maybe = 1\n"
        "    for i in range(n):\n        a[i] = t = b[i]\n    return t\n",
        "sample",
    )
    function = module.functions[1]
    loop = next(op for op in walk(function.body) if op.kind == "For")
    head = function.heads[loop]
    first, second, third = function.parameters
    assert head.values == {"a": second, "b": first, "n": third}
    assert head.words == {"a", "b", "i", "n", "range", "t"}
