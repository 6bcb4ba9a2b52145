import numpy as np


def lists(points: np.ndarray, weights: np.ndarray):
    total = np.exp(np.sin(points) * points + 1)
    mean = [points[0], points[1], np.sum(weights)]
    scaled = mean / np.max(weights)
    pair = (np.min(points), np.max(points))
    ranged = (points - pair[0]) / (pair[1] - pair[0])
    both = np.array([1.0, 2.0]) * pair
    mixed = [points[0], 2.0] / np.sum(weights)
    rows = [points * 2, weights * 3]
    return scaled, ranged, both, mixed, rows - total, total[:3] * mean


def rebound(points: np.ndarray, out: np.ndarray):
    direction = [points[0], points[1]]
    direction = direction / np.linalg.norm(direction)
    out[0] = direction[0] - direction[-1]
    return np.exp(np.sin(points) * points + 1) * out


def searched(points: np.ndarray, out: np.ndarray, first, last):
    found = 0
    for i in range(len(points)):
        pair = [points[i], points[i] * 2]
        pair = pair / np.linalg.norm(pair)
        out[i] = pair[0] - pair[-1]
    for i in range(last - 1, first, -2):
        if points[i] >= 1.5:
            found = i
            break
    return out, found


if __name__ == "__main__":
    given = np.linspace(1.0, 2.0, 6)
    for result in lists(given, np.ones(6)):
        print(result)
    print(rebound(given, np.zeros(6)))
    print(searched(given, np.zeros(6), 0, 5))
