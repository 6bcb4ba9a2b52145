"""Reading facts off a function's code object, cheaply enough for import time."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from types import CodeType, FunctionType
from typing import NamedTuple


class _Opcodes(NamedTuple):
    global_stores: frozenset[int]
    imports: frozenset[int]


OPCODES = _Opcodes(
    frozenset({dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]}),
    frozenset({dis.opmap["IMPORT_NAME"]}),
)


def all_code(code: CodeType) -> Iterator[CodeType]:
    """``code`` and that of every function, lambda, comprehension and class inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from all_code(constant)


def stores_globals(code: CodeType) -> bool:
    """Whether ``code`` assigns to or deletes a global name."""
    return any(OPCODES.global_stores & set(part.co_code[::2]) for part in all_code(code))


def global_names(function: FunctionType) -> set[str]:
    """The names of its module that a function reads."""
    steps = (step for part in all_code(function.__code__) for step in dis.get_instructions(part))
    return {step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def stored_globals(code: CodeType) -> Iterator[str]:
    """The global names that ``code`` assigns to or deletes."""
    for part in all_code(code):
        if OPCODES.global_stores & set(part.co_code[::2]):
            for step in dis.get_instructions(part):
                if step.opcode in OPCODES.global_stores:
                    yield step.argval


@lru_cache(maxsize=1024)
def taken_whole(code: CodeType, place: int) -> bool:
    """Whether what the call at ``place`` of ``code`` gives is asked for ``[()]`` right away."""
    behind = (step for step in dis.get_instructions(code) if step.offset > place)
    index, subscript = (*islice(behind, 2), None, None)[:2]
    return (
        index is not None and index.opname.startswith("LOAD_CONST") and index.argval == ()
        and subscript is not None
        and (subscript.opname == "BINARY_SUBSCR" or subscript.argrepr == "[]")
    )  # fmt: skip
