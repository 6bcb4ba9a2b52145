"""What the bytecode of a kernel's Python says: what it gives back, and how often it stores."""

from __future__ import annotations

import dis
from collections.abc import Collection
from types import CodeType, FunctionType

_STORES = ("STORE_SUBSCR", "STORE_SLICE", "STORE_ATTR", "INPLACE_")
_ENDING = ("KW_NAMES", "PRECALL", "CALL", "POP_TOP", "LOAD_CONST", "RETURN_")
"""What a call with ``out=`` ends in, where it is all that a function does."""


def _steps(function: FunctionType) -> list[dis.Instruction]:
    skipped = ("CACHE", "NOP", "RESUME", "EXTENDED_ARG")
    return [step for step in dis.get_instructions(function) if step.opname not in skipped]


def _loaded(step: dis.Instruction) -> list[str] | None:
    """The local names that an instruction leaves on the stack, the last on top."""
    if step.opname.startswith("LOAD_FAST"):
        return list(step.argval) if isinstance(step.argval, tuple) else [step.argval]
    if step.opname.startswith("STORE_FAST_LOAD_FAST"):
        return [step.argval[1]]
    return None


def results_of(function: FunctionType) -> list[tuple[str, ...] | None]:
    """What each ``return`` gives: names of variables, nothing (``()``), or None for all else."""
    found: list[tuple[str, ...] | None] = []
    steps = _steps(function)
    for at, step in enumerate(steps):
        if step.opname == "RETURN_CONST":
            found.append(() if step.argval is None else None)
        elif step.opname == "RETURN_VALUE":
            found.append(_given(steps[:at]))
    return found


def _given(steps: list[dis.Instruction]) -> tuple[str, ...] | None:
    last = steps[-1]
    if "CONST" in last.opname:
        return () if last.argval is None else None
    wanted, rest = 1, steps
    if last.opname == "BUILD_TUPLE":
        wanted, rest = int(last.arg or 0), steps[:-1]
    names: list[str] = []
    for step in reversed(rest):
        loaded = _loaded(step)
        if loaded is None or len(names) >= wanted:
            break
        names = [*loaded, *names]
        if step.opname.startswith("STORE_FAST"):
            break
    return tuple(names[-wanted:]) if len(names) >= wanted else None


def stores_once(function: FunctionType, written: Collection[str]) -> bool:
    """Whether all is read before the one output is written to, which is done by one statement.

    ``v[...] = a + b``, ``v += a``: what shares memory with `v` may be copied before the launch.
    """
    steps = _steps(function)
    stores = [at for at, step in enumerate(steps) if _is_store(step)]
    if any("JUMP" in step.opname or "FOR_ITER" in step.opname for step in steps):
        return False
    outs = [at for at, step in enumerate(steps) if _is_out(step, function)]
    if len(written) != 1 or len(stores) + len(outs) != 1:
        return False
    if outs:
        return all(step.opname.startswith(_ENDING) for step in steps[outs[0] + 1 :])
    (at,) = stores
    if steps[at].opname == "STORE_SUBSCR":
        return _is_whole(steps[at - 1], steps[at - 2], written)
    return _stores_to(steps[at + 1], written)


def has_loops(function: FunctionType) -> bool:
    """Whether it goes through elements, and is not made of operations on whole arrays."""
    inner = any(isinstance(one, CodeType) for one in function.__code__.co_consts)
    return inner or any(
        "BACKWARD" in one.opname or "FOR_ITER" in one.opname for one in _steps(function)
    )


def _is_store(step: dis.Instruction) -> bool:
    inplace = step.opname == "BINARY_OP" and step.argrepr.endswith("=")
    return inplace or step.opname.startswith(_STORES)


def _is_whole(index: dis.Instruction, target: dis.Instruction, written: Collection[str]) -> bool:
    """Whether ``v[...]`` is stored to."""
    names = _loaded(target) or [""]
    constant = "CONST" in index.opname and index.argval is Ellipsis
    return constant and names[-1] in written


def _stores_to(step: dis.Instruction, written: Collection[str]) -> bool:
    name = step.argval[0] if isinstance(step.argval, tuple) else step.argval
    return step.opname.startswith("STORE_FAST") and name in written


def _is_out(step: dis.Instruction, function: FunctionType) -> bool:
    """Whether an instruction names what a call is given, ``out`` among it."""
    names = step.argval
    if step.opname == "KW_NAMES":  # a place among the constants, which dis does not look up
        names = function.__code__.co_consts[step.arg or 0]
    return isinstance(names, tuple) and "out" in names
