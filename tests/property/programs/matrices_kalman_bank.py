"""A bank of Kalman filters, one per tracked object."""
import numpy as np


def predict(x, P, F, Q):
    return F @ x, F @ P @ F.T + Q


def update(x, P, z, H, R):
    y = z - H @ x
    S = H @ P @ H.T + R
    K = P @ H.T @ np.linalg.inv(S)
    return x + K @ y, (np.eye(len(x)) - K @ H) @ P


def run(tracks: np.ndarray, F: np.ndarray, H: np.ndarray, Q: np.ndarray, R: np.ndarray):
    n, steps, _ = tracks.shape
    d = F.shape[0]
    states = np.zeros((n, steps, d))
    for i in range(n):
        x = np.zeros(d)
        P = np.eye(d) * 10.0
        for t in range(steps):
            x, P = predict(x, P, F, Q)
            x, P = update(x, P, tracks[i, t], H, R)
            states[i, t] = x
    return states


def main():
    rng = np.random.default_rng(0)
    dt = 0.1
    F = np.array([[1, 0, dt, 0], [0, 1, 0, dt], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    H = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])
    tracks = np.cumsum(rng.normal(size=(12, 20, 2)), axis=1)
    s = run(tracks, F, H, 0.01 * np.eye(4), 0.5 * np.eye(2))
    print(s.shape, s[:, -1].sum(axis=0).round(8))


if __name__ == "__main__":
    main()
