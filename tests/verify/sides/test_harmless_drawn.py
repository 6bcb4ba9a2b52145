"""Drawn nodes: whatever is judged to be data calls nothing when it is made."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gpuport.recording.describe import describe
from gpuport.recording.grammar import FormError, check
from gpuport.verify.inputs.described import slot_of
from gpuport.verify.inputs.drawing import build
from gpuport.verify.sides.sides import Side
from gpuport.verify.slots import Trial

Needs = Callable[..., list[str]]


def pickled(call: str, *arguments: Any, state: Any = None, items: Any = (), pairs: Any = ()) -> Any:
    form = {"call": call, "arguments": list(arguments), "state": state or {"none": True}}
    return {"reduced": {**form, "items": list(items), "pairs": list(pairs)}}


PLACES = st.sampled_from(
    [
        *(f"own_model:{name}" for name in (
            "hit", "Plain", "system", "os.system", "Built", "Ended", "Meta", "Stateful", "Frozen",
            "State", "Slotted", "Filled", "Keyed", "Odd", "Asked", "Hidden",
        )),
        "os:system", "builtins:exec", "builtins:eval", "numpy:load", "numpy:sin", "own_other:f",
        "copyreg:__newobj__", "copyreg:__newobj_ex__", "copyreg:_reconstructor", "this:c",
        "functools:partial", "collections:defaultdict", "collections:deque", "builtins:slice",
    ]
)  # fmt: skip
NAMES = st.sampled_from(["low", "high", "gain", "__class__", "__dict__", "computed", "double"])
LEAVES = st.one_of(
    st.builds(lambda: {"none": True}), st.builds(lambda n: {"int": n}, st.integers(-3, 3)),
    st.builds(lambda p: {"callable": p}, PLACES), st.builds(lambda p: {"member": p}, PLACES),
    st.builds(lambda t: {"text": t}, st.sampled_from(["touch hit", "gain", "1"])),
    st.builds(lambda: describe(np.ones((2, 2)), ())), st.builds(lambda: {"ref": 0}),
)  # fmt: skip


SLOTS = st.lists(st.tuples(NAMES, LEAVES).map(list), max_size=2)
STATES = st.one_of(
    st.just({"none": True}), st.builds(lambda pairs: {"dict": pairs}, SLOTS),
    st.builds(lambda pairs: {"tuple": [{"none": True}, {"dict": pairs}]}, SLOTS),
)  # fmt: skip


FILLED = st.builds(
    lambda name, state, items, pairs: pickled(
        "copyreg:__newobj__", {"callable": f"own_model:{name}"},
        state=state, items=items, pairs=pairs,
    ),
    st.sampled_from(["Plain", "Stateful", "Filled", "Keyed", "Frozen", "Slotted", "Built"]),
    STATES, st.lists(st.just({"int": 1}), max_size=1), SLOTS,
)  # fmt: skip


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several, named = st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=2)
    pairs = st.lists(st.tuples(NAMES, inner).map(list), max_size=2)
    return st.one_of(
        st.builds(lambda k, v: {k: v}, st.sampled_from(["list", "tuple", "set"]), several),
        st.builds(lambda v: {"dict": v}, pairs),
        st.builds(lambda c, a: {"object": {"class": c, "attributes": a, "id": 0}}, PLACES, named),
        st.builds(lambda c, a: {"made": {"call": c, "arguments": a}}, PLACES, named),
        st.builds(
            lambda c, a, s, i, p: {
                "reduced": {"call": c, "arguments": a, "state": s, "items": i, "pairs": p}
            },
            PLACES, several, inner, several, pairs,
        ),
        st.builds(lambda o, n: {"bound": {"of": o, "name": n}}, inner, NAMES),
        st.builds(
            lambda c, d: {"inner": {"place": "own_model:outer.<locals>.inner", "cells": c,
                                    "defaults": d}}, pairs, inner,
        ),
    )  # fmt: skip


FORBIDDEN = {"os.system", "subprocess.Popen", "exec", "os.posix_spawn", "os.fork", "os.exec"}
_WATCHED: list[str] | None = None


def _watch(event: str, _: Any) -> None:
    if _WATCHED is not None and event in FORBIDDEN:
        _WATCHED.append(event)


@settings(
    max_examples=150, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@example(pickled("copyreg:__newobj__", {"callable": "own_model:Frozen"}, state={"list": []}))
@given(st.recursive(LEAVES, composed, max_leaves=12) | FILLED)
def test_what_is_judged_to_be_data_calls_nothing_when_it_is_made(
    needs: Needs, own_side: Side, node: Any
) -> None:
    global _WATCHED
    try:
        check(node, "x")
    except FormError:
        return
    if needs(node):
        return
    base: dict[str, int] = {}
    slot = slot_of("x", node, base)
    if slot is None:
        return
    module: Any = own_side.module
    trial, _WATCHED = Trial((slot,), sizes=base, family="recorded"), []
    try:
        with own_side.entered():
            build((slot,), trial, resolve=own_side.resolve)
    except Exception:
        pass  # no value of this kind: the original is not called
    finally:
        seen, _WATCHED = _WATCHED, None
    # compiling the text of a function that another one made runs nothing of it
    assert [event for event in seen if event != "exec"] == []
    assert module.HITS == []


sys.addaudithook(_watch)
