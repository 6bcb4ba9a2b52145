"""The parameters of functions, and their defaults."""

from __future__ import annotations

import ast

from gpuport.source.names import FunctionNode


def names_of(function: FunctionNode) -> list[str]:
    """The parameters that are given one argument each, in their order."""
    args = function.args
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


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


__all__ = ["default_values", "defaults_of", "every_name", "names_of"]
