"""The whole port of one module: passes over it until another one would change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpuport.analysis.knowledge.tables import Knowledge, knowledge
from gpuport.analysis.project.failures import Failure, FunctionFailed
from gpuport.analysis.project.outside import Outside
from gpuport.config import Config
from gpuport.emit.imports import fallen_out
from gpuport.passes.hoisting import Hoist, to_try
from gpuport.passes.onepass import Entry, NoProgram, Pass, Source, Watch, one_pass
from gpuport.passes.otherwise import tell_more
from gpuport.passes.surroundings import Surroundings, forget_modules
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
MOST_FAILURES = 16
"""Functions of a module with which something may go wrong until the module is left alone."""


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
    (report,) = port_program([module], config, [suppressions], watch=watch, files=files)
    return report


def port_program(
    modules: Sequence[Module],
    config: Config,
    suppressions: Sequence[Suppressions | None],
    *,
    watch: Watch | None = None,
    files: Files | None = None,
) -> tuple[FileReport, ...]:
    """Port the modules of a program together; parameters and errors as for `port_module`.

    Returns
    -------
    tuple of FileReport
        By module.

    Raises
    ------
    NoProgram
        If other code may use the names of several modules: each is to be ported by itself.
    """
    known = knowledge(
        config.table, config.rules, config.disable, config.unsafe, config.boundary,
        config.whole_program,
    )  # fmt: skip
    passes = _Passes(
        known, config, tuple(_outside(module, files, known) for module in modules),
        tuple(one is not None for one in suppressions),
    )  # fmt: skip
    while True:
        try:
            return _ported(modules, passes, suppressions, watch)
        except FunctionFailed as failed:  # it is left as it is, and all begins again
            if config.debug or not passes.leave(modules, failed):
                raise (failed.__cause__ or failed) from None


def _ported(
    modules: Sequence[Module],
    passes: _Passes,
    suppressions: Sequence[Suppressions | None],
    watch: Watch | None,
) -> tuple[FileReport, ...]:
    """Port modules but for the functions with which something went wrong before."""
    current, first = list(modules), passes.over(modules, watch=watch)
    failed: list[dict[int, Entry]] = [{} for _ in modules]
    named = _with_names(current, first, passes, failed)
    if named is not None:
        current, first = named, passes.over(named, watch=watch)
    for module, one, others in zip(modules, first, failed, strict=True):
        in_disguise = passes.known.rules.of_disguised_loops
        tell_more(module, one.entries.values(), others.values(), in_disguise)
    port = _Port(passes, watch, current, first, [dict(one.entries) for one in first])
    port.settle()
    if any(one.loops_in_disguise for one in first):  # their arguments may be known by now
        after = port.modules()
        named = _with_names(after, passes.over(after), passes, failed) if after != modules else None
        if named is not None:
            port.go_on_with(named)
    texts = [one.text for one in port.modules()]
    return tuple(
        _report(
            module, found, ledgers.values(), text if text != module.text else None, suppressed
        )
        for module, found, ledgers, text, suppressed in zip(
            modules, first, port.entries, texts, suppressions, strict=True
        )
    )  # fmt: skip


@dataclass(slots=True, eq=False)
class _Port:
    """A port on its way.

    Attributes
    ----------
    passes : _Passes
    watch : callable or None
    current : list of Module
        The texts as they were before the last pass.
    last : list of Pass
        The last pass over each.
    entries : list of dict
        By module, what has become of its functions.
    """

    passes: _Passes
    watch: Watch | None
    current: list[Module]
    last: list[Pass]
    entries: list[dict[int, Entry]]

    def modules(self) -> list[Module]:
        """The texts as they are now."""
        return [_after(module, one) for module, one in zip(self.current, self.last, strict=True)]

    def settle(self) -> None:
        """Make passes until another one would change nothing."""
        made = 1
        while made < MOST_PASSES and any(
            one.result is not None and one.unsettled for one in self.last
        ):
            # What is made in one module may let another one make more.
            alone = len(self.last) == 1
            only = [self.last[0].unsettled] if alone else [None] * len(self.last)
            self._pass(self.modules(), only)
            made += 1

    def go_on_with(self, named: list[Module]) -> None:
        """Make the passes over texts with other names."""
        self._pass(named)
        self.settle()

    def _pass(
        self, modules: list[Module], only: Sequence[frozenset[int] | None] | None = None
    ) -> None:
        """One more pass: what it makes of a function stands for what an earlier one did."""
        last = self.passes.over(modules, only, self.watch)
        self.current, self.last = modules, last
        for known, one in zip(self.entries, self.last, strict=True):
            known.update({key: entry for key, entry in one.entries.items() if entry.edited})


@dataclass(frozen=True, slots=True)
class _Passes:
    """What all passes over the files of a program and their ports have in common."""

    known: Knowledge
    config: Config
    outside: tuple[Outside | None, ...]
    suppressible: tuple[bool, ...]
    failures: dict[str, dict[int, Failure]] = field(default_factory=dict)
    """By path of the module."""
    choices: dict[str, bool] = field(default_factory=dict)
    """What the last pass chose to follow through the program."""

    def leave(self, modules: Sequence[Module], failed: FunctionFailed) -> bool:
        """Leave a function alone with which something went wrong, or that around it.

        Returns
        -------
        bool
            False where that was tried: it is not the function's fault.
        """
        failures = self.failures.setdefault(failed.module.path, {})
        left = [key for key in failed.keys if key not in failures]
        ours = any(module.path == failed.module.path for module in modules)
        if not left or not ours or len(failures) == MOST_FAILURES:
            return False
        failures[left[0]] = failed.failure
        return True

    def over(
        self,
        modules: Sequence[Module],
        only: Sequence[frozenset[int] | None] | None = None,
        watch: Watch | None = None,
        *,
        tried: bool = False,
    ) -> list[Pass]:
        """One pass over the texts; ``only`` and ``watch`` as for `one_pass`.

        One that is merely ``tried`` follows what the last other one chose. Those choose anew: what
        they leave is to be the same when it is ported again.
        """
        if not tried:
            self.choices.clear()
        sources = [
            Source(
                module, Suppressions.of(module) if suppressible else None, outside, wanted,
                self.failures.get(module.path, {}),
            )
            for module, suppressible, outside, wanted in zip(
                modules, self.suppressible, self.outside, only or [None] * len(modules),
                strict=True,
            )
        ]  # fmt: skip
        return one_pass(sources, self.known, self.config, watch, self.choices)


def _outside(module: Module, files: Files | None, known: Knowledge) -> Outside | None:
    if files is None or module.path == STDIN:
        return None
    forget_modules()
    return Surroundings(files.same(Path(module.path).absolute()), files, known)


def _with_names(
    modules: Sequence[Module],
    first: Sequence[Pass],
    passes: _Passes,
    failed: list[dict[int, Entry]],
) -> list[Module] | None:
    """The modules with other names and lists where more comes of it; None without any.

    To ``failed`` is added, by module, what was found with names of which nothing came.
    """
    plain = [one.entries for one in first]
    out: list[set[Hoist]] = [set() for _ in first]
    only = [one.around_hoists for one in first]
    while True:
        tried = [to_try(one.hoists, gone) for one, gone in zip(first, out, strict=True)]
        if not any(tried):
            return None
        every = zip(modules, tried, passes.outside, strict=True)
        named = [_named(module, hoists, outside) for module, hoists, outside in every]
        made = passes.over(named, only, tried=True)
        lost = [
            {hoist for hoist in hoists if not _gains(hoist, now, before)}
            for hoists, now, before in zip(tried, made, plain, strict=True)
        ]
        if not any(lost):
            return named
        for hoists, now, entries in zip(lost, made, failed, strict=True):
            entries.update(now.entries if hoists else {})
        out = [gone | more for gone, more in zip(out, lost, strict=True)]


def _named(module: Module, hoists: Sequence[Hoist], outside: Outside | None) -> Module:
    if not hoists:
        return module
    made = _derived(module, edited(module.text, [e for hoist in hoists for e in hoist.edits]))
    gone = list(fallen_out(module, made, outside))
    return _derived(made, edited(made.text, gone)) if gone else made


def _gains(hoist: Hoist, made: Pass, plain: dict[int, Entry]) -> bool:
    """Whether more comes of a function with a hoist's edits than without them."""
    entry, before = made.entries.get(hoist.function), plain.get(hoist.function)
    if entry is None:
        return False
    return _made(entry, hoist) > ((0, 0) if before is None else _made(before, hoist))


def _made(entry: Entry, hoist: Hoist) -> tuple[int, int]:
    """The loops of a function that are kernels and all its kernels, or its stacked loops."""
    functions = entry.ledger.functions
    if hoist.for_stacks:
        return sum(one.batched for one in functions), 0
    loops = sum(found.code == "GP210" for found in entry.ledger.findings)
    return loops, sum(one.kernels for one in functions)


def _after(module: Module, made: Pass) -> Module:
    """A module after a pass over it."""
    return module if made.result is None else _derived(module, made.result)


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
        transfers=sum((ledger.transfers for ledger in ledgers), Transfers()),
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


__all__ = ["NoProgram", "port_module", "port_program"]
