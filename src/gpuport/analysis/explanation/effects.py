"""What a call does beyond giving its result, in words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gpuport.analysis.explanation.grounds import Grounds
from gpuport.analysis.knowledge.numpynames import as_numpy, positional_name
from gpuport.analysis.values.lattice import is_arraylike


@dataclass
class Effects:
    """The effects of the calls of one traced function."""

    grounds: Grounds

    def of(self, node: ast.Call) -> Iterator[str]:
        """What a call does beyond giving its result, in words."""
        fact = self.grounds.call(node)
        unit = self.grounds.unit
        path = unit.scope.resolve(node.func)
        base = self.grounds.base(node)
        if path is None and base is not None and is_arraylike(base):
            assert isinstance(node.func, ast.Attribute)
            path = f"numpy.ndarray.{node.func.attr}"
        if fact.source == "rule" and path is not None:
            yield from self._host_effects(as_numpy(path))
        elif fact.source == "function" and isinstance(node.func, ast.Name):
            yield from self._function_effects(node.func.id)
        elif fact.source == "probe" and path is not None:
            yield from self._numpy_effects(as_numpy(path), node)
        elif fact.source == "unknown":
            yield "may change or keep what it is given"

    def _host_effects(self, path: str) -> Iterator[str]:
        rule = self.grounds.unit.knowledge.rules.host(path)
        if rule is None:
            return
        if rule.source:
            yield "gives values of the host"
        if rule.sink:
            yield "wants values of the host"
        if rule.retains:
            yield "may keep what it is given"
        if rule.mutates:
            yield "changes " + ", ".join(f"`{m}`" for m in rule.mutates)
        if not (rule.retains or rule.mutates):
            yield "changes and keeps nothing"

    def _numpy_effects(self, path: str, node: ast.Call) -> Iterator[str]:
        effect = self.grounds.unit.knowledge.rules.effect(path)
        entry = self.grounds.unit.knowledge.tables.entry(path)
        given = {keyword.arg for keyword in node.keywords} | {"self"}
        if entry is not None and entry.parameters is not None:
            parameters = entry.parameters
            by_position = (positional_name(parameters, i) for i in range(len(node.args)))
            given.update(by_position)
        changed = [m for m in effect.mutates if m in given] if effect is not None else []
        if changed:
            yield "changes " + ", ".join(f"`{m}`" for m in changed)
        if effect is not None and effect.view:
            yield "its result may share memory with what it is given"
        if not changed and (effect is None or not effect.view):
            yield "pure"

    def _function_effects(self, name: str) -> Iterator[str]:
        summary = self.grounds.unit.project.function_called(self.grounds.unit, name)
        if summary is None:
            return
        for names, what in (
            (summary.mutated, "changes"),
            (summary.escaped, "may keep or change"),
            (summary.returned, "may give back memory of"),
        ):
            if names:
                yield f"{what} " + ", ".join(f"`{n}`" for n in sorted(names))
        if not (summary.mutated or summary.escaped or summary.returned):
            yield "changes and keeps nothing of its arguments"
        yield "runs on the device" if summary.ported else "stays on the host"


__all__ = ["Effects"]
