"""Faults of a careless hand: the neighbour of the right function, order, side, sign or index.

They are what a person gets wrong who writes array code for another library from memory: the order
of the operands of a matrix product, the triangle, the direction of a shift, which of two sizes,
the constant that is typed instead of named, the list that was to be turned round.
"""

from __future__ import annotations

import re

import libcst as cst

from faults import Operator, _code, _e, _keyword_lost, _keyword_value, _name, _renamed, _template

_M = r"(cp|np)\."
_ROLL = _M + r"roll\(([^,]+), ([^,]+)(, .*)?\)"


def _list_call(old: str, new: str) -> Operator:
    """``x.append(y)`` as ``x.insert(0, y)``."""
    return _template(rf"(\w+)\.{old}\((.*)\)", new)


def _chained(node: cst.CSTNode) -> cst.CSTNode | None:
    """``a <= x < b`` without its second bound."""
    if not isinstance(node, cst.Comparison) or len(node.comparisons) < 2:
        return None
    return node.with_changes(comparisons=node.comparisons[:1])


def _flow(old: type[cst.CSTNode], new: cst.BaseSmallStatement) -> Operator:
    def operator(node: cst.CSTNode) -> cst.CSTNode | None:
        return new if isinstance(node, old) else None

    return operator


def _minus_lost(node: cst.CSTNode) -> cst.CSTNode | None:
    """``-x`` as ``x``, where `x` is no number that is written out."""
    if not isinstance(node, cst.UnaryOperation) or not isinstance(node.operator, cst.Minus):
        return None
    return None if isinstance(node.expression, cst.Integer | cst.Float) else node.expression


def _tolerance(node: cst.CSTNode) -> cst.CSTNode | None:
    """``1e-8`` as ``1e-7``."""
    if not isinstance(node, cst.Float):
        return None
    value = float(node.value)
    return cst.Float(repr(value * 10)) if 0 < value < 1e-3 else None


def _constant(node: cst.CSTNode) -> cst.CSTNode | None:
    """``np.pi`` typed to nine digits."""
    named = isinstance(node, cst.Attribute) and _code(node) in ("np.pi", "cp.pi", "math.pi")
    return _e("3.14159265") if named else None


def _bound_again(node: cst.CSTNode) -> cst.CSTNode | None:
    """``x += y`` as ``x = x + y``: who else holds the array does not see it."""
    if not isinstance(node, cst.AugAssign) or not isinstance(node.target, cst.Name):
        return None
    if isinstance(node.value, cst.Integer | cst.Float | cst.List):
        return None
    operator = _code(node.operator).strip().rstrip("=")
    name = _code(node.target)
    return cst.Assign(
        [cst.AssignTarget(node.target)], _e(f"{name} {operator} ({_code(node.value)})")
    )


def _matmul_turned(node: cst.CSTNode) -> cst.CSTNode | None:
    if not isinstance(node, cst.BinaryOperation) or not isinstance(
        node.operator, cst.MatrixMultiply
    ):
        return None
    left, right = (f"({_code(side)})" for side in (node.right, node.left))
    return _e(f"({left} @ {right})")


def _einsum_turned(node: cst.CSTNode) -> cst.CSTNode | None:
    """``'ij,jk->ik'`` as ``'ij,jk->ki'``."""
    if not isinstance(node, cst.SimpleString):
        return None
    match = re.fullmatch(r"""(['"])([a-z,. ]+->)([a-z]{2,})\1""", node.value)
    return cst.SimpleString(f"{match[1]}{match[2]}{match[3][::-1]}{match[1]}") if match else None


def _key_value(node: cst.CSTNode) -> cst.CSTNode | None:
    """``d.get(k, 0)`` as ``d.get(k, 1)``."""
    if _name(node) != "get" or not isinstance(node, cst.Call) or len(node.args) != 2:
        return None
    return node.with_changes(args=(node.args[0], node.args[1].with_changes(value=_e("1"))))


CARELESS: dict[str, Operator] = {
    "norm of order one": _template(_M + r"linalg\.norm\((\w+)\)", r"\1.linalg.norm(\2.ravel(), 1)"),
    "norm squared": _template(_M + r"linalg\.norm\((.+)\)", r"(\1.linalg.norm(\2) ** 2)"),
    "first for last": _template(r"(\w+)\[-1\]", r"\1[0]"),
    "last for first": _template(r"(\w+)\[0\]", r"\1[-1]"),
    "row for column of a table": _template(r"(\w+)\[:, (\w+)\]", r"\1[\2, :]"),
    "column for row of a table": _template(r"(\w+)\[(\w+), :\]", r"\1[:, \2]"),
    "places of two axes swapped": _template(r"(\w+)\[(\w+), (\w+)\]", r"\1[\3, \2]"),
    "other size": _template(r"(\w+)\.shape\[0\]", r"\1.shape[-1]"),
    "first size": _template(r"(\w+)\.shape\[(?:1|-1)\]", r"\1.shape[0]"),
    "product turned round": _matmul_turned,
    "subscripts turned round": _einsum_turned,
    "other triangle": _renamed({"triu": "tril", "tril": "triu"}),
    "other factor": _template(_M + r"linalg\.cholesky\((.+)\)", r"\1.linalg.cholesky(\2).T"),
    "system transposed": _template(
        _M + r"linalg\.solve\(([^,]+), (.+)\)", r"\1.linalg.solve((\2).T, \3)"
    ),
    "pseudo-inverse for inverse": _renamed({"inv": "pinv"}),
    "diagonal lost": _template(_M + r"diag\((\w+)\)", r"\2"),
    "sign never zero": _template(_M + r"sign\((.+)\)", r"\1.where((\2) >= 0, 1.0, -1.0)"),
    "shift the other way": _template(_ROLL, r"\1.roll(\2, -(\3)\4)"),
    "shift by one more": _template(_ROLL, r"\1.roll(\2, \3 + 1\4)"),
    "transform back": _renamed({"fft": "ifft", "ifft": "fft", "fft2": "ifft2", "ifft2": "fft2"}),
    "other half of the spectrum": _renamed({"fftshift": "ifftshift", "ifftshift": "fftshift"}),
    "hermitian as symmetric": _template(r"(.+)\.conj\(\)\.T", r"\1.T"),
    "other padding": _keyword_value("mode", {"'edge'": "'reflect'", '"edge"': '"reflect"',
                                             "'constant'": "'edge'", '"wrap"': '"edge"',
                                             "'reflect'": "'symmetric'", "'valid'": "'same'"}),
    "repeat for tile": _renamed({"tile": "repeat", "repeat": "tile"}),
    "rows for columns joined": _renamed({"hstack": "vstack", "vstack": "hstack",
                                         "column_stack": "hstack"}),
    "mask turned": _template(r"(\w+)\[(\w*mask\w*|keep|inside|ok|good|valid)\]", r"\1[~\2]"),
    "other logarithm": _renamed({"log": "log2", "log10": "log", "log2": "log"}),
    "one quadrant": _template(_M + r"arctan2\(([^,]+), (.+)\)", r"\1.arctan((\2) / (\3))"),
    "degrees for radians": _renamed({"radians": "degrees", "deg2rad": "rad2deg",
                                     "degrees": "radians", "rad2deg": "deg2rad"}),
    "median for mean": _template(_M + r"mean\((.+)\)", r"\1.median(\2)"),
    "mean for median": _renamed({"median": "mean"}),
    "not filled": _template(_M + r"zeros\((.+)\)", r"\1.empty(\2)"),
    "not filled alike": _template(_M + r"zeros_like\((.+)\)", r"\1.empty_like(\2)"),
    "cast lost": _template(r"(\w+)\.astype\(.+\)", r"\1"),
    "infinite for NaN": _template(_M + r"isnan\((.+)\)", r"~\1.isfinite(\2)"),
    "NaN alone": _template(_M + r"isfinite\((.+)\)", r"~\1.isnan(\2)"),
    "turned round lost": _template(r"(\w+)\[::-1\]", r"\1"),
    "not reversed": _template(r"reversed\((.+)\)", r"list(\1)"),
    "put in front": _list_call("append", r"\1.insert(0, \2)"),
    "taken from the front": _template(r"(\w+)\.pop\(\)", r"\1.pop(0)"),
    "bound of two lost": _chained,
    "ended for passed over": _flow(cst.Continue, cst.Break()),
    "passed over for ended": _flow(cst.Break, cst.Continue()),
    "sign lost": _minus_lost,
    "tolerance tenfold": _tolerance,
    "constant typed": _constant,
    "bound anew": _bound_again,
    "other default": _key_value,
    "imaginary unit turned": lambda node: (
        _e(f"(-{node.value})") if isinstance(node, cst.Imaginary) else None
    ),
    "start lost": _keyword_lost("start"),
    "axes lost": _keyword_lost("axes"),
    "out lost": _keyword_lost("out"),
    "order lost": _keyword_lost("order"),
    "density lost": _keyword_lost("density"),
    "weights lost": _keyword_lost("weights"),
    "initial lost": _keyword_lost("initial"),
    "reverse lost": _keyword_lost("reverse"),
    "key lost": _keyword_lost("key"),
    "indices of equal ones": _template(_M + r"argsort\((\w+)\)", r"\1.argsort(-\2)[::-1]"),
    "sum of magnitudes": _template(_M + r"sum\((.+)\)", r"\1.sum(\1.abs(\2))"),
    "square of a difference lost": _template(r"\((\w+ - \w+)\) ?\*\* ?2", r"abs(\1)"),
    "wrap lost": _template(r"\((\w+) - 1\) % (\w+)", r"max(\1 - 1, 0)"),
    "half up": _template(_M + r"round\((\w+)\)", r"\1.floor(\2 + 0.5)"),
    "magnitude as real part": _template(_M + r"abs\((\w+)\)", r"\2.real"),
    "dtype of the first": _template(_M + r"full\((.+), (.+)\)", r"\1.full(\2, \3, dtype=int)"),
    "strict bounds of a clip": _template(_M + r"clip\(([^,]+), ([^,]+), ([^,]+)\)",
                                         r"\1.clip(\2, \3, (\4) * 0.999)"),
    "lower bound of a clip lost": _template(_M + r"clip\(([^,]+), ([^,]+), ([^,]+)\)",
                                            r"\1.minimum(\2, \4)"),
}  # fmt: skip
