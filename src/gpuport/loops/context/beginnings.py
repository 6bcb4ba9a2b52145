"""What names hold where a region begins."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.loops.context.definitions import holds_number, literal_before
from gpuport.loops.facts import LoopNest, ScalarFact
from gpuport.loops.heads.counting import counted_name
from gpuport.source.bindings import statements_before, value_set


@dataclass(frozen=True)
class Beginning:
    """What the facts and the text around a region say of the names before it.

    Attributes
    ----------
    nest : LoopNest
    node : ast.For or ast.While
        The region's loop: the nest's, or one inside it, which begins more than once.
    """

    nest: LoopNest
    node: ast.For | ast.While

    def counter(self) -> ast.expr | None:
        """The literal that a counting ``while``'s variable has before the loop."""
        name = counted_name(self.node) if isinstance(self.node, ast.While) else None
        return None if name is None else self._literal(name)

    def text(self, name: str) -> str:
        """Python text for the value of a name before the loop."""
        literal = self._literal(name)
        return name if literal is None else ast.unparse(literal)

    def unset(self, name: str) -> bool:
        """Whether a name is set to None right before the region, and nothing else may set it."""
        function = self.nest.function
        shared = (n for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal))
        if isinstance(function, ast.Module) or any(name in one.names for one in shared):
            return False
        value = value_set(statements_before(function, self.node), name)
        return isinstance(value, ast.Constant) and value.value is None

    def number_guards(self, names: set[str]) -> list[str]:
        """Guards that names hold numbers before the loop: ``+=`` on an array is another thing."""
        made = []
        for name in sorted(names):
            fact = self.nest.facts.get(name)
            known = isinstance(fact, ScalarFact) and fact.type is not None
            if not known and not holds_number(self.nest.function, self.node, name):
                number = f"isinstance({name}, (int, float, complex))"
                made.append(f'({number} or getattr({name}, "shape", None) == ())')
        return made

    def _literal(self, name: str) -> ast.expr | None:
        fact = self.nest.facts.get(name)
        if self.node is self.nest.node and isinstance(fact, ScalarFact) and type(fact.value) is int:
            return ast.copy_location(ast.Constant(fact.value), self.node)
        return literal_before(self.nest.function, self.node, name)
