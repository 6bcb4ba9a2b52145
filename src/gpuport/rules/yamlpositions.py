"""YAML with the position of every value, and problems that are collected instead of raised."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from .errors import Problem

_SCALARS = {"null", "bool", "int", "float", "str"}
_TAGS = _SCALARS | {"seq", "map", "timestamp", "value", "merge"}


class Problems:
    """Collects problems of one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Problem] = []

    def add(self, node: yaml.Node, message: str, *, offset: int = 0) -> None:
        """Note a problem at a node, ``offset`` characters into it."""
        mark = node.start_mark
        self.at(mark.line + 1, mark.column + 1 + offset, message)

    def at(self, line: int, column: int, message: str) -> None:
        """Note a problem at a 1-based line and column."""
        self.found.append(Problem(self.path, line, column, message))


def compose(text: str, problems: Problems) -> yaml.Node | None:
    """Parse one YAML document to its nodes; a syntax error becomes a problem.

    Aliases are refused: they can hide a document that is endless or exponentially large, and a
    rule that has to be read with the file scrolled elsewhere is no longer readable.
    """
    loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = None
    try:
        loader = loader_class(text)
        node: yaml.Node | None = loader.get_single_node()
        return (
            None
            if node is not None and ("&" in text or "!" in text) and _refuse_strange(node, problems)
            else node
        )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = error.problem or error.context or "not valid YAML"
        problems.at(
            mark.line + 1 if mark else 1, mark.column + 1 if mark else 1, f"not YAML: {message}"
        )
    except yaml.YAMLError as error:
        problems.at(1, 1, f"not YAML: {str(error).splitlines()[0]}")
    finally:
        if loader is not None:
            loader.dispose()
    return None


def _refuse_strange(root: yaml.Node, problems: Problems) -> bool:
    """Report the first node reached twice or of a type of its own; whether there is one."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            problems.add(node, "anchors and aliases are not allowed in rules: write it out")
            return True
        seen.add(id(node))
        if _tag(node) not in _TAGS:
            problems.add(node, f"values with the tag {node.tag!r} are not allowed")
            return True
        if isinstance(node, yaml.SequenceNode):
            waiting.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            waiting.extend(part for pair in node.value for part in pair)
    return False


def describe(node: yaml.Node) -> str:
    """Name the kind of value a node holds, for messages."""
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return {"null": "nothing", "bool": "a bool", "int": "a number", "float": "a number"}.get(
        _tag(node), "text"
    )


def _tag(node: yaml.Node) -> str:
    return str(node.tag).removeprefix("tag:yaml.org,2002:")


def text_of(node: yaml.Node) -> str | None:
    """The string a node holds, or None where it holds something else."""
    if isinstance(node, yaml.ScalarNode) and _tag(node) == "str":
        return str(node.value)
    return None


def flag_of(node: yaml.Node) -> bool | None:
    """The bool a node holds, or None where it holds something else."""
    if isinstance(node, yaml.ScalarNode) and _tag(node) == "bool":
        return str(node.value).lower() in ("true", "yes", "on")
    return None


def pairs(node: yaml.MappingNode, problems: Problems) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """Yield ``key, key node, value node``; keys that are no text or come twice are problems."""
    seen: dict[str, int] = {}
    for key_node, value_node in node.value:
        key = text_of(key_node)
        if key is None:
            problems.add(key_node, f"a key must be text, not {describe(key_node)}")
        elif key in seen:
            problems.add(key_node, f"{key}: given twice, first in line {seen[key]}")
        else:
            seen[key] = key_node.start_mark.line + 1
            yield key, key_node, value_node


def plain_value(node: yaml.Node, problems: Problems) -> Any:
    """A number, string, bool, None, list or mapping as Python has it."""
    if isinstance(node, yaml.SequenceNode) and _tag(node) == "seq":
        return [plain_value(item, problems) for item in node.value]
    if isinstance(node, yaml.MappingNode) and _tag(node) == "map":
        return {key: plain_value(value, problems) for key, _, value in pairs(node, problems)}
    tag = _tag(node)
    if not isinstance(node, yaml.ScalarNode) or tag not in _SCALARS:
        problems.add(node, f"values of type {node.tag} are not allowed")
        return None
    if tag == "str":
        return str(node.value)
    try:
        return yaml.safe_load(node.value)
    except (yaml.YAMLError, ValueError):
        problems.add(node, f"{node.value!r} is not a value")
        return None
