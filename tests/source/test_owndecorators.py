"""Which decorators of a program leave calls of a function what they are."""

import ast
import textwrap

import pytest
from tests.passes.conftest import port

from gpuport.source.owndecorators import leaves_as_it_is
from gpuport.source.scoping import build_scopes

WRAPPER = """
import functools
import time
import warnings
import numpy as np

TIMES, TABLE, ALL = {{}}, {{}}, []

def deco(func):
    {before}
    {wraps}
    def wrapper({parameters}):
        start = time.perf_counter()
        {call}
        TIMES[func.__name__] = time.perf_counter() - start
        {back}
    {after}
    {returned}

@deco
def f(x):
    return x
"""
USUAL = {
    "before": "calls = 0",
    "wraps": "@functools.wraps(func)",
    "parameters": "*args, **kwargs",
    "call": "result = func(*args, **kwargs)",
    "back": "return result",
    "after": "wrapper.calls = 0",
    "returned": "return wrapper",
}


def left(text: str, *, seen: bool = False) -> bool:
    tree = ast.parse(textwrap.dedent(text))
    last = tree.body[-1]
    assert isinstance(last, ast.FunctionDef)
    return leaves_as_it_is(build_scopes(tree), last.decorator_list[0], seen=seen)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"wraps": ""},
        {"before": "print(func.__name__, func.__doc__)"},
        {"before": "TABLE['f'] = func"},
        {"before": "ALL.append(func)"},
        {"back": "print(start)\n        return result"},
        {"call": "", "back": "return func(*args, **kwargs)"},
    ],
)
def test_wrappers_that_hand_on_leave_calls_what_they_are(change):
    assert left(WRAPPER.format(**{**USUAL, **change}))


@pytest.mark.parametrize(
    "change",
    [
        {"parameters": "*args", "call": "result = func(*args)"},
        {"parameters": "x, *args, **kwargs"},
        {"call": "result = func(*args[1:], **kwargs)"},
        {"call": "result = func(*args, **kwargs, n=1)"},
        {"call": "result = func(*args, **kwargs) * 2"},
        {"call": "print(args)\n        result = func(*args, **kwargs)"},
        {"call": "kwargs.clear()\n        result = func(*args, **kwargs)"},
        {"call": "for _ in range(2):\n            result = func(*args, **kwargs)"},
        {"call": "func(*args, **kwargs)\n        result = func(*args, **kwargs)"},
        {"call": "with np.errstate(all='raise'):\n            result = func(*args, **kwargs)"},
        {"call": "np.seterr(all='raise')\n        result = func(*args, **kwargs)"},
        {"call": "warnings.simplefilter('error')\n        result = func(*args, **kwargs)"},
        {"call": "try:\n            result = func(*args, **kwargs)\n        except ValueError:\n"
         "            result = None"},
        {"back": "return None"},
        {"back": "return result.copy()"},
        {"back": "TIMES['last'] = result\n        return result"},
        {"back": "if start:\n            return None\n        return result"},
        {"back": "yield result"},
        {"before": "func = compile(func)"},
        {"before": "print(func)"},
        {"before": "code = func.__code__"},
        {"before": "if TIMES:\n        return compile(func)"},
        {"after": "wrapper = compile(wrapper)"},
        {"returned": "return compile(wrapper)"},
        {"wraps": "@compile"},
    ],
)  # fmt: skip
def test_wrappers_that_do_more_do_not(change):
    assert not left(WRAPPER.format(**{**USUAL, **change}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def deco(f):\n    TABLE[f.__name__] = f\n    return f", True),
        ("def deco(f):\n    TABLE[f.__name__] = f(1)\n    return f", False),
        ("def deco(f):\n    f.tag = 1\n    return f", False),
        ("def deco(f):\n    return print", False),
        ("def deco(f, more=1):\n    return f", False),
        ("def deco(f):\n    return f\ndeco = compile", False),
        ("class deco:\n    def __init__(self, f):\n        self.f = f", False),
        ("from elsewhere import deco", False),
    ],
)
def test_decorators_without_a_wrapper(text, found):
    assert left(f"{text}\n@deco\ndef f(x):\n    return x\n") == found


def test_decorators_that_are_made_by_calls():
    made = """
        def labelled(label):
            def deco(func):
                def wrapper(*args, **kwargs):
                    print(label)
                    return func(*args, **kwargs)
                return wrapper
            return deco

        @labelled{arguments}
        def f(x):
            return x
    """
    assert left(made.format(arguments="('a')"))
    assert not left(made.format(arguments=""))


@pytest.mark.parametrize(
    ("before", "found"), [("TABLE['f'] = func", False), ("TABLE['f'] = func.__name__", True)]
)
def test_what_is_kept_elsewhere_is_not_called_by_its_name_alone(before, found):
    assert left(WRAPPER.format(**{**USUAL, "before": before}), seen=True) == found


REGISTRY = """
import numpy as np

MODELS = {}


def model(name):
    def keep(func):
        MODELS[name] = func
        return func

    return keep


@model("upwind")
def upwind(u):
    return u - 0.4 * (u - np.roll(u, 1))


@model("lax")
def lax(u):
    return 0.5 * (np.roll(u, 1) + np.roll(u, -1))


def main():
    u = np.sin(np.linspace(0, 6, 400))
    for _ in range(20):
        for name in sorted(MODELS):
            u = MODELS[name](u)
    print(upwind(u).sum())


main()
"""


def test_functions_that_a_decorator_writes_down_are_followed_to_where_they_are_called():
    after = port(REGISTRY).after or ""
    assert "u = MODELS[name](u)" in after
    assert "cp.linspace" in after
    assert "@device" not in after


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("    return keep", "    globals()[name] = 1\n    return keep"),
        ("MODELS[name] = func", "func.tag = name; MODELS[name] = func"),
        ('upwind(u).sum()', 'upwind(u).sum(), [m(u) for m in eval("MODELS").values()]'),
    ],
)  # fmt: skip
def test_what_is_found_by_other_ways_is_not_followed(text, change):
    assert text in REGISTRY
    after = port(REGISTRY.replace(text, change)).after or ""
    assert "cp.linspace" not in after
