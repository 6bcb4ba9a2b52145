"""Programs whose meaning an interpreter is likely to miss."""

from __future__ import annotations

import contextlib
import io

import pytest

from gpuport.ir.interpreter import Interpreter
from gpuport.lower import lower

PROGRAMS = {
    "an iterator that ends inside with and try": """
import contextlib
@contextlib.contextmanager
def around(log):
    try:
        yield
    except StopIteration:
        log.append("seen")
        raise
def first(log, it):
    with around(log):
        return next(it)
log = []
try:
    first(log, iter([]))
except StopIteration:
    print("ended", log)
def tried(it):
    try:
        return next(it)
    except ValueError:
        return None
    finally:
        print("finally")
try:
    tried(iter([]))
except StopIteration:
    print("ended")
""",
    "a class that its methods name while it is made": """
class Base:
    def __init_subclass__(cls):
        cls.tag = cls.name()
class A(Base):
    @classmethod
    def name(cls):
        return __class__.__name__ + str(super().__thisclass__ is __class__)
print(A.tag)
""",
    "text that is run has annotations of its own": """
space = {}
exec("def f(x: 1 + 1): pass", space)
print(space["f"].__annotations__)
""",
    "return in finally": """
def f(x):
    try:
        return 1 / x
    finally:
        if not x:
            return "swallowed"
print(f(0), f(2))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_as_in_python(name):
    printed = []
    for through_ir in (False, True):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            if through_ir:
                Interpreter(lower(PROGRAMS[name], "sample"), {"__name__": "sample"}).run()
            else:
                code = compile(PROGRAMS[name], "sample", "exec", dont_inherit=True)
                exec(code, {"__name__": "sample"})
        printed.append(out.getvalue())
    assert printed[1] == printed[0] != ""
