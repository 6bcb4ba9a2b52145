"""What is told of loops by what was found where the function was written in another way.

Of a loop over attributes it is told what kept it from being a kernel once these had names, not that
they had none; of a call for each element, what the loop that does the same was refused for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from gpuport.analysis.interpretation.placing import ON_ELEMENTS
from gpuport.passes.onepass import Entry
from gpuport.passes.writtenout import ITEMS
from gpuport.records import Finding
from gpuport.source.module import Module

_OF_LOOPS = frozenset({"GP201", "GP202", "GP203", "GP204", "GP205", "GP206"})
_WITHOUT_NAMES = frozenset({"GP201", "GP205"})
"""Codes for loops of which nothing more is said than that attributes are not looked into."""


def tell_more(
    module: Module, plain: Iterable[Entry], named: Iterable[Entry], in_disguise: frozenset[str]
) -> None:
    """Say of loops what kept them from being kernels where attributes had names, not that they had
    none.

    ``in_disguise`` are the rules of calls that are loops in disguise.
    """
    said = [one for entry in named for one in entry.ledger.findings]
    anything = {_place(one): one for one in said}
    loops = (one for one in said if one.rule not in in_disguise)
    known = {_place(one): one for one in loops if one.code in _OF_LOOPS}
    for entry in plain if known else ():
        findings = entry.ledger.findings
        little = [one for one in findings if one.message == ON_ELEMENTS]
        places = {_place(one) for one in findings}
        for position, found in enumerate(findings):
            if found.rule in in_disguise and found.code == "GP203":
                why = next((k for k in known.values() if k.span.line == found.span.line), None)
                findings[position] = found if why is None else _with_reason(module, found, why)
                continue
            more = known.get(_place(found)) if found.code in _WITHOUT_NAMES else None
            more = anything.get(_place(found)) if more is None and found in little else more
            if more is not None:
                findings[position] = replace(more, span=found.span)
        findings += [one for place, one in known.items() if little and place not in places]


def _with_reason(module: Module, found: Finding, why: Finding) -> Finding:
    """What is said of a call for each element, and why the loop that does the same is no kernel.

    The names that only that loop has are spoken of as what they stand for.
    """
    own = frozenset(re.findall(r"\w+", module.text))

    def told(name: re.Match[str]) -> str:
        if name[1] in own:
            return name[0]
        return "the array that it makes" if name[1].endswith(ITEMS) else "what it is given"

    reason = re.sub(r"`([^\W\d]\w*)`", told, why.message.partition(": ")[2])
    return replace(found, message=f"{found.message}: as a loop, {reason}")


def _place(finding: Finding) -> tuple[int, int]:
    return finding.span.line, finding.span.column


__all__ = ["tell_more"]
