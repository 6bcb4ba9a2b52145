"""What became of each loop of a file, and why: the same passes as a port, watched."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.nests import Launch
from gpuport.analysis.loops.refusing import Loop
from gpuport.analysis.project.callgraph import Project
from gpuport.config import Config
from gpuport.emit import kernels
from gpuport.emit.aliases import Aliases
from gpuport.emit.directarguments import NOTHING, direct_arguments
from gpuport.emit.kernelfunctions import KernelFunction, lines_of
from gpuport.emit.loopcalls import call_of
from gpuport.emit.loopfunctions import kernel_function, style_of
from gpuport.loops.dependence.telling import Dependence
from gpuport.loops.facts import LoopNest
from gpuport.loops.planning.examine import Examination, SeenAccess, SpaceAxis, examine
from gpuport.loops.records import LoopPlan, Refusal
from gpuport.passes.port import port_module
from gpuport.runtime.expressions import conjuncts
from gpuport.runtime.kernels.declared import FLAG
from gpuport.source.layout import Files
from gpuport.source.module import Module
from gpuport.source.suppression import Suppressions
from gpuport.source.syntax import inside

KERNEL, INSIDE, HOST, PYTHON = "kernel", "in-kernel", "host", "python"


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel as the port holds it.

    Attributes
    ----------
    name : str
    lines : tuple of str
    """

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class LoopExplanation:
    """One loop: what became of it, and all that this was decided by.

    Attributes
    ----------
    line, end_line, column : int
        In the user's file; 1-based.
    head : str
        The loop's first line.
    function : str
    outcome : str
        ``kernel``, ``in-kernel`` (part of the kernel of a loop around it), ``host`` (a kernel
        could be made, but its arrays are not on the device), ``python``.
    message : str
    code : str
        The finding's code.
    examination : Examination or None
        None for a loop that was not put to the loop compiler.
    target : str
        What it becomes: empty unless there is a kernel.
    condition : tuple of str
        What is asked before each launch, beside dtypes, axes and bounds.
    launch : tuple of str
        The statements of the launch.
    kernels : tuple of KernelText
    notes : tuple of str
        Differences that are not checked.
    """

    line: int
    end_line: int
    column: int
    head: str
    function: str
    outcome: str
    message: str
    code: str = ""
    examination: Examination | None = None
    target: str = ""
    condition: tuple[str, ...] = ()
    launch: tuple[str, ...] = ()
    kernels: tuple[KernelText, ...] = ()
    notes: tuple[str, ...] = ()


def explanations(module: Module, config: Config) -> list[LoopExplanation]:
    """Every loop of a file, in source order, as ``rewrite`` deals with it."""
    suppressions = Suppressions.of(module)
    watcher = _Watcher(module, suppressions)
    if not suppressions.skip_file:
        port_module(module, config, suppressions=suppressions, watch=watcher.watch, files=Files())
    return watcher.sorted()


@dataclass
class _Watcher:
    """Keeps what each pass says of each loop; a kernel that a later pass made counts."""

    module: Module
    suppressions: Suppressions
    found: dict[tuple[int, int], LoopExplanation] = field(default_factory=dict)

    def watch(
        self,
        project: Project,
        results: dict[int, Analysed],
        aliases: Aliases,
        done: dict[int, str],
    ) -> None:
        for key, analysed in results.items():
            one = _Explainer(project, analysed, aliases, done.get(key, ""))
            for explained in one.loops():
                place = (explained.line, explained.column)
                known = self.found.get(place)
                if known is None or (known.outcome in (HOST, PYTHON) and explained.kernels):
                    self.found[place] = explained

    def sorted(self) -> list[LoopExplanation]:
        """In source order, with the loops that no pass has looked at."""
        for node in ast.walk(self.module.tree):
            if isinstance(node, (ast.For, ast.While)):
                span = self.module.span(node)
                message = (
                    "it is left alone: suppressed by a comment"
                    if self.suppressions.skip_file or self.suppressions.skipped(node.lineno)
                    else "it stands where loops are not analysed"
                )
                head = self.module.line_text(span.line).strip()
                missing = LoopExplanation(
                    span.line, span.end_line, span.column, head, "", PYTHON, message
                )
                self.found.setdefault((span.line, span.column), missing)
        return [self.found[place] for place in sorted(self.found)]


@dataclass
class _Explainer:
    """Explains the loops of one function."""

    project: Project
    analysed: Analysed
    aliases: Aliases
    left_alone: str

    @property
    def unit(self) -> Unit:
        return self.analysed.unit

    def loops(self) -> Iterator[LoopExplanation]:
        launched = {id(one.plan.region) for one in kernels.launches(self.analysed)}
        within: dict[int, Launch] = {}
        for node in inside(self.unit.node):
            if not isinstance(node, (ast.For, ast.While)):
                continue
            launch = self.unit.forms.launches.get(id(node))
            if launch is not None and id(node) in launched:
                within |= {
                    id(n): launch
                    for n in ast.walk(node)
                    if n is not node and isinstance(n, (ast.For, ast.While))
                }
                yield self._kernel(node, launch)
            elif id(node) in within:
                region = within[id(node)].plan.region
                message = (
                    f"part of the kernel `{within[id(node)].kernel.name}`, which the loop of line "
                    f"{self.unit.module.line(region)} becomes"
                )
                yield self._loop(node, INSIDE, message)
            elif launch is not None:
                yield self._on_host(node, launch)
            else:
                yield self._python(node)

    def _loop(self, node: Loop, outcome: str, message: str, **more: object) -> LoopExplanation:
        span = self.unit.module.span(node)
        head = self.unit.module.line_text(node.lineno).strip()
        return LoopExplanation(
            span.line, span.end_line, span.column, head, self.unit.name, outcome, message,
            **more,  # type: ignore[arg-type]
        )  # fmt: skip

    def _kernel(self, node: Loop, launch: Launch) -> LoopExplanation:
        kernel, plan = launch.kernel, launch.plan
        function = kernel_function(self.analysed, launch)
        assert isinstance(function, KernelFunction)
        style = style_of(self.unit.module, self.unit.node, self.aliases)
        direct = direct_arguments(self.analysed, ()).get(id(node), NOTHING)
        texts = call_of(function, launch, style, "", self.aliases.cupy, direct.texts)
        return self._loop(
            node, KERNEL, f"it becomes the kernel `{kernel.name}`", code="GP210",
            examination=self._examined(plan.nest, plan.outer, plan),
            target="; ".join([target(plan), *_undone(launch)]),
            condition=tuple(conjuncts(function.where)),
            launch=tuple(texts),
            kernels=(KernelText(kernel.name, tuple(lines_of(function, style))),),
            notes=tuple(map(self.unit.module.in_lines_of_file, kernel.notes)),
        )  # fmt: skip

    def _examined(
        self, nest: LoopNest, outer: tuple[Loop, ...], plan: LoopPlan | None
    ) -> Examination:
        """What was seen on the way to a plan, in lines of the user's file."""
        found, line = examine(nest, outer, plan), self.unit.module.line_of_file
        return replace(
            found,
            accesses=tuple(replace(one, line=line(one.line)) for one in found.accesses),
            dependences=tuple(
                replace(one, write_line=line(one.write_line), other_line=line(one.other_line))
                for one in found.dependences
            ),
        )

    def _on_host(self, node: Loop, launch: Launch) -> LoopExplanation:
        refusal = self.unit.refusal
        code, why = kernels.why_kept(launch)
        if refusal is not None:
            code, why = refusal.code, refusal.message
        elif code == "GP407" and self.left_alone:
            why = f"the function is left alone: {self.left_alone}"
        message = f"a kernel could be made of it, but it stays on the host: {why}"
        made = self._examined(launch.plan.nest, launch.plan.outer, launch.plan)
        return self._loop(
            node, HOST, message, code=code, examination=made, target=target(launch.plan)
        )

    def _python(self, node: Loop) -> LoopExplanation:
        refusal: Refusal | None = self.unit.forms.refusals.get(id(node))
        if refusal is None:
            if self.left_alone:
                return self._loop(node, PYTHON, f"it is left alone: {self.left_alone}")
            if self.unit.refusal is not None:
                why = self.unit.refusal
                return self._loop(node, PYTHON, f"it stays as it is: {why.message}", code=why.code)
            message = (
                "it stays a Python loop: it does not go over the elements of arrays that are known "
                "as such here (array operations inside it are ported one by one)"
            )
            return self._loop(node, PYTHON, message)
        nest, outer = self.project.remembered.compiled.asked.get(id(node), (None, ()))
        module = self.unit.module
        line = module.line_of_file(refusal.line) if refusal.line else module.line(node)
        message = f"it stays a Python loop: {refusal.message}"
        if not message.endswith(f"(line {line})"):
            message += f" (line {line})"
        made = None if nest is None else self._examined(nest, outer, None)
        return self._loop(node, PYTHON, message, code=refusal.code, examination=made)


def _undone(launch: Launch) -> Iterator[str]:
    if launch.kernel.checked:
        yield f"where a thread sets `{FLAG}` its writes are taken back, and the loop itself runs"


def target(plan: LoopPlan) -> str:
    """What a loop becomes, in words."""
    threads = " x ".join(axis.variable for axis in plan.grid)
    text = f"one thread for each {'value' if len(plan.grid) == 1 else 'combination'} of {threads}"
    if plan.scan is not None:
        return f"a scan over `{plan.scan.variable}` ({plan.scan.operator}); {text} around it"
    if plan.tallies is not None:
        names = "`, `".join(plan.tallies.variables)
        return f"{text}, which begins with what those before it add to `{names}`"
    if plan.elementwise:
        text = f"elementwise over whole arrays: {text}"
    sums = dict.fromkeys((a.variable, a.operator) for a in plan.accumulations)
    parts = [f"`{name}` ({operator}) gathered from all threads" for name, operator in sums]
    parts += [f"`{name}` changed atomically" for name in sorted(plan.atomics)]
    parts += [f"the old values of `{name}` kept aside" for name in sorted(plan.snapshots)]
    return "; ".join([text, *parts])


__all__ = [
    "Dependence",
    "Examination",
    "KernelText",
    "LoopExplanation",
    "SeenAccess",
    "SpaceAxis",
    "explanations",
]
