"""Base calls and pools for SciPy's functions, as ``samples.py`` has them for NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from .samples import Call, call

_STEPS = np.arange(64.0)
W = np.sin(_STEPS / 3.0) + 0.01 * _STEPS  # a signal, longer than the filters below
S = np.add.outer(np.sin(_STEPS[:12]), np.cos(_STEPS[:12] / 2.0)) + 2.0  # a picture
K = (S > 2.0).astype(bool)
L = np.repeat(np.arange(4), 36).reshape(12, 12).astype(np.int32)  # labels
I = np.array([1, 2, 3])  # noqa: E741
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])  # positive definite
F = np.array([0.5, 1.5, 2.5])
H = np.array([0.25, 0.5, 0.25])
B3 = np.array([0.05, 0.1, 0.05])
A3 = np.array([1.0, -1.2, 0.4])
SOS = np.array([[0.05, 0.1, 0.05, 1.0, -1.2, 0.4]])
Z3 = np.array([0.5 + 0.1j, 0.5 - 0.1j])
P3 = np.array([0.3 + 0.2j, 0.3 - 0.2j])
T = np.linspace(0.0, 1.0, 64)
U = np.array([0.2, 0.3, 0.5])
SYSTEM = ([1.0], [1.0, 2.0])

ARRAYS: tuple[Any, ...] = (S, W, F, A, K)
POOLS: dict[str, tuple[Any, ...]] = {
    "sigma": (1.0,),
    "size": (3,),
    "shift": (1.0,),
    "zoom": (2.0,),
    "angle": (30.0,),
    "weights": (A, H),
    "percentile": (50,),
    "rank": (2,),
    "x": (W, F),
    "in1": (W, S),
    "in2": (H, A),
    "t": (T,),
    "b": (B3,),
    "a": (A3, F, A),
    "z": (Z3,),
    "p": (P3,),
    "k": (2.0,),
    "sos": (SOS,),
    "N": (3,),
    "Wn": (0.3,),
    "rp": (1.0,),
    "rs": (40.0,),
    "wp": (0.2,),
    "ws": (0.3,),
    "gpass": (1.0,),
    "gstop": (40.0,),
    "M": (8,),
    "n": (4,),
    "w0": (0.2,),
    "Q": (30.0,),
    "signal": (W,),
    "system": (SYSTEM,),
    "u": (U,),
    "v": (F / 4,),
}
"""What to try for a required parameter of that name; arrays for any other."""


def _each(calls: tuple[Call, ...], *names: str) -> dict[str, tuple[Call, ...]]:
    return dict.fromkeys(names, calls)


_NDIMAGE: dict[str, tuple[Call, ...]] = {
    **_each(
        (call(S, 1.0), call(S, sigma=(1.0, 2.0)), call(S, 1.0, mode="nearest")),
        "gaussian_filter", "gaussian_laplace", "gaussian_gradient_magnitude",
    ),
    **_each(
        (call(S, 3), call(S, size=(3, 3)), call(S, footprint=A > 1), call(S, 3, mode="wrap")),
        "median_filter", "minimum_filter", "maximum_filter", "grey_erosion", "grey_dilation",
        "grey_opening", "grey_closing", "white_tophat", "black_tophat", "morphological_gradient",
        "morphological_laplace",
    ),
    **_each((call(S, 2, 3), call(S, 2, size=(3, 3)), call(S, 2, footprint=A > 0)), "rank_filter"),
    **_each((call(S, 50, 3), call(S, 50.0, size=(3, 3))), "percentile_filter"),
    "uniform_filter": (call(S, 3), call(S, (3, 3)), call(S, size=3, mode="wrap")),
    **_each(
        (call(K), call(K, A > 0), call(K, iterations=2), call(L)),
        "binary_erosion", "binary_dilation", "binary_opening", "binary_closing",
    ),
    **_each((call(K), call(K, A > 0)), "binary_fill_holes", "binary_propagation"),
    "binary_hit_or_miss": (call(K), call(K, A > 0)),
    "label": (call(K), call(K, A > 0), call(L)),
    "find_objects": (call(L), call(L, 2)),
    **_each(
        (call(S), call(S, L), call(S, L, I), call(S, L, 1), call(S, labels=L, index=I)),
        "sum", "sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum",
        "median", "extrema", "minimum_position", "maximum_position", "center_of_mass",
    ),
    "histogram": (call(S, 0.0, 4.0, 5), call(S, 0.0, 4.0, 5, L, 1)),
    "labeled_comprehension": (),
    "map_coordinates": (call(S, np.ones((2, 5)) * 2.5), call(S, np.ones((2, 5)), order=1)),
    "affine_transform": (call(S, np.eye(2)), call(S, np.eye(2), 0.5), call(S, F[:2])),
    "shift": (call(S, 1.5), call(S, (0.5, 1.5)), call(S, (0.5, 1.5), order=1)),
    "zoom": (call(S, 2.0), call(S, (1.5, 2.0)), call(S, 2, order=1)),
    "rotate": (call(S, 30.0), call(S, 30.0, reshape=False), call(S, 90, order=1)),
    "convolve": (call(S, A), call(W, H)),
    "correlate": (call(S, A), call(W, H)),
    "convolve1d": (call(S, H), call(W, H)),
    "correlate1d": (call(S, H), call(W, H)),
    "distance_transform_edt": (call(K), call(K, sampling=(1.0, 2.0))),
    "fourier_shift": (call(S, 1.0), call(S, (1.0, 2.0))),
    "generate_binary_structure": (call(2, 1),),
    "iterate_structure": (call(A > 1, 2),),
    "value_indices": (call(L),),
}  # fmt: skip

_SIGNAL: dict[str, tuple[Call, ...]] = {
    **_each((call(W, H), call(S, A)), "convolve", "correlate", "fftconvolve", "oaconvolve"),
    **_each((call(S, A), call(S, A, "same")), "convolve2d", "correlate2d"),
    "lfilter": (call(B3, A3, W), call(B3, A3, S), call(B3, A3, W, zi=F[:2])),
    "filtfilt": (call(B3, A3, W), call(B3, A3, np.tile(W, (2, 1)))),
    "sosfilt": (call(SOS, W), call(SOS, S), call(SOS, W, zi=np.zeros((1, 2)))),
    "sosfiltfilt": (call(SOS, W),),
    "lfilter_zi": (call(B3, A3),),
    "lfiltic": (call(B3, A3, F[:2]),),
    "deconvolve": (call(W, H),),
    "decimate": (call(W, 2), call(W, 2, ftype="fir")),
    "detrend": (call(W), call(S), call(W, type="constant")),
    "resample": (call(W, 32), call(S, 6)),
    "resample_poly": (call(W, 2, 3),),
    "upfirdn": (call(H, W), call(H, W, 2, 1)),
    "savgol_filter": (call(W, 5, 2), call(S, 5, 2)),
    "savgol_coeffs": (call(5, 2),),
    "medfilt": (call(W), call(S, 3), call(W, 5)),
    "medfilt2d": (call(S), call(S, 3)),
    "wiener": (call(S), call(S, 3)),
    "order_filter": (call(S, np.ones((3, 3)), 4),),
    "hilbert": (call(W), call(S)),
    "hilbert2": (call(S),),
    "find_peaks": (call(W), call(W, height=0.5), call(W, distance=3)),
    **_each((call(W, np.array([5, 24, 42])),), "peak_prominences", "peak_widths"),
    **_each((call(W),), "argrelmin", "argrelmax"),
    "argrelextrema": (call(W, np.greater),),
    **_each(
        (call(W), call(W, 2.0), call(W, nperseg=16), call(S, nperseg=8)),
        "welch", "spectrogram", "stft",
    ),
    "periodogram": (call(W), call(W, 2.0), call(S)),
    **_each((call(W, W + T), call(W, W + T, nperseg=16)), "csd", "coherence"),
    "istft": (call(np.ones((9, 9)) + 0j, nperseg=16),),
    "lombscargle": (call(T, W, F),),
    "firwin": (call(9, 0.3), call(9, [0.2, 0.4])),
    "firwin2": (call(9, [0.0, 0.5, 1.0], [1.0, 1.0, 0.0]),),
    "firls": (call(9, [0.0, 0.4, 0.6, 1.0], [1.0, 1.0, 0.0, 0.0]),),
    "get_window": (call("hann", 8), call(("kaiser", 4.0), 8)),
    "butter": (call(3, 0.3), call(3, [0.2, 0.4], "bandpass"), call(3, 0.3, output="sos")),
    "cheby1": (call(3, 1.0, 0.3), call(3, 1.0, 0.3, output="sos")),
    "cheby2": (call(3, 40.0, 0.3), call(3, 40.0, 0.3, output="sos")),
    "ellip": (call(3, 1.0, 40.0, 0.3), call(3, 1.0, 40.0, 0.3, output="sos")),
    "iirfilter": (call(3, 0.3, btype="lowpass"), call(3, [0.2, 0.4])),
    "chirp": (call(T, 1.0, 1.0, 5.0),),
    "sweep_poly": (call(T, F),),
    "unit_impulse": (call(8), call((3, 3), 1)),
    "max_len_seq": (call(3),),
    "gauss_spline": (call(T, 3),),
    **_each((call(W),), "cspline1d", "qspline1d"),
    **_each((call(W, F),), "cspline1d_eval", "qspline1d_eval"),
    **_each((call(S),), "cspline2d", "qspline2d", "spline_filter"),
    "sepfir2d": (call(S, H, H),),
    "symiirorder1": (call(W, 0.5, 0.3),),
    "symiirorder2": (call(W, 0.5, 0.3),),
    "freqz": (call(B3), call(B3, A3), call(B3, A3, 16)),
    "freqs": (call(B3, A3), call(B3, A3, 16)),
    "correlation_lags": (call(8, 3),),
    "vectorstrength": (call(F, 1.5),),
    "check_COLA": (call("hann", 8, 4),),
    "check_NOLA": (call("hann", 8, 4),),
    "minimum_phase": (call(np.array([0.1, 0.2, 0.4, 0.2, 0.1])),),
    "kaiser_beta": (call(40.0),),
    "kaiser_atten": (call(9, 0.2),),
    "kaiserord": (call(40.0, 0.2),),
    "gammatone": (call(0.3, "fir"),),
    "place_poles": (),
    "band_stop_obj": (),
}  # fmt: skip

_WINDOWS: dict[str, tuple[Call, ...]] = {
    "chebwin": (call(8, 60.0),),
    "gaussian": (call(8, 2.0),),
    "general_cosine": (call(8, [0.5, 0.5]), call(8, F)),
    "general_gaussian": (call(8, 1.5, 2.0),),
    "general_hamming": (call(8, 0.6),),
    "get_window": (call("hann", 8),),
    **_each((call(8, 4.0),), "kaiser", "kaiser_bessel_derived"),
}

_REST: dict[str, tuple[Call, ...]] = {
    **{
        f"fft.{name}": (call(W), call(S), call(W, 32), call(W, norm="ortho"))
        for name in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
    },
    **{f"fft.{name}": (call(W), call(S), call(W, 2)) for name in ["dct", "idct", "dst", "idst"]},
    **{
        f"fft.{name}": (call(S), call(S, (8, 8)))
        for name in [
            "fft2",
            "ifft2",
            "rfft2",
            "irfft2",
            "hfft2",
            "ihfft2",
            "fftn",
            "ifftn",
            "rfftn",
            "irfftn",
            "hfftn",
            "ihfftn",
        ]
    },
    **{f"fft.{name}": (call(S), call(S, 2)) for name in ["dctn", "idctn", "dstn", "idstn"]},
    "fft.fftshift": (call(W), call(S, 0)),
    "fft.ifftshift": (call(W), call(S, 0)),
    "fft.fftfreq": (call(4), call(4, 0.5)),
    "fft.rfftfreq": (call(4), call(4, 0.5)),
    "fft.next_fast_len": (call(7),),
    **{f"fft.{name}": (call(W, 0.1, 0.5),) for name in ["fht", "ifht"]},
    "linalg.solve_triangular": (call(A, F), call(A, F, lower=True, check_finite=False)),
    "linalg.lu": (call(A), call(A, check_finite=False)),
    "linalg.lu_factor": (call(A), call(A, check_finite=False)),
    "linalg.lu_solve": (call((A, np.array([0, 1, 2], np.int32)), F),),
    "linalg.expm": (call(A),),
    "linalg.bandwidth": (call(A),),
    "linalg.block_diag": (call(A, A), call(A)),
    "linalg.toeplitz": (call(F), call(F, F)),
    "linalg.hankel": (call(F), call(F, F)),
    "linalg.circulant": (call(F),),
    "linalg.companion": (call(F),),
    "linalg.convolution_matrix": (call(F, 5),),
    "linalg.khatri_rao": (call(A, A),),
    "linalg.leslie": (call(F, F[:2]),),
    "linalg.fiedler": (call(F),),
    "linalg.fiedler_companion": (call(F),),
    "interpolate.barycentric_interpolate": (call(F, F, F),),
    "interpolate.krogh_interpolate": (call(F, F, F),),
    "interpolate.pchip_interpolate": (call(F, F, F),),
    "interpolate.interpn": (call((F, F), A, np.ones((4, 2)) * 0.9),),
    "stats.entropy": (call(F), call(F, F), call(F, base=2.0)),
    "stats.zscore": (call(F), call(A), call(A, axis=1)),
    "stats.zmap": (call(F, F),),
    "stats.trim_mean": (call(W, 0.1),),
    "stats.boxcox_llf": (call(0.5, F),),
    "spatial.distance_matrix": (call(A, A),),
    "spatial.distance.cdist": (call(A, A), call(A, A, "cityblock")),
    "spatial.distance.pdist": (call(A),),
    "spatial.distance.minkowski": (call(U, F / 4, 3),),
    "spatial.distance.hamming": (call(U, U),),
    "special.logsumexp": (call(F), call(A, axis=1), call(F, b=F), call(F, return_sign=True)),
    "special.softmax": (call(F), call(A, axis=1)),
    "special.log_softmax": (call(F), call(A, axis=1)),
    "special.lambertw": (call(F),),
    "special.multigammaln": (call(F + 2, 2),),
    "special.polygamma": (call(1, F), call(I, F)),
    "special.sph_harm_y": (call(2, 1, F, F), call(I, I, F, F)),
    "special.spherical_yn": (call(2, F), call(I, F)),
    "special.sinc": (call(F),),
    "special.zeta": (call(F + 1, F),),
}

BASES: dict[str, tuple[Call, ...]] = {
    **{f"scipy.ndimage.{name}": calls for name, calls in _NDIMAGE.items()},
    **{f"scipy.signal.{name}": calls for name, calls in _SIGNAL.items()},
    **{f"scipy.signal.windows.{name}": calls for name, calls in _WINDOWS.items()},
    **{f"scipy.{name}": calls for name, calls in _REST.items()},
}
"""Calls to start from, where pools alone would not find good ones."""

SKIPPED = {
    f"scipy.ndimage.{name}": "it takes a function"
    for name in [
        "generic_filter",
        "generic_filter1d",
        "generic_laplace",
        "generic_gradient_magnitude",
    ]
} | {"scipy.ndimage.labeled_comprehension": "it takes a function"}
"""Names that are not probed, and why."""

ENDLESS = {
    f"scipy.ndimage.{name}": "it ends when nothing changes, which needs a device that computes"
    for name in ("binary_fill_holes", "binary_propagation")
}
"""Names whose arguments are not probed, though their results are compared."""
