"""Parameters of callables: by their signature, their documentation, or the ``def`` in a source.

A parameter is ``[name, kind]`` or ``[name, kind, default]``; its kind is ``p`` (by position only),
``pk``, ``k`` (by keyword only), ``*`` or ``**``.
"""

from __future__ import annotations

import ast
import inspect
import re
import types
from typing import Any

Parameters = list[list[str]]

KIND_CODES = {
    inspect.Parameter.POSITIONAL_ONLY: "p",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "pk",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "k",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def signature_of(value: Any) -> Parameters | None:
    """Parameters of a callable: its signature, else the first line of its docstring."""
    documented = from_docstring(getattr(value, "__doc__", None))
    try:
        signature = inspect.signature(value)
    except (ValueError, TypeError):
        return documented
    parameters = []
    for parameter in signature.parameters.values():
        item = [parameter.name, KIND_CODES[parameter.kind]]
        if parameter.default is not parameter.empty:
            item.append(plain(parameter.default))
        parameters.append(item)
    catch_all = any(p[1] == "**" for p in parameters)
    # `mean(self, /, axis=None, **kwargs)` says less than its documentation does.
    if catch_all and documented and not any(p[1] == "**" for p in documented):
        named = [p for p in parameters if p[1] not in {"*", "**"}]
        known = {p[0] for p in named}
        return named + [p for p in documented if p[0] not in known]
    return parameters


def plain(value: Any) -> str:
    """A default or constant as text that does not change from run to run."""
    if inspect.isclass(value):
        prefix = "" if value.__module__ == "builtins" else f"{value.__module__}."
        return f"{prefix}{value.__qualname__}"
    if isinstance(value, types.ModuleType):  # its repr has the path of the environment
        return value.__name__
    if callable(value) and hasattr(value, "__name__"):
        return f"{getattr(value, '__module__', '')}.{value.__name__}"
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def from_docstring(text: object) -> Parameters | None:
    """Parameters from ``name(a, int axis=-1, *, out=None) -> ndarray``, the first line of a doc.

    ``[, out]`` (an optional argument in brackets) counts as one with the default None.
    """
    if not isinstance(text, str) or not text.strip():
        return None
    line = text.strip().split("\n")[0].replace("\\*", "*")
    line = re.sub(r"\bu(?=['\"])", "", line)  # older Cython writes u'C'
    match = re.match(r"[\w.]+\((.*)\)\s*(?:->.*)?$", line)
    if match is None:
        return None
    parameters: Parameters = []
    kind = "pk"
    for part in split_arguments(match[1]):
        if part == "/":
            for earlier in parameters:
                earlier[1] = "p"
        elif part == "*":
            kind = "k"
        elif found := re.fullmatch(r"(\*\*|\*)(\w+)", part):
            parameters.append([found[2], found[1]])
            kind = "k" if found[1] == "*" else kind
        elif found := re.fullmatch(r"(?:[\w.\[\], ]+ )?(\w+)(?:\s*=\s*(.+))?", part):
            parameters.append([found[1], kind, *([found[2]] if found[2] else [])])
        else:
            return None
    return parameters


def split_arguments(text: str) -> list[str]:
    """Split at the commas outside of brackets and quotes; ``[, x]`` becomes ``x=None``."""
    text = re.sub(r"\[, (\w+)=", r", \1=", text)
    text = re.sub(r"^\[(\w+)\]", r"\1=None", text)
    text = re.sub(
        r"\[, ([\w, ]+)\]", lambda m: "".join(f", {n.strip()}=None" for n in m[1].split(",")), text
    )
    # One argument: quoted text, bracketed text or anything but a comma, over and over.
    argument = r"(?:'[^']*'|\"[^\"]*\"|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|[^,])+"
    parts = (part.strip() for part in re.findall(argument, text))
    return [part if "[" in part else part.rstrip("] ") for part in parts if part]


def source_parameters(function: ast.FunctionDef) -> Parameters:
    """Parameters as a ``def`` statement writes them."""
    arguments = function.args
    parameters: Parameters = [[a.arg, "p"] for a in arguments.posonlyargs]
    parameters += [[a.arg, "pk"] for a in arguments.args]
    for parameter, default in zip(reversed(parameters), reversed(arguments.defaults), strict=False):
        parameter.append(ast.unparse(default))
    if arguments.vararg:
        parameters.append([arguments.vararg.arg, "*"])
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        parameters.append([argument.arg, "k", *([ast.unparse(value)] if value else [])])
    if arguments.kwarg:
        parameters.append([arguments.kwarg.arg, "**"])
    return parameters


def without_self(parameters: Parameters) -> Parameters:
    """Drop the instance from a method's parameters."""
    return parameters[1:] if parameters and parameters[0][0] == "self" else parameters
