"""What ``rules/batch.yaml`` says of functions holds where loops run."""

from __future__ import annotations

import pytest

from gpuport.rules.stacking import stacking
from gpuport.runtime.items.knowledge import known_functions


@pytest.mark.parametrize("path", sorted(stacking().matrices))
def test_functions_of_matrices_are_known_for_all_items(path: str) -> None:
    assert path in known_functions()


@pytest.mark.parametrize("path", sorted(stacking().helpers))
def test_what_is_one_call_for_a_list_is_known_as_well(path: str) -> None:
    assert path in known_functions()
    assert path in stacking().matrices or stacking().forms[path] == "solve"
