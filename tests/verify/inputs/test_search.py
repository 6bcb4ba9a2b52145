"""Which dimensions are found to vary together."""

from __future__ import annotations

import ast

from gpuport.verify.inputs.search import search
from gpuport.verify.signatures.signatures import signatures_of
from gpuport.verify.slots import Trial


def test_rows_of_three_tables_and_their_targets_move_in_pairs() -> None:
    text = (
        "def f(tables, targets):\n    for x, y in zip(tables, targets):\n"
        "        for row, one in zip(x, y):\n            row[0] * one\n"
    )
    (signature,) = signatures_of(ast.parse(text))

    def accepts(trial: Trial) -> bool:
        first, second = trial.slots
        if first.kind != "list" or second.kind != "list":
            return False
        pairs = list(zip(first.items, second.items, strict=True))
        if any((len(x.dims), len(y.dims)) != (2, 1) for x, y in pairs):
            return False
        sizes = trial.sizes
        return all(sizes[x.dims[0]] == sizes[y.dims[0]] >= sizes[x.dims[1]] for x, y in pairs)

    found = search(signature, accepts, 0)[0]
    assert len(found.symbols()) == 9
    paired = {frozenset(group) for group in found.groups if len(group) == 2}
    assert frozenset({"tables.0.0", "targets.0.0"}) in paired
