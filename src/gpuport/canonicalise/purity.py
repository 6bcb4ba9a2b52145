"""Which operations only give a value, and run no code of the program's: positive lists."""

from __future__ import annotations

from gpuport.canonicalise.arithmetic import arguments_of, callee_path, is_elementwise
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.writer import Writer
from gpuport.facts.knowledge import is_of
from gpuport.ir.structure import Op, Value
from gpuport.ir.types import NUMBERS

#: Operations that call methods of their operands, and those that call none but of the first.
ASKS_ALL = frozenset({"Unary", "Binary", "InPlace", "Compare", "Format", "Set", "Dict", "If"})
ASKS_FIRST = frozenset({"GetItem", "SetItem", "DelItem", "Unpack", "GetAttr", "SetAttr", "DelAttr"})
#: Kinds whose methods are none of the program's; and containers, which may hold what has such.
SILENT = NUMBERS | {"array", "string", "none", "slice", "ellipsis"}
HOLDERS = SILENT | {"tuple", "list", "dict", "library", "module"}


def is_silent(writer: Writer, op: Op) -> bool:
    """Whether an operation runs no code of the program's, which may change anything."""
    if op.kind == "Call":
        return only_computes(writer, op)
    kinds = [writer.type(value).kind for value in op.operands]
    if op.kind in ASKS_ALL:
        return SILENT.issuperset(kinds) or op.attributes.get("operator") in ("is", "is not")
    if op.kind == "GetAttr" and kinds == ["record"]:
        runs = any(context.calls.get(op) for context in writer.contexts)  # a property
        return not runs and writer.type(op.result).kind != "unknown"
    if op.kind == "SetAttr" and kinds[0] == "array":
        return False  # it may get another shape
    if op.kind == "For":
        return _is_iterate(op.operands[0])
    if op.kind == "Iterate":
        held = [v for v in op.operands if not _is_iterate(v)]
        return op.attributes["form"] != "map" and all(writer.type(v).kind in HOLDERS for v in held)
    return op.kind not in ASKS_FIRST or kinds[0] in HOLDERS


def _is_iterate(value: Value) -> bool:
    return isinstance(value.definition, Op) and value.definition.kind == "Iterate"


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
    if path in rules.computed or path in rules.numbers or path == "builtins.len":
        return True
    return is_of(path, rules.number_modules) or is_elementwise(path, len(arguments))
