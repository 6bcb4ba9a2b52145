"""What is saved is brought back by CuPy's function of the same name."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import sys
import numpy as np


def main():
    T = np.zeros((200, 200)) + 0.5
    for _ in range(20):
        T = np.sqrt(T * 1.5) + np.sin(T)
    result = {result}
    {save}


if __name__ == "__main__":
    main()
"""
MIXED = '{"T": T, "profile": T[:, 3], "steps": 20, "times": [0.1, 0.2], "mean": T.mean()}'


@pytest.mark.parametrize("name", ["savez", "savez_compressed"])
@pytest.mark.parametrize("given", ["T=result", "result", "T=result, steps=20, first=result[0]"])
def test_arrays_are_brought_back_by_the_function(name: str, given: str) -> None:
    save = f"np.{name}(sys.argv[1], {given})"
    made = port(PROGRAM.format(result="T", save=save)).after or ""
    assert save.replace("np.", "cp.") in made
    assert "asnumpy" not in made


@pytest.mark.parametrize("result", ['{"T": T, "profile": T[:, 3]}', MIXED])
def test_what_a_dict_holds_is_brought_back_where_it_is_spread(result: str) -> None:
    made = port(PROGRAM.format(result=result, save="np.savez(sys.argv[1], **result)")).after or ""
    assert "cp.savez(sys.argv[1], **result)" in made
    assert "T = cp.zeros((200, 200)) + 0.5" in made
    assert "asnumpy" not in made


def test_lists_of_arrays_are_brought_back_one_by_one() -> None:
    save = "np.savez(sys.argv[1], T=result, both=[result, result])"
    made = port(PROGRAM.format(result="T", save=save)).after or ""
    assert "both=[result_on_host, result_on_host]" in made


def test_nothing_changes_where_all_is_on_the_host() -> None:
    report = port("import numpy as np\n\n\ndef keep(path):\n    np.savez(path, a=np.arange(3))\n")
    assert report.after is None or "np.savez" in report.after
