"""The parameters of functions, and their defaults."""

from __future__ import annotations

import ast

from gpuport.source.names import FunctionNode


def names_of(function: FunctionNode) -> list[str]:
    """The parameters that are given one argument each, in their order."""
    args = function.args
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


def parameter_names(function: FunctionNode) -> tuple[str, ...]:
    """The same, as what does not change."""
    return tuple(names_of(function))


def every_name(function: FunctionNode) -> list[str]:
    """Its parameters, those that gather what is left among them."""
    extra = (function.args.vararg, function.args.kwarg)
    return [*names_of(function), *(one.arg for one in extra if one is not None)]


def default_values(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of a function's parameters, by name."""
    positional = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
    first = len(positional) - len(arguments.defaults)
    found = dict(zip(positional[first:], arguments.defaults, strict=True))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            found[argument.arg] = default
    return found


def defaults_of(function: FunctionNode) -> dict[str, ast.expr]:
    """The defaults of a function's parameters, by name."""
    return default_values(function.args)


def spread_over(function: FunctionNode, call: ast.Call) -> int | None:
    """How many items ``*values`` has to have in a call, for each parameter to be given one.

    None where that is not known, or where more is spread.
    """
    args, stars = function.args, [isinstance(one, ast.Starred) for one in call.args]
    by_name = {one.arg for one in call.keywords}
    if stars.count(True) != 1 or not stars[-1] or None in by_name or args.vararg is not None:
        return None
    places = [one.arg for one in (*args.posonlyargs, *args.args)][len(stars) - 1 :]
    left = [name for name in places if name not in by_name]
    defaults = defaults_of(function)
    told = places[: len(left)] == left and not any(name in defaults for name in left)
    return len(left) if told else None


def written(call: ast.Call) -> tuple[int, list[str]] | None:
    """How many arguments a call gives by place, and which by name; None where stars hide some."""
    names = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
    stars = any(isinstance(one, ast.Starred) for one in call.args)
    return None if stars or len(names) < len(call.keywords) else (len(call.args), names)


__all__ = [
    "default_values", "defaults_of", "every_name", "names_of", "parameter_names",
    "spread_over", "written",
]  # fmt: skip
