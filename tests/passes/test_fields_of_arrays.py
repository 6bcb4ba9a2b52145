"""Structured arrays stay on the host, and are told; columns that are read of them are moved."""

from __future__ import annotations

HEAD = "import numpy as np\n\n\n"
WORK = """\
def warm(p: np.ndarray):
    x = p["x"].copy()
    for _ in range(50):
        x = x + 0.1 * np.sin(x) * np.exp(-x)
    return x
"""
ENERGY = """\
def energy(p: np.ndarray):
    speed = np.sqrt(p["vx"] ** 2 + p["vy"] ** 2)
    return 0.5 * np.sum(p["m"] * speed**2)
"""
STORED = """\
def scale(p: np.ndarray, by: np.ndarray):
    p["m"] = np.exp(np.sin(by)) * np.cos(by)
"""


def test_a_column_is_moved(port):
    after = port(HEAD + WORK).after or ""
    assert 'x = cp.asarray(p["x"].copy())' in after
    assert "x = _warm(x)" in after
    assert "@device" not in after


def test_an_array_with_fields_is_not_taken_to_the_device(port):
    assert port(HEAD + ENERGY).after is None


def test_a_store_in_a_field_is_one_on_the_host(port):
    report = port(HEAD + STORED)
    after = report.after or ""
    assert '@device("p"' not in after
    (told,) = [one.message for one in report.findings if one.code == "GP905"]
    assert '`p["m"]` is a field' in told
    assert 'p["m"] = cp.asnumpy(cp.exp(cp.sin(by)) * cp.cos(by))' in after


def test_a_dict_of_arrays_has_no_fields(port):
    text = HEAD + ENERGY.replace("p: np.ndarray", "p: dict[str, np.ndarray]")
    report = port(text)
    assert "GP905" not in {one.code for one in report.findings}
    assert '_energy(p["vx"], p["vy"], p["m"])' in (report.after or "")
    assert "def _energy(vx, vy, m):" in (report.after or "")
