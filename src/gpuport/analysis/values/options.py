"""What a program's command line gives it: the options that ``argparse`` is told of.

``parser.add_argument("--steps", type=int, default=10)`` says that ``args.steps`` is an integer. An
option is a Python value wherever it is made by a type of Python's; of others nothing is said.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.values.lattice import Scalar
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.source.names import Scope

NAMESPACE = "argparse.Namespace"

_TYPES = frozenset({"int", "float", "str", "bool", "complex"})
_FLAGS = frozenset({"store_true", "store_false"})


def options_of(root: Scope) -> dict[str, Scalar]:
    """The options that a module defines, by the attribute that holds their value."""
    if not any(path.partition(".")[0] == "argparse" for p in root.imports.values() for path in p):
        return {}
    found: dict[str, Scalar | None] = {}
    for node in walk(root.node):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "set_defaults":
            found.update(dict.fromkeys((k.arg for k in node.keywords if k.arg), None))
        elif node.func.attr == "add_argument":
            name, value = _destination(node), _value(node)
            if name is not None:
                found[name] = value if name not in found or found[name] == value else None
    return {name: value for name, value in found.items() if value is not None}


def _destination(node: ast.Call) -> str | None:
    """The attribute: what ``dest`` says, the first long flag, or the first name."""
    told = next((k.value for k in node.keywords if k.arg == "dest"), None)
    names = [told] if told is not None else node.args
    texts = [n.value for n in names if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    if not texts:
        return None
    chosen = next((t for t in texts if t.startswith("--")), texts[0])
    return chosen.lstrip("-").replace("-", "_")


def _value(node: ast.Call) -> Scalar | None:
    """The value of an option; None where it may be anything."""
    words = {k.arg: k.value for k in node.keywords}
    action = words.get("action")
    if isinstance(action, ast.Constant) and action.value in _FLAGS:
        return Scalar("bool")
    if not {None, "nargs", "action"}.isdisjoint(words):
        return None
    kind = words.get("type")
    if kind is not None and not (isinstance(kind, ast.Name) and kind.id in _TYPES):
        return None
    made = kind.id if isinstance(kind, ast.Name) else "str"
    first = node.args[0] if node.args else None
    flag = isinstance(first, ast.Constant) and str(first.value).startswith("-")
    default = words.get("default")
    if default is None:
        required = words.get("required")
        given = isinstance(required, ast.Constant) and required.value is True
        return Scalar(made) if given or not flag else Scalar()
    if isinstance(default, ast.UnaryOp):
        default = default.operand
    if not isinstance(default, ast.Constant):
        return None
    # Text that stands for the default is converted as what a user writes is.
    same = isinstance(default.value, str) or type(default.value).__name__ == made
    return Scalar(made) if same else Scalar()


__all__ = ["NAMESPACE", "options_of"]
