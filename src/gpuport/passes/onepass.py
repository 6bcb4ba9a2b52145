"""One pass over a module: analyse, propose, apply. Pure: no files, no user code run."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from gpuport.analysis.calls.masked import MASKED
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.knowledge.tables import Knowledge
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.project.failures import Failure, blamed_on
from gpuport.analysis.project.outside import Outside
from gpuport.analysis.project.program import Program
from gpuport.analysis.statements.stores import PUT_WHERE
from gpuport.config import Config
from gpuport.emit import boundary, fusion, imports, itemloops, kernels, swap, transfers
from gpuport.emit.aliases import Aliases, choose
from gpuport.emit.breakeven import worth_from
from gpuport.emit.crossings import edits as transferred
from gpuport.emit.crossings import is_within
from gpuport.emit.kernels import without_function
from gpuport.emit.parentheses import without_parentheses
from gpuport.parallel.items.records import ItemLoop
from gpuport.passes import batching
from gpuport.passes.accounting import Ledger
from gpuport.passes.arraycomprehensions import array_comprehensions
from gpuport.passes.callers import unfollowed
from gpuport.passes.disguisedloops import disguised_loops
from gpuport.passes.generatedlists import generated_lists
from gpuport.passes.helditems import held_items
from gpuport.passes.hoisting import Hoist, by_function, hoists
from gpuport.passes.leftalone import ON_CUPY, SUPPRESSED, left_alone, module_findings
from gpuport.passes.mappedcalls import mapped_calls
from gpuport.passes.moving import Move, moves
from gpuport.passes.outcomes import Calls, Outcome, numpy_calls
from gpuport.passes.plan import plan
from gpuport.passes.withinkernels import within_kernels, within_loops
from gpuport.records import Finding
from gpuport.source.edits import Edit, Edited, edited, without_repeated_lines
from gpuport.source.module import Module
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.suppression import Suppressions

_FOR_STACKS = (generated_lists, mapped_calls)
"""Other ways of writing a function of which stacked code may come, as edits."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The edits of one function, and what the module has to import for them."""

    edits: tuple[Edit, ...]
    crossings: tuple[transfers.Transfer, ...]
    boundary: boundary.Boundary | None
    decorated: bool
    batches: batching.Batches = field(default_factory=batching.Batches)
    chains: tuple[fusion.Chain, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A function (or the module-level code) after one pass."""

    ledger: Ledger
    edited: bool


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass found and made.

    Attributes
    ----------
    entries : dict of int to Entry
        By the offset of ``def`` in the user's file; -1 for the module-level code.
    findings : tuple of Finding
        Those of no one function.
    result : Edited or None
        The new text; None where nothing changes.
    unsettled : frozenset of int
        The functions, as `entries` names them, of which another pass over the result might make
        more; empty where it would find nothing to do.
    hoists : tuple of Hoist
        What loops might become kernels or stacked code with: local names for attributes, lists
        that grow.
    around_hoists : frozenset of int, optional
        The functions of these, and those that matter to what comes of them; None: all may.
    loops_in_disguise : bool
        Whether there are calls of functions for each element or vector, for which no kernel stands.
    """

    entries: dict[int, Entry]
    findings: tuple[Finding, ...]
    result: Edited | None
    unsettled: frozenset[int]
    hoists: tuple[Hoist, ...] = ()
    around_hoists: frozenset[int] | None = None
    loops_in_disguise: bool = False


Watch = Callable[[Project, dict[int, Analysed], Aliases, dict[int, str]], None]
"""Is shown a pass before it is forgotten: all that was found, and what is left alone and why."""


@dataclass(frozen=True, slots=True)
class Source:
    """A module to be looked at.

    Attributes
    ----------
    module : Module
    suppressions : Suppressions, optional
    outside : Outside, optional
        Tells what the module imports from its project.
    only : frozenset of int, optional
        The functions to look at, where it is not all of them.
    failures : mapping of int to Failure
        Functions with which something went wrong: they are left as they are.
    """

    module: Module
    suppressions: Suppressions | None = None
    outside: Outside | None = None
    only: frozenset[int] | None = None
    failures: Mapping[int, Failure] = field(default_factory=dict)


class NoProgram(Exception):
    """Several modules cannot be ported together; the text says why."""


def one_pass(
    sources: Sequence[Source],
    known: Knowledge,
    config: Config,
    watch: Watch | None = None,
    choices: dict[str, bool] | None = None,
) -> list[Pass]:
    """Port what can be ported without knowing what the port of the rest looks like.

    Parameters
    ----------
    sources : sequence of Source
        The modules of one program; one module is one by itself.
    known : Knowledge
    config : Config
    watch : callable, optional
        Is shown what was found in each module.
    choices : dict, optional
        What an earlier pass chose to follow through the program; the first pass fills it.

    Returns
    -------
    list of Pass
        By module.

    Raises
    ------
    NoProgram
        If other code may use the names of several modules.
    """
    chosen: dict[str, bool] = {} if choices is None else choices
    withheld: dict[int, str] = {}
    while True:
        projects = [_opened(one, known, withheld, traced=watch is not None) for one in sources]
        try:
            found = _gone_over(sources, projects, config, watch, chosen)
        finally:
            for project in projects:
                project.release()
        if isinstance(found, list):
            return found
        withheld |= found


def _gone_over(
    sources: Sequence[Source],
    projects: list[Project],
    config: Config,
    watch: Watch | None,
    choices: dict[str, bool],
) -> list[Pass] | dict[int, str]:
    """One pass over modules that were opened; or loops that are to stay, for which it failed."""
    done = [left_alone(p, s.suppressions) for p, s in zip(projects, sources, strict=True)]
    for project, left in zip(projects, done, strict=True):
        project.on_cupy = frozenset(k for k, why in left.items() if why == ON_CUPY)
        project.leave_alone(frozenset(k for k, why in left.items() if why == SUPPRESSED))
    program = projects[0].program if len(projects) == 1 else _joined(projects)
    if program.is_joint and program.outsiders is not None:
        raise NoProgram(program.outsiders)
    program.choices = choices
    program.analyse()
    stay = {k: why for p in projects for k, why in without_function(p.results.values()).items()}
    return stay or [_made(*one, config, watch) for one in zip(sources, projects, done, strict=True)]


def _opened(
    source: Source, known: Knowledge, withheld: Mapping[int, str], *, traced: bool
) -> Project:
    project = Project(
        source.module, known, only=source.only, outside=source.outside, tracing=traced,
        failures=source.failures, withheld=withheld,
    )  # fmt: skip
    if source.suppressions is not None:
        project.suppressed = source.suppressions.skipped
    return project


def _joined(projects: list[Project]) -> Program:
    return Program.of({Path(p.module.path).absolute(): p for p in projects})


def _made(
    source: Source,
    project: Project,
    done: dict[int, str],
    config: Config,
    watch: Watch | None,
    staying: frozenset[str] = frozenset(),
) -> Pass:
    """The edits of one module that was analysed, and what is said of it.

    Names in `staying` go on meaning NumPy's and SciPy's.
    """
    results = project.results
    done.update(dict.fromkeys(project.beside_cupy - done.keys(), ON_CUPY))
    done.update(within_kernels(results.values()))
    done.update(within_loops(project, _taken(project, done, choose(project.root))))
    moving = tuple(m for m in moves(project, results, done) if m.name not in staying)
    stands_for = (*project.knowledge.rules.stand_ins, MASKED, PUT_WHERE)
    names = partial(choose, project.root, stands_for)
    aliases = replace(names(), moved=frozenset(m.name for m in moving))
    calls = numpy_calls(project)
    entries: dict[int, Entry] = {}
    edits: list[Edit] = []
    touched: list[Scope] = []
    decorated, shared, functions = False, fusion.Kernels(), itemloops.Functions()
    for scope in walk_scopes(project.root):
        analysed = results.get(id(scope.code))
        why = done.get(id(scope.code))
        if analysed is None:
            if why is None and source.only is None:
                entries[project.key(scope)] = Entry(_passed_by(project, scope), False)
            continue
        own = calls.get(id(scope.code), [])
        with blamed_on(project, scope):
            proposal, ledger = _of_function(analysed, own, why, aliases, config, functions)
        edits.extend(proposal.edits)
        shared.add(analysed, proposal.chains)
        decorated = decorated or proposal.decorated
        if proposal.edits:
            touched.append(scope)
        entries[project.key(scope)] = Entry(ledger, bool(proposal.edits))
    reads = shared.reads | functions.reads
    if read := reads & aliases.moved:  # by functions that run for arrays of NumPy's, too
        return _made(source, project, done, config, watch, staying | read)
    edits = without_repeated_lines([*edits, *shared.edits(project.module, aliases)])
    first = min((project.module.position(e.start)[0] for e in edits), default=None)
    imported = replace(names(first), moved=aliases.moved) if first is not None else aliases
    result = _apply(source, project.root, imported, edits, decorated, moving, first, reads)
    findings = (*module_findings(project, results, done), *unfollowed(project, results, done))
    gone_through = [analysed.unit for analysed in results.values()]
    in_disguise = any(unit.work.disguised_loops for unit in gone_through)
    hoisted: tuple[Hoist, ...] = ()
    if source.only is None:
        hoisted = hoists(project, gone_through, done)
        hoisted += by_function(gone_through, done, array_comprehensions)
        hoisted += by_function(gone_through, done, disguised_loops)
        hoisted += by_function(gone_through, done, held_items)
        for edits_of in _FOR_STACKS:
            hoisted += by_function(gone_through, done, edits_of, for_stacks=True)
    if watch is not None:
        watch(project, results, aliases, done)
    around = _around(project, hoisted)
    again = project.connected(touched)
    return Pass(entries, findings, result, again, hoisted, around, in_disguise)


def _taken(
    project: Project, done: Mapping[int, str], aliases: Aliases
) -> Iterator[tuple[Scope, ast.AST]]:
    """The loops over items of a module that become functions, and where they stand."""
    for scope in walk_scopes(project.root):
        analysed = project.results.get(id(scope.code))
        if analysed is None or id(scope.code) in done or not analysed.unit.forms.batches:
            continue
        if analysed.unit.refusal is None and analysed.placement.device:
            with blamed_on(project, scope):
                found = batching.batches(analysed, transfers.transfers(analysed, aliases))
            yield from ((scope, one.node) for one in found.made if isinstance(one, ItemLoop))


def _around(project: Project, hoisted: tuple[Hoist, ...]) -> frozenset[int] | None:
    """The functions with hoists, and those that matter to them; None where all functions may."""
    following = project.program.following
    named = frozenset(hoist.function for hoist in hoisted)
    if project.program.is_joint or following is None or following.ever_followed or -1 in named:
        return None
    scopes = [scope for scope in walk_scopes(project.root) if project.key(scope) in named]
    return named | project.connected(scopes)


def _of_function(
    analysed: Analysed,
    own: Calls,
    why: str | None,
    aliases: Aliases,
    config: Config,
    functions: itemloops.Functions,
) -> tuple[Proposal, Ledger]:
    """What is made, and said, of one function; ``why`` it is left alone, where it is."""
    ledger, proposal = Ledger(), Proposal((), (), None, False)
    if why is not None:
        ledger.leave(analysed, own, why)
        return proposal, ledger
    proposal = propose(analysed, aliases, config, functions)
    found = proposal.boundary if proposal.decorated else None
    made = proposal.batches, proposal.chains
    often = tuple(one for one in proposal.crossings if not one.use.seldom)
    ledger.add(Outcome(analysed, own, often, found, *made, config.fuses))
    if proposal.edits:
        once = proposal.batches.parts.union(*(one.covered for one in proposal.chains))
        ledger.transfers = plan(analysed, often, found, once)
    return proposal, ledger


def _passed_by(project: Project, scope: Scope) -> Ledger:
    """What is said of a function that was not looked into."""
    ledger = Ledger()
    ledger.pass_by(project, scope)
    return ledger


def propose(
    analysed: Analysed, aliases: Aliases, config: Config, functions: itemloops.Functions
) -> Proposal:
    """The edits of one function; ``functions`` are those that loops of the module became."""
    unit, policy = analysed.unit, config.boundary
    if unit.refusal is not None:
        return Proposal((), (), None, False)
    if not analysed.placement.device:
        return Proposal((), (), None, False, batching.left_on_host(analysed))
    crossings = tuple(transfers.transfers(analysed, aliases))
    batched = batching.batches(analysed, crossings)
    taken = [one.node for one in batched.made if isinstance(one, ItemLoop)]
    crossings = tuple(one for one in crossings if not is_within(one, taken))
    edits = [*swap.swap(analysed, aliases), *transferred(analysed, aliases, taken)]
    edits += kernels.edits(analysed, aliases, edits, taken)
    edits = itemloops.edits(analysed, aliases, batched.made, edits, functions)
    chains = fusion.fused(analysed, edits) if config.fuses else ()
    edits = fusion.with_calls(analysed, chains, edits)
    found = boundary.boundary(analysed)
    if found is not None:
        found = replace(found, policy=policy)
        if policy == "match" and not (found.containers or found.creates or batched.made):
            size = worth_from(analysed, found.arrays, found.writes, chains)
            found = replace(found, from_size=size)
    decorated = found is not None and policy != "none"
    if found is not None and decorated:
        edits.append(boundary.decorator(analysed, found, aliases, policy))
    return Proposal(tuple(edits), crossings, found, decorated, batched, chains)


def _apply(
    source: Source,
    root: Scope,
    aliases: Aliases,
    edits: list[Edit],
    decorated: bool,
    moving: tuple[Move, ...] = (),
    before: int | None = None,
    read: frozenset[str] = frozenset(),
) -> Edited | None:
    """The module with its edits, and with the imports that they need above the line `before`.

    Names that new text reads, `read`, stay imported.
    """
    if not edits and not moving:
        return None
    module = source.module
    uses_cupy = any(f"{aliases.cupy}." in p or p == aliases.cupy
                    for e in edits for p in e.parts if isinstance(p, str))  # fmt: skip
    extra = {
        p.rpartition(".")[0] for e in edits for p in e.parts
        if isinstance(p, str) and p.startswith("cupyx.")
    }  # fmt: skip
    more = [*(m.line for m in moving), *_module_lines(aliases, edits)]
    texts = [p for e in edits for p in e.parts if isinstance(p, str)]
    if not aliases.has_kernel and any(f"@{aliases.kernel}(" in text for text in texts):
        alias = "" if aliases.kernel == "kernel" else f" as {aliases.kernel}"
        more.append(((1, "gpuport.runtime"), f"from gpuport.runtime import kernel{alias}"))
    everything = [
        *without_parentheses(module.text, edits),
        *imports.removed(module, root, edits, aliases.moved, source.outside, read),
        *imports.added(
            module,
            aliases,
            cupy=uses_cupy,
            device=decorated or any(f"@{aliases.device}(" in text for text in texts),
            extra=extra,
            more=more,
            before=before,
        ),
    ]
    return edited(module.text, everything)


def _module_lines(aliases: Aliases, edits: list[Edit]) -> Iterator[imports.Line]:
    """Imports of CuPy's modules, and of the runtime's, that the edits name."""
    texts = [part for e in edits for part in e.parts if isinstance(part, str)]
    if not aliases.has_batched and any(f"{aliases.batched}." in text for text in texts):
        alias = "" if aliases.batched == "batched" else f" as {aliases.batched}"
        yield (1, "gpuport.runtime"), f"from gpuport.runtime import batched{alias}"
    for path, (name, imported) in aliases.stands_for.items():
        called = re.compile(rf"\b{name}[.(]|\A{name}\Z")
        if not imported and any(map(called.search, texts)):
            module, _, last = path.rpartition(".")
            alias = "" if last == name else f" as {name}"
            yield (1, module), f"from {module} import {last}{alias}"
    for path, (name, imported) in aliases.modules.items():
        if not imported and any(p == name or p.startswith(f"{name}.") for p in texts):
            module, _, last = path.rpartition(".")
            yield (1, module), f"from {module} import {last} as {name}"


__all__ = ["Entry", "NoProgram", "Pass", "Proposal", "Source", "Watch", "one_pass", "propose"]
