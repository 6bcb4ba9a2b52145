"""Arrays over memory of others, a mapped file or a buffer: what is stored has to arrive there.

A copy on the device is as good as the memory itself for reading; a store into the copy would be
lost.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Scalar, Unknown, Value
from gpuport.rules.model import EffectRule, HostRule


def in_its_memory(
    unit: Unit,
    node: ast.Call,
    rule: HostRule,
    given: Sequence[tuple[str | None, Value]],
    made: Flow,
) -> Flow:
    """The result of a call on the host, as far as others may see what is stored in it.

    Parameters
    ----------
    unit : Unit
    node : ast.Call
    rule : HostRule
        What is known of the function.
    given : sequence of pairs
        Keyword and value of each argument.
    made : Flow
        The result as it would be if nobody else had its memory.
    """
    private = {
        keyword: value.constant for keyword, value in given
        if keyword is not None and isinstance(value, Scalar)
    }  # fmt: skip
    if not rule.private or any(private.get(k) in words for k, words in rule.private.items()):
        return made
    text = unit.module.segment(node)[:60]
    return Flow(Unknown(f"`{text}`, a file into which no copy on the device writes,"))


def over_buffer(unit: Unit, node: ast.Call, effect: EffectRule | None, made: Flow) -> Flow:
    """The result of a call on the host that may be a view of what it is given."""
    if effect is None or not effect.view or made.origin is None:
        return made
    if not all(isinstance(argument, ast.Call) for argument in node.args[:1]):
        # What a call gives, such as `file.read()`, has no owner.
        unit.memory.foreign.append(made.origin)
    return replace(made, fresh=False)


def as_seen_by_callers(unit: Unit, expression: ast.expr, flow: Flow) -> Value:
    """What callers know of a result: nothing, where a store of theirs has to arrive elsewhere."""
    origin = flow.origin
    if origin is None or all(node.root() is not origin.root() for node in unit.memory.foreign):
        return flow.value
    return Unknown(f"`{unit.module.segment(expression)[:60]}`, which is memory of others,")


__all__ = ["as_seen_by_callers", "in_its_memory", "over_buffer"]
