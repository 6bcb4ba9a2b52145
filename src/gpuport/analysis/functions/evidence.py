"""What the parameters of a function are: from annotations, call sites, defaults and use."""

from __future__ import annotations

import ast
from dataclasses import replace
from enum import Enum

from gpuport.analysis.functions.annotations import annotation_of
from gpuport.analysis.functions.uses import Use, Uses
from gpuport.analysis.objects.claims import literal
from gpuport.analysis.values.lattice import (
    EMPTY,
    UNKNOWN,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    record,
)
from gpuport.source.annotations import annotation
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.parameters import default_values

MASKED_ARRAY = "numpy.ma.MaskedArray"

ASSUMED = Scalar("assumed")
"""A parameter that is only ever an operand: no array as far as anything tells."""


def parameter_values(
    scope: Scope, node: FunctionNode, call_sites: dict[str, Value], uses: Uses
) -> dict[str, Value]:
    """What is taken to be known of each parameter when the body is entered.

    Parameters
    ----------
    scope : Scope
    node : FunctionDef or AsyncFunctionDef
    call_sites : dict
        Join of the arguments of all calls seen in the module, by parameter.
    uses : Uses
        What the body does with each parameter.
    """
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    defaults = default_values(arguments)
    method = scope.parent is not None and isinstance(scope.parent.node, ast.ClassDef)
    values: dict[str, Value] = {}
    for position, argument in enumerate(every):
        if method and position == 0 and argument.arg in ("self", "cls"):
            values[argument.arg] = Unknown("`self`")
            continue
        use = uses.found.get(argument.arg, Use())
        value, _ = judge(argument, defaults.get(argument.arg), call_sites.get(argument.arg), use)
        if isinstance(value, Array) and value.rank is None and use.matrix:
            value = replace(value, matrices=frozenset((argument.arg,)))
        values[argument.arg] = value
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            values[extra.arg] = Unknown(f"`*{extra.arg}`")
    return values


def told_parameters(node: FunctionNode, call_sites: dict[str, Value], uses: Uses) -> frozenset[str]:
    """Parameters of which more than their use tells what they are: an annotation, or calls."""
    arguments = node.args
    defaults = default_values(arguments)
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    told = (Ground.ANNOTATION, Ground.CALL_SITE)
    return frozenset(
        a.arg for a in every
        if judge(
            a, defaults.get(a.arg), call_sites.get(a.arg), uses.found.get(a.arg, Use())
        )[1] in told
    )  # fmt: skip


class Ground(Enum):
    """What decided about a parameter."""

    ANNOTATION = "annotation"
    CALL_SITE = "call-site"
    DEFAULT = "default"
    USE = "use"
    NOTHING = "nothing"


EVIDENT = (Ground.ANNOTATION, Ground.USE)
"""Grounds on which a function says of itself what it takes."""


def judge(
    argument: ast.arg, default: ast.expr | None, seen: Value | None, use: Use
) -> tuple[Value, Ground]:
    """What is taken to be known of a parameter, and on what ground."""
    name = argument.arg
    optional = isinstance(default, ast.Constant) and default.value is None
    annotated = annotation_of(name, annotation(argument), optional)
    if annotated is not None:
        return annotated, Ground.ANNOTATION
    if use.masked and not optional:
        return Instance(MASKED_ARRAY), Ground.USE  # perhaps: what is computed with it may be one
    if seen is not None and not (use.tested and isinstance(seen, (Either, Number))):
        value = _from_call_sites(name, seen, use, optional)
        if value is not None:
            return value, Ground.CALL_SITE
    if isinstance(default, ast.Constant) and isinstance(
        default.value, (bool, int, float, complex, str)
    ):
        return perhaps_several(Scalar(type(default.value).__name__), use), Ground.DEFAULT
    if isinstance(default, (ast.UnaryOp, ast.BinOp)):
        number = literal(default)
        if isinstance(number, Scalar):
            return perhaps_several(number, use), Ground.DEFAULT
    if not (use.array or use.matrix or use.passed):
        items = _numbers_in(default)
        if items is not None:
            return items, Ground.DEFAULT
    return _by_use(name, use, optional)


def perhaps_several(value: Value, use: Use) -> Value:
    """An integer, or several, that are used as an axis or a shape alone: others may give either."""
    if not use.several or use.number:
        return value
    whole = isinstance(value, Scalar) and value.type == "int"
    listed = isinstance(value, (Sequence, Tuple)) and not (use.item or use.sized or use.other)
    return Scalar() if whole or listed else value


def _numbers_in(default: ast.expr | None) -> Value | None:
    """A default that is a tuple of numbers, ``origin=(0.0, 0.0)``: calls may give more or fewer."""
    if not isinstance(default, ast.Tuple) or not default.elts:
        return None
    numbers = [e.operand if isinstance(e, ast.UnaryOp) else e for e in default.elts]
    kinds = {type(n.value).__name__ for n in numbers if isinstance(n, ast.Constant)}
    if not all(isinstance(n, ast.Constant) for n in numbers) or not kinds <= {"int", "float"}:
        return None
    return Sequence(Scalar("int" if kinds == {"int"} else "float"), list=False)


def _by_use(name: str, use: Use, optional: bool) -> tuple[Value, Ground]:
    source = frozenset((name,))
    if use.number and (use.array or use.matrix):
        return Unknown(f"`{name}`"), Ground.NOTHING  # one of them is said of what it is rebound to
    if use.number:
        return Scalar("int"), Ground.USE
    if use.several or use.dtype:
        return Scalar(), Ground.USE
    if use.mapping:
        return Unknown(f"`{name}`"), Ground.NOTHING
    if use.array or use.matrix or use.element or (use.sized and (use.operand or use.passed)):
        return Array(sources=source, optional=optional), Ground.USE
    if use.passed and use.tested:
        return ASSUMED, Ground.USE
    if use.passed:
        return Either(sources=source, optional=optional, python=True), Ground.USE
    if use.operand and not use.other:
        # Nothing says array: taken for a number, which a boundary checks at run time.
        return ASSUMED, Ground.USE
    if optional and not use.operand:
        return Scalar(), Ground.DEFAULT
    return Unknown(f"`{name}`"), Ground.NOTHING


def _from_call_sites(name: str, seen: Value, use: Use, optional: bool) -> Value | None:
    """Call sites are likely, not certain: arrays are relied on by naming the parameter."""
    source = frozenset((name,))
    if isinstance(seen, Array):
        return Array(None, None, source, seen.optional or optional)
    if isinstance(seen, Either):
        return Either(None, source, seen.optional or optional, python=True, seen=True)
    if isinstance(seen, Number):
        return Either(None, source, optional, python=True)
    if isinstance(seen, Scalar):
        if use.array:
            return None
        return Scalar(seen.type)
    if isinstance(seen, Instance):
        return seen
    if isinstance(seen, (Sequence, Mapping, Tuple)):
        held = _container(seen, source)
        if isinstance(held, (Sequence, Mapping, Tuple)) and (seen.optional or optional):
            return replace(held, optional=True)
        return held
    return None


def _container(seen: Value, source: frozenset[str]) -> Value:
    if isinstance(seen, Array):
        return Array(None, None, source)
    if isinstance(seen, (Either, Number)):
        return Either(None, source)
    if isinstance(seen, Sequence):
        return Sequence(_container(seen.of, source), seen.list) if seen.of != EMPTY else UNKNOWN
    if isinstance(seen, Mapping):
        if seen.fields:
            held = {key: _container(one, source) for key, one in seen.fields}
            return record({
                key: Scalar(one.type) if isinstance(one, Scalar) else one
                for key, one in held.items()
            })  # fmt: skip
        return Mapping(_container(seen.of, source)) if seen.of != EMPTY else UNKNOWN
    if isinstance(seen, Tuple):
        return Tuple(tuple(_container(v, source) for v in seen.items))
    return seen
