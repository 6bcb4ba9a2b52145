"""Assignments of several values, or to several targets, in plain form."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.loops.context.purity import WRITTEN_IN, check_call
from gpuport.loops.facts import FunctionFact
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import dotted, function_path
from gpuport.loops.reasons import UNKNOWN_CALL, UNSUPPORTED, Refused
from gpuport.source import syntax

if TYPE_CHECKING:
    from gpuport.loops.forms.plain import Plainer


class Assignments:
    """Brings such assignments into plain form.

    Parameters
    ----------
    plainer : Plainer
        What is known of the loop, and the plain form of what they are made of.
    """

    def __init__(self, plainer: Plainer) -> None:
        self.plainer = plainer

    def chained(self, node: ast.Assign) -> list[ast.stmt]:
        """``a = b = f`` evaluates ``f`` once and assigns from left to right."""
        value, made = node.value, []
        if not isinstance(value, ast.Constant):
            name = self.plainer.fresh.name("value")
            first = ast.Assign([ast.Name(name, ast.Store())], value)
            made.append(ast.fix_missing_locations(ast.copy_location(first, node)))
            value = ast.copy_location(ast.Name(name, ast.Load()), value)
        for target in node.targets:
            one = ast.Assign([target], syntax.copied(value))
            made.append(ast.copy_location(one, node))
        return self.plainer.block(made)

    def unpacking(self, node: ast.Assign, target: ast.Tuple, value: ast.expr) -> list[ast.stmt]:
        """``a, b = f, g``, and what gives several values at once."""
        if isinstance(value, ast.IfExp):
            sides: list[list[ast.stmt]] = []
            for side in (value.body, value.orelse):
                one = ast.Assign([syntax.copied(target)], side)
                sides.append([ast.copy_location(one, node)])
            made = ast.copy_location(ast.If(value.test, sides[0], sides[1]), node)
            return self.plainer.statement(made)
        values: list[ast.expr] = []
        if isinstance(value, ast.Tuple | ast.List):
            values = list(value.elts)
        elif isinstance(value, ast.Call) and self._is_divmod(value):
            left, right = (f"({ast.unparse(argument)})" for argument in value.args)
            values = [parse(f"{left} {sign} {right}", value) for sign in ("//", "%")]
        elif isinstance(value, ast.Attribute) and value.attr == "shape":
            text = ast.unparse(value)
            values = [parse(f"{text}[{axis}]", value) for axis in range(len(target.elts))]
            self.plainer.guards.append(f"len({text}) == {len(values)}")
        elif (row := self.plainer.slices.parts.row(value)) is not None:
            # ``x, y, z = points[i]``
            values = [row.element([str(k)], ast.Load()) for k in range(len(target.elts))]
            self.plainer.guards.append(f"{row.axes[0].high} == {len(values)}")
        elif (vector := self.plainer.slices.vector(value)) is not None:
            # ``dx, dy, dz = points[i] - points[j]``
            values = [vector.element([str(k)]) for k in range(len(target.elts))]
            lengths = dict.fromkeys(part.axes[0].length for part in vector.parts.values())
            self.plainer.guards += [f"{length} == {len(values)}" for length in lengths]
        if not values and isinstance(value, ast.Call):
            check_call(value, self.plainer.heads.facts, set())
            message = f"unknown call: `{ast.unparse(value)}` gives several values at once"
            fact = self.plainer.heads.facts.get(dotted(value.func) or "")
            if isinstance(fact, FunctionFact) and fact.definition is not None:
                message += f"; {WRITTEN_IN}"
            raise Refused(UNKNOWN_CALL, node, message)
        plain = all(isinstance(item, ast.Name | ast.Subscript) for item in target.elts)
        if len(values) != len(target.elts) or not plain:
            raise Refused(
                UNSUPPORTED, node, f"`{ast.unparse(node)}`: the number of values is not evident"
            )
        for item in target.elts:
            self.plainer.check_target(item)
        targets = ast.Tuple([self.plainer.expression(item) for item in target.elts], ast.Store())
        node.targets = [ast.copy_location(targets, target)]
        together = ast.Tuple([self.plainer.expression(item) for item in values], ast.Load())
        node.value = ast.copy_location(together, value)
        return [node]

    def _is_divmod(self, call: ast.Call) -> bool:
        path = function_path(call.func, self.plainer.heads.facts)
        return path == "builtins.divmod" and len(call.args) == 2 and not call.keywords

    def row_of_numbers(
        self, node: ast.Assign, target: ast.Subscript, value: ast.Tuple
    ) -> list[ast.stmt]:
        """``points[i] = x, y, z``: NumPy makes an array of the numbers first."""
        row = self.plainer.slices.parts.sliced(target) or self.plainer.slices.parts.row(target)
        if row is None or len(row.axes) != 1 or row.axes[0].low != "0":
            shown = ast.unparse(node)
            raise Refused(UNSUPPORTED, node, f"`{shown}`: a tuple is stored in an element")
        held = self.plainer.slices.parts.dtype(row)
        if held not in (None, "float64", "complex128"):
            message = f"`{ast.unparse(node)}`: store the numbers one by one, for each index"
            raise Refused(UNSUPPORTED, node, message)
        self.plainer.guards.append(f"{row.axes[0].length} == {len(value.elts)}")
        places = [row.element([str(k)], ast.Store()) for k in range(len(value.elts))]
        targets = ast.copy_location(ast.Tuple(list(places), ast.Store()), target)
        made = ast.copy_location(ast.Assign([targets], value), node)
        return self.plainer.statement(made)
