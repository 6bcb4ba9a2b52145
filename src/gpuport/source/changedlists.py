"""Lists and dicts that are changed: what they were made of does not tell what they hold.

Told by names alone, of variables, attributes, parameters and functions, for a module as a whole:
what one name is bound to, another may be bound to as well, and a change through either is one of
both.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from gpuport._frozen import frozen
from gpuport.source.boundlists import (
    FUNCTIONS,
    HANDS_ON,
    bound_by_calls,
    bound_by_loops,
    bound_by_statements,
    called,
    given_back,
    held,
    sources,
)
from gpuport.source.constantnames import Bound, constants, holders_of, read_as, settings
from gpuport.source.syntax import Kinds, by_kind, dotted, walk

CHANGING = frozenset(
    {"append", "insert", "add", "setdefault", "extend", "update", "pop", "popitem", "clear",
     "remove", "reverse", "sort"}
)  # fmt: skip
"""Methods that change a list, a dict or a set."""

_NOBODY = frozenset(("",))
"""A name that no module has."""


@frozen
class ChangedLists:
    """The names whose lists or dicts are changed, and the displays that are bound to them.

    ``directly``: the names by which they are, of which any of ``names`` may be another.
    """

    names: frozenset[str]
    displays: frozenset[int]
    directly: frozenset[str] = frozenset()


def changed_lists(kinds: Kinds) -> ChangedLists:
    """What of a module's lists and dicts is changed after it was made.

    Parameters
    ----------
    kinds : dict of type to list
        The nodes of the module's tree, by their classes.

    Returns
    -------
    ChangedLists
    """
    first = _changed_by(kinds)
    if not first:
        return ChangedLists(frozenset(), frozenset())
    bound = [*bound_by_statements(kinds), *bound_by_calls(kinds), *given_back(kinds)]
    told, fixed = settings(kinds, bound), constants(kinds, bound) - first
    builtins = _builtins(kinds, bound)
    bound += bound_by_loops(kinds, builtins)
    if told or fixed:
        bound = [
            one for one in bound
            if read_as(one[1]) not in told
            and not (holders_of(one[1], builtins) or _NOBODY) <= fixed
        ]  # fmt: skip
    names = _spread(first, bound, builtins | _of_libraries(kinds, bound), _read(kinds))
    displays = frozenset(
        id(display) for targets, value in bound if not names.isdisjoint(targets)
        for display in _displays(value)
    )  # fmt: skip
    return ChangedLists(names, displays, first)


def _builtins(kinds: Kinds, bound: list[Bound]) -> frozenset[str]:
    """The builtins that hand on what they are given, and that the module means by these names."""
    own = {name for targets, _ in bound for name in targets}
    own |= {node.name for kind in (*FUNCTIONS, ast.ClassDef) for node in kinds[kind]}
    imports = [node for kind in (ast.Import, ast.ImportFrom) for node in kinds[kind]]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    own |= imported | {argument.arg for argument in kinds[ast.arg]}
    return frozenset() if "*" in imported else HANDS_ON - own


def _of_libraries(kinds: Kinds, bound: list[Bound]) -> frozenset[str]:
    """The functions of imported modules, ``array`` of ``np.array``, that nothing else is called as.

    What two calls of one give has nothing in common that the module itself has made.
    """
    own = {name for targets, _ in bound for name in targets}
    own |= {node.name for kind in (*FUNCTIONS, ast.ClassDef) for node in kinds[kind]}
    own |= {argument.arg for argument in kinds[ast.arg]}
    modules = {
        (alias.asname or alias.name).partition(".")[0]
        for node in kinds[ast.Import] for alias in node.names
    } - own  # fmt: skip
    found: dict[bool, set[str]] = {True: set(), False: {node.id for node in kinds[ast.Name]}}
    for node in kinds[ast.Attribute]:
        found[(dotted(node) or "").partition(".")[0] in modules].add(node.attr)
    return frozenset(found[True] - found[False] - own)


def changed_within(node: ast.AST) -> frozenset[str]:
    """The names whose lists or dicts a piece of code changes."""
    return _changed_by(by_kind(walk(node)))


def _changed_by(kinds: Kinds) -> frozenset[str]:
    found: list[str] = []
    for node in kinds[ast.Subscript]:
        if node.ctx.__class__ is not ast.Load:
            found += sources(node.value)
    for node in kinds[ast.AugAssign]:
        found += sources(node.target)
    for node in kinds[ast.Call]:
        if node.func.__class__ is ast.Attribute and node.func.attr in CHANGING:
            found += sources(node.func.value)
    return frozenset(found)


def _read(kinds: Kinds) -> frozenset[str]:
    """The names that anything is read by, or changed by."""
    names = (node.id for node in kinds[ast.Name] if node.ctx.__class__ is not ast.Store)
    return frozenset(names).union(node.attr for node in kinds[ast.Attribute])


def _displays(node: ast.expr) -> Iterator[ast.expr]:
    """The displays of lists and dicts in what an expression gives."""
    if isinstance(node, (ast.List, ast.Dict, ast.ListComp, ast.DictComp)):
        yield node
    given = node.args if isinstance(node, ast.Call) and called(node.func) in HANDS_ON else []
    for part in (*given, *held(node)):
        yield from _displays(part)


def _spread(
    first: frozenset[str], bound: list[Bound], builtins: frozenset[str], read: frozenset[str]
) -> frozenset[str]:
    """Names whose lists or dicts may be those of the first ones.

    Two calls of one of the ``builtins``, or of a library, have nothing in common, and what is
    bound to a name that nothing reads is not changed by it.
    """
    near: dict[str, list[set[str]]] = defaultdict(list)
    for targets, value in bound:
        together = {*targets, *sources(value)} - builtins
        for name in together if len(together) > 1 else ():
            near[name].append(together)
    found, pending = set(first), list(first)
    while pending:
        for together in near.pop(pending.pop(), ()):
            new = together - found
            found |= new
            pending += new & read
    return frozenset(found)


__all__ = ["CHANGING", "ChangedLists", "changed_lists", "changed_within"]
