"""How many functions the verifier can call: those whose original accepts inputs that it makes.

    python bench/verify_reach.py FOLDER ... [--recorded] [--limit N] [--seconds S]
        [--verbose] [--save]

reach
    By folder (a package): ``functions`` with array arguments, which is what an annotation or the
    docstring says of a parameter, or the function itself where it subscripts one, asks for its
    shape or gives it to NumPy and its docstring says nothing else; methods that only raise
    ``NotImplementedError`` or are abstract and empty, which no caller can do anything with, are not
    counted; the share for
    which some inputs were ``accepted``, and the commonest reasons for none. Functions of files that
    cannot be imported here are counted apart (``unimported``), and so are those that nobody can
    call here (``left_out``): most of what they refuse they refuse for a package that is not
    installed, or for the network, which is closed to them; ``--verbose`` names each. Inputs are
    those of a cold start; with ``--recorded`` calls in ``.gpuport`` beside the package, as
    ``gpuport record`` leaves them, come first.
all
    The same over all folders.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import os
import re
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpuport.verify.inputs.recorded import calls_below
from gpuport.verify.records import VerifyOptions
from gpuport.verify.sides.changes import PortFacts
from gpuport.verify.sides.originals import located
from gpuport.verify.signatures.callers import callers_of
from gpuport.verify.signatures.docstrings import documented_types, slots_from_text
from gpuport.verify.signatures.preparing import preparing
from gpuport.verify.signatures.signatures import Signature, signatures_of, without_constructor
from gpuport.verify.signatures.subclasses import on_subclasses
from gpuport.verify.signatures.tables import FRAME, SERIES
from gpuport.verify.signatures.usage import changes_instance, used_as_array
from gpuport.verify.slots import Slot
from gpuport.verify.trials.acceptance import Acceptance, Sources
from gpuport.verify.trials.evidence import Tally
from gpuport.verify.trials.examiner import Examiner
from gpuport.verify.trials.isolation import Worker, WorkerLost
from record import Recorder

_LEFT_OUT = {"tests", "test", "docs", "examples", "benchmarks"}
_NOBODY = {
    "package": re.compile(r"^(ModuleNotFoundError|ImportError)\b"),
    "network": re.compile(r"^(ConnectionError|ProxyError|URLError|ConnectionRefusedError)\b"),
}
_CLOSED = "http://127.0.0.1:9"  # nothing listens there


def takes_arrays(signature: Signature, node: ast.AST) -> bool:
    """Whether some parameter is an array by what is written.

    What a docstring says of a parameter counts before what the function does with it: a text that
    is subscripted is no array.
    """
    documented = documented_types(ast.get_docstring(node) or "")  # type: ignore[arg-type]
    for parameter in signature.parameters:
        said = slots_from_text(parameter.name, documented.get(parameter.name, ""))
        if parameter.source == "documented":
            if any(_is_array(slot) for slot in said):
                return True
        elif parameter.source == "annotated":
            if any(_is_array(slot) for slot in parameter.candidates):
                return True
        elif parameter.source == "guessed" and used_as_array(parameter.name, node):
            return True
    return False


def is_left_open(node: ast.AST) -> bool:
    """Whether a function comes to no other end than its own ``raise NotImplementedError``.

    So is an abstract one that says nothing: no instance has it.
    """
    *before, last = getattr(node, "body", [None])
    raises = isinstance(last, ast.Raise) and "NotImplementedError" in ast.unparse(last)
    plain = all(isinstance(one, ast.Expr | ast.Assign) for one in before)
    decorators = map(ast.unparse, getattr(node, "decorator_list", ()))
    abstract = any(one.endswith("abstractmethod") for one in decorators)
    silent = isinstance(last, ast.Pass | ast.Expr)
    return plain and (raises or (abstract and silent))


def _is_array(slot: Slot) -> bool:
    return slot.kind == "array" or (slot.dtype or "") in (SERIES, FRAME)


def reached(file: Path, recorded: bool, seconds: float) -> Iterator[tuple[str, str]]:
    """For each function with array arguments its name, and why no inputs were accepted."""
    with tokenize.open(file) as stream:
        tree = ast.parse(stream.read())
    place = located(file)
    nodes = _nodes(tree)
    every = list(signatures_of(tree, place))
    chosen = [
        s for s in every
        if not s.obstacle and takes_arrays(s, nodes[s.name]) and not is_left_open(nodes[s.name])
    ]  # fmt: skip
    if not chosen:
        return
    calls = calls_below(place.root) if recorded else {}
    shown = file.resolve().relative_to(place.root.resolve()).as_posix()
    with tempfile.TemporaryDirectory() as name:
        options = VerifyOptions(root=Path(name), function_seconds=seconds)
        load = {
            "op": "load", "original": place.request(), "port": place.request(), "scratch": name,
            "backend": "host", "host_module": options.host_module, "memory": options.memory_bytes,
        }  # fmt: skip
        with Worker(load, Path(name)) as worker:
            try:
                loaded = worker.start()["status"] == "loaded"
            except WorkerLost:
                loaded = False
            for signature in chosen:
                if not loaded:
                    yield signature.name, "import"
                    continue
                sources = Sources(
                    calls.get((shown, signature.name), ()), _siblings(signature, every, nodes),
                    preparing(signature, tree, place),
                    itertools.chain(
                        on_subclasses(signature, tree, place),
                        without_constructor(signature, tree, place),
                    ),
                    callers_of(signature, every, tree, place),
                )  # fmt: skip
                yield signature.name, refused(worker, signature, options, sources)


def missing(why: str) -> str:
    """What a function wants that is not here, by why it accepted nothing; else nothing."""
    commonest = why.partition("most often ")[2]
    return next((what for what, pattern in _NOBODY.items() if pattern.match(commonest)), "")


def refused(worker: Worker, signature: Signature, options: VerifyOptions, sources: Sources) -> str:
    """Why the original accepts nothing; nothing where it does.

    Where recorded calls are accepted nothing else is tried.
    """
    for recorded_alone in (True, False):
        tally = Tally()
        seconds = options.function_seconds / (4 if recorded_alone else 1)
        own = replace(options, function_seconds=seconds)
        examiner = Examiner(worker, signature.name, own, tally)
        acceptance = Acceptance(examiner, signature, PortFacts(), sources)
        if acceptance.recorded_templates() if recorded_alone else acceptance.templates():
            return ""
    return tally.why_nothing_accepted()


def _nodes(tree: ast.Module) -> dict[str, ast.AST]:
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                found[owner + part.name] = part
    return found


def _siblings(
    signature: Signature, every: list[Signature], nodes: dict[str, ast.AST]
) -> list[Signature]:
    owner = signature.name.rpartition(".")[0]
    if not owner or signature.init is None:
        return []
    own = (s for s in every if s.name.startswith(f"{owner}."))
    return [s for s in own if changes_instance(nodes.get(s.name))][:3]


@dataclass
class Counts:
    """What was reached, so far."""

    functions: int = 0
    accepted: int = 0
    unimported: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def emit(self, recorder: Recorder, measure: str, **named: object) -> None:
        """One line of results."""
        recorder.emit(
            measure, **named, functions=self.functions, accepted=self.accepted,
            share=round(self.accepted / self.functions, 3) if self.functions else None,
            unimported=self.unimported, left_out=dict(self.left_out),
            reasons=dict(self.reasons.most_common(6)),
        )  # fmt: skip

    def add(self, other: Counts) -> None:
        """Sum up."""
        self.functions += other.functions
        self.accepted += other.accepted
        self.unimported += other.unimported
        self.left_out += other.left_out
        self.reasons += other.reasons


def main() -> None:
    """Count over each folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--recorded", action="store_true", help="Recorded calls come first.")
    parser.add_argument("--limit", type=int, default=0, help="Files of each folder; 0: all.")
    parser.add_argument("--seconds", type=float, default=10.0, help="Budget of each function.")
    parser.add_argument("--verbose", action="store_true", help="Name what was not reached.")
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    os.environ.update(dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), _CLOSED))
    recorder = Recorder("verify_reach", chosen.save)
    total = Counts()
    for folder in chosen.folders:
        counts = _folder(recorder, folder, chosen)
        inputs = "recorded and cold" if chosen.recorded else "cold"
        counts.emit(recorder, "reach", folder=folder.name, inputs=inputs)
        total.add(counts)
    total.emit(recorder, "all", folders=len(chosen.folders))
    recorder.close()


def _folder(recorder: Recorder, folder: Path, chosen: argparse.Namespace) -> Counts:
    files = [f for f in sorted(folder.rglob("*.py")) if not _LEFT_OUT & set(f.parts)]
    counts = Counts()
    for file in files[: chosen.limit or None]:
        try:
            for name, why in reached(file, chosen.recorded, chosen.seconds):
                if why == "import":
                    counts.unimported += 1
                    continue
                wanted = missing(why)
                if wanted:
                    counts.left_out[wanted] += 1
                else:
                    counts.functions += 1
                    counts.accepted += not why
                if why and not wanted:
                    counts.reasons[why.partition("most often ")[2][:60] or why[:60]] += 1
                if why and chosen.verbose:
                    kind = "left out" if wanted else "missed"
                    recorder.emit(kind, function=f"{file.name}:{name}", why=why)
        except (SyntaxError, UnicodeDecodeError):
            continue
    return counts


if __name__ == "__main__":
    main()
