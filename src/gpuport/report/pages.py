"""Pages of finding codes and rules, for ``gpuport explain`` and ``gpuport rules``."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from gpuport._data import rules_folder
from gpuport.config import Config, ConfigError
from gpuport.rules.loading import RuleSet
from gpuport.rules.model import Rule


@cache
def finding_codes() -> Mapping[str, Mapping[str, Any]]:
    """What is known of each finding code, in the order of ``rules/findings.yaml``."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    file = rules_folder() / "findings.yaml"
    loaded = yaml.load(file.read_text(encoding="utf-8"), Loader=loader)
    return {str(code): page for code, page in loaded.items()}


def check_codes(config: Config) -> None:
    """Refuse codes of ``--select`` and ``--ignore`` that no finding begins with.

    Raises
    ------
    ConfigError
    """
    for option in ("select", "ignore"):
        for code in getattr(config, option):
            if not code or not any(known.startswith(code) for known in finding_codes()):
                raise ConfigError(f"{option}: unknown code '{code}'{_near(code, finding_codes())}")


def load_rules(config: Config) -> RuleSet:
    """The shipped rules and the user's.

    Raises
    ------
    gpuport.rules.yamlpositions.RuleError
        With every problem of every rule file.
    """
    return RuleSet.load([Path(folder) for folder in config.rules], config.disable)


def explain(word: str, rules: RuleSet) -> str | None:
    """The page of a finding code, or of a rule by id or name; None where there is none."""
    code = word.upper()
    page = finding_codes().get(code)
    parts = []
    if page is not None:
        parts.append("\n".join(_finding_page(code, page)))
    rule = rules.find(word) or rules.find(code)
    if rule is not None:
        parts.append("\n".join(_rule_page(rule)))
    return "\n\n".join(parts) + "\n" if parts else None


def near_words(word: str, rules: RuleSet) -> str:
    """A hint at codes and rules that are spelled like a word; empty where there is none."""
    names = [name for rule in rules.all() for name in (rule.id, rule.name)]
    return _near(word, [*finding_codes(), *names])


def rule_lines(rules: RuleSet) -> Iterator[str]:
    """One line a rule: id, name, kind, safety, summary."""
    for rule in rules.all():
        yield f"{rule.id:<8} {rule.kind:<8} {rule.safety:<7} {rule.name}: {rule.summary}"


def rule_dictionaries(rules: RuleSet) -> list[dict[str, Any]]:
    """The rules as plain dictionaries, for JSON."""
    return [
        {
            "id": rule.id,
            "name": rule.name,
            "kind": rule.kind,
            "safety": rule.safety,
            "summary": rule.summary,
            "match": list(rule.match),
        }
        for rule in rules.all()
    ]


def _finding_page(code: str, page: Mapping[str, Any]) -> Iterator[str]:
    yield f"{code} {page.get('name', '')} ({page.get('severity', '')})".rstrip(" ()")
    for key, value in page.items():
        if key in ("name", "severity"):
            continue
        yield ""
        if key != "summary":
            yield f"{key.replace('_', ' ').replace('-', ' ').capitalize()}:"
        yield from _body(value)


def _body(value: object) -> Iterator[str]:
    if isinstance(value, str) and "\n" in value.strip():
        yield value.rstrip()
    elif isinstance(value, str):
        yield textwrap.fill(value.strip(), 88)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield f"  {key}:"
            yield from (textwrap.indent(line, "    ") for line in _body(item))
    elif isinstance(value, Iterable):
        for item in value:
            yield from (textwrap.indent(line, "  ") for line in _body(item))
    else:
        yield str(value)


def _rule_page(rule: Rule) -> Iterator[str]:
    yield f"{rule.id} {rule.name} ({rule.kind} rule, {rule.safety})"
    yield ""
    yield textwrap.fill(rule.summary, 88)
    yield ""
    yield f"Matches: {', '.join(rule.match)}"
    if rule.because:
        yield textwrap.fill(f"Because: {rule.because.strip()}", 88)
    if rule.see:
        yield f"See: {rule.see}"
    for example in rule.examples:
        yield ""
        yield "Example:"
        yield textwrap.indent(example.before.rstrip(), "    ")
        if example.after is not None:
            yield "becomes"
            yield textwrap.indent(example.after.rstrip(), "    ")


def _near(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
