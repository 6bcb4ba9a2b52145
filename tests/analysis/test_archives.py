"""Arrays that are read from files: `np.load` by the end of the name, items of archives."""

import pytest
from tests.analysis.conftest import GUARD, analysed, on_device

PROGRAM = """
from pathlib import Path

import numpy as np


def main(folder="."):
    name = "data.npy"
    {read}
    np.save("y.npy", {work})
"""


def ported(read: str, work: str) -> bool:
    text = PROGRAM.replace("{read}", read).replace("{work}", work)
    path = "numpy." + work.partition("(")[0].removeprefix("np.")
    return on_device(analysed(text, GUARD), path)


@pytest.mark.parametrize(
    ("read", "known"),
    [
        ("x = np.load('data.npy')", True),
        ("x = np.load(name)", True),
        ("x = np.load(Path(folder) / 'data.npy')", True),
        ("x = np.load(f'{folder}/data.npy')", True),
        ("x = np.load('data.npz')['x']", True),
        ("with np.load('data.npz') as data:\n        x = data['x']", True),
        ("x = np.load(folder)", False),
        ("x = np.load(f'data.npy/{folder}')", False),
        ("x = np.load('data.npz')", False),
        ("x = np.load('data.npy', mmap_mode='r+')", False),
        ("x = np.load('data.npy', allow_pickle=True)", False),
    ],
)
def test_what_a_file_holds_is_told_by_its_name(read: str, known: bool):
    assert ported(read, "np.linalg.inv(x)") == known


@pytest.mark.parametrize(
    ("work", "known"),
    [
        ("np.unique(x)", False),  # of text as well
        ("np.unique(x * 2.0)", True),
        ("np.unique(x[x == x[0]])", False),
        ("np.sort(np.sqrt(x))", True),
    ],
)
def test_what_may_be_text_stays_until_something_calculates_with_it(work: str, known: bool):
    assert ported("x = np.load('data.npy')", work) == known
