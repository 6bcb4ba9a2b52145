"""Which calls a loop may make: functions without side effects that work on numbers."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache

from gpuport.loops.context.ranks import REDUCING
from gpuport.loops.facts import ArrayFact, Fact, FunctionFact
from gpuport.loops.names import dotted, function_path, is_shape
from gpuport.loops.reasons import SIDE_EFFECT, UNKNOWN_CALL, Refused
from gpuport.rules.loopfunctions import loop_rules

_DEEPEST = 4
WRITTEN_IN = (
    "its statements can stand in the kernel only if it reads nothing but its arguments and the "
    "numbers, arrays and functions of the module, stores in nothing else, and returns as many "
    "values on every path, and if it is called where it always has to be"
)
"""What would make a function's statements part of a kernel that cannot call it."""


@cache
def known_functions() -> frozenset[str]:
    """Paths of the functions without side effects."""
    table: dict[str, list[str]] = loop_rules()["pure"]
    return frozenset(f"{module}.{name}" for module, names in table.items() for name in names)


def side_effect(call: ast.expr) -> str:
    """Why a call that gives nothing is none for a thread, and what could stand in its place."""
    shown = ast.unparse(call)
    text = f"`{shown}` has a side effect in each iteration, in the order of the iterations"
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return text
    owner, collecting = dotted(call.func.value), loop_rules()["collecting"]
    if call.func.attr not in collecting or owner is None or len(call.args) != 1:
        return text
    value = call.args[0]
    if isinstance(value, ast.Tuple | ast.List | ast.Dict | ast.Starred):
        return text
    advice = collecting[call.func.attr].format(owner=owner, value=ast.unparse(value))
    return f"{text}; {advice}"


def check_call(node: ast.Call, facts: Mapping[str, Fact], assigned: set[str]) -> None:
    """Let a call pass that a thread may make.

    Raises
    ------
    Refused
        Where the function is unknown or does more than compute on numbers.
    """
    name = dotted(node.func)
    if name is not None and name.partition(".")[0] in assigned:
        name = None
    fact = facts.get(name) if name is not None else None
    if isinstance(fact, FunctionFact) and fact.definition is not None:
        check_function(fact, node, ())
        return
    path = function_path(node.func, facts) if name is not None else None
    if path is not None and path in known_functions():
        return
    if path == "builtins.print":
        raise Refused(SIDE_EFFECT, node, "`print` is a side effect, in the order of the iterations")
    raise Refused(UNKNOWN_CALL, node, _unknown(node, path, name))


def check_library(node: ast.Call, facts: Mapping[str, Fact]) -> None:
    """Refuse a function of NumPy's that threads do not have, where it is given parts or words.

    Of these something would be said that is not the reason.

    Raises
    ------
    Refused
    """
    path = function_path(node.func, facts)
    given = (n for one in (*node.args, *node.keywords) for n in ast.walk(one))
    if not any(isinstance(n, ast.Slice) or isinstance(getattr(n, "value", 0), str) for n in given):
        return
    if path is not None and path.startswith("numpy.") and path not in known_functions():
        raise Refused(UNKNOWN_CALL, node, _unknown(node, path, dotted(node.func)))


def _unknown(node: ast.Call, path: str | None, name: str | None) -> str:
    called = ast.unparse(node.func)
    if path is not None and path.startswith("numpy.") and path.rpartition(".")[2] in REDUCING:
        return (
            f"unknown call: `{called}` has a form in a kernel for rows and slices (`x[i]`, "
            "`x[i:j]`, or a name that is given one of them once), not for what it is given here"
        )
    if path is not None:
        return f"unknown call: `{called}` has no form in a kernel"
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Subscript):
        return (
            f"unknown call: `{called}` of a part of an array has no form in a kernel: write a loop "
            "over its elements, or leave the loop to array operations"
        )
    if name is None or isinstance(node.func, ast.Attribute):
        return (
            f"unknown call: what `{called}` is depends on an object (a method of a string, a list, "
            "an object), which a kernel cannot know"
        )
    return f"unknown call: what `{called}` does is only known at run time"


def check_function(fact: FunctionFact, call: ast.AST, active: tuple[str, ...]) -> None:
    """Let a function of the project pass that only computes on its arguments.

    Raises
    ------
    Refused
        At ``call``, with what the function does besides.
    """
    definition = fact.definition
    assert definition is not None
    name = definition.name
    if fact.outer:
        read = ", ".join(f"`{one}`" for one in fact.outer)
        raise Refused(
            UNKNOWN_CALL,
            call,
            f"unknown call: `{name}` reads {read} of the function around it, which is no number: "
            f"define `{name}` outside of it, with one more parameter for each",
        )
    if fact.closure:
        raise Refused(
            UNKNOWN_CALL,
            call,
            f"unknown call: `{name}` reads names of the function around it, and its statements "
            "cannot stand where it is called: give it these as arguments, or call it in an "
            "assignment of its own, `value = ...`",
        )
    if name in active or len(active) >= _DEEPEST:
        raise Refused(UNKNOWN_CALL, call, f"unknown call: `{name}` calls itself, or too deep")
    if definition.decorator_list:
        raise Refused(UNKNOWN_CALL, call, f"unknown call: `{name}` is changed by a decorator")
    arguments = definition.args
    if arguments.vararg or arguments.kwarg:
        raise Refused(UNKNOWN_CALL, call, f"unknown call: `{name}` takes any arguments")
    parameters = {item.arg for item in arguments.args + arguments.posonlyargs}
    for statement in definition.body:
        _check_statement(statement, fact, call, (*active, name), parameters)


_PLAIN = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.If, ast.Pass, ast.Expr)
_LOOPS = (ast.For, ast.While, ast.Break, ast.Continue)


def _check_statement(
    node: ast.stmt, fact: FunctionFact, call: ast.AST, active: tuple[str, ...], bound: set[str]
) -> None:
    name = active[-1]
    if not isinstance(node, _PLAIN + _LOOPS):
        what = type(node).__name__.lower()
        raise Refused(UNKNOWN_CALL, call, f"unknown call: `{name}` has `{what}` (side effect)")
    if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
        raise Refused(SIDE_EFFECT, call, f"`{name}` has a side effect: `{ast.unparse(node.value)}`")
    if isinstance(node, ast.For | ast.While):
        _check_loop(node, name, call)
    counted = _counted(node, fact)
    for child in ast.iter_child_nodes(node):
        if child is counted:
            for argument in counted.args:
                _check_expression(argument, fact, call, active)
        elif isinstance(child, ast.stmt):
            _check_statement(child, fact, call, active, bound)
        elif isinstance(child, ast.expr):
            _check_expression(child, fact, call, active)


def _check_loop(node: ast.For | ast.While, name: str, call: ast.AST) -> None:
    named = isinstance(node, ast.While) or isinstance(node.target, ast.Name)
    if node.orelse or not named:
        what = f"unknown call: `{name}` has a loop that has no form in a kernel"
        raise Refused(UNKNOWN_CALL, call, what)


def _counted(node: ast.stmt, fact: FunctionFact) -> ast.Call | None:
    """The ``range(...)`` of a loop: one call that a kernel has a form for."""
    over = node.iter if isinstance(node, ast.For) else None
    if not isinstance(over, ast.Call) or over.keywords or not 1 <= len(over.args) <= 3:
        return None
    starred = any(isinstance(item, ast.Starred) for item in over.args)
    known = function_path(over.func, fact.globals) == "builtins.range"
    return over if known and not starred else None


def _check_expression(
    node: ast.expr, fact: FunctionFact, call: ast.AST, active: tuple[str, ...]
) -> None:
    name = active[-1]
    for child in ast.walk(node):
        if isinstance(child, ast.Call):
            _check_inner_call(child, fact, call, active)
        elif isinstance(child, ast.Subscript) and not is_shape(child.value):
            raise Refused(
                UNKNOWN_CALL,
                call,
                f"unknown call: `{name}` works on parts of arrays or containers; {WRITTEN_IN}",
            )
        elif isinstance(child, ast.Name) and isinstance(fact.globals.get(child.id), ArrayFact):
            raise Refused(
                UNKNOWN_CALL,
                call,
                f"unknown call: `{name}` uses the array `{child.id}`, so that its statements have "
                f"to stand where it is called: give `{name}` an assignment of its own, `value = "
                f"{name}(...)`",
            )
        elif isinstance(
            child,
            ast.Lambda | ast.NamedExpr | ast.ListComp | ast.GeneratorExp | ast.DictComp
            | ast.SetComp | ast.Await | ast.Yield | ast.YieldFrom | ast.JoinedStr | ast.List
            | ast.Dict | ast.Set | ast.Starred,
        ):  # fmt: skip
            raise Refused(
                UNKNOWN_CALL, call, f"unknown call: `{name}` does more than compute on numbers"
            )
        elif isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store):
            raise Refused(SIDE_EFFECT, call, f"`{name}` has a side effect on an attribute")


def _check_inner_call(
    node: ast.Call, fact: FunctionFact, call: ast.AST, active: tuple[str, ...]
) -> None:
    inner = fact.globals.get(dotted(node.func) or "")
    if isinstance(inner, FunctionFact) and inner.definition is not None:
        check_function(inner, call, active)
        return
    path = function_path(node.func, fact.globals)
    if path is None or path not in known_functions():
        what = ast.unparse(node.func)
        code = SIDE_EFFECT if path == "builtins.print" else UNKNOWN_CALL
        raise Refused(code, call, f"unknown call: `{active[-1]}` calls `{what}`")
