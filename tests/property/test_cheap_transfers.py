"""Where a transfer costs next to nothing every claim of the analysis is put to the test.

Nearly all that may be on the device then is, each operation by itself: what is said of a value, of
who else holds it and of what may be moved has to be right everywhere, not only where the ordinary
costs lead.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.analysis.calls import handovers
from gpuport.analysis.placement import cut

HERE = Path(__file__).parent
PROGRAMS = {path.stem: path for path in sorted((HERE / "programs").glob("*.py"))}
KNOWN = {
    "found2_leak_list_of_zip": "`argmax` gives a longlong, which is no instance of np.int64",
    "partition_by_numpy_integers": "a sum of nothing is Python's 0, and a transfer makes an array",
    "named_tuples": "arrays in named tuples that are not followed are copied one by one",
}
BATCHES = 8
CHEAP = 0.02


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transfers that cost next to nothing."""
    monkeypatch.setattr(cut, "TRANSFER", CHEAP)
    monkeypatch.setattr(handovers, "TRANSFER", CHEAP)
    monkeypatch.setattr(cut, "SYNCHRONISATION", CHEAP / 2)
    monkeypatch.setattr(cut, "LINE", CHEAP / 2)


@pytest.mark.sampled(BATCHES)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_ports_with_transfers_everywhere_give_the_same(batch, cheap, examine):
    names = sorted(PROGRAMS.keys() - KNOWN.keys())[batch::BATCHES]
    moved = 0
    for name in names:
        text = PROGRAMS[name].read_text(encoding="utf-8")
        found = examine(text, f"{name}.py", again=False)  # test_programs.py has second passes
        assert found.faults == (), f"{name}: {found.faults}\n{found.after}"
        moved += "cp." in found.after
    assert moved > len(names) // 3
