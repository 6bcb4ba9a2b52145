"""Imports: added where people put them, removed when the port no longer needs them."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from gpuport.analysis.project.outside import Outside
from gpuport.emit.aliases import Aliases
from gpuport.rules.libraries import LIBRARIES
from gpuport.source.edits import Edit
from gpuport.source.module import Module
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.scoping import build_scopes
from gpuport.source.syntax import walk

ImportNode = ast.Import | ast.ImportFrom

Line = tuple[tuple[int, str], str]
"""Sorting key of an import (kind of statement, module) and its text."""

_WIDE = 88
"""Characters beyond which an import that had several lines keeps several."""

_FIRST = 1000
"""Order of inserted imports: before a decorator that is inserted at the same place."""


def added(
    module: Module,
    aliases: Aliases,
    *,
    cupy: bool,
    device: bool,
    extra: Iterable[str] = (),
    more: Iterable[Line] = (),
    before: int | None = None,
) -> Iterator[Edit]:
    """Edits that import CuPy, the runtime, and other modules (such as ``cupyx.scipy.fft``).

    ``more`` holds lines that are written already; those that import from one module become one.
    The code that needs them runs first at the line ``before``.
    """
    lines: list[Line] = []
    if cupy and not aliases.has_cupy:
        text = "import cupy" + ("" if aliases.cupy == "cupy" else f" as {aliases.cupy}")
        lines.append(((0, "cupy"), text))
    for name in sorted(set(extra)):
        lines.append(((0, name), f"import {name}"))
    if device and not aliases.has_device:
        text = "from gpuport.runtime import device"
        text += "" if aliases.device == "device" else f" as {aliases.device}"
        lines.append(((1, "gpuport.runtime"), text))
    lines = _merged([*lines, *more])
    block = _block(module.tree, before)
    if lines and not block:
        yield _at_top(module, [text for _, text in lines])
        return
    for key, text in lines:
        yield _insertion(module, block, key, text)


def _merged(lines: list[Line]) -> list[Line]:
    """Lines in their order, one for each module that names are imported from."""
    names: dict[Line, set[str]] = {}
    for key, text in lines:
        head, word, rest = text.partition(" import ")
        names.setdefault((key, head + word), set()).update(rest.split(", ") if word else ())
    return [(key, head + ", ".join(sorted(rest))) for (key, head), rest in sorted(names.items())]


def _block(tree: ast.Module, before: int | None) -> list[ImportNode]:
    """The run of third-party imports that NumPy's stands in, at the top; else all imports there."""
    body = tree.body
    at = next((i for i, s in enumerate(body) if _imports_library(s)), None)
    late = at is not None and before is not None and body[at].lineno >= before
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if at is None or late or any(isinstance(s, defined) for s in body[:at]):
        return [s for s in _leading(body) if isinstance(s, (ast.Import, ast.ImportFrom))]
    first = last = at
    while first > 0 and _same_section(body[first - 1], body[first]):
        first -= 1
    while last + 1 < len(body) and _same_section(body[last], body[last + 1]):
        last += 1
    return [s for s in body[first : last + 1] if isinstance(s, (ast.Import, ast.ImportFrom))]


def _leading(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for position, statement in enumerate(body):
        docstring = position == 0 and isinstance(statement, ast.Expr)
        if not docstring and not isinstance(statement, (ast.Import, ast.ImportFrom, ast.Try)):
            return
        yield statement


def _imports_library(node: ast.stmt) -> bool:
    """Whether a statement imports NumPy or SciPy."""
    if isinstance(node, ast.Import):
        return any(a.name.partition(".")[0] in LIBRARIES for a in node.names)
    return (
        isinstance(node, ast.ImportFrom)
        and not node.level
        and (node.module or "").partition(".")[0] in LIBRARIES
    )


def _same_section(a: ast.stmt, b: ast.stmt) -> bool:
    """Adjacent third-party imports without a blank line between them."""
    if not all(isinstance(s, (ast.Import, ast.ImportFrom)) for s in (a, b)):
        return False
    if any(_standard(s) for s in (a, b)):
        return False
    return b.lineno <= (a.end_lineno or a.lineno) + 1


def _standard(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return bool(node.level) or (node.module or "").partition(".")[0] in sys.stdlib_module_names
    assert isinstance(node, ast.Import)
    return node.names[0].name.partition(".")[0] in sys.stdlib_module_names


def _key(node: ImportNode) -> tuple[int, str]:
    if isinstance(node, ast.Import):
        return 0, node.names[0].name
    return 1, "." * node.level + (node.module or "")


def _insertion(module: Module, block: list[ImportNode], key: tuple[int, str], text: str) -> Edit:
    """A new line before the first import that sorts after it, else after the last."""
    newline = module.newline
    third_party = [s for s in block if not _standard(s)] or block
    for node in third_party:
        if _key(node) > key and not _standard(node) and _starts_line(module, node):
            start = module.line_starts[node.lineno - 1]
            return Edit(start, start, (text + newline,), order=_FIRST - key[0])
    last = block[-1]
    line = last.end_lineno or last.lineno
    if line < len(module.line_starts):
        start = module.line_starts[line]
        return Edit(start, start, (text + newline,), order=_FIRST - key[0])
    end = len(module.text)
    return Edit(end, end, (newline + text,), order=_FIRST - key[0])


def _starts_line(module: Module, node: ast.stmt) -> bool:
    return module.line_text(node.lineno)[: node.col_offset].strip() == "" and node.col_offset == 0


def _at_top(module: Module, lines: list[str]) -> Edit:
    """A module without imports at its top: after the docstring."""
    body = module.tree.body
    newline = module.newline
    text = newline.join(lines)
    docstring = (
        bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    )
    if docstring:
        line = body[0].end_lineno or 1
        start = module.line_starts[line] if line < len(module.line_starts) else len(module.text)
        return Edit(start, start, (newline + text + newline,), order=_FIRST)
    decorators = getattr(body[0], "decorator_list", []) if body else []
    first = min((node.lineno for node in (*decorators, *body[:1])), default=1)
    start = module.line_starts[first - 1]
    return Edit(start, start, (text + newline + newline,), order=_FIRST)


def exports(module: Module, root: Scope) -> bool:
    """Whether other modules are meant to take names that are imported here."""
    return module.path.endswith("__init__.py") or "__all__" in root.bound


def removed(
    module: Module,
    root: Scope,
    edits: Iterable[Edit],
    moved: Iterable[str] = (),
    outside: Outside | None = None,
    read: Collection[str] = (),
) -> Iterator[Edit]:
    """Edits that drop imports of NumPy and SciPy which the port no longer uses.

    ``moved`` are names of the module that the port imports from elsewhere. What other files take
    from the module, as ``outside`` tells, stays in it, and so does what new text reads.
    """
    if exports(module, root):
        return
    elsewhere = frozenset(moved)
    edits = list(edits)
    replaced = {(e.start, e.end) for e in edits if all(isinstance(p, str) for p in e.parts)}
    inserted = [p for e in edits for p in e.parts if isinstance(p, str)]
    for scope in walk_scopes(root):
        if not any(_imports_library(n) for n in scope.import_nodes):
            continue
        nodes = [n for n in scope.import_nodes if _imports_library(n)]
        mine = {bound_name(n, a) for n in nodes for a in n.names}
        before, after = _references(module, scope, mine, replaced)
        after.update(name for name in mine if _mentioned(inserted, name))
        for node in nodes:
            unused = [
                a for a in node.names
                if (before[bound_name(node, a)] and not after[bound_name(node, a)]
                    and bound_name(node, a) not in read)
                or (scope is root and bound_name(node, a) in elsewhere)
            ]  # fmt: skip
            if unused and scope is root:
                unused = untaken(node, unused, outside)
            if unused:
                yield from drop(module, scope, node, unused)


def _mentioned(texts: Iterable[str], name: str) -> bool:
    """Whether new text reads something of a module: loops that moved keep what they call."""
    return any(re.search(rf"(?<![\w.]){re.escape(name)}\.", text) for text in texts)


def untaken(
    node: ImportNode, names: Iterable[ast.alias], outside: Outside | None
) -> list[ast.alias]:
    """Those of an import's names that no other file takes from the module."""
    names = list(names)
    if outside is None:
        return names
    taken = outside.taken()
    return [] if taken is None else [a for a in names if bound_name(node, a) not in taken]


def fallen_out(before: Module, after: Module, outside: Outside | None = None) -> Iterator[Edit]:
    """Edits that drop the imports at the top of a module that only lines used that are gone.

    What other files take from the module, as ``outside`` tells, stays in it.
    """
    root = build_scopes(after.tree)
    if exports(after, root):
        return
    used, left = _names_read(before), _names_read(after)
    for node in after.tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            unused = [a for a in node.names if bound_name(node, a) in used - left]
            unused = untaken(node, unused, outside) if unused else []
            if unused:
                yield from drop(after, root, node, unused)


def _names_read(module: Module) -> frozenset[str]:
    """Names that are read somewhere, texts of annotations and doctests included."""
    nodes = list(walk(module.tree))
    texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    named = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return frozenset(named.union(*(re.findall(r"\w+", text) for text in texts)))


def bound_name(node: ImportNode, alias: ast.alias) -> str:
    """The local name that an import binds."""
    if alias.asname:
        return alias.asname
    return alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name


def _references(
    module: Module, scope: Scope, names: set[str], replaced: set[tuple[int, int]]
) -> tuple[Counter[str], Counter[str]]:
    """How often each of some names is read in a scope, before and after the edits."""
    spans = sorted(replaced)
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for node in walk(scope.node):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            before[node.id] += 1
            start, end = module.extent(node)
            if not any(a <= start and end <= b for a, b in spans):
                after[node.id] += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # Names in string annotations and doctests count as uses.
            for name in names:
                if f"{name}." in node.value:
                    after[name] += 1
    return before, after


def drop(module: Module, scope: Scope, node: ImportNode, unused: list[ast.alias]) -> Iterator[Edit]:
    """The edit that takes names out of an import; none where that would disturb the text."""
    start = module.line_starts[node.lineno - 1]
    last = node.end_lineno or node.lineno
    end = module.line_starts[last] if last < len(module.line_starts) else len(module.text)
    statement = module.segment(node)
    alone = module.text[start:end].strip() == statement
    body_size = len(scope.node.body) if not isinstance(scope.node, ast.Lambda) else 1
    if not alone or body_size < 2 or "#" in statement:
        return
    if len(unused) == len(node.names):
        if _in_body(scope, node):
            yield Edit(start, _past_blank(module, scope, node, last, end), ("",))
        return
    kept = [a.name + (f" as {a.asname}" if a.asname else "") for a in node.names if a not in unused]
    head = "import " if isinstance(node, ast.Import) else f"from {node.module} import "
    text = head + ", ".join(kept)
    if last > node.lineno and len(text) > _WIDE:
        if last - node.lineno <= len(node.names):
            return  # several names a line: whoever laid them out so may take one out
        second = module.line_text(node.lineno + 1)
        indent = module.newline + second[: len(second) - len(second.lstrip(" \t"))]
        text = f"{head}({indent}{f',{indent}'.join(kept)},{module.newline})"
    a, b = module.extent(node)
    yield Edit(a, b, (text,))


def _past_blank(module: Module, scope: Scope, node: ImportNode, last: int, end: int) -> int:
    """The end of the blank line below an import that a function started with."""
    body = [] if isinstance(scope.node, ast.Lambda) else scope.node.body
    first = not isinstance(scope.node, ast.Module) and bool(body) and body[0] is node
    if first and last + 1 < len(module.line_starts) and not module.line_text(last + 1).strip():
        return module.line_starts[last + 1]
    return end


def _in_body(scope: Scope, node: ImportNode) -> bool:
    return not isinstance(scope.node, ast.Lambda) and node in scope.node.body
