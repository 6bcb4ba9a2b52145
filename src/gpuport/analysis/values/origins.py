"""The parameters that values come from, by the names that a function binds."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from gpuport.analysis.explanation.causes import arguments, bound_from
from gpuport.analysis.functions.uses import ARRAY_ATTRIBUTES
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import why_host
from gpuport.analysis.objects.receivers import receiver_of
from gpuport.rules.libraries import library_of
from gpuport.source.syntax import children, walk


def why_not_followed(unit: Unit, node: ast.expr) -> str | None:
    """Why nothing is known of an attribute that an expression in a method comes from.

    None where it comes from no attribute, or from one of a class that is followed.
    """
    parent, following = unit.scope.parent, unit.project.program.following
    if parent is None or following is None or not isinstance(parent.node, ast.ClassDef):
        return None
    reason = following.opened.get(parent.name)
    attribute = next(_attributes(unit, node), None)
    if reason is None or attribute is None:
        return None
    where = unit.project.program.where(unit.project, reason.node)
    why = reason.message.removeprefix(why_host(""))
    why = f"`{attribute}` is not followed, nor is its class ({reason.code} on {where}): {why}"
    return why if reason.help is None else f"{why}; {reason.help}"


def _attributes(unit: Unit, node: ast.expr) -> Iterator[str]:
    """Attributes of the instance that an expression reads, or the names that it reads came from."""
    receiver = receiver_of(unit.node)
    if receiver is None:
        return
    sources = _sources(unit.node)
    ahead, seen = [node], set[str]()
    while ahead:
        for one in walk(ahead.pop(0)):
            if isinstance(one, ast.Attribute) and getattr(one.value, "id", None) == receiver:
                yield f"{receiver}.{one.attr}"
            elif isinstance(one, ast.Name) and one.id not in seen:
                seen.add(one.id)
                ahead += sources.get(one.id, ())


@lru_cache(maxsize=8)  # asked for one attribute after the other
def _sources(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What the names in a function are bound from."""
    bound = bound_from(function)
    found: dict[str, list[ast.expr]] = {}
    for one in walk(function):
        if isinstance(one, ast.Name) and id(one) in bound:
            found.setdefault(one.id, []).append(bound[id(one)])
    return found


DICT = "dict[str, np.ndarray]"
"""The annotation of a dict of arrays, which a boundary holds its callers to."""
_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.List, ast.Tuple)


def open_parameters(unit: Unit, names: Collection[str]) -> frozenset[str]:
    """Those of some parameters that an annotation can say something of."""
    parameters = arguments(unit.node)
    return frozenset(
        name for name in names
        if name in parameters
        and parameters[name].annotation is None
        and not _is_receiver(unit, name)
        and not _is_variadic(unit, name)
    )  # fmt: skip


def origins(unit: Unit, wanted: Collection[str]) -> dict[str, set[str]]:
    """For each name, the wanted parameters that what it is bound to may come from."""
    found = {name: {name} for name in wanted}
    bindings = _bindings(unit)
    changed = True
    while changed:
        changed = False
        for name, read in bindings:
            before = found.get(name, set())
            after = before.union(*(found.get(n, set()) for n in read))
            if after != before:
                found[name] = after
                changed = True
    return found


def to_be_told(unit: Unit, node: ast.expr) -> str:
    """What would say whether an expression is an array."""
    sources = _of_open_parameters(unit)
    read = list(dict.fromkeys(told_by(node, unit)))
    found = {parameter for name in read for parameter in sources.get(name, ())}
    named = [name for name in arguments(unit.node) if name in found]
    held = _dict_of(unit, node)
    if held is None and len(named) == 1 and is_dict(unit, named[0]):
        held = named[0]
    if held is not None:
        return f"annotate the parameter `{held}` where it is a dict of arrays: `{held}: {DICT}`"
    if len(named) == 1:
        name = named[0]
        return f"annotate the parameter `{name}`: `{name}: np.ndarray`, or the number that it is"
    if named:
        told = ", ".join(f"`{name}`" for name in named)
        return f"annotate the parameters {told}: `np.ndarray`, or the numbers that they are"
    closed = why_not_followed(unit, node)
    if closed is not None:
        return closed
    text = " ".join(unit.module.segment(node).split())[:60]
    return f"give `{text}` to a function whose parameter is annotated: `x: np.ndarray`"


def is_dict(unit: Unit, name: str) -> bool:
    """Whether a parameter is evidently used as a dict."""
    if not isinstance(unit.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    use = unit.project.uses.of(unit.scope, unit.node).found.get(name)
    return use is not None and use.mapping and not use.array


def _dict_of(unit: Unit, node: ast.expr) -> str | None:
    """The parameter that is a dict, of which an expression is a value: ``params["x"]``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    name = node.value.id
    never_bound = unit.scope.bound.get(name, 0) <= 1
    opened = never_bound and name in open_parameters(unit, (name,))
    return name if opened and is_dict(unit, name) else None


@lru_cache(maxsize=1)
def _of_open_parameters(unit: Unit) -> dict[str, set[str]]:
    wanted = open_parameters(unit, unit.parameters.unknown | unit.parameters.assumed)
    return origins(unit, wanted) if wanted else {}


def told_by(node: ast.AST, unit: Unit) -> Iterator[str]:
    """Names of which an annotation would tell what an expression is.

    What an attribute, a key or a function that is not NumPy's gives would stay as unknown.
    """
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Call):
        path = unit.scope.resolve(node.func)
        if path is not None and library_of(path) is not None:
            yield from given(node, unit)
        elif path is None and isinstance(node.func, ast.Attribute):
            yield from told_by(node.func, unit)
    elif isinstance(node, ast.Attribute):
        if node.attr in ARRAY_ATTRIBUTES:
            yield from told_by(node.value, unit)
    elif isinstance(node, _OPERATORS):
        for child in children(node):
            yield from told_by(child, unit)
    elif isinstance(node, ast.Subscript):
        key = node.slice
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            yield from told_by(node.value, unit)


def given(call: ast.Call, unit: Unit) -> Iterator[str]:
    """Names of which an annotation would tell what the arguments of a call are."""
    for part in (*call.args, *(k.value for k in call.keywords)):
        yield from told_by(part, unit)


@lru_cache(maxsize=1)
def _bindings(unit: Unit) -> list[tuple[str, frozenset[str]]]:
    """The names that a function binds, each with those that tell what it becomes."""
    bound = bound_from(unit.node)
    return [
        (node.id, frozenset(told_by(bound[id(node)], unit)))
        for node in walk(unit.node)
        if isinstance(node, ast.Name) and id(node) in bound
    ]


def _is_receiver(unit: Unit, name: str) -> bool:
    method = unit.scope.parent is not None and isinstance(unit.scope.parent.node, ast.ClassDef)
    return method and name in ("self", "cls")


def _is_variadic(unit: Unit, name: str) -> bool:
    """Whether a parameter gathers others: no annotation says what each of them is."""
    args = getattr(unit.node, "args", None)
    extra = (args.vararg, args.kwarg) if isinstance(args, ast.arguments) else ()
    return any(a is not None and a.arg == name for a in extra)


__all__ = ["DICT", "given", "is_dict", "open_parameters", "origins", "to_be_told", "told_by"]
