"""Sets of parameters as Python conditions over the names that are bound before the launch."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpuport.loops.sets.affine import Symbols
from gpuport.parallel.conditions import condition_text, conjuncts, number_text

if TYPE_CHECKING:
    from gpuport.loops.sets.relations import Relations
    from gpuport.loops.sets.wholes import Wholes

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
    return _short(condition_text(build.expr_from_set(simple), symbols.texts))


def python_value(function: Any, symbols: Symbols, context: Any) -> str | None:
    """A whole number that depends on the parameters, where it is defined; None if too long."""
    import islpy

    build = islpy.AstBuild.from_context(context)
    return _short(number_text(build.expr_from_pw_aff(function.coalesce()), symbols.texts))


def _short(text: str | None) -> str | None:
    return None if text is None or len(text) > _LONGEST else text


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
