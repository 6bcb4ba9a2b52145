"""Values of each kind of argument."""

from __future__ import annotations

import pytest

from gpuport.rules.argumentkinds import KINDS
from gpuport.rules.survey import samples


@pytest.mark.parametrize("base", [samples.F, samples.M, 2, 0.5, (0, 1), None])
@pytest.mark.parametrize("kind", samples.KINDS)
def test_variants_are_of_their_kind(kind: str, base: object) -> None:
    from gpuport.host.argumentchecks import kind_of

    written = {"array": "numpy-array", "array-list": "numpy-array-list"}.get(kind, kind)
    found = {kind_of(value) for value in samples.variants(kind, base)}
    assert found == {written}


def test_kinds_are_those_that_the_reader_knows() -> None:
    assert set(samples.KINDS) == set(KINDS)
