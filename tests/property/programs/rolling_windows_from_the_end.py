import numpy as np


def rolling_pca(returns: np.ndarray, window: int, k: int):
    """Explained variance and leading factor of each window of returns."""
    T, n = returns.shape
    shares = np.zeros(T - window + 1)
    loadings = np.zeros((T - window + 1, n, k))
    for t in range(window, T + 1):
        block = returns[t - window:t]
        block = block - block.mean(axis=0)
        cov = block.T @ block / (window - 1)
        values, vectors = np.linalg.eigh(cov)
        shares[t - window] = values[-k:].sum() / values.sum()
        loadings[t - window] = np.abs(vectors[:, -k:])
    return shares, loadings


def rolling_betas(y: np.ndarray, X: np.ndarray, window: int):
    betas = []
    for start in range(0, len(y) - window + 1):
        Xw = X[start:start + window]
        yw = y[start:start + window]
        beta = np.linalg.solve(Xw.T @ Xw, Xw.T @ yw)
        betas.append(beta)
    return np.array(betas)


def main():
    rng = np.random.default_rng(7)
    market = rng.normal(size=(400, 1))
    returns = market * rng.uniform(0.5, 1.5, size=(1, 12)) + 0.3 * rng.normal(size=(400, 12))
    shares, loadings = rolling_pca(returns, 60, 2)
    print(shares.shape, round(float(shares.mean()), 8), round(float(loadings.sum()), 6))
    betas = rolling_betas(returns[:, 0], returns[:, 1:4], 90)
    print(betas.shape, np.round(betas.mean(axis=0), 8).tolist())


if __name__ == "__main__":
    main()
