"""How the functions of a module use their parameters, and those of functions they call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.functions.evidence import EVIDENT, judge
from gpuport.analysis.functions.uses import Takes, Uses, open_uses
from gpuport.analysis.values.lattice import Array
from gpuport.rules.numpynames import positional_name
from gpuport.source.parameters import default_values

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.source.names import FunctionNode, Scope


@dataclass(slots=True, eq=False)
class ModuleUses:
    """The uses of parameters in a module, each function read once."""

    project: Project
    _known: dict[int, Uses] = field(default_factory=dict)

    def of(self, scope: Scope, node: FunctionNode) -> Uses:
        """How the parameters of a function are used in its body."""
        uses = self._known.get(id(node))
        if uses is None:
            # Kept before it is filled: a function that calls itself asks for it again.
            uses = self._known[id(node)] = open_uses(
                scope, node, self._takes, self._taken, self.project.knowledge.words
            )
            for statement in node.body if uses.names else ():
                uses.collect(statement, self.project.module.nodes)
        return uses

    def let_go(self) -> None:
        """Forget what was read, which refers to it."""
        self._known.clear()

    def _taken(self, scope: Scope, call: ast.Call) -> Iterator[ast.expr]:
        """The arguments that a function of the project says of itself to take for arrays."""
        found = self._called(scope, call.func)
        if found is None or any(isinstance(a, ast.Starred) for a in call.args):
            return
        arguments, uses = found[0].args, found[1]
        in_order = [*arguments.posonlyargs, *arguments.args]
        takers = {a.arg: a for a in (*in_order, *arguments.kwonlyargs)}
        given = [*zip((a.arg for a in in_order), call.args, strict=False)]
        given += [(k.arg or "", k.value) for k in call.keywords]
        defaults = default_values(arguments)
        for taker, value in given:
            if taker in takers and isinstance(value, ast.Name):
                taken, ground = judge(takers[taker], defaults.get(taker), None, uses.of(taker))
                if isinstance(taken, Array) and not taken.optional and ground in EVIDENT:
                    yield value

    def _called(self, scope: Scope, function: ast.expr) -> tuple[FunctionNode, Uses] | None:
        """The function of the project that a call in a scope means, with its own uses."""
        path, project = scope.resolve(function), self.project
        outside = project.outside
        found = None if path is None or outside is None else outside.function(path)
        if found is not None:
            around = found.project.scope_of(found.node)
            return found.node, found.project.uses.of(around, found.node)
        name = function.id if isinstance(function, ast.Name) and path is None else ""
        root = project.root
        node = root.functions.get(name)
        if node is None or root.bound.get(name) != 1 or scope.owner(name) is not root:
            return None
        return node, self.of(project.scope_of(node), node)

    def _takes(self, path: str, position: int | None, keyword: str | None) -> Takes:
        """What a NumPy call takes by a position or keyword."""
        known = self.project.knowledge
        words, rules = known.words, known.rules
        if path in words.goes_over_arrays and position == 0:
            return Takes.ARRAY
        if rules.host(path) is not None and rules.swap(path, unsafe=known.unsafe) is None:
            return Takes.ANYTHING
        name = keyword
        entry = known.tables.entry(path)
        if entry is None:
            return Takes.ANYTHING
        if name is None and entry.parameters and position is not None:
            name = positional_name(entry.parameters, position)
        if entry.kind == "ufunc":
            return Takes.ELEMENTS
        plain = name in words.host_parameters or name in words.number_parameters
        if name is not None and plain and not known.works_on(path, name):
            if name in words.type_parameters:
                return Takes.TYPE
            return Takes.SEVERAL if known.takes(path, name, "tuple") else Takes.NUMBER
        if name is None or path in words.takes_lists:
            return Takes.EITHER
        needs_array = known.takes(path, name, "array") and not known.takes(path, name, "float")
        return Takes.ARRAY if needs_array else Takes.EITHER


__all__ = ["ModuleUses"]
