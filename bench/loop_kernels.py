"""Random loop nests, as they are and as kernels: ``python bench/loop_kernels.py 200``.

The programs are those of ``loop_programs``; each loop that has a plan is made a kernel, compiled
for the host and run in the loop's place. Prints each program whose results differ.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import random
import time
import warnings
from collections import Counter
from typing import Any

import numpy as np

from gpuport import host
from gpuport.host.kernels import checks
from gpuport.loops.context.scalars import live_after, outermost_loops
from gpuport.loops.facts import LoopNest
from gpuport.loops.kernels.kernel import kernel
from gpuport.loops.planning.planner import plans
from gpuport.loops.records import Kernel, LoopPlan, Refusal
from loop_programs import Writer, _with_launch, facts, inputs, overlaps

WHOLE = {"int", "int24", "int64"}


def accepts(made: Kernel, local: dict[str, Any]) -> bool:
    """What is checked at run time: types of the arguments, and the guards."""
    for name, wanted in made.assumed.items():
        value = local[name] if name in local else eval(name, {"np": np, **local})
        if isinstance(value, np.ndarray):
            if str(value.dtype) != wanted:
                return False
        elif not WHOLE & set(wanted.split("|")):
            return False
    try:
        return all(eval(guard, {"np": np, **local}) for guard in made.guards)
    except (IndexError, NameError):
        return False


def launch(made: Kernel, plan: LoopPlan, local: dict[str, Any], cp: Any) -> dict[str, Any] | None:
    """Run a kernel on copies of the arrays; None where the loop itself has to run."""
    if not accepts(made, local) or overlaps(plan, local):
        return None
    names = {k: cp.asarray(v) if isinstance(v, np.ndarray) else v for k, v in local.items()}
    moved = dict(names)
    names["cp"] = cp
    for name, definition in (*made.others, (made.name, made.definition)):
        exec(f"{name} = {definition}".replace("{cupy}", "cp"), names)
    exec("\n".join([*made.before, made.call]).replace("{cupy}", "cp"), names)
    if made.flag and bool(names[made.flag][0]):
        return None
    exec("\n".join(made.after).replace("{cupy}", "cp"), names)
    for name in plan.writes:
        local[name][...] = cp.asnumpy(moved[name])
    return {k: v for k, v in names.items() if not isinstance(v, cp.ndarray)}


def run(
    tree: ast.Module, plan: LoopPlan | None, made: Kernel | None, values: dict[str, Any]
) -> Any:
    """Results of the program, and how often the kernel ran."""
    cp = importlib.import_module("cupy")
    launches = [0]

    def launched(local: dict[str, Any]) -> dict[str, Any] | None:
        assert made is not None
        assert plan is not None
        bound = launch(made, plan, local, cp)
        launches[0] += bound is not None
        return bound

    module = tree if plan is None else _with_launch(tree, plan)
    space: dict[str, Any] = {"np": np, "launch_": launched}
    exec(compile(module, "<program>", "exec"), space)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result: Any = tuple(int(x) for x in space["program"](**values))
    except (IndexError, ZeroDivisionError) as error:
        result = type(error).__name__
    except NameError:
        return "unbound", launches[0]
    arrays = {k: v.tolist() for k, v in values.items() if isinstance(v, np.ndarray)}
    return (result, arrays), launches[0]


def attempt(seed: int, counts: Counter[str], runs: int = 3) -> str | None:
    """Make kernels of one program and compare; how a result differs, if one does."""
    dice = random.Random(seed)
    text = Writer(dice).program()
    tree = ast.parse(text)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    told = facts(dice)
    for node in outermost_loops(function):
        for plan in plans(LoopNest(node, function, dict(told), live_after(function, node))):
            if isinstance(plan, Refusal):
                continue
            counts["plans"] += 1
            made = kernel(plan, frozenset({"program", *"abcpnmdswtuxqik"}))
            if isinstance(made, Refusal):
                counts[f"refused {made.message.split('`')[-1].strip()[:60]}"] += 1
                continue
            counts["kernels"] += 1
            for _ in range(runs):
                values = inputs(dice)
                expected = run(tree, None, None, copy.deepcopy(values))[0]
                found, launches = run(tree, plan, made, copy.deepcopy(values))
                counts["ran"] += launches > 0
                if expected != found:
                    shown = {k: getattr(v, "tolist", lambda v=v: v)() for k, v in values.items()}
                    shown_kernel = [*made.before, made.call, *made.after, *made.guards]
                    lines = "\n".join([made.definition, *shown_kernel])
                    return f"{text}{lines}\n{shown}\nexpected {expected}\nfound    {found}"
    return None


def main() -> int:
    """Try programs and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--mode", default="fast", choices=["fast", "strict"])
    arguments = parser.parse_args()
    host.install(version=14)
    counts: Counter[str] = Counter()
    begun = time.perf_counter()
    with checks(arguments.mode):
        for seed in range(arguments.first, arguments.first + arguments.count):
            counts["programs"] += 1
            if counts["programs"] % 50 == 0:
                print(counts["programs"], counts["ran"], flush=True)
            try:
                wrong = attempt(seed, counts)
            except Exception as error:
                wrong = f"{type(error).__name__}: {error}"
            if wrong is not None:
                counts["wrong"] += 1
                print(f"--- seed {seed}\n{wrong}", flush=True)
    counts["seconds"] = round(time.perf_counter() - begun)
    print("\n".join(f"{name}: {count}" for name, count in counts.items()))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
