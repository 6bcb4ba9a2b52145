"""The functions of one file: both versions in one worker, a verdict on each."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpuport.config import ConfigError, find_pyproject
from gpuport.verify.aftermath.modulestate import functions_changing_state_of
from gpuport.verify.comparison.script import MODULE, module_changed
from gpuport.verify.inputs.recorded import calls_below
from gpuport.verify.records import Evidence, FunctionVerdict, Verdict, VerifyError, VerifyOptions
from gpuport.verify.sessions.lanes import Lane, Lanes
from gpuport.verify.sessions.ownprogram import OwnProgram, Subject
from gpuport.verify.sessions.progress import Progress
from gpuport.verify.sessions.replayed import replayed
from gpuport.verify.sides.changes import (
    Version,
    facts_of,
    parameters_differ,
    unchanged,
)
from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.callers import callers_of
from gpuport.verify.signatures.declarations import declarations_of
from gpuport.verify.signatures.declared import DeclarationError, applied
from gpuport.verify.signatures.preparing import preparing
from gpuport.verify.signatures.signatures import Signature, signatures_of, without_constructor
from gpuport.verify.signatures.subclasses import on_subclasses
from gpuport.verify.signatures.usage import changes_instance
from gpuport.verify.trials.acceptance import Sources
from gpuport.verify.trials.counterexample import save
from gpuport.verify.trials.isolation import Worker, WorkerLost, load_request
from gpuport.verify.trials.outcomes import Outcome

_SIBLINGS = 3


def verify_file(
    original: Located,
    port: Located,
    work: Path,
    options: VerifyOptions,
    progress: Progress | None = None,
) -> tuple[FunctionVerdict, ...]:
    """Verdicts on the functions of one file.

    Parameters
    ----------
    original, port : Located
    work : pathlib.Path
        An empty folder, which the user's code runs in.
    options : VerifyOptions
        ``root`` is the folder that counterexamples are kept below.
    progress : Progress, optional
        Is told how many functions there are, and when one is done.

    Raises
    ------
    VerifyError, SyntaxError, UnicodeDecodeError, OSError
        Where a version cannot be read, or the backend cannot be used.
    """
    root = (options.root or Path.cwd()).resolve()
    session = FileSession(original, port, work, options, root)
    progress = progress or Progress(None)
    return tuple(session.verdicts(progress))


def shown_path(file: Path, root: Path) -> str:
    """The path that reports and recordings have for a file."""
    resolved = file.resolve()
    return resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else str(file)


def _read(file: Path) -> str:
    with tokenize.open(file) as stream:
        return stream.read()


class FileSession:
    """One file: both versions, one worker."""

    def __init__(
        self, original: Located, port: Located, work: Path, options: VerifyOptions, root: Path
    ) -> None:
        self.original = Version(_read(original.file), original)
        self.port = Version(_read(port.file), port)
        self.work = work
        self.options = options
        self.root = root
        self._calls = calls_below(root)
        self._program = OwnProgram(self.original, work, options)
        self._shown = options.recorded_as or shown_path(port.file, root)

        self._every = self._signatures()
        self._chosen = [s for s in self._every if self._wanted(s.name)]
        self._runs = self._wanted(MODULE) and module_changed(self.original.tree, self.port.tree)

    @property
    def names(self) -> tuple[str, ...]:
        """What there will be verdicts on, in order."""
        return (*((MODULE,) if self._runs else ()), *(s.name for s in self._chosen))

    def verdicts(self, progress: Progress | None = None) -> Iterator[FunctionVerdict]:
        """A verdict for every function of the original that was asked for."""
        told = progress or Progress(None)
        told.begin(len(self.names))
        unknown = {s.name for s in self._chosen if not unchanged(self.original, self.port, s.name)}
        if not unknown and not self._runs:
            yield from (told.step(self._shown, _unchanged(s)) for s in self._chosen)
            return

        def one(lane: Lane, signature: Signature) -> FunctionVerdict:
            told.start(self._shown, signature.name)
            changed = signature.name in unknown
            found = self._judged(*lane, signature) if changed else _unchanged(signature)
            return told.step(self._shown, found)

        with Lanes(min(self.options.jobs, len(unknown) or 1), self._worker, self._start) as lanes:
            if self._runs:
                told.start(self._shown, MODULE)
                yield told.step(self._shown, self._script(*lanes.first()))
            yield from lanes.each(one, self._chosen)

    def _worker(self, number: int) -> Worker:
        folder = self.work / f"lane{number}"
        folder.mkdir()
        return Worker(self._load_request(folder), folder)

    def _judged(
        self, worker: Worker, trouble: tuple[Verdict, str] | None, signature: Signature
    ) -> FunctionVerdict:
        if signature.name not in self.port.nodes:
            return _plain(signature, Verdict.ERROR, "the port has no such function")
        if trouble is not None:
            return _plain(signature, *trouble)
        return self._verdict(worker, signature)

    def _signatures(self) -> list[Signature]:
        """The functions of the original, their inputs as the user declares them."""
        found = signatures_of(self.original.tree, self.original.place)
        try:
            file = find_pyproject(self.root)
            declared = declarations_of(file) if file is not None else []
            shown = shown_path(self.port.place.file, self.root)
            shown = self.options.recorded_as or shown
            return list(applied(found, declared, self.original.place.module, shown))
        except (ConfigError, DeclarationError) as error:
            raise VerifyError(str(error)) from None

    def _wanted(self, name: str) -> bool:
        return not self.options.functions or name in self.options.functions

    def _load_request(self, folder: Path) -> dict[str, Any]:
        places = self.original.place.request(), self.port.place.request()
        return load_request(*places, folder, self.options)

    def _start(self, worker: Worker) -> tuple[Verdict, str] | None:
        """None where both versions are loaded, else the verdict on every changed function."""
        try:
            answer = worker.start()
        except WorkerLost as lost:
            side, text = lost.stage, lost.what
        else:
            if answer["status"] == "loaded":
                return None
            if answer["status"] == "failed":
                raise VerifyError(str(answer["message"]))
            side, text = answer["side"], answer["message"]
        verdict = Verdict.ERROR if side == "port" else Verdict.UNTESTED
        return verdict, f"the {side} cannot be imported: {text}"

    def _verdict(self, worker: Worker, signature: Signature) -> FunctionVerdict:
        nodes = self.original.nodes[signature.name], self.port.nodes[signature.name]
        other = parameters_differ(*nodes)
        if other is not None:
            return _plain(signature, Verdict.DIFFERS, other)
        facts = facts_of(self.port, signature.name)
        calls = self._calls.get((self._shown, signature.name), ())
        recorded = replayed(worker, calls, self.options)
        siblings = self._siblings(signature)
        tree, place = self.original.tree, self.original.place
        before = preparing(signature, tree, place)
        # what a program itself gives is better than what its functions give each other
        runs = self._program.is_run
        callers = [] if runs else callers_of(signature, self._every, tree, place)
        sources = Sources(recorded.calls, siblings, before, callers=callers)
        otherwise = lambda: self._otherwise(signature)  # noqa: E731
        subject = Subject(worker, signature, facts, sources, self.options, otherwise)
        outcome = self._program.confirmed(subject, subject.campaign())
        return FunctionVerdict(
            signature.name,
            signature.line,
            outcome.verdict,
            outcome.reason,
            replace(outcome.evidence, notes=(*recorded.notes, *outcome.evidence.notes)),
            self._counterexample(worker, signature, outcome),
        )

    def _otherwise(self, signature: Signature) -> Iterator[Signature]:
        """The same method on instances that no constructor of its class makes."""
        tree, place = self.original.tree, self.original.place
        yield from on_subclasses(signature, tree, place)
        yield from without_constructor(signature, tree, place)

    def _script(self, worker: Worker, trouble: tuple[Verdict, str] | None) -> FunctionVerdict:
        """Module-level code has one input: that it fails is seen, that it holds is not proven."""
        found = trouble or self._left_by(worker)
        if found[0].failing:
            found = self._shown_again(worker, found)
        evidence = Evidence(
            notes=tuple((remark, 1) for remark in worker.remarks), backend=worker.backend
        )
        return FunctionVerdict(MODULE, 1, *found, evidence)

    def _left_by(self, worker: Worker) -> tuple[Verdict, str]:
        try:
            answer = worker.ask({"op": "module"}, self.options.example_seconds)
        except WorkerLost as lost:
            return Verdict.UNTESTED, f"its values cannot be compared: {lost.what}"
        return _module_verdict(answer)

    def _shown_again(self, worker: Worker, found: tuple[Verdict, str]) -> tuple[Verdict, str]:
        """The verdict of another process, which runs the code anew."""
        folder = self.work / "again"
        folder.mkdir()
        with worker.another(folder) as fresh:
            again = self._start(fresh) or self._left_by(fresh)
        if again[0].failing:
            return again
        return Verdict.UNTESTED, f"it did not show again in a fresh process: {found[1]}"

    def _siblings(self, signature: Signature) -> list[Signature]:
        """What makes states to start from: methods that change the instance, or functions that
        change what the function uses of its module or of its class."""
        owner, _, name = signature.name.rpartition(".")
        if name == "__init__":
            return []
        changing = functions_changing_state_of(signature.name, self.original.tree)
        found = (s for s in self._every if s.name in changing)
        if signature.init is None:
            return [s for s in found if s.init is None][:_SIBLINGS]
        own = (s for s in self._every if s.name.rpartition(".")[0] == owner)
        instance = (s for s in own if changes_instance(self.original.nodes.get(s.name)))
        return list({s.name: s for s in (*instance, *found)}.values())[:_SIBLINGS]

    def _counterexample(self, worker: Worker, signature: Signature, outcome: Outcome) -> Any:
        if outcome.failing is None:
            return None
        return save(
            worker,
            signature.name,
            outcome,
            self.original.place,
            self.port.place,
            self.root / ".gpuport" / "counterexamples",
            self.options.keep_versions,
        )


def _module_verdict(answer: dict[str, Any]) -> tuple[Verdict, str]:
    if answer["status"] != "module":
        return Verdict.UNTESTED, f"its values cannot be compared: {answer.get('message', '')}"
    if answer["other"] is not None:
        return Verdict.DIFFERS, f"module-level code: {answer['other']}"
    told = "; ".join(answer["deviating"])
    ran = f"it ran once, on its own data; {answer['alike']} values it leaves are equal"
    return Verdict.UNTESTED, ran + (f"; others deviate: {told}" if told else "")


def _plain(signature: Signature, verdict: Verdict, reason: str) -> FunctionVerdict:
    return FunctionVerdict(signature.name, signature.line, verdict, reason)


def _unchanged(signature: Signature) -> FunctionVerdict:
    return _plain(signature, Verdict.UNCHANGED, "neither it nor what it calls changed")
