"""From which size on which algorithm: the data of ``rules/linalg-sizes.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from gpuport._data import rules_folder


@dataclass(frozen=True, slots=True)
class Sizes:
    """Where one algorithm takes over from another; the file says where each number is from.

    Attributes
    ----------
    svd_jacobi : int
        Rows and columns up to which CuPy decomposes a stack in one call.
    svd_qr_first : float
        Long side over short side from which a triangular factor is decomposed instead.
    gram_single, gram_double : float
        Condition up to which singular values are taken from the Gram matrix.
    lu_batched, eigh_batched : int
        Rows up to which a stack goes to the batched routine.
    elements : int
        Elements that one call may have.
    host_several, host_bytes : int
        Matrices from which, and bytes of one up to which, NumPy is called once for a stack.
    processes_sample, processes_from : float
        Seconds of work after which the rest is estimated, and seconds that this must take for
        processes to be started.
    """

    svd_jacobi: int
    svd_qr_first: float
    gram_single: float
    gram_double: float
    lu_batched: int
    eigh_batched: int
    elements: int
    host_several: int
    host_bytes: int
    processes_sample: float
    processes_from: float


@cache
def sizes() -> Sizes:
    """The table, read once."""
    value = {name: row["value"] for name, row in json.loads(table()).items()}
    return Sizes(
        svd_jacobi=value["svd_jacobi_at_most"],
        svd_qr_first=value["svd_qr_first_from"],
        gram_single=value["gram_condition_at_most"]["single"],
        gram_double=value["gram_condition_at_most"]["double"],
        lu_batched=value["lu_batched_at_most"],
        eigh_batched=value["eigh_batched_at_most"],
        elements=value["elements_of_a_call_at_most"],
        host_several=value["host_stack_from"],
        host_bytes=value["host_stack_bytes_at_most"],
        processes_sample=value["processes_estimated_after"],
        processes_from=value["processes_from"],
    )


def table() -> str:
    """The text of the data file."""
    return (rules_folder() / "linalg-sizes.json").read_text(encoding="utf-8")
