"""Texts that a parameter may be, where the function itself compares it with none of them.

They are keys of a table of the module, items of a list of known names, or what a function of the
file asks that the parameter is passed on to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.verify.sides.syntax import compared_texts, is_name, plain_text
from gpuport.verify.signatures.parameters import Function, Parameter
from gpuport.verify.slots import ANY_TEXT, OPEN, Slot

_DEEPEST = 3  # functions that a text is handed on to
_MOST = 12  # texts
_HOLDING = ("set", "frozenset", "tuple", "list", "dict", "MappingProxyType", "OrderedDict")
_LOOKING_UP = ("get", "pop", "index", "__contains__")


def with_known_texts(
    node: Function, parameters: tuple[Parameter, ...], tree: ast.Module
) -> tuple[Parameter, ...]:
    """The parameters, with the texts first that are known of each.

    Parameters
    ----------
    node : ast.FunctionDef or ast.AsyncFunctionDef
    parameters : tuple of Parameter
    tree : ast.Module
        The module of the function.
    """
    return tuple(_with(p, known_texts(p.name, node, tree)) for p in parameters)


def known_texts(name: str, node: Function, tree: ast.Module, depth: int = _DEEPEST) -> list[str]:
    """Texts that a name of a function is looked up among, there or where it is passed on to."""
    found = dict.fromkeys(_looked_up(name, node, tree))
    if depth:
        for callee, parameter in _passed(name, node, tree):
            found |= dict.fromkeys(compared_texts(parameter, callee))
            found |= dict.fromkeys(known_texts(parameter, callee, tree, depth - 1))
    return list(found)[:_MOST]


def _with(parameter: Parameter, texts: list[str]) -> Parameter:
    if not texts or (parameter.source == "annotated" and not _is_text(parameter)):
        return parameter
    known = [c for s in parameter.candidates if s.kind == "choice" for c in s.choices]
    known = [c for c in known if c != ANY_TEXT]
    if set(texts) <= set(known):
        return parameter
    first = next(iter(parameter.candidates), Slot(parameter.name, "choice"))
    choices = tuple(dict.fromkeys((*known, *texts)))
    traits = (OPEN,) if all(isinstance(c, str) for c in choices) else ()
    one = Slot(
        parameter.name, "choice", choices=choices, traits=traits, omit=first.omit,
        nullable=first.nullable, keyword=first.keyword,
    )  # fmt: skip
    others = (s for s in parameter.candidates if s.kind != "choice")
    return replace(parameter, candidates=(one, *others))


def _is_text(parameter: Parameter) -> bool:
    return any(slot.kind in ("choice", "str") for slot in parameter.candidates)


def _looked_up(name: str, node: Function, tree: ast.Module) -> Iterator[str]:
    """``TABLE[name]``, ``TABLE.get(name)``, ``name in KNOWN``."""
    for part in ast.walk(node):
        holder: ast.expr | None = None
        if isinstance(part, ast.Subscript) and is_name(plain_text(part.slice), name):
            holder = part.value
        elif isinstance(part, ast.Compare) and is_name(plain_text(part.left), name):
            inside = isinstance(part.ops[0], ast.In | ast.NotIn)
            holder = part.comparators[0] if inside else None
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            asked = part.func.attr in _LOOKING_UP and bool(part.args)
            given = plain_text(part.args[0]) if asked else None
            holder = part.func.value if given is not None and is_name(given, name) else None
        if isinstance(holder, ast.Name):
            yield from _held(holder.id, node, tree)


def _held(name: str, *scopes: ast.AST) -> Iterator[str]:
    """The texts in the container that a name is bound to."""
    for scope in scopes:
        for part in ast.walk(scope) if isinstance(scope, Function) else getattr(scope, "body", ()):
            target = part.targets[0] if isinstance(part, ast.Assign) else None
            if isinstance(part, ast.AnnAssign):
                target = part.target
            value = getattr(part, "value", None)
            if target is not None and is_name(target, name) and isinstance(value, ast.expr):
                yield from _texts(value)
                yield from _set_later(name, scope)
                return


def _set_later(name: str, scope: ast.AST) -> Iterator[str]:
    """Keys that a table gets after it was bound: ``TABLE["key"] = value``."""
    for part in ast.walk(scope):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            key = part.slice.value if isinstance(part.slice, ast.Constant) else None
            if is_name(part.value, name) and isinstance(key, str):
                yield key


def _texts(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.Call):
        if ast.unparse(value.func).rpartition(".")[2] in _HOLDING:
            yield from (k.arg for k in value.keywords if k.arg is not None)
            yield from (text for part in value.args[:1] for text in _texts(part))
        return
    parts = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", ())
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def _passed(name: str, node: Function, tree: ast.Module) -> Iterator[tuple[Function, str]]:
    """Functions of the file that the name is given to as it is, with their parameter."""
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef) and n is not node}
    for part in ast.walk(node):
        if not isinstance(part, ast.Call) or not isinstance(part.func, ast.Name):
            continue
        callee = functions.get(part.func.id)
        if callee is None:
            continue
        names = [a.arg for a in (*callee.args.posonlyargs, *callee.args.args)]
        for parameter, given in zip(names, part.args, strict=False):
            if is_name(given, name):
                yield callee, parameter
        for keyword in part.keywords:
            if keyword.arg is not None and is_name(keyword.value, name):
                yield callee, keyword.arg


__all__ = ["known_texts", "with_known_texts"]
