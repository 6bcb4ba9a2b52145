"""The set of operations is closed: each one runs, and each one is evaluated."""

from __future__ import annotations

from gpuport.facts.evaluation import TRANSFERS
from gpuport.ir import KINDS, Effect
from gpuport.ir.interpreter import CONTROLS, ENDINGS, STEPS

#: Inference comes before rewriting: what rewrites add has its types from them.
ADDED_LATER = {"Load", "Store", "Update", "Extent", "Alloc", "Cast", "Elementwise", "Reduce", "Map"}


def test_each_kind_runs_in_one_way():
    ways = [*STEPS, *CONTROLS, *ENDINGS]
    assert sorted(ways) == sorted(KINDS)


def test_what_ends_a_region_is_a_terminator():
    assert {kind for kind, row in KINDS.items() if row.effect is Effect.EXIT} == set(ENDINGS)


def test_each_kind_is_evaluated():
    assert set(TRANSFERS) == set(KINDS) - ADDED_LATER
