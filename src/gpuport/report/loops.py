"""``gpuport explain FILE:LINE``: one loop's analysis as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpuport.config import Config
    from gpuport.passes.explaining import Dependence, LoopExplanation, SpaceAxis

_RUNS = {
    "python": "a Python loop around the launch",
    "threads": "its iterations run at once",
    "serial": "one after another inside a thread",
}
_MODES = {"read": "reads", "write": "writes", "add": "adds to"}


def explain_loops(path: str, line: int, config: Config) -> list[LoopExplanation]:
    """The loops around a line, outermost first, as ``rewrite`` deals with them.

    Raises
    ------
    gpuport.source.reading.SourceError
        Where the file cannot be read or parsed.
    LookupError
        Where no loop is on that line.
    """
    from pathlib import Path

    from gpuport.passes.explaining import explanations
    from gpuport.source.reading import parse, read_source

    module = parse(path, read_source(Path(path)).text)
    every = explanations(module, config)
    around = [one for one in every if one.line <= line <= one.end_line]
    if not around:
        starts = sorted({one.line for one in every}, key=lambda start: abs(start - line))[:5]
        near = ", ".join(map(str, sorted(starts)))
        hint = f"; loops begin at line {near}" if near else "; the file has no loops"
        raise LookupError(f"no loop is at line {line} of {path}{hint}")
    head = [one for one in around if one.line == line]
    return [one for one in around if not head or one.end_line >= head[0].end_line]


# ---------------------------------------------------------------------- text


def text(path: str, found: Sequence[LoopExplanation]) -> str:
    """The explanation of a loop, with a line for each loop around it."""
    last = found[-1]
    shown = {id(last)} | {id(one) for one in found if one.kernels}
    parts = []
    for one in found:
        lines = [f"{path}:{one.line}: {one.head}", *_sentence(one)]
        if id(one) in shown:
            lines += _details(one)
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _sentence(one: LoopExplanation) -> list[str]:
    where = f"in `{one.function}`: " if one.function else ""
    code = f" [{one.code}]" if one.code else ""
    return [f"  {where}{one.message}{code}"]


def _details(one: LoopExplanation) -> Iterator[str]:
    seen = one.examination
    if seen is not None:
        yield from _listed("iteration space", [_axis_line(axis) for axis in seen.space])
        accesses = [
            f"line {a.line}: {_MODES[a.mode]} {a.text}"
            + ("" if a.known else "    (an index depends on data)")
            for a in seen.accesses
        ]
        nothing = "not read: the loop was refused before its subscripts"
        yield from _listed("accesses", accesses or [nothing])
        if seen.accesses:
            lines = list(dict.fromkeys(map(dependence_text, seen.dependences)))
            yield from _listed("dependences", lines or ["none between iterations of any loop"])
    if one.target:
        yield from _listed("target", [one.target])
    if one.condition:
        yield from _listed("guards, asked before each launch", one.condition)
    if one.launch:
        yield from _listed("launch", [line for part in one.launch for line in part.splitlines()])
    for kernel in one.kernels:
        yield from _listed("kernel", kernel.lines)
    if one.notes:
        yield from _listed("not checked", one.notes)
    if one.kernels:
        yield from _nvrtc_lines(_compiled(one))


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"  {title}"
    for line in lines:
        yield f"    {line}".rstrip()


def _axis_line(axis: SpaceAxis) -> str:
    head = f"{axis.variable} in {axis.range}" if axis.variable else f"while {axis.range}"
    return f"{head}    {_RUNS[axis.runs]}" if axis.runs else head


def dependence_text(one: Dependence) -> str:
    """A dependence in a line."""
    verb = "writes too" if one.kind == "output" else "reads"
    if one.scattered:
        return (
            f"possibly carried by {one.variable}: `{one.write}` (line {one.write_line}) and "
            f"`{one.other}` (line {one.other_line}) may be the same element in any two iterations"
        )
    distance = "" if one.distance is None else f", distance {one.distance}"
    text = f"{one.kind}, carried by {one.variable}{distance}"
    if one.witness is None:
        return (
            f"{text}: `{one.write}` (line {one.write_line}), `{one.other}` (line {one.other_line})"
        )
    first, second = one.witness
    return (
        f"{text}: {one.variable} = {first} writes `{one.write}` (line {one.write_line}), which "
        f"{one.variable} = {second} {verb} as `{one.other}` (line {one.other_line})"
    )


def _nvrtc_lines(found: dict[str, Any]) -> Iterator[str]:
    if "unavailable" in found:
        yield from _listed("NVRTC", [f"not asked: {found['unavailable']}"])
        return
    lines = []
    for one in found["kernels"]:
        if "error" in one:
            lines += [f"{one['kernel']} does not compile:", *one["error"].splitlines()]
            continue
        spills = one["spill_stores"] + one["spill_loads"]
        spilled = f"{spills} bytes spilled" if spills else "no spills"
        lines.append(
            f"{one['kernel']} on sm_{one['architecture']}: {one['registers']} registers, {spilled}"
        )
    yield from _listed(f"NVRTC {found['version']}", lines)


# ---------------------------------------------------------------------- JSON


def document(path: str, found: Sequence[LoopExplanation]) -> str:
    """The explanations as a JSON document (schema 1, which grows by additions only)."""
    from gpuport import __version__

    loops = [_dictionary(one) for one in found]
    made = {"schema": 1, "gpuport": __version__, "path": path, "loops": loops}
    return json.dumps(made, indent=1) + "\n"


def _dictionary(one: LoopExplanation) -> dict[str, Any]:
    from dataclasses import asdict

    made = asdict(one)
    made["nvrtc"] = _compiled(one) if one.kernels else None
    return made


def _compiled(one: LoopExplanation) -> dict[str, Any]:
    from gpuport.report.compiling import compiled

    return compiled((kernel.name, kernel.lines) for kernel in one.kernels)
