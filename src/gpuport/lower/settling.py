"""From the survey of a file to what lowering goes by: names have homes, what stays is known."""

from __future__ import annotations

import ast

from gpuport.lower.blocks import Protected
from gpuport.lower.extraction import innermost_possible, stored_names
from gpuport.lower.knowledge import CONSUMERS, FRAME_READERS, TRANSPARENT
from gpuport.lower.paths import Paths
from gpuport.lower.scopes import Kind, Scope, share
from gpuport.lower.survey import Definition, Mark, Reading, Survey


class Settled:
    """What lowering goes by.

    Attributes
    ----------
    module : Scope
    paths : Paths
    carried : dict
        Loops and comprehensions, with the names that they assign and those they delete.
    read : dict
        The names that they read.
    deleted : set of str
        Names that anything in the file unbinds.
    opaque : dict
        Statements that are not lowered, with the reasons.
    own_frame : dict
        Calls at the top level of the module that ask for its names, with the function's name.
    """

    def __init__(self, survey: Survey) -> None:
        self.module = survey.module
        self.paths = Paths(survey.module, survey.stars)
        self.carried = {
            node: (block.stored, block.deleted) for node, block in survey.blocks.items()
        }
        self.read = {node: block.loads.keys() for node, block in survey.blocks.items()}
        self.deleted = {name for _, block in survey.frames for name in block.deleted}
        self.own_frame: dict[ast.Call, str] = {}
        self._marks = list(survey.marks)
        used_up = {
            generator for generator, call, scope in survey.lazy if self._uses_up(scope, call.func)
        }
        for scope in _all_scopes(self.module):
            if isinstance(scope.node, ast.GeneratorExp) and scope not in used_up:
                scope.kind, scope.is_generator = Kind.FUNCTION, True
        for reading in survey.readings:
            self._reading(reading)
        for scope, block in survey.frames:
            for protected in block.protected:
                if not self._is_transparent(protected):
                    unsafe = protected.unsafe(block.loads)
                    scope.cells |= {name for name in unsafe if scope.find(name) is scope}
        share(self.module)
        self.opaque = self._opaque()

    def is_transparent(self, scope: Scope, item: ast.withitem) -> bool:
        """Whether a context manager is known to let every exception through."""
        call = item.context_expr
        return isinstance(call, ast.Call) and self.paths.of(scope, call.func) in TRANSPARENT

    def _is_transparent(self, protected: Protected) -> bool:
        manager = protected.manager
        return manager is not None and all(
            self.is_transparent(protected.scope, item) for item in manager.items
        )

    def _uses_up(self, scope: Scope, func: ast.expr) -> bool:
        """Whether a function uses up a generator expression that is its only argument."""
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant):
            return func.attr == "join" and isinstance(func.value.value, str)
        return self.paths.of(scope, func) in CONSUMERS

    def _reading(self, reading: Reading) -> None:
        """Judge a use of `locals`, `globals`, `eval` and their like."""
        name, call, scope = reading.node.id, reading.call, reading.scope
        if not self.paths.may_be_built_in(scope, name):
            return
        if call is not None:
            given = len(call.args) + len(call.keywords)
            if given >= FRAME_READERS.get(name, 99):
                return
        self.module.is_reflective = True
        if call is None and scope.kind is Kind.MODULE:
            return
        if call is not None and (name == "globals" or scope.kind is Kind.MODULE):
            self.own_frame[call] = name
            return
        frame = scope if scope.kind is Kind.CLASS else scope.activation
        around = reading.around[: frame.depth] if frame.kind is not Kind.MODULE else reading.around
        self._marks.append(Mark(f"it calls `{name}`, which sees all its names", around))

    def _opaque(self) -> dict[ast.stmt, str]:
        found: dict[ast.stmt, str] = {}
        for mark in self._marks:
            if not any(statement in found for statement, _ in mark.around):
                statement, scope = innermost_possible(mark)
                found[statement] = mark.reason
                is_definition = isinstance(statement, Definition)
                if scope.kind is Kind.MODULE and not is_definition:
                    self.module.cells |= stored_names(statement, scope)
        return found


def _all_scopes(module: Scope) -> list[Scope]:
    found = [module]
    for scope in found:
        found += scope.children.values()
    return found
