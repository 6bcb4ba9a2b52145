"""How many functions the verifier can call: those whose original accepts inputs of a cold start.

    python bench/verify_reach.py FOLDER ... [--limit N] [--save]

reach
    By folder: ``functions`` that take arrays (by annotation, docstring or use), the share for which
    some drawn inputs were ``accepted``, and the commonest reasons for none. Files that cannot be
    imported here are counted apart, and so are their functions.
"""

from __future__ import annotations

import argparse
import ast
import tempfile
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gpuport.verify.campaign import Campaign, PortFacts
from gpuport.verify.isolation import Worker, WorkerLost
from gpuport.verify.originals import located
from gpuport.verify.records import VerifyOptions
from gpuport.verify.signatures import Signature, signatures_of
from gpuport.verify.usage import changes_instance
from record import Recorder

_SECONDS = 10.0
_LEFT_OUT = {"tests", "test", "docs", "examples", "benchmarks"}


def takes_arrays(signature: Signature) -> bool:
    """Whether the likeliest filling of some parameter is an array."""
    return any(
        p.candidates and p.candidates[0].kind == "array" and p.source != "default"
        for p in signature.parameters
    )


def reached(file: Path) -> Iterator[tuple[str, str]]:
    """For each function with array arguments its name, and why no inputs were accepted."""
    with tokenize.open(file) as stream:
        tree = ast.parse(stream.read())
    chosen = [s for s in signatures_of(tree) if takes_arrays(s) and not s.obstacle]
    if not chosen:
        return
    place = located(file)
    with tempfile.TemporaryDirectory() as name:
        options = VerifyOptions(root=Path(name), function_seconds=_SECONDS)
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
                siblings = _siblings(signature, tree)
                campaign = Campaign(worker, signature, PortFacts(), options, siblings=siblings)
                found = campaign.templates()
                yield signature.name, "" if found else campaign.tally.why_nothing_accepted()


def _siblings(signature: Signature, tree: ast.Module) -> list[Signature]:
    owner = signature.name.rpartition(".")[0]
    nodes = {
        f"{node.name}.{part.name}": part
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.FunctionDef)
    }
    every = signatures_of(tree) if owner and signature.init is not None else ()
    return [s for s in every if f"{owner}." in s.name and changes_instance(nodes.get(s.name))][:3]


def main() -> None:
    """Count over each folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, default=0, help="Files of each folder; 0: all.")
    parser.add_argument("--verbose", action="store_true", help="Name what was not reached.")
    parser.add_argument("--save", action="store_true")
    chosen = parser.parse_args()
    recorder = Recorder("verify_reach", chosen.save)
    for folder in chosen.folders:
        _folder(recorder, folder, chosen.limit, chosen.verbose)
    recorder.close()


def _folder(recorder: Recorder, folder: Path, limit: int, verbose: bool) -> None:
    files = [f for f in sorted(folder.rglob("*.py")) if not _LEFT_OUT & set(f.parts)]
    accepted = functions = unimported = 0
    reasons: Counter[str] = Counter()
    for file in files[: limit or None]:
        try:
            for name, why in reached(file):
                if why == "import":
                    unimported += 1
                    continue
                functions += 1
                accepted += not why
                if why:
                    reasons[why.partition("most often ")[2][:60] or why[:60]] += 1
                    if verbose:
                        recorder.emit("missed", function=f"{file.name}:{name}", why=why)
        except (SyntaxError, UnicodeDecodeError):
            continue
    recorder.emit(
        "reach",
        folder=folder.name,
        functions=functions,
        accepted=accepted,
        share=round(accepted / functions, 3) if functions else None,
        unimported=unimported,
        reasons=dict(reasons.most_common(6)),
    )


if __name__ == "__main__":
    main()
