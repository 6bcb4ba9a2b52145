"""The effects pack against real NumPy: whatever shares memory or writes must be known to.

Every public callable of the namespaces below is called with small arrays and many second
arguments; a result that shares memory with an argument needs a rule that says so, and so does
an argument that has changed.
"""

import contextlib
import faulthandler
import inspect
import io
import os
import pickle
import warnings

import numpy as np
import pytest

from gpuport.rules import RuleSet
from gpuport.rules.examples import leaves

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

RULES = RuleSet.load()
SELF = object()
INPUTS = (
    np.arange(1.0, 5.0),
    np.arange(1.0, 10.0).reshape(3, 3),
    np.array(3.0),
    np.arange(4) + 1j,
    np.arange(1, 9),
    np.ones((1, 4)),
    np.array([True, False]),
    np.array([np.nan, 1.0, np.inf]),
    np.arange(24.0).reshape(2, 3, 4),
)
ARGUMENTS = [
    ((), {}), ((0,), {}), ((1,), {}), ((2,), {}), ((0, 1), {}), ((1, 2), {}), (((2, 2),), {}),
    (((0, 1),), {}), (("f8",), {}), (("i8",), {}), (([0],), {}), (([0], 0), {}), ((0, 0), {}),
    ((SELF,), {}), ((SELF, SELF), {}), ((lambda v: v,), {}), (([1], None, SELF), {}),
    ((lambda v, axis: v, [0]), {}),
    ((), {"copy": False}), ((), {"copy": None}), (("f8",), {"copy": False}), ((), {"axes": ()}),
    ((), {"inplace": True}), ((), {"overwrite_input": True}), ((50,), {"overwrite_input": True}),
    ((0.5,), {"overwrite_input": True}), ((), {"out": SELF}), ((2,), {"out": SELF}),
    ((SELF,), {"out": SELF}), ((), {"axis": 0, "out": SELF}), ((), {"n": 0}), ((), {"m": 0}),
    ((), {"bins": [0.0, 1.0]}), ((), {"bins": SELF}), ((), {"subok": True}), ((), {"k": 1}),
    ((), {"offset": 1}), ((), {"axis": 0}),
]  # fmt: skip
LEFT_OUT = {
    "numpy.test", "numpy.linalg.test", "numpy.fft.test", "numpy.info", "numpy.save", "numpy.savez",
    "numpy.savez_compressed", "numpy.savetxt", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt",
    "numpy.fromfile", "numpy.fromregex", "numpy.memmap", "numpy.show_config", "numpy.show_runtime",
    "numpy.ndarray.setflags", "numpy.ndarray.tofile", "numpy.ndarray.dump", "numpy.seterr",
    "numpy.seterrcall", "numpy.setbufsize", "numpy.set_printoptions",
}  # fmt: skip
NAMESPACES = {
    "numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft, "numpy.emath": np.emath,
    "numpy.lib.stride_tricks": np.lib.stride_tricks, "numpy.ndarray": np.ndarray,
}  # fmt: skip


def names():
    for prefix, owner in NAMESPACES.items():
        for name in dir(owner):
            path = f"{prefix}.{name}"
            if not name.startswith("_") and path not in LEFT_OUT:
                yield path


def parts(result):
    yield from leaves(result)
    if isinstance(result, np.nditer):
        yield from result.operands
    elif isinstance(result, np.flatiter | np.broadcast | np.ndenumerate):
        yield from () if not hasattr(result, "base") else [result.base]


def given_parameters(path, count, named):
    """Names of the parameters that a call gives beyond the array itself."""
    prefix, _, name = path.rpartition(".")
    function = getattr(NAMESPACES[prefix], name)
    if isinstance(function, np.ufunc):
        inputs = [f"x{i + 1}" for i in range(1, function.nin)]
        order = [*inputs, *["out"] * function.nout, "where"]
    else:
        # Methods that are built in may have no signature: the function's of the same name.
        for candidate in (function, getattr(np, name, None)):
            try:
                order = list(inspect.signature(candidate).parameters)[1:]
                break
            except (TypeError, ValueError):
                order = []
    return {*order[:count], *named}


def observe(path, array, positional, named):
    """Call once: whether the result shares memory, which arguments changed; None if it raises."""
    array = array.copy()
    others = []

    def fill(value):
        if value is SELF:
            others.append(np.array(array))
            return others[-1]
        return value

    args = [fill(a) for a in positional]
    kwargs = {k: fill(v) for k, v in named.items()}
    before = [np.array(a) for a in (array, *others)]
    prefix, _, name = path.rpartition(".")
    attribute = getattr(array if prefix == "numpy.ndarray" else NAMESPACES[prefix], name, None)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            if prefix == "numpy.ndarray":
                result = attribute(*args, **kwargs) if callable(attribute) else attribute
            else:
                result = attribute(array, *args, **kwargs)
        shares = any(np.shares_memory(p, a) for p in parts(result) for a in (array, *others))
    except Exception:
        return None
    now = (array, *others)
    changed = [i for i, (old, new) in enumerate(zip(before, now, strict=True))
               if old.shape != new.shape or old.tobytes() != new.tobytes()]  # fmt: skip
    return shares, changed, given_parameters(path, len(positional), named)


CALLS = [(array, *arguments) for array in INPUTS for arguments in ARGUMENTS]


def observe_all(path):
    """All calls of one function, in processes of their own: odd arguments crash some of NumPy."""
    found = []
    while len(found) < len(CALLS):
        found += observe_from(path, len(found))
        if len(found) < len(CALLS):
            found.append(None)  # the call that crashed; go on behind it
    return [call for call in found if call is not None]


def observe_from(path, start):
    """Observations from one call on, as far as the process lives."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            faulthandler.disable()
            os.close(reader)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            warnings.simplefilter("ignore")
            with os.fdopen(writer, "wb") as pipe, np.errstate(all="ignore"):
                for array, positional, named in CALLS[start:]:
                    pickle.dump(observe(path, array, positional, named), pipe)
                    pipe.flush()
        finally:
            os._exit(0)
    os.close(writer)
    calls = []
    with os.fdopen(reader, "rb") as pipe, contextlib.suppress(EOFError, pickle.UnpicklingError):
        while True:
            calls.append(pickle.load(pipe))
    os.waitpid(child, 0)
    return calls


@pytest.fixture(scope="module")
def observed():
    return {path: observe_all(path) for path in names()}


def test_the_probe_reaches_what_it_is_for(observed):
    reached = [path for path, calls in observed.items() if calls]
    assert len(reached) > 350
    sharing = {path for path, calls in observed.items() if any(c[0] for c in calls)}
    changing = {path for path, calls in observed.items() if any(c[1] for c in calls)}
    assert {"numpy.ravel", "numpy.split", "numpy.ndarray.T", "numpy.diff"} <= sharing
    assert {"numpy.copyto", "numpy.ndarray.sort", "numpy.nan_to_num", "numpy.sin"} <= changing


def test_every_function_that_shares_memory_has_a_rule(observed):
    missed = set()
    for path, calls in observed.items():
        rule = RULES.effect(path)
        for shares, _, given in calls:
            # What `out` is given comes back: the rule says so by naming `out`.
            excused = rule is not None and "out" in rule.mutates and "out" in given
            conditional = rule is not None and rule.view_when
            viewed = rule is not None and rule.view
            if conditional and not given & set(rule.view_when):
                viewed = False
            if shares and not viewed and not excused:
                missed.add((path, tuple(sorted(given))))
    assert missed == set()


def test_every_function_that_changes_its_arguments_has_a_rule(observed):
    missed = set()
    for path, calls in observed.items():
        rule = RULES.effect(path)
        if any(changed for _, changed, _ in calls) and (rule is None or not rule.mutates):
            missed.add(path)
    assert missed == set()


def test_the_first_argument_changes_only_where_a_rule_names_it(observed):
    missed = set()
    for path, calls in observed.items():
        rule = RULES.effect(path)
        named = set(rule.mutates) - {"out"} if rule else set()
        switches = set(rule.mutates_when) if rule else set()
        for _, changed, given in calls:
            if 0 in changed and (not named or (switches and not given & switches)):
                missed.add((path, tuple(sorted(given))))
    assert missed == set()


def test_most_functions_are_not_taken_for_views():
    plain = {"sin", "add", "sum", "mean", "dot", "where", "concatenate", "stack", "copy", "array"}
    for name in plain:
        rule = RULES.effect(f"numpy.{name}")
        assert rule is None or not rule.view or rule.view_when, name


def test_what_a_ufunc_does_at_places_changes_the_array_whatever_the_ufunc():
    missed = set()
    for name, ufunc in vars(np).items():
        single = isinstance(ufunc, np.ufunc) and ufunc.nout == 1 and ufunc.signature is None
        rule = RULES.effect(f"numpy.{name}.at")
        if single and (rule is None or "a" not in rule.mutates):
            missed.add(name)
    assert missed == set()
