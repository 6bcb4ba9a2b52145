"""Lists and pages of rules and finding codes, and the refusal of codes that do not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gpuport.config import Config, ConfigError
from gpuport.rules.findings import known_codes, page, registry
from gpuport.rules.loading import RuleSet


def check_codes(config: Config) -> None:
    """Refuse codes of ``select`` and ``ignore`` that no finding code begins with.

    Raises
    ------
    ConfigError
    """
    for option in ("select", "ignore"):
        for code in getattr(config, option):
            if not any(known.startswith(code) for known in known_codes()):
                raise ConfigError(f"{option}: unknown code '{code}'{_near(code, known_codes())}")


def load_rules(config: Config) -> RuleSet:
    """The shipped rules and the user's.

    Raises
    ------
    gpuport.rules.errors.RuleError
        With every problem of every rule file.
    """
    return RuleSet.load([Path(folder) for folder in config.rules], config.disable)


def explain(word: str, rules: RuleSet) -> str:
    """The page of a finding code, or of a rule by id or name.

    Raises
    ------
    LookupError
        Where nothing goes by that word; the message has a hint.
    """
    found = page(word, rules)
    if found is None:
        rule_names = [name for rule in rules.all() for name in (rule.id, rule.name)]
        known = [*registry(), *(entry.name for entry in registry().values()), *rule_names]
        raise LookupError(f"no finding code or rule '{word}'{_near(word, known)}")
    return found


def rule_lines(rules: RuleSet) -> Iterator[str]:
    """One line a rule: id, kind, safety, name and summary."""
    width = max((len(rule.id) for rule in rules.all()), default=0)
    for rule in rules.all():
        yield f"{rule.id:<{width}}  {rule.kind:<8} {rule.safety:<7} {rule.name}: {rule.summary}"


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


def _near(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
