"""Which recorded calls of a function are replayed, and what is told of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpuport.recording.calls import PLACE, Call, loaded
from gpuport.source.layout import Files, Layout
from gpuport.verify.records import VerifyOptions
from gpuport.verify.sides.originals import located
from gpuport.verify.trials.isolation import Worker, WorkerLost

_SECONDS = 30.0
_NAMED = 4
LEFT_OUT = "recorded calls are left out"
TRUSTED = "recorded calls were made with the help of"


@dataclass(frozen=True, slots=True)
class Replayed:
    """Calls to make inputs from, and notes with how many calls each is about."""

    calls: tuple[Call, ...] = ()
    notes: tuple[tuple[str, int], ...] = ()


def replayed(worker: Worker, calls: Sequence[Call], options: VerifyOptions) -> Replayed:
    """The calls that are data, or all of them where the recording is trusted.

    Parameters
    ----------
    worker : Worker
        Has the modules of both versions, and judges by these.
    calls : sequence of Call
        Of one function.
    options : VerifyOptions
    """
    if not calls:
        return Replayed()
    nodes = [
        [*call.arguments.values(), *([call.instance] if call.instance else [])] for call in calls
    ]
    try:
        request = {"op": "recorded", "calls": nodes, "verified": options.modules}
        judged = worker.ask(request, _SECONDS).get("judged")
    except WorkerLost as lost:
        judged = None
        reason = lost.what
    else:
        reason = "they cannot be judged"
    if judged is None:
        return Replayed(notes=((f"{LEFT_OUT}: {reason}", len(calls)),))
    taken, needs, foreign = [], dict[str, int](), 0
    for call, found in zip(calls, judged, strict=True):
        for what in found["needs"]:
            needs[what] = needs.get(what, 0) + 1
        if options.trust_recording:
            taken.append(call)
        elif not found["needs"]:
            texts = frozenset(found["foreign"])
            foreign += bool(texts)
            taken.append(_without(call, texts) if texts else call)
    return Replayed(tuple(taken), tuple(_notes(needs, len(calls) - len(taken), foreign)))


def _notes(needs: Mapping[str, int], left_out: int, foreign: int) -> list[tuple[str, int]]:
    named = ", ".join(f"`{what}`" for what in list(needs)[:_NAMED])
    named += f" and {len(needs) - _NAMED} more" if len(needs) > _NAMED else ""
    notes = []
    if left_out:
        text = f"{LEFT_OUT}, as they need {named}, which is no data: --trust-recording replays them"
        notes.append((text, left_out))
    elif needs:
        notes.append((f"{TRUSTED} {named} (--trust-recording)", max(needs.values())))
    if foreign:
        text = "recorded calls have texts that the program's files do not hold: these are not used"
        notes.append((text, foreign))
    return notes


def _without(call: Call, texts: frozenset[str]) -> Call:
    """The call with some texts put down by their length alone, as a recording does with secrets."""
    arguments = {name: _kept(node, texts) for name, node in call.arguments.items()}
    instance = None if call.instance is None else _kept(call.instance, texts)
    return replace(call, arguments=arguments, instance=instance)


def _kept(part: Any, texts: frozenset[str]) -> Any:
    if isinstance(part, dict):
        if isinstance(part.get("text"), str) and len(part) == 1 and part["text"] in texts:
            return {"secret": len(part["text"])}
        return {key: _kept(value, texts) for key, value in part.items()}
    return [_kept(one, texts) for one in part] if isinstance(part, list) else part


def importable(files: Sequence[Path]) -> tuple[str, ...]:
    """Modules among files that are verified which others of these import, by their names.

    A recorded call may have instances of such, though the file of its function does not load them.
    """
    layout = Files(Layout.of([file.absolute() for file in files]))
    own = {layout.same(file.absolute()): file for file in files}
    imported = {layout.same(other) for path in own for other in layout.imports(path)}
    return tuple(located(file).module for path, file in own.items() if path in imported)


def problems_below(root: Path) -> tuple[str, ...]:
    """What of the recording of a project cannot be read, by line."""
    return tuple(f"{PLACE.as_posix()}:{one.line}: {one.message}" for one in loaded(root / PLACE)[1])
