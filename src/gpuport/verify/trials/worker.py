"""The worker process: loads both versions, answers one request at a time as JSON lines.

Started by `gpuport.verify.trials.isolation`. User code runs here and nowhere else. The protocol has
file descriptors of its own, so that nothing the user prints can reach it, and carries JSON, so
that nothing the user's code does can make gpuport unpickle it.
"""

from __future__ import annotations

import json
import mmap
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from gpuport.verify.aftermath.processstate import ProcessState, limit_memory
from gpuport.verify.comparison.script import compare_modules, loop_counters
from gpuport.verify.execution.calling import Bench
from gpuport.verify.execution.devicearrays import Device
from gpuport.verify.execution.edges import edges_of
from gpuport.verify.execution.reaching import Target, inputs_reaching
from gpuport.verify.sides.descriptors import guard_descriptors
from gpuport.verify.sides.harmless import Harmless
from gpuport.verify.sides.loading import only_in
from gpuport.verify.sides.orphans import end_with, forks_ended
from gpuport.verify.sides.sides import Side
from gpuport.verify.sides.stages import STAGE_BYTES, STAGES, tell_stage
from gpuport.verify.slots import Trial
from gpuport.verify.trials.runner import Runner


def main(receive: int, send: int, told: int, parent: int) -> None:
    """Serve requests until the pipe closes; `told` is a file that the stages are written to.

    `parent` is the process that asks: nothing goes on without it.
    """
    end_with(parent)
    stages = mmap.mmap(told, STAGE_BYTES)
    requests = os.fdopen(receive, "r", encoding="utf-8")
    answers = os.fdopen(send, "w", encoding="utf-8")
    guard_descriptors()

    def tell(message: dict[str, Any]) -> None:
        _write(answers, message)

    server = _Server(lambda stage: tell_stage(stages, stage))
    for line in requests:
        tell_stage(stages, STAGES[0])
        request = json.loads(line)
        try:
            tell({"done": server.handle(request)})
        except Exception as error:  # a fault of the worker itself must reach the parent
            tell({"done": {"status": "failed", "message": f"{type(error).__name__}: {error}"}})


def _write(stream: TextIO, message: dict[str, Any]) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()


class _Server:
    def __init__(self, stage: Callable[[str], None]) -> None:
        self.stage = stage
        self.runner: Runner | None = None
        self._process: str | None = None

    def handle(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["op"] == "load":
            return self._load(request)
        if self.runner is None:
            raise RuntimeError("no file is loaded")
        if request["op"] == "module":
            return self._module(self.runner.bench)
        if request["op"] == "afresh":
            self.runner.forget(request["function"])
            return {}
        if request["op"] == "recorded":
            judge = Harmless(self.runner.bench.sides["original"], request["verified"])
            return {"judged": [judge.judged(nodes).to_json() for nodes in request["calls"]]}
        trial = Trial.from_json(request["trial"])
        if request["op"] == "edges":
            bench, seconds = self.runner.bench, request["seconds"]
            found, compares = edges_of(bench, request["function"], trial, seconds)
            return {"edges": [[*edit, exact] for edit, exact in found], "compares": compares}
        if request["op"] == "reach":
            return self._reach(self.runner.bench, request, trial)
        if request["op"] == "probe":
            return self.runner.probe(request["function"], trial)
        if request["op"] == "inside":
            return self.runner.inside(request["function"], trial, request["wanted"])
        if request["op"] == "kinds":
            return {"kinds": self.runner.kinds(request["function"], trial)}
        if request["op"] == "save":
            from gpuport.verify.trials.counterexample import save_inputs

            side = self.runner.bench.sides["original"]
            return save_inputs(trial, Path(request["path"]), side)
        return self.runner.compare(request["function"], trial, request.get("most"))

    def _reach(self, bench: Bench, request: dict[str, Any], trial: Trial) -> dict[str, Any]:
        target = Target(*(request[name] for name in ("side", "kind", "place", "outcome")))
        rest = target, trial, request["groups"], request["seconds"], request["attempt"]
        found = inputs_reaching(bench, request["function"], *rest)
        return {"trials": [one.to_json() for one in found]}

    def _module(self, bench: Bench) -> dict[str, Any]:
        original, port = (vars(bench.sides[name].module) for name in ("original", "port"))
        tree = bench.sides["original"].tree()
        counters = loop_counters(tree) if tree is not None else ()
        own = {name for side in bench.sides.values() for name in side.modules}
        found = compare_modules(original, port, bench.device.to_host, counters, own)
        return found if found["other"] is not None else {**found, "other": self._process}

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        sides = {}
        device, label = Device(None, None), "host emulation"
        begun, left = ProcessState(), dict[str, ProcessState]()
        for name in ("original", "port"):
            self.stage(name)
            if name == "port":
                device, label = _backend(request["backend"], request["host_module"])
            place = request[name]
            folder = Path(request["scratch"]) / name
            folder.mkdir(exist_ok=True)
            side = Side(Path(place["root"]), place["module"], Path(place["file"]), folder)
            random.seed(0)
            np.random.seed(0)
            try:
                with begun.kept(), forks_ended():
                    side.load()
                    left[name] = ProcessState()
            except BaseException as error:  # SystemExit at import is the user's too
                text = f"{type(error).__name__}: {error}"
                return {"status": "import-failed", "side": name, "message": text}
            sides[name] = side
        fault = only_in(sides["port"].stumbles, sides["original"].stumbles)
        if fault is not None:
            return {"status": "import-failed", "side": "port", "message": str(fault)}
        remarks = [str(stumble) for stumble in sides["original"].stumbles]
        if label == "host emulation":
            limit_memory(int(request["memory"]))
        self._process = left["original"].unlike(left["port"])
        self.runner = Runner(Bench(sides, device, left["original"]), self.stage)
        return {"status": "loaded", "backend": label, "remarks": remarks}


def _backend(wanted: str, host_module: str) -> tuple[Device, str]:
    import importlib

    if wanted in ("cuda", "auto"):
        try:
            cupy = importlib.import_module("cupy")
            count = int(cupy.cuda.runtime.getDeviceCount())
            if count:
                return Device(cupy, None), "cuda"
            problem = "no device"
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        if wanted == "cuda":
            raise RuntimeError(f"the cuda backend cannot be used: {problem}")
        for name in [n for n in sys.modules if n.partition(".")[0] in ("cupy", "cupyx")]:
            del sys.modules[name]
    host = importlib.import_module(host_module)
    host.install()
    return Device(importlib.import_module("cupy"), host.count), "host emulation"
