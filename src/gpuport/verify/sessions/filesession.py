"""The functions of one file: both versions in one worker, a verdict on each."""

from __future__ import annotations

import threading
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpuport.config import ConfigError, find_pyproject
from gpuport.verify.aftermath.modulestate import functions_changing_state_of
from gpuport.verify.comparison.script import MODULE, module_changed
from gpuport.verify.inputs.recorded import calls_below
from gpuport.verify.records import Evidence, FunctionVerdict, Verdict, VerifyError, VerifyOptions
from gpuport.verify.sessions.ownprogram import OwnProgram, Subject
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
from gpuport.verify.trials.isolation import Worker, WorkerLost
from gpuport.verify.trials.outcomes import Outcome

_SIBLINGS = 3


class Progress:
    """Functions done and begun, over files that are verified at a time."""

    def __init__(self, tell: Callable[[int, int], None] | None) -> None:
        self._tell = tell
        self._done = self._total = 0
        self._lock = threading.Lock()

    def begin(self, functions: int) -> None:
        """A file with so many functions begins."""
        with self._lock:
            self._total += functions

    def step(self) -> None:
        """One function is done."""
        with self._lock:
            self._done += 1
            if self._tell is not None:
                self._tell(self._done, self._total)


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
    progress.begin(len(session.names))
    found = []
    for verdict in session.verdicts():
        found.append(verdict)
        progress.step()
    return tuple(found)


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

    def verdicts(self) -> Iterator[FunctionVerdict]:
        """A verdict for every function of the original that was asked for."""
        chosen = self._chosen
        changed = [s for s in chosen if not unchanged(self.original, self.port, s.name)]
        if not changed and not self._runs:
            yield from (_unchanged(s) for s in chosen)
            return
        with Worker(self._load_request(), self.work) as worker:
            trouble = self._start(worker)
            if self._runs:
                yield self._script(worker, trouble)
            for signature in chosen:
                if signature not in changed:
                    yield _unchanged(signature)
                elif signature.name not in self.port.nodes:
                    yield _plain(signature, Verdict.ERROR, "the port has no such function")
                elif trouble is not None:
                    yield _plain(signature, *trouble)
                else:
                    yield self._verdict(worker, signature)

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

    def _load_request(self) -> dict[str, Any]:
        return {
            "op": "load",
            "original": self.original.place.request(),
            "port": self.port.place.request(),
            "scratch": str(self.work),
            "backend": self.options.backend,
            "host_module": self.options.host_module,
            "memory": self.options.memory_bytes,
        }

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
        if trouble is None:
            try:
                answer = worker.ask({"op": "module"}, self.options.example_seconds)
                trouble = _module_verdict(answer)
            except WorkerLost as lost:
                trouble = Verdict.UNTESTED, f"its values cannot be compared: {lost.what}"
        evidence = Evidence(
            notes=tuple((remark, 1) for remark in worker.remarks), backend=worker.backend
        )
        return FunctionVerdict(MODULE, 1, *trouble, evidence)

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
