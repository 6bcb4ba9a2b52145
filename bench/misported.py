"""Faults of memory, state and order: what is shared, what is kept, and what comes first.

A port moves arrays to another place, so that what was a view may be a copy, what was changed in
place may be bound anew, and what was drawn, raised or swapped may come in another order.
"""

from __future__ import annotations

import itertools

import libcst as cst

from faults import DELETED, Operator, _code, _e, _name, _template

_DRAWING = ("normal", "random", "choice", "integers", "uniform", "permutation", "standard_normal")


def _swap_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    """``a, b = b, a`` is gone, as of buffers that take turns."""
    if not isinstance(node, cst.Assign) or not isinstance(node.value, cst.Tuple):
        return None
    target = node.targets[0].target
    if not isinstance(target, cst.Tuple):
        return None
    names, values = ([_code(e.value) for e in t.elements] for t in (target, node.value))
    return DELETED if names != values and sorted(names) == sorted(values) else None


def _view_copied(node: cst.CSTNode) -> cst.CSTNode | None:
    """``v = x[1:]`` as a copy: what is stored into it is lost."""
    if not isinstance(node, cst.Assign) or not isinstance(node.value, cst.Subscript):
        return None
    sliced = any(isinstance(part.slice, cst.Slice) for part in node.value.slice)
    return node.with_changes(value=_e(f"{_code(node.value)}.copy()")) if sliced else None


def _bound_anew(node: cst.CSTNode) -> cst.CSTNode | None:
    """``self.x += y`` as ``self.x = self.x + y``: who holds the array does not see it."""
    if not isinstance(node, cst.AugAssign) or not isinstance(node.target, cst.Attribute):
        return None
    operator = _code(node.operator).strip().rstrip("=")
    value = f"{_code(node.target)} {operator} ({_code(node.value)})"
    return cst.Assign([cst.AssignTarget(node.target)], _e(value))


def _one_write_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    """Of several arguments that are written, the last one is not written back."""
    keyword = node.keyword if isinstance(node, cst.Arg) else None
    if keyword is None or keyword.value != "writes" or not isinstance(node.value, cst.Tuple):  # type: ignore[union-attr]
        return None
    kept = [_code(e.value) for e in node.value.elements[:-1]]  # type: ignore[union-attr]
    return node.with_changes(value=_e(f"({', '.join(kept)},)")) if kept else None


def _neighbours(node: cst.CSTNode, first: str, second: str) -> list[int]:
    """Numbers of statements of a block that are of these kinds, one after the other."""
    if not isinstance(node, cst.IndentedBlock):
        return []
    kinds = [_kind(line) for line in node.body]
    pairs = itertools.pairwise(kinds)
    return [k for k, (a, b) in enumerate(pairs) if first in a and second in b]


def _kind(line: cst.BaseStatement) -> set[str]:
    if isinstance(line, cst.If):
        raises = [s for s in line.body.body if "raise " in _code(s)]
        return {"refuses"} if raises else set()
    found: set[str] = set()
    for one in line.body if isinstance(line, cst.SimpleStatementLine) else ():
        places = one.targets if isinstance(one, cst.Assign) else []
        if isinstance(one, cst.AugAssign) or any(_is_element(p.target) for p in places):
            found.add("stores")
        if any(f".{name}(" in _code(one) for name in _DRAWING):
            found.add("draws")
    return found


def _is_element(target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Subscript)


def _exchanged(first: str, second: str) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        for k in _neighbours(node, first, second):
            assert isinstance(node, cst.IndentedBlock)
            body = list(node.body)
            body[k], body[k + 1] = body[k + 1], body[k]
            return node.with_changes(body=body)
        return None

    return operator


def _sum_in(kind: str) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        if _name(node) != "sum" or not isinstance(node, cst.Call) or node.args:
            return None
        return _e(f"{_code(node.func)}(dtype={kind})")

    return operator


MISPORTED: dict[str, Operator] = {
    "buffers not swapped": _swap_lost,
    "view copied": _view_copied,
    "attribute bound anew": _bound_anew,
    "one write-back lost": _one_write_lost,
    "draws exchanged": _exchanged("draws", "draws"),
    "refused before stored": _exchanged("stores", "refuses"),
    "stored before refused": _exchanged("refuses", "stores"),
    "sum in single precision": _sum_in("np.float32"),
    "length for size": _template(r"(\w+)\.size", r"len(\1)"),
    "argument for its copy": _template(r"(?:cp|np)\.array\((\w+)\)", r"\1"),
    "zeros of another type": _template(r"(cp|np)\.zeros_like\((\w+)\)", r"\1.zeros(\2.shape)"),
    "square of a magnitude": _template(
        r"(?:cp|np)\.abs\((\w+)\) ?\*\* ?2(?:\.0)?", r"(\1 * \1).real"
    ),
    "falsy for None": _template(r"(\w+) if \1 is not None else (.+)", r"\1 or \2"),
    "saturating cast": _template(
        r"(\w+)\.astype\((np|cp)\.uint8\)", r"\1.clip(0, 255).astype(\2.uint8)"
    ),
}  # fmt: skip
