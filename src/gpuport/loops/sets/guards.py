"""Sets of parameters as Python conditions over the names that are bound before the launch."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpuport.loops.sets.affine import Symbols

if TYPE_CHECKING:
    from gpuport.loops.sets.relations import Relations
    from gpuport.loops.sets.wholes import Wholes

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


def python_condition(
    parameters: Any, symbols: Symbols, context: Any, when: Any | None = None
) -> str | None:
    """A condition that is true for parameters in a set alone.

    Parameters
    ----------
    parameters : islpy.Set
        Without dimensions.
    symbols : Symbols
    context : islpy.Set
        What holds anyway.
    when : islpy.Set, optional
        Parameters that matter: others (an empty loop) may be turned away if that is shorter.

    Returns
    -------
    str or None
        None where it would be too long to be read. ``"True"`` and ``"False"`` where it is decided.
    """
    import islpy

    if context.is_subset(parameters):
        return "True"
    simple = parameters.gist(context).coalesce()
    if when is not None:
        narrow = parameters.coalesce().gist(context.intersect(when)).coalesce()
        if context.intersect(narrow).is_subset(parameters):
            simple = narrow
    if context.intersect(simple).is_empty():
        return "False"
    build = islpy.AstBuild.from_context(context)
    text = _python(build.expr_from_set(simple), symbols)
    return None if text is None or len(text[0]) > _LONGEST else text[0]


def python_value(function: Any, symbols: Symbols, context: Any) -> str | None:
    """A whole number that depends on the parameters, where it is defined; None if too long."""
    import islpy

    build = islpy.AstBuild.from_context(context)
    text = _python(build.expr_from_pw_aff(function.coalesce()), symbols)
    return None if text is None or len(text[0]) > _LONGEST else _inside(text, _SUM)


def without_implied(guards: Sequence[str], relations: Relations, wholes: Wholes) -> list[str]:
    """The guards that others of them do not imply, the longest left out first.

    ``a and b`` counts as two.
    """
    import islpy

    guards = list(dict.fromkeys(part for text in guards for part in conjuncts(text)))

    try:
        sets = {text: known for text in guards if (known := _set_of(text, relations, wholes))}
        left = dict(sets)
        for text in sorted(sets, key=len, reverse=True):
            others = relations.holding()
            for other, known in left.items():
                others = others if other == text else others.intersect(known)
            if others.is_subset(left[text]):
                del left[text]
    except islpy.Error:
        return list(guards)  # it would take longer than it is worth
    return [text for text in guards if text not in sets or text in left]


def contradictory(guards: Sequence[str], relations: Relations, wholes: Wholes) -> bool:
    """Whether no parameters make all of these guards true."""
    import islpy

    try:
        left = relations.holding()
        for text in {part for guard in guards for part in conjuncts(guard)}:
            known = _set_of(text, relations, wholes)
            left = left if known is None else left.intersect(known)
        return bool(left.is_empty())
    except islpy.Error:
        return False  # it would take longer than it is worth


def conjuncts(text: str) -> list[str]:
    """The parts of ``a and b``; any other text is its own."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [ast.unparse(value) for value in node.values]
    return [text]


def operand(text: str) -> str:
    """A condition as an operand of ``and``."""
    loose = isinstance(ast.parse(text, mode="eval").body, ast.BoolOp | ast.IfExp)
    return f"({text})" if loose and len(conjuncts(text)) == 1 else text


def _set_of(text: str, relations: Relations, wholes: Wholes) -> Any | None:
    """The parameters for which a guard is true; None where it is not about whole numbers alone."""
    if "%" in text:
        return None  # of these, only the range is followed
    condition = wholes.condition(ast.parse(text, mode="eval").body)
    if condition is None or not condition.exact:
        return None
    sides = ", ".join(name for name, _ in condition.sides)
    body = " and ".join(f"({one})" for one in (*(c for _, c in condition.sides), condition.text))
    head = relations.symbols.head()
    return relations.isl.Set(f"{head}{{ : {f'exists {sides}: {body}' if sides else body} }}")


_OR, _AND, _COMPARED, _SUM, _PRODUCT, _ATOM = range(6)
_BINDING = {
    "or_": _OR,
    "or_else": _OR,
    "and_": _AND,
    "and_then": _AND,
    "eq": _COMPARED,
    "le": _COMPARED,
    "lt": _COMPARED,
    "ge": _COMPARED,
    "gt": _COMPARED,
    "add": _SUM,
    "sub": _SUM,
    "mul": _PRODUCT,
    "div": _PRODUCT,
    "fdiv_q": _PRODUCT,
    "pdiv_q": _PRODUCT,
    "pdiv_r": _PRODUCT,
    "zdiv_r": _PRODUCT,
}


def _python(node: Any, symbols: Symbols) -> tuple[str, int] | None:
    """Python's text with how tightly its outermost operator binds."""
    kind = str(node.get_type()).rpartition(".")[2]
    if kind == "id":
        name = symbols.texts[node.get_id().get_name()]
        return name, _ATOM if " " not in name or name.endswith(")") else _OR
    if kind == "int":
        value = node.get_val().to_python()
        return str(value), _ATOM if value >= 0 else _PRODUCT
    name = str(node.get_op_type()).rpartition(".")[2]
    parts = [_python(node.get_op_arg(k), symbols) for k in range(node.get_op_n_arg())]
    items = [part for part in parts if part is not None]
    if len(items) < len(parts):
        return None
    return _operation(name, items)


def _operation(name: str, items: list[tuple[str, int]]) -> tuple[str, int] | None:
    if name in ("min", "max"):
        return f"{name}({', '.join(text for text, _ in items)})", _ATOM
    if name == "minus":
        return f"-{_inside(items[0], _ATOM)}", _PRODUCT
    if name in ("cond", "select"):
        test, yes, no = (_inside(item, _ATOM) for item in items)
        return f"{yes} if {test} else {no}", _OR
    binding = _BINDING.get(name)
    if binding is None:
        return None
    sign = {_OR: "or", _AND: "and"}.get(binding) or _SIGNS[name]
    # Only sums, "and" and "or" may hold their own kind on the left without parentheses.
    left = binding if binding in (_OR, _AND, _SUM) else binding + 1
    right = binding if binding in (_OR, _AND) else binding + 1
    first, *rest = items
    texts = [_inside(first, left), *(_inside(item, right) for item in rest)]
    return f" {sign} ".join(texts), binding


def _inside(item: tuple[str, int], binding: int) -> str:
    return item[0] if item[1] >= binding else f"({item[0]})"
