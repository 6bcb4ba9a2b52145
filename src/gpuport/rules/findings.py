"""The registry of finding codes, and a page for each: ``gpuport explain``, ``docs/findings/``."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from gpuport._data import rules_folder
from gpuport.records import Severity

from .errors import RuleError
from .loading import RuleSet
from .model import PatternRule, Rule


@dataclass(frozen=True)
class FindingPage:
    """What is to be said about one finding code.

    Attributes
    ----------
    code, name : str
        ``GP102`` and its name in words joined by hyphens, which is also a refusal's reason.
    severity : Severity
    summary, why, do : str
        What was seen, why it matters, what the reader can do.
    example : str
        Code in which it is seen; may be empty.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    do: str
    example: str = ""


@cache
def registry() -> dict[str, FindingPage]:
    """Every finding code with its page, in the order of the codes.

    Raises
    ------
    RuleError
        Where the registry's file is not as it must be.
    """
    import yaml

    from .yamlpositions import Problems, compose, pairs, text_of

    path = rules_folder() / "findings.yaml"
    problems = Problems("rules/findings.yaml")
    root = compose(path.read_text(encoding="utf-8"), problems)
    pages: dict[str, FindingPage] = {}
    known = {f.name for f in fields(FindingPage)}
    for node in root.value if isinstance(root, yaml.SequenceNode) else ():
        entries = {key: text_of(value) for key, _, value in pairs(node, problems)}
        wrong = (known - {"example"} - set(entries)) | (set(entries) - known)
        if wrong or None in entries.values():
            problems.add(node, f"missing, unknown or no text: {', '.join(sorted(wrong))}")
            continue
        values = {key: text for key, text in entries.items() if text is not None}
        severity = Severity(values.pop("severity"))
        pages[values["code"]] = FindingPage(severity=severity, **values)
    if problems.found:
        raise RuleError(tuple(problems.found))
    return dict(sorted(pages.items()))


def known_codes() -> tuple[str, ...]:
    """Every finding code, sorted."""
    return tuple(registry())


def page(code: str, rules: RuleSet | None = None) -> str | None:
    """The page of a finding code, or of a rule by its id or name, as Markdown.

    Parameters
    ----------
    code : str
        ``GP102`` or ``missing-in-cupy``; a rule's id or name.
    rules : RuleSet, optional
        Where to look for rules; the shipped ones without it.

    Returns
    -------
    str or None
        None where nothing goes by that code.
    """
    for found in registry().values():
        if code.upper() == found.code or code == found.name:
            return _finding_page(found)
    rule = (rules or RuleSet.load()).find(code)
    return _rule_page(rule) if rule is not None else None


def _finding_page(finding: FindingPage) -> str:
    lines = [
        f"# {finding.code}: {finding.name}",
        "",
        f"{finding.summary}. Severity: {finding.severity.value}.",
        "",
        "## Why",
        "",
        finding.why,
        "",
        "## What to do",
        "",
        finding.do,
    ]
    if finding.example:
        lines += ["", "## Example", "", "```python", finding.example, "```"]
    return "\n".join(lines) + "\n"


def _rule_page(rule: Rule) -> str:
    lines = [
        f"# {rule.id}: {rule.name}",
        "",
        f"{rule.summary}.",
        "",
        f"A {rule.kind} rule ({rule.safety}), {rule.path}:{rule.line}.",
        "",
        "Applies to: " + ", ".join(f"`{name}`" for name in rule.match),
    ]
    if isinstance(rule, PatternRule) and rule.rewrite is not None:
        lines += ["", f"Becomes: `{rule.rewrite}`"]
    if rule.because:
        lines += ["", f"Because: {rule.because}"]
    for example in rule.examples:
        lines += ["", "```python", example.before]
        if example.after is not None:
            lines += ["# becomes", example.after]
        lines.append("```")
    if rule.see:
        lines += ["", f"See {rule.see}"]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """File name -> content of the generated documentation of all findings."""
    rows = [
        f"| [{f.code}]({f.code}.md) | {f.name} | {f.severity.value} | {f.summary} |"
        for f in registry().values()
    ]
    head = ["# Findings", "", "| code | name | severity | what was seen |", "|---|---|---|---|"]
    contents = {f"{f.code}.md": _finding_page(f) for f in registry().values()}
    return {"README.md": "\n".join([*head, *rows]) + "\n"} | contents


def main(arguments: list[str] | None = None) -> int:
    """Write the pages: ``python -m gpuport.rules.findings --write docs/findings``."""
    parser = argparse.ArgumentParser(description="Write one page for each finding code.")
    parser.add_argument("--write", type=Path, required=True, metavar="FOLDER")
    folder: Path = parser.parse_args(arguments).write
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in pages().items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
