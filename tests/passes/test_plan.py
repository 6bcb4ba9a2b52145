"""The transfer plan tells what crosses, and agrees with what a port does when it runs."""

import ast
import re
import textwrap

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.records import FileReport, RunReport, Transfers
from gpuport.report.transfers import planned_counts, table
from gpuport.source.module import Module

PROGRAM = """\
    import numpy as np


    def smooth(u, steps):
        for _ in range(steps):
            u[1:-1] = 0.5 * (np.roll(u, 1) + np.roll(u, -1))[1:-1]
        return u


    def main(path, steps):
        rng = np.random.default_rng(0)
        f = rng.normal(size=(500, 502))
        for k in range(steps):
            g = np.exp(-f * f) + np.sin(f)
            if g.max() > 3:
                print(float(g.sum()))
            np.save(path, g)
        h = smooth(f, 4)
        np.savez(path, h=h)
"""


def transfers(program: str, **options: object) -> Transfers | None:
    text = textwrap.dedent(program)
    config = Config(**{"dry_run": True, **options})  # type: ignore[arg-type]
    return port_module(Module("p.py", text, ast.parse(text)), config).transfers


def test_each_crossing_has_its_place_and_how_often():
    found = transfers(PROGRAM)
    assert found is not None
    main = [c for c in found.crossings if c.function == "main"]
    assert [(c.direction, c.what, c.often, c.depth) for c in main] == [
        ("h2d", "rng.normal(size=(500, 502))", "1", 0),
        ("sync", "g.max() > 3", "steps", 1),
        ("sync", "float(g.sum())", "steps", 1),
        ("d2h", "g", "steps", 1),
        ("d2h", "h", "1", 0),
    ]
    assert main[0].bytes == main[3].bytes == 500 * 502 * 8
    assert main[4].bytes is None
    assert all(c.boundary for c in found.crossings if c.function == "smooth")


def test_call_by_call_counts_what_each_call_takes_and_gives():
    found = transfers("import numpy as np\ndef f(x: np.ndarray, y: np.ndarray):\n"
                      "    return np.sort(np.sin(x) + np.hypot(x, y))\n")  # fmt: skip
    assert found is not None
    assert found.call_by_call == (("1", 2 + 3 + 2),)
    assert planned_counts(found) == (("1", 3),)


def test_views_cost_nothing_call_by_call():
    found = transfers("import numpy as np\ndef f(x: np.ndarray):\n"
                      "    return np.sin(np.transpose(x).ravel())\n")  # fmt: skip
    assert found is not None
    assert found.call_by_call == (("1", 2),)


def test_a_run_that_writes_tells_as_much_as_one_that_does_not():
    assert transfers(PROGRAM, dry_run=False) == transfers(PROGRAM)


def test_what_stays_on_the_host_crosses_nowhere():
    found = transfers("import numpy as np\ndef f(n):\n    return n + 1\n")
    assert found == Transfers()


def test_the_table_is_empty_where_nothing_crosses():
    assert list(table(RunReport((FileReport("p.py", transfers=Transfers()),)))) == []
    found = transfers(PROGRAM)
    lines = list(table(RunReport((FileReport("p.py", transfers=found),))))
    assert lines[0] == "Transfers:"
    assert "2.01 MB" in lines[4]
    words = re.findall("to the device|to the host|the host waits", "\n".join(lines))
    assert words == [
        "to the device", "to the host", "to the host", "to the device",
        "the host waits", "the host waits", "to the host", "to the host",
    ]  # fmt: skip
    assert planned_counts(found or Transfers()) == (("1", 5), ("steps", 1))


def test_slicing_by_numbers_of_the_device_waits_for_them() -> None:
    """CuPy's slices take arrays without dimensions, and ask for their values."""
    found = transfers(
        """\
        import numpy as np


        def kept(x: np.ndarray, m: int):
            n = x.argmax()
            first = x[:n] * 2
            return first.sum() + x[m : len(x) // 2].sum() + x[: int(n)].sum()
        """
    )
    assert found is not None
    waits = [(one.what, one.span.line) for one in found.crossings if one.direction == "sync"]
    assert waits == [("n", 6), ("int(n)", 7)]


def test_loops_that_run_once_do_not_wait_for_each_item():
    found = transfers("""
        import numpy as np

        def roots(ms: np.ndarray):
            out = np.zeros_like(ms)
            for i in range(len(ms)):
                w, v = np.linalg.eigh(ms[i])
                if w[0] > 0:
                    out[i] = v * np.sqrt(w)
            return out
    """)
    assert [one.what for one in found.crossings if one.direction == "sync"] == []
