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
from gpuport.source.making import assigned

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
            made.append(assigned(name, value, node))
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
        values = self._values(value, len(target.elts))
        if not values and isinstance(value, ast.Call):
            raise self._several_at_once(node, value)
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

    def _values(self, value: ast.expr, count: int) -> list[ast.expr]:
        """The values that an expression gives, where so many are wanted; none that is not told."""
        plainer, slices = self.plainer, self.plainer.slices
        if isinstance(value, ast.Tuple | ast.List):
            return list(value.elts)
        if isinstance(value, ast.Call) and self._is_divmod(value):
            left, right = (f"({ast.unparse(argument)})" for argument in value.args)
            return [parse(f"{left} {sign} {right}", value) for sign in ("//", "%")]
        if isinstance(value, ast.Attribute) and value.attr == "shape":
            text = ast.unparse(value)
            plainer.guards.append(f"len({text}) == {count}")
            return [parse(f"{text}[{axis}]", value) for axis in range(count)]
        row = slices.parts.row(value)
        if row is not None:  # ``x, y, z = points[i]``
            plainer.guards.append(f"{row.axes[0].high} == {count}")
            return [row.element([str(k)], ast.Load()) for k in range(count)]
        vector = slices.vector(value)
        if vector is not None:  # ``dx, dy, dz = points[i] - points[j]``
            lengths = dict.fromkeys(part.axes[0].length for part in vector.parts.values())
            plainer.guards += [f"{length} == {count}" for length in lengths]
            return [vector.element([str(k)]) for k in range(count)]
        return []

    def _several_at_once(self, node: ast.Assign, call: ast.Call) -> Refused:
        """Why the values of a call are not told."""
        facts = self.plainer.heads.facts
        check_call(call, facts, set())
        message = f"unknown call: `{ast.unparse(call)}` gives several values at once"
        fact = facts.get(dotted(call.func) or "")
        if isinstance(fact, FunctionFact) and fact.definition is not None:
            message += f"; {WRITTEN_IN}"
        return Refused(UNKNOWN_CALL, node, message)

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
