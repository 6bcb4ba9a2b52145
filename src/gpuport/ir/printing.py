"""IR as text, for people and for tests."""

from __future__ import annotations

from gpuport.ir.structure import Function, Op, Region, Value


def render(function: Function) -> str:
    """The function as text: one operation a line, regions indented below their operation."""
    lines = [f"function {function.qualname}({_names(function.parameters)})"]
    _region(function.body, 1, lines)
    return "\n".join(lines)


def _region(region: Region, depth: int, lines: list[str]) -> None:
    pad = "  " * depth
    for op in region.ops:
        lines.append(pad + _op(op))
        for inner in op.regions:
            lines.append(f"{pad}  region({_names(inner.parameters)}):")
            _region(inner, depth + 2, lines)


def _op(op: Op) -> str:
    head = f"{_names(op.results)} = " if op.results else ""
    said = ", ".join(
        f"{name}={getattr(value, 'qualname', value)!r}"
        for name, value in op.attributes.items()
        if value not in (None, (), {}, False)
    )
    place = f"  # line {op.span.line}" if op.regions else ""
    return f"{head}{op.kind}({_names(op.operands)})" + (f" [{said}]" if said else "") + place


def _names(values: list[Value]) -> str:
    return ", ".join(map(repr, values))
