"""The whole port of one module: passes over it until another one would change nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from gpuport.analysis.knowledge import Knowledge, knowledge
from gpuport.analysis.outside import Outside
from gpuport.config import Config
from gpuport.passes.onepass import Entry, Pass, Watch, one_pass
from gpuport.passes.unsettled import ranked
from gpuport.records import CallCounts, FileReport, Finding, Transfers
from gpuport.source.discovery import STDIN
from gpuport.source.edits import Edited, edited
from gpuport.source.layout import Files
from gpuport.source.module import Module
from gpuport.source.reading import parse
from gpuport.source.suppression import Suppressions

MOST_PASSES = 8
"""Each pass leaves fewer functions to port, so that few are ever needed; rules of users might
make edits without end."""


def port_module(
    module: Module,
    config: Config,
    *,
    suppressions: Suppressions | None = None,
    watch: Watch | None = None,
    files: Files | None = None,
) -> FileReport:
    """Port one module.

    What a pass makes of one function is evidence for the functions that it calls: a second
    pass may port more. Passes are made until nothing changes, so that porting a port changes
    nothing.

    Parameters
    ----------
    module : Module
    config : Config
        ``boundary``, ``unsafe``, ``cupy``, ``rules`` and ``disable`` are used.
    suppressions : Suppressions, optional
        What comments in the file exclude.
    watch : callable, optional
        Is shown each pass.
    files : Files, optional
        The project around the module; without it nothing is known of what it imports.

    Returns
    -------
    FileReport
        ``after`` is None where nothing changes. All positions are those of ``module``.

    Raises
    ------
    gpuport.source.reading.SourceError
        If the port does not parse, which is a fault of this package or of a user's rule.
    """
    if suppressions is not None and suppressions.skip_file:
        return FileReport(module.path, before=module.text)
    known = knowledge(config.table, config.rules, config.disable, config.unsafe, config.boundary)
    passes = _Passes(known, config, _outside(module, files, known), suppressions is not None)
    current = module
    first = last = passes.over(module, watch=watch)
    if first.hoists:
        named = _with_names(module, first, passes)
        if named is not None:
            current = named
            first = last = passes.over(named, watch=watch)
    entries = dict(first.entries)
    made = 1
    while last.result is not None and last.unsettled and made < MOST_PASSES:
        current = _derived(current, last.result)
        last = passes.over(current, last.unsettled, watch)
        entries.update({key: entry for key, entry in last.entries.items() if entry.edited})
        made += 1
    after = last.result.text if last.result is not None else current.text
    return _report(
        module, first, entries.values(), after if after != module.text else None, suppressions,
        planned=config.tells_transfers,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Passes:
    """What all passes over a file and its ports have in common."""

    known: Knowledge
    config: Config
    outside: Outside | None
    suppressible: bool

    def over(
        self, module: Module, only: frozenset[int] | None = None, watch: Watch | None = None
    ) -> Pass:
        """One pass over a text; ``only`` and ``watch`` as for `one_pass`."""
        suppressions = Suppressions.of(module) if self.suppressible else None
        return one_pass(
            module, self.known, self.config, suppressions, only, watch, outside=self.outside
        )


def _outside(module: Module, files: Files | None, known: Knowledge) -> Outside | None:
    if files is None or module.path == STDIN:
        return None
    from gpuport.passes.surroundings import Surroundings, forget_modules

    forget_modules()
    return Surroundings(Path(module.path).absolute(), files, known)


def _with_names(module: Module, first: Pass, passes: _Passes) -> Module | None:
    """The module with local names for attributes in those functions where kernels come of it."""
    plain = {key: _kernels(entry) for key, entry in first.entries.items()}
    chosen = first.hoists
    while chosen:
        text = edited(module.text, [e for hoist in chosen for e in hoist.edits])
        named = _derived(module, text)
        made = passes.over(named)
        gained = tuple(
            h for h in chosen
            if h.function in made.entries
            and _kernels(made.entries[h.function]) > plain.get(h.function, 0)
        )  # fmt: skip
        if len(gained) == len(chosen):
            return named
        chosen = gained
    return None


def _kernels(entry: Entry) -> int:
    return sum(function.kernels for function in entry.ledger.functions)


def _derived(module: Module, result: Edited) -> Module:
    """A module that edits made, with the way back to the user's file."""
    made = parse(module.path, result.text)
    if module.derived is None:
        return replace(made, derived=(module, result))
    source, before = module.derived
    return replace(made, derived=(source, result.after(before)))


def _report(
    module: Module,
    first: Pass,
    entries: Iterable[Entry],
    after: str | None,
    suppressions: Suppressions | None,
    *,
    planned: bool,
) -> FileReport:
    ledgers = [entry.ledger for entry in entries]
    findings = [*first.findings, *(f for ledger in ledgers for f in ledger.findings)]
    most = ranked(one for ledger in ledgers for one in ledger.unsettled)
    if most is not None:
        findings.append(most)
    return FileReport(
        module.path,
        _filtered(findings, suppressions),
        tuple(report for ledger in ledgers for report in ledger.functions),
        sum((ledger.calls for ledger in ledgers), CallCounts()),
        module.text,
        after,
        transfers=sum((ledger.transfers for ledger in ledgers), Transfers()) if planned else None,
    )


def _filtered(
    findings: Iterable[Finding], suppressions: Suppressions | None
) -> tuple[Finding, ...]:
    """Findings in source order, without repetitions and without those that are suppressed."""
    seen: dict[tuple[object, ...], Finding] = {}
    for found in findings:
        if suppressions is not None and suppressions.ignored(found.code, found.span.line):
            continue
        seen.setdefault((found.code, found.span, found.message), found)
    return tuple(sorted(seen.values(), key=lambda f: (f.span.line, f.span.column, f.code)))


__all__ = ["port_module"]
