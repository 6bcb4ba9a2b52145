"""Remove what an iteration computes and nothing uses."""

from __future__ import annotations

from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Region

COMPUTES = frozenset({"Binary", "Unary", "Compare", "Iterate"})


def _only_computes(op: Op) -> bool:
    """Whether leaving an operation out changes nothing; those of a region do not raise."""
    return KINDS[op.kind].effect in (Effect.PURE, Effect.READ) or op.kind in COMPUTES


def sweep(region: Region) -> None:
    """Remove operations that only compute, and that nothing uses."""
    while True:
        used = {value for op in walk(region) for value in op.operands}
        unused = [
            op
            for op in walk(region)
            if op.results and _only_computes(op) and used.isdisjoint(op.results)
        ]
        for op in unused:
            op.parent.ops.remove(op)
        if not unused:
            return
