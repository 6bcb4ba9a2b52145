"""Code that is watched for floating-point errors or warnings: the device tells of none."""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.canonicalise.blocked import Blocked
from gpuport.facts.contexts import Context
from gpuport.ir.structure import Function, Op


def check_silence(contexts: Iterable[Context], op: Op) -> None:
    """Refuse an operation that something is told of while it runs.

    Raises
    ------
    Blocked
        Where errors or warnings are asked for, here or where the function is called.
    """
    for context in contexts:
        path = context.listened or _around(context, op)
        if path:
            reason = f"`{path}` asks to be told of errors or warnings, of which the device has none"
            raise Blocked(reason, op.span)


def _around(context: Context, op: Op) -> str:
    owner = op.parent.owner
    while not isinstance(owner, Function):
        if owner in context.listening_blocks:
            return context.listening_blocks[owner]
        owner = owner.parent.owner
    return ""
