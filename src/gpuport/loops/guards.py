"""Sets of parameters as Python conditions over the names that are bound before the launch."""

from __future__ import annotations

from typing import Any

from .affine import Symbols

_SIGNS = {
    "eq": "==",
    "le": "<=",
    "lt": "<",
    "ge": ">=",
    "gt": ">",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "//",
    "fdiv_q": "//",
    "pdiv_q": "//",
    "pdiv_r": "%",
    "zdiv_r": "%",
}
_LONGEST = 240


def python_condition(parameters: Any, symbols: Symbols, context: Any) -> str | None:
    """A condition that is true exactly for the parameters in a set.

    Parameters
    ----------
    parameters : islpy.Set
        Without dimensions.
    symbols : Symbols
    context : islpy.Set
        What holds anyway.

    Returns
    -------
    str or None
        None where it would be too long to be read.
    """
    import islpy

    simple = parameters.coalesce().gist(context).coalesce()
    if simple.plain_is_universe() or context.is_subset(parameters):
        return "True"
    if simple.is_empty():
        return "False"
    build = islpy.AstBuild.from_context(context)
    text = _python(build.expr_from_set(simple), symbols)
    return None if text is None or len(text) > _LONGEST else text


def _python(node: Any, symbols: Symbols, inner: bool = False) -> str | None:
    kind = str(node.get_type()).rpartition(".")[2]
    if kind == "id":
        name = symbols.texts[node.get_id().get_name()]
        return f"({name})" if inner and " " in name else name
    if kind == "int":
        return str(node.get_val().to_python())
    return _operation(node, symbols, inner)


def _operation(node: Any, symbols: Symbols, inner: bool) -> str | None:
    name = str(node.get_op_type()).rpartition(".")[2]
    count = node.get_op_n_arg()
    parts = [_python(node.get_op_arg(k), symbols, True) for k in range(count)]
    if None in parts:
        return None
    items = [part for part in parts if part is not None]
    if name in ("and_", "and_then"):
        text = " and ".join(items)
    elif name in ("or_", "or_else"):
        text = " or ".join(items)
    elif name == "minus":
        text = f"-{items[0]}"
    elif name in ("min", "max"):
        return f"{name}({', '.join(items)})"
    elif name in ("cond", "select"):
        text = f"{items[1]} if {items[0]} else {items[2]}"
    elif name in _SIGNS:
        text = f" {_SIGNS[name]} ".join(items)
    else:
        return None
    return f"({text})" if inner else text
