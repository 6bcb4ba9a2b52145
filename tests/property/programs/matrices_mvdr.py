"""MVDR beamformer weights, one per frequency bin."""
import numpy as np


def steering(freqs, positions, angle, c=343.0):
    delays = positions * np.sin(angle) / c
    return np.exp(-2j * np.pi * freqs[:, None] * delays[None, :])


def mvdr(stft: np.ndarray, d: np.ndarray, loading: float = 1e-3):
    """stft: (bins, mics, frames); d: (bins, mics)."""
    bins, mics, frames = stft.shape
    weights = np.zeros((bins, mics), dtype=complex)
    out = np.zeros((bins, frames), dtype=complex)
    for f in range(bins):
        X = stft[f]
        R = X @ X.conj().T / frames
        R += loading * np.trace(R).real / mics * np.eye(mics)
        Rinv_d = np.linalg.solve(R, d[f])
        w = Rinv_d / (d[f].conj() @ Rinv_d)
        weights[f] = w
        out[f] = w.conj() @ X
    return weights, out


def main():
    rng = np.random.default_rng(3)
    stft = rng.normal(size=(33, 4, 50)) + 1j * rng.normal(size=(33, 4, 50))
    d = steering(np.linspace(0, 8000, 33), np.arange(4) * 0.05, 0.3)
    w, y = mvdr(stft, d)
    print(np.abs(w).sum().round(8), np.abs(y).sum().round(8))


if __name__ == "__main__":
    main()
