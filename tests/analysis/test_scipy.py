"""SciPy's functions: what they return, where they may run, and SciPy that is not installed."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest
from scipy import fft, ndimage, signal, special, stats

from gpuport.analysis.calls import numpywork
from gpuport.analysis.knowledge import probing
from gpuport.analysis.knowledge.probing import probe_call
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import UNKNOWN, Array, Scalar
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

WAVE = np.sin(np.arange(64.0))
PICTURE = np.add.outer(WAVE, WAVE)
COUNTS = np.arange(4)
VECTOR, MATRIX = Array("float64", 1), Array("float64", 2)
INTEGERS = Array("int64", 1)


@pytest.mark.parametrize(
    ("path", "function", "claims", "actual"),
    [
        ("scipy.fft.rfft", fft.rfft, (VECTOR,), (WAVE,)),
        ("scipy.fft.dctn", fft.dctn, (MATRIX,), (PICTURE,)),
        ("scipy.fft.next_fast_len", fft.next_fast_len, (Scalar("int"),), (7,)),
        ("scipy.ndimage.gaussian_filter", ndimage.gaussian_filter, (MATRIX, Scalar("float")),
         (PICTURE, 1.0)),
        ("scipy.ndimage.label", ndimage.label, (Array("bool", 2),), (PICTURE > 0,)),
        ("scipy.ndimage.center_of_mass", ndimage.center_of_mass, (MATRIX,), (PICTURE + 3,)),
        ("scipy.signal.filtfilt", signal.filtfilt, (VECTOR, VECTOR, VECTOR),
         (np.array([0.2, 0.2]), np.array([1.0, -0.6]), WAVE)),
        ("scipy.signal.butter", signal.butter, (Scalar("int", 3), Scalar("float", 0.1)), (3, 0.1)),
        ("scipy.signal.sosfilt", signal.sosfilt, (MATRIX, VECTOR),
         (signal.butter(2, 0.2, output="sos"), WAVE)),
        ("scipy.signal.find_peaks", signal.find_peaks, (VECTOR,), (WAVE,)),
        ("scipy.signal.welch", signal.welch, (VECTOR, Scalar("float")), (WAVE, 2.0)),
        ("scipy.special.gammaln", special.gammaln, (INTEGERS,), (COUNTS,)),
        ("scipy.special.gammaln", special.gammaln, (Scalar("float"),), (2.5,)),
        ("scipy.special.logsumexp", special.logsumexp, (VECTOR,), (WAVE,)),
        ("scipy.stats.zscore", stats.zscore, (MATRIX,), (PICTURE,)),
        ("scipy.stats.norm.sf", stats.norm.sf, (VECTOR,), (WAVE,)),
    ],
)  # fmt: skip
def test_a_claim_holds_for_a_real_call(covers, path, function, claims, actual):
    claim = probe_call(path, claims, ())
    assert claim != UNKNOWN
    assert covers(claim, function(*actual))


def test_signals_that_have_to_be_long_are_asked_for_in_other_dtypes_too():
    """`spectrogram` keeps float32; short arrays, of which it takes none, say nothing of that."""
    words = (("nperseg", Scalar("int", 32)), ("noverlap", Scalar("int", 16)))
    claim = probe_call("scipy.signal.spectrogram", (Array(None, None), Scalar("float")), words)
    assert claim.items[2].dtype is None
    single = signal.spectrogram(np.ones(400, "float32"), 1.0, nperseg=32, noverlap=16)[2]
    assert single.dtype == np.float32


def test_a_name_that_scipy_has_not_is_not_known():
    assert probe_call("scipy.special.no_such_function", (VECTOR,), ()) == UNKNOWN
    assert probe_call("scipy.no_such_module.f", (VECTOR,), ()) == UNKNOWN


def places(analysed) -> dict[str, Place]:
    return {
        o.path: analysed.placement.of(o.graph_node)
        for o in analysed.unit.work.operations.values() if o.path is not None
    }  # fmt: skip


def test_calls_run_on_the_device(analyse):
    found = places(analyse("""
        from scipy import ndimage
        def f(x: np.ndarray):
            return np.sqrt(ndimage.gaussian_filter(x, 1.0))
    """))  # fmt: skip
    assert found == {"scipy.ndimage.gaussian_filter": Place.DEVICE, "numpy.sqrt": Place.DEVICE}


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("special.jv(2, x)", "GP102"),
        ("fft.fft(x, workers=2)", "GP103"),
        ("linalg.lu_factor(x.astype('int64'))", "GP103"),
        ("ndimage.median(x.astype('int32'), x > 0)", "GP515"),
        ("ndimage.generic_filter(x, np.max, 3)", "GP515"),
        ("special.no_such_name(x)", "GP107"),
        ("stats.norm.pdf(x)", "GP102"),
    ],
)
def test_what_stays_says_why(analyse, call, code):
    analysed = analyse(f"""
        from scipy import fft, interpolate, linalg, ndimage, special, stats
        def f(x: np.ndarray):
            return {call}
    """)
    unit = analysed.unit
    reasons = [o.graph_node.root().pinned for o in unit.work.operations.values()]
    codes = {r.code for r in (*reasons, *unit.work.host_calls.values()) if r is not None}
    assert code in codes
    assert not any("scipy" in path for path, p in places(analysed).items() if p is Place.DEVICE)


def test_what_a_class_without_a_table_offers_is_not_said_to_be_missing_in_scipy(analyse):
    unit = analyse("""
        from scipy.spatial.transform import Rotation
        def f(x: np.ndarray):
            return Rotation.from_rotvec(x).as_matrix()
    """).unit
    (reason,) = [r for r in unit.work.host_calls.values() if r is not None and r.code == "GP107"]
    assert "not a public name" not in reason.message
    assert "`scipy.spatial.transform.Rotation`" in reason.message


def test_results_that_may_differ_are_noted(analyse):
    unit = analyse("""
        from scipy import signal
        def f(x: np.ndarray):
            return signal.find_peaks(x, height=1.0)[0]
    """).unit
    assert [one.finding.code for one in unit.notes.values()] == ["GP515"]


def test_without_scipy_nothing_moves_and_the_finding_says_what_to_do(analyse, monkeypatch):
    asked = probing.ask
    monkeypatch.setattr(
        probing, "ask", lambda one: {"Unknown": {}} if "scipy" in one.text else asked(one)
    )
    monkeypatch.setattr(numpywork, "installed", lambda library: library != "scipy")
    for known in (probing._probe, probing._rested):
        known.cache_clear()
    try:
        analysed = analyse("""
            from scipy import ndimage
            def f(x: np.ndarray):
                return ndimage.gaussian_filter(x, 1.0)
        """)
    finally:
        for known in (probing._probe, probing._rested):
            known.cache_clear()
    assert analysed.placement.device == frozenset()
    reasons = [o.graph_node.root().pinned for o in analysed.unit.work.operations.values()]
    assert [r.code for r in reasons if r] == ["GP901"]
    assert "install SciPy" in reasons[0].help


def test_scipy_is_not_imported_whatever_is_asked_of_it():
    code = """
        import sys
        from gpuport.config import Config
        from gpuport.passes.port import port_module
        from gpuport.source.reading import parse
        text = "import numpy as np\\nfrom scipy.special import erf\\n\\n\\n"
        text += "def f(x: np.ndarray):\\n    return erf(np.sin(x))\\n"
        assert port_module(parse("m.py", text), Config()).after
        print([name for name in sys.modules if name.partition(".")[0] == "scipy"])
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == "[]", run.stderr


@pytest.mark.parametrize(
    "made", ["interpolate.CubicSpline(t, y)", "interpolate.interp1d(t, y)", "stats.gaussian_kde(y)"]
)
def test_what_scipys_objects_give_when_they_are_called_is_ported(made: str):
    text = f"""\
import numpy as np
from scipy import interpolate, stats


def drawn(t: np.ndarray, y: np.ndarray, n: int):
    f = {made}
    d = f(np.linspace(0.0, 1.0, n))
    m = np.exp(np.sin(np.outer(d, d)))
    m = m @ m.T + np.cos(m)
    values = np.linalg.eigvalsh(m)
    return np.sqrt(np.abs(values))
"""
    report = port_module(parse("f.py", text), Config())
    assert "cp.linalg.eigvalsh(" in (report.after or "")
