"""One rule file to rules: strict about every key, exact about every place, all errors at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import yaml

from .matching import PatternError, compile_pattern, head, misplaced, names_in, variables
from .model import (
    IDENTIFIER,
    KINDS,
    RESOLVED_NAME,
    RULE_ID,
    WHERE_KINDS,
    DiffersRule,
    Example,
    Key,
    PatternRule,
    Rule,
    keys_of,
)
from .yamlpositions import Problems, compose, describe, flag_of, pairs, plain_value, text_of

_KEYS = {cls: keys_of(cls) for cls in (*KINDS.values(), Example)}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Suggest the nearest known word: ``; did you mean 'summary'?`` or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def read_rules(text: str, path: str) -> tuple[tuple[Rule, ...], Problems]:
    """Read the rules of one file.

    Parameters
    ----------
    text : str
        The file's content.
    path : str
        The path to name in messages.

    Returns
    -------
    rules : tuple of Rule
        Those that are right.
    problems : Problems
        Everything that is wrong.
    """
    problems = Problems(path)
    root = compose(text, problems)
    if root is None:
        return (), problems
    if not isinstance(root, yaml.SequenceNode):
        problems.add(root, f"a rule file is a list of rules, not {describe(root)}")
        return (), problems
    rules: list[Rule] = []
    seen: dict[str, int] = {}
    for node in root.value:
        rule = _read_rule(node, problems)
        if rule is None:
            continue
        if rule.id in seen:
            problems.add(node, f"id: {rule.id!r} is used twice, first in line {seen[rule.id]}")
        seen.setdefault(rule.id, rule.line)
        rules.append(rule)
    return tuple(rules), problems


def _read_rule(node: yaml.Node, problems: Problems) -> Rule | None:
    """One rule, or None where something is wrong with it."""
    if not isinstance(node, yaml.MappingNode):
        problems.add(node, f"a rule is a mapping, not {describe(node)}")
        return None
    before = len(problems.found)
    entries = {key: (key_node, value) for key, key_node, value in pairs(node, problems)}
    cls = _kind(node, entries, problems)
    if cls is None:
        return None
    entries.pop("kind", None)
    values = _read_entries(node, entries, _KEYS[cls], problems)
    if len(problems.found) == before:
        _check_names(values, entries, cls, problems)
    if len(problems.found) == before and cls is PatternRule:
        values |= _read_pattern(values, entries, problems)
    if len(problems.found) > before:
        return None
    return cls(**values, path=problems.path, line=node.start_mark.line + 1)


def _kind(
    node: yaml.Node, entries: dict[str, tuple[yaml.Node, yaml.Node]], problems: Problems
) -> type[Rule] | None:
    """The class of a rule: as ``kind`` says, or evident from ``rewrite`` or ``to``."""
    if "kind" not in entries:
        if "rewrite" in entries:
            return PatternRule
        if "to" in entries:
            return KINDS["swap"]
        problems.add(node, f"kind is missing: one of {', '.join(sorted(KINDS))}")
        return None
    value = entries["kind"][1]
    kind = text_of(value)
    if kind not in KINDS:
        shown = describe(value) if kind is None else repr(kind)
        problems.add(
            value,
            f"kind: {shown} is none of {', '.join(sorted(KINDS))}"
            + did_you_mean(kind or "", KINDS),
        )
        return None
    return KINDS[kind]


def _read_entries(
    node: yaml.Node,
    entries: dict[str, tuple[yaml.Node, yaml.Node]],
    keys: dict[str, Key],
    problems: Problems,
) -> dict[str, Any]:
    """Values of a mapping whose keys are known."""
    values: dict[str, Any] = {}
    for name, (key_node, value_node) in entries.items():
        key = keys.get(name)
        if key is None:
            problems.add(key_node, f"unknown key {name!r}{did_you_mean(name, keys)}")
        else:
            values[name] = _read_value(name, key, value_node, problems)
    for name, key in keys.items():
        if key.required and name not in entries:
            article = "needs at least one example" if name == "examples" else f"lacks {name!r}"
            problems.add(node, f"this {'rule' if 'id' in keys else 'example'} {article}")
    return values


def _read_value(name: str, key: Key, node: yaml.Node, problems: Problems) -> Any:
    """One value in the shape that its key asks for."""
    if key.shape == "flag":
        flag = flag_of(node)
        if flag is None:
            problems.add(node, f"{name}: must be true or false, not {describe(node)}")
        return flag
    if key.shape == "text":
        return _read_text(name, key, node, problems)
    if key.shape == "names":
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not items:
            problems.add(node, f"{name}: the list is empty")
        return tuple(_read_text(name, key, item, problems) for item in items)
    if key.shape == "examples":
        return _read_examples(node, problems)
    if not isinstance(node, yaml.MappingNode):
        problems.add(node, f"{name}: must be a mapping, not {describe(node)}")
        return {}
    if key.shape == "text-map":
        return {
            k: _read_text(f"{name}: {k}", key, value, problems)
            for k, _, value in pairs(node, problems)
        }
    return {k: plain_value(value, problems) for k, _, value in pairs(node, problems)}


def _read_text(name: str, key: Key, node: yaml.Node, problems: Problems) -> str:
    text = text_of(node)
    if text is None:
        problems.add(node, f"{name}: must be text, not {describe(node)}")
        return ""
    if not text.strip():
        problems.add(node, f"{name}: is empty")
    elif key.choices and not _allowed(text, key.choices):
        problems.add(
            node,
            f"{name}: {text!r} is none of {', '.join(key.choices)}"
            + did_you_mean(text, key.choices),
        )
    return text


def _allowed(text: str, choices: tuple[str, ...]) -> bool:
    """Whether a text is one of the choices; one that ends in ``:`` is completed by a name."""
    return text in choices or any(
        c.endswith(":") and text.startswith(c) and RESOLVED_NAME.match(text[len(c) :])
        for c in choices
    )


def _read_examples(node: yaml.Node, problems: Problems) -> tuple[Example, ...]:
    if not isinstance(node, yaml.SequenceNode):
        problems.add(node, f"examples: must be a list, not {describe(node)}")
        return ()
    if not node.value:
        problems.add(node, "examples: a rule needs at least one example")
    examples: list[Example] = []
    for item in node.value:
        if not isinstance(item, yaml.MappingNode):
            problems.add(item, f"examples: an example is a mapping, not {describe(item)}")
            continue
        before = len(problems.found)
        entries = {key: (key_node, value) for key, key_node, value in pairs(item, problems)}
        values = _read_entries(item, entries, _KEYS[Example], problems)
        for name in ("before", "after"):
            if isinstance(values.get(name), str):
                _check_code(name, values[name], entries[name][1], problems)
        if len(problems.found) == before:
            examples.append(Example(**values, line=item.start_mark.line + 1))
    return tuple(examples)


def _check_code(name: str, code: str, node: yaml.Node, problems: Problems) -> None:
    try:
        compile(code, "<example>", "exec", flags=0x400, dont_inherit=True)  # ast only
    except (SyntaxError, ValueError) as error:
        problems.add(node, f"{name}: not Python: {getattr(error, 'msg', error)}")


def _check_names(
    values: dict[str, Any],
    entries: dict[str, tuple[yaml.Node, yaml.Node]],
    cls: type[Rule],
    problems: Problems,
) -> None:
    """Ids, resolved names and parameter names must have the form of such."""
    if not RULE_ID.match(values["id"]):
        problems.add(
            entries["id"][1], f"id: {values['id']!r} may hold letters, digits and hyphens only"
        )
    if cls is not PatternRule:
        for name, node in _items("match", values, entries):
            if not RESOLVED_NAME.match(name):
                problems.add(node, f"match: {name!r} is no dotted name, such as numpy.linalg.svd")
    if cls is DiffersRule and (values["then"] == "instead") != ("instead" in values):
        problems.add(entries["then"][1], "then: `instead` needs the key of that name, and it alone")
    if "takes" in values and "instead" not in values:
        problems.add(entries["takes"][1], "takes: says which parameters `instead` has")
    if "instead" in values and not RESOLVED_NAME.match(values["instead"]):
        problems.add(entries["instead"][1], f"instead: {values['instead']!r} is no dotted name")
    if "to" in values and not RESOLVED_NAME.match(values["to"]):
        problems.add(entries["to"][1], f"to: {values['to']!r} is no dotted name")
    for key in ("mutates", "positional"):
        for name, node in _items(key, values, entries):
            if not IDENTIFIER.match(name):
                problems.add(node, f"{key}: {name!r} is no parameter name")
    if "message" in values:
        stray = values["message"].replace("{name}", "")
        if "{" in stray or "}" in stray:
            problems.add(entries["message"][1], "message: only {name} is filled in")


def _items(
    key: str, values: dict[str, Any], entries: dict[str, tuple[yaml.Node, yaml.Node]]
) -> Iterable[tuple[str, yaml.Node]]:
    """The texts of a list with their nodes."""
    if key not in entries:
        return ()
    node = entries[key][1]
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    return zip(values[key], nodes, strict=True)


def _read_pattern(
    values: dict[str, Any], entries: dict[str, tuple[yaml.Node, yaml.Node]], problems: Problems
) -> dict[str, Any]:
    """Compile the patterns of a rule and hold its metavariables against each other."""
    patterns = []
    heads = []
    known: set[str] | None = None
    for text, node in _items("match", values, entries):
        pattern = _compiled("match", text, node, problems)
        if pattern is None:
            continue
        name = head(pattern)
        if name is None:
            problems.add(node, "match: a pattern starts from a name, a method or an operator")
            continue
        found = set(variables(pattern))
        known = found if known is None else known & found
        patterns.append(pattern)
        heads.append(name)
    if known is None:
        return {}
    if "where" in entries:
        _check_where(entries["where"][1], known, problems)
    if values.get("rewrite") is not None:
        _check_rewrite(values["rewrite"], entries["rewrite"][1], known, problems)
    elif values.get("safety") != "manual":
        problems.add(entries["match"][0], "a rule without 'rewrite' needs 'safety: manual'")
    return {"patterns": tuple(patterns), "heads": tuple(heads)}


def _compiled(key: str, text: str, node: yaml.Node, problems: Problems) -> Any:
    try:
        pattern = compile_pattern(text)
    except PatternError as error:
        quoted = getattr(node, "style", None) in ("'", '"')
        problems.add(node, f"{key}: {error}", offset=error.offset + quoted)
        return None
    rest = misplaced(pattern)
    if rest is not None:
        problems.add(node, f"{key}: '$...{rest}' must be the last argument of a call")
        return None
    for name, count in variables(pattern).items():
        if name.startswith("...") and count > 1:
            problems.add(node, f"{key}: '${name}' is used twice")
            return None
    return pattern


def _check_where(node: yaml.Node, known: set[str], problems: Problems) -> None:
    if not isinstance(node, yaml.MappingNode):
        return
    plain = {name.removeprefix("...") for name in known}
    for name, key_node, value in pairs(node, problems):
        if name not in plain:
            problems.add(
                key_node, f"where: unknown metavariable {name!r}{did_you_mean(name, plain)}"
            )
        kind = text_of(value)
        if kind not in WHERE_KINDS:
            problems.add(
                value,
                f"where: {kind!r} is none of {', '.join(WHERE_KINDS)}"
                + did_you_mean(kind or "", WHERE_KINDS),
            )


def _check_rewrite(text: str, node: yaml.Node, known: set[str], problems: Problems) -> None:
    template = _compiled("rewrite", text, node, problems)
    if template is None:
        return
    for name in variables(template):
        if name not in known:
            problems.add(
                node,
                f"rewrite: unknown metavariable {name!r}{did_you_mean(name, known)}"
                + (": it must be in every pattern of the rule" if known else ""),
            )
    for name in names_in(template):
        root = name.partition(".")[0]
        if "." in name and root not in ("cupy", "cupyx", "numpy", "math", "gpuport"):
            problems.add(
                node, f"rewrite: {name!r} must be written in full: cupy, cupyx, numpy or math"
            )
