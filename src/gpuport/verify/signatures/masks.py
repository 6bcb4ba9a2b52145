"""Which parameters may hold booleans, which lists, and which iterators.

Booleans where nothing is calculated with them: their arithmetic is another one (``x + x`` is no
``2 * x``), and who writes ``x ** 2`` means numbers. What is counted, joined, chosen from, shifted
or put in order may be a mask.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gpuport.source.annotations import annotation

Function = ast.FunctionDef | ast.AsyncFunctionDef
_SAME_ARRAY = frozenset(
    ["array", "asarray", "asanyarray", "ascontiguousarray", "atleast_1d", "atleast_2d", "copy",
     "ravel", "reshape", "flatten", "squeeze", "transpose", "flip", "roll", "sort"]
)  # fmt: skip
_MAKING = frozenset(["array", "asarray", "asanyarray", "asfarray", "ascontiguousarray",
                     "atleast_1d", "atleast_2d"])  # fmt: skip
_OF_MASKS = _SAME_ARRAY | frozenset(
    ["sum", "mean", "any", "all", "count_nonzero", "nonzero", "flatnonzero", "argwhere", "where",
     "max", "min", "amax", "amin", "argmax", "argmin", "cumsum", "logical_and", "logical_or",
     "logical_not", "logical_xor", "invert", "concatenate", "stack", "hstack", "vstack", "append",
     "isin", "unique", "argsort", "searchsorted", "take", "compress", "extract", "repeat", "tile",
     "pad", "split", "array_split", "astype", "tolist", "len", "range", "enumerate", "zip", "bool",
     "isnan", "shape", "size", "ndim", "zeros_like", "ones_like", "empty_like", "full_like",
     "place", "putmask", "copyto", "select", "choose", "fliplr", "flipud", "rot90", "swapaxes",
     "moveaxis", "broadcast_to", "array_equal", "packbits", "isinstance", "bincount", "reversed",
     "list", "tuple", "print", "str", "item", "insert", "delete", "triu", "tril", "diagonal"]
)  # fmt: skip
_MODULES = re.compile(r"\b(?:\w+\.)+")
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)


def possible_masks(node: Function) -> frozenset[str]:
    """Parameters that no arithmetic has as an operand, and no function that may calculate.

    Names that stand for the same array count as the parameter; results of functions do not.
    """
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return frozenset(a.arg for a in arguments if not _calculated(_names(a.arg, node), node))


def made_arrays(node: Function) -> frozenset[str]:
    """Parameters that the function itself makes arrays of, first of all: callers have lists.

    Not those that are arrays by their annotation, or that are read otherwise before.
    """
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return frozenset(a.arg for a in arguments if _made(a, node))


def iterated(node: Function) -> frozenset[str]:
    """Parameters that callers may give an iterator for: such as are said to be iterable and no
    more, or of which the function itself makes a list, first of all."""
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return frozenset(
        a.arg for a in arguments if _written(a).startswith("Iterable[") or _is_kept(a, node)
    )


def _written(argument: ast.arg) -> str:
    """The annotation, without the modules that names come from."""
    told = annotation(argument)
    return _MODULES.sub("", ast.unparse(told)) if told is not None else ""


def _is_kept(argument: ast.arg, node: Function) -> bool:
    first = _first_read(argument, node)
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Name)
        and part.func.id in ("list", "tuple")
        and part.args[:1] == [first]
        for part in ast.walk(node)
    )


def _made(argument: ast.arg, node: Function) -> bool:
    written = _written(argument)
    if "ndarray" in written or "NDArray" in written:
        return False
    first = _first_read(argument, node)
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(
        first is not None
        and bool(call.args)
        and call.args[0] is first
        and getattr(call.func, "attr", "") in _MAKING
        for call in calls
    )


def _first_read(argument: ast.arg, node: Function) -> ast.Name | None:
    reads = [
        part
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and part.id == argument.arg
        and isinstance(part.ctx, ast.Load)
    ]  # fmt: skip
    return min(reads, key=lambda part: (part.lineno, part.col_offset), default=None)


def _names(parameter: str, scope: ast.AST) -> set[str]:
    """The parameter, and what is bound to it, to a part of it or to what is calculated with it."""
    found, before = {parameter}, 0
    while len(found) > before:
        before = len(found)
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if _holds(node.value, found):
                    found |= {t.id for t in targets if isinstance(t, ast.Name)}
            elif isinstance(node, ast.For | ast.comprehension) and _holds(node.iter, found):
                found |= {t.id for t in ast.walk(node.target) if isinstance(t, ast.Name)}
    return found


def _calculated(names: set[str], scope: ast.AST) -> bool:
    for node in ast.walk(scope):
        if isinstance(node, ast.BinOp) and not isinstance(node.op, _BITWISE):
            operands = [node.left, node.right]
        elif isinstance(node, ast.AugAssign) and not isinstance(node.op, _BITWISE):
            operands = [node.target, node.value]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            operands = [node.operand]
        elif isinstance(node, ast.Call):
            operands = _unknown(node)
        else:
            continue
        if any(_holds(operand, names) for operand in operands):
            return True
    return False


def _unknown(call: ast.Call) -> list[ast.expr]:
    """What is handed to a function that is not known to take masks."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in _OF_MASKS:
        return []
    owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    return [*owner, *call.args, *(keyword.value for keyword in call.keywords)]


def _holds(node: ast.expr, names: set[str]) -> bool:
    """Whether this is an array of one of these names, or elements of it."""
    return any(part in names for part in _arrays(node))


def _arrays(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Subscript(value=value) | ast.Starred(value=value):
            yield from _arrays(value)
        case ast.Attribute(value=value, attr="T" | "flat" | "real"):
            yield from _arrays(value)
        case ast.BinOp(left=left, right=right):
            yield from _arrays(left)
            yield from _arrays(right)
        case ast.UnaryOp(operand=operand):
            yield from _arrays(operand)
        case ast.IfExp(body=body, orelse=other):
            yield from _arrays(body)
            yield from _arrays(other)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _arrays(part)
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=given):
            if name in _SAME_ARRAY:
                yield from _arrays(value)
                yield from (n for part in given[:1] for n in _arrays(part))
        case ast.Call(func=ast.Name(id="enumerate" | "zip" | "reversed" | "list"), args=given):
            for part in given:
                yield from _arrays(part)


__all__ = ["iterated", "made_arrays", "possible_masks"]
