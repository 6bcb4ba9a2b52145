"""Which calls do no more than give a value: a positive list."""

from __future__ import annotations

from gpuport.canonicalise.arithmetic import arguments_of, callee_path, is_elementwise
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.writer import Writer
from gpuport.facts.knowledge import is_of
from gpuport.ir.structure import Op


def only_computes(writer: Writer, op: Op) -> bool:
    """Whether a call is known to do no more than give a value."""
    path, rules = callee_path(writer, op), element_rules()
    if not path or "out" in op.attributes["keywords"] or any(op.attributes["stars"]):
        return False
    arguments = arguments_of(op, path)
    kinds = {writer.type(value).kind for value in arguments}
    if "record" in kinds or (is_of(path, ("builtins",)) and "unknown" in kinds):
        return False  # it may call a method of the program's
    if path in rules.reductions or path in rules.products:
        return len(arguments) <= 2 + len(op.attributes["keywords"])  # the next one is `out`
    if path in rules.filled or path in rules.same:
        return True
    if path in rules.numbers or path == "builtins.len":
        return True
    return is_of(path, rules.number_modules) or is_elementwise(path, len(arguments))
