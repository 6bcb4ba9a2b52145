"""The text of the runtime as one file.

The modules of ``gpuport.runtime`` stand in that file one after the other, each after those that it
imports; names that several of them define get the module's name. Nothing else of the text changes.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from gpuport import __version__
from gpuport._data import rules_folder
from gpuport.source.edits import Edit, edited
from gpuport.source.module import Module
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.reading import parse
from gpuport.source.scoping import build_scopes
from gpuport.source.syntax import children

_PACKAGE = "gpuport.runtime"
MARK = "# gpuport: skip-file"

# What reads a data file of the package, and the file.
_DATA = {"batched.sizes": ("table", "linalg-sizes.json")}

_HEAD = f'''"""What this program needs of gpuport {__version__}, as one file: written by
``gpuport rewrite --vendor-runtime``, replaced by the next one, not meant to be edited.
"""
{MARK}
# ruff: noqa
# fmt: off
# mypy: ignore-errors

from __future__ import annotations
'''


@cache
def runtime_text() -> str:
    """The text of the one file."""
    parts = _in_order({part.name: part for part in _parts()})
    definers = Counter(name for part in parts for name in part.defined)
    public = {name for part in parts if not part.name for name in part.handed_on}
    names: dict[tuple[str, str], str] = {}
    for part in parts:
        for name in part.defined:
            kept = definers[name] == 1 or (part.name, name) in _public_of(parts, public)
            names[part.name, name] = name if kept else part.own_name(name)
    imports = _joined({line for part in parts for line in part.outside})
    bodies = [part.body(names) for part in parts]
    last = [part.main(names) for part in parts]
    text = "\n".join([_HEAD, *imports, "", *filter(None, bodies), *filter(None, last)])
    return re.sub(r"\n{4,}", "\n\n\n", text).rstrip() + "\n"


def _joined(lines: set[str]) -> list[str]:
    """Imports, one line for each module that names are taken from."""
    taken: dict[str, list[str]] = {}
    for line in sorted(lines):
        head, word, name = line.partition(" import ")
        taken.setdefault(head + word, []).extend([name] if word else [])
    return [head + ", ".join(names) for head, names in taken.items()]


def _public_of(parts: list[_Part], public: set[str]) -> set[tuple[str, str]]:
    """The modules that define what the package hands on, with the names."""
    (package,) = (part for part in parts if not part.name)
    return {(package.origin[name], name) for name in public if name in package.origin}


def _parts() -> Iterator[_Part]:
    root = Path(__file__).parents[1] / "runtime"
    for path in sorted(root.rglob("*.py")):
        words = path.relative_to(root).with_suffix("").parts
        name = ".".join(word for word in words if word != "__init__")
        yield _Part(name, parse(str(path), path.read_text(encoding="utf-8")))


def _in_order(parts: Mapping[str, _Part]) -> list[_Part]:
    """Each module after those that it imports when it is itself imported."""
    done: dict[str, _Part] = {}

    def add(name: str) -> None:
        if name in done:
            return
        for other in parts[name].needs:
            add(other)
        done[name] = parts[name]

    for name in sorted(parts):
        add(name)
    return list(done.values())


@dataclass(frozen=True)
class _Part:
    """A module of the runtime; ``name`` is its own within the package."""

    name: str
    module: Module

    @cached_property
    def root(self) -> Scope:
        return build_scopes(self.module.tree)

    @cached_property
    def own_imports(self) -> dict[ast.ImportFrom, str]:
        """Imports of the runtime's, wherever they stand, and the module that is meant."""
        found = {}
        for node in ast.walk(self.module.tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_PACKAGE):
                found[node] = (node.module or "")[len(_PACKAGE) + 1 :]
        return found

    @cached_property
    def origin(self) -> dict[str, str]:
        """The names that are imported from the runtime, and the modules that define them."""
        return {
            alias.name: module for node, module in self.own_imports.items() for alias in node.names
        }

    @cached_property
    def needs(self) -> list[str]:
        """The modules that have to stand before this one."""
        top = {id(node) for node in self.module.tree.body}
        needed = [
            ".".join(filter(None, (module, alias.name))) if self._is_module(alias.name) else module
            for node, module in self.own_imports.items() if id(node) in top for alias in node.names
        ]  # fmt: skip
        return [one for one in needed if one != self.name]

    def _is_module(self, name: str) -> bool:
        return name == "batched"

    @property
    def handed_on(self) -> list[str]:
        """What the module has in ``__all__``."""
        for node in self.module.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                return list(ast.literal_eval(node.value))
        return []

    @cached_property
    def defined(self) -> list[str]:
        """The names that the module itself defines."""
        skipped = {"__all__", *self.root.imports}
        return [name for name in self.root.bound if name not in skipped]

    @property
    def outside(self) -> Iterator[str]:
        """Imports at the top of what is not the runtime's."""
        for node in self.module.tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom) and node not in self.own_imports:
                if getattr(node, "module", None) in ("__future__", "gpuport._data"):
                    continue
                for alias in node.names:
                    if alias.name == "TYPE_CHECKING":
                        continue
                    one = ast.unparse(alias)
                    head = f"from {node.module} " if isinstance(node, ast.ImportFrom) else ""
                    yield f"{head}import {one}"

    def own_name(self, name: str) -> str:
        """A name of a definition that other modules have too."""
        last = self.name.rpartition(".")[2]
        return ("_" if name.startswith("_") else "") + f"{last}_{name.lstrip('_')}"

    # ------------------------------------------------------------------ text

    def body(self, names: Mapping[tuple[str, str], str]) -> str:
        """What stands for the module in the one file."""
        title = f"# {'-' * 70} {self.name}\n\n"
        if self.name == "batched":
            return title + self._namespace(names)
        if not self.name:
            return ""
        gone = [node for node in self.module.tree.body if self._falls_out(node)]
        text = self._edited(names, [*gone, *self._inner_imports()])
        return title + text.strip() + "\n\n"

    def main(self, names: Mapping[tuple[str, str], str]) -> str:
        """What the module does where it is the program: the last thing in the file."""
        for node in self.module.tree.body:
            if _is_main(node):
                return self._edited(names, [n for n in self.module.tree.body if n is not node])
        return ""

    def _falls_out(self, node: ast.stmt) -> bool:
        docstring = node is self.module.tree.body[0] and isinstance(node, ast.Expr)
        exported = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        imported = isinstance(node, ast.Import | ast.ImportFrom)
        return docstring or exported or imported or _is_main(node) or _is_for_types(node)

    def _inner_imports(self) -> list[ast.stmt]:
        top = {id(node) for node in self.module.tree.body}
        return [node for node in self.own_imports if id(node) not in top]

    def _namespace(self, names: Mapping[tuple[str, str], str]) -> str:
        lines = [f"    {name}={names[self.origin[name], name]}," for name in self.handed_on]
        return "\n".join(
            [f'{self.name} = ModuleType(f"{{__name__}}.{self.name}")',
             f"vars({self.name}).update(", *lines, ")", "", ""]
        )  # fmt: skip

    def _edited(self, names: Mapping[tuple[str, str], str], gone: list[ast.stmt]) -> str:
        module = self.module
        edits = []
        for node in gone:
            end = node.end_lineno or node.lineno
            start = module.line_starts[node.lineno - 1]
            stop = module.line_starts[end] if end < len(module.line_starts) else len(module.text)
            edits.append(Edit(start, stop, ("",)))
        inside = [(edit.start, edit.end) for edit in edits]
        edits += [
            edit for edit in self._renamed(names)
            if not any(start <= edit.start < end for start, end in inside)
        ]  # fmt: skip
        edits += self._with_data()
        return edited(module.text, edits).text

    def _with_data(self) -> Iterator[Edit]:
        """The text of a data file in the place of what reads it."""
        function, file = _DATA.get(self.name, ("", ""))
        for node in self.module.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == function:
                data = (rules_folder() / file).read_text(encoding="utf-8")
                start, end = self.module.extent(node.body[-1])
                yield Edit(start, end, (f"return r'''{data}'''",))

    def _renamed(self, names: Mapping[tuple[str, str], str]) -> Iterator[Edit]:
        """Names of the module, and those it imports, as the one file has them."""
        new = {name: names[self.name, name] for name in self.defined}
        for name, module in self.origin.items():
            new[name] = names.get((module, name), name)
        new = {name: other for name, other in new.items() if name != other}
        if not new:
            return
        scopes = {id(scope.node): scope for scope in walk_scopes(self.root)}
        pending: list[tuple[ast.AST, Scope]] = [(self.module.tree, self.root)]
        while pending:
            node, scope = pending.pop()
            inner = scopes.get(id(node), scope)
            if (
                isinstance(node, ast.Name)
                and new.keys() >= {node.id}
                and _is_global(node.id, scope)
            ):
                yield Edit(*self.module.extent(node), (new[node.id],))
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if scope is self.root:
                    if name in new:
                        yield _renamed_definition(self.module, node, new[name])
            outer = [*getattr(node, "decorator_list", ()), *_defaults(node)]
            beside = {id(one) for one in outer}
            pending += [(one, scope) for one in outer]
            pending += [(one, inner) for one in children(node) if id(one) not in beside]


def _defaults(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.FunctionDef):
        yield from (d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None)


def _is_global(name: str, scope: Scope) -> bool:
    current: Scope | None = scope
    while current is not None and current.parent is not None:
        if current.binds(name) and not (
            isinstance(current.node, ast.ClassDef) and current is not scope
        ):
            return False
        current = current.parent
    return True


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


def _renamed_definition(module: Module, node: ast.FunctionDef | ast.ClassDef, name: str) -> Edit:
    line = module.line_starts[node.lineno - 1]
    word = re.compile(rf"\b{re.escape(node.name)}\b")
    found = word.search(module.text, line)
    assert found is not None
    return Edit(found.start(), found.end(), (name,))


__all__ = ["MARK", "runtime_text"]
