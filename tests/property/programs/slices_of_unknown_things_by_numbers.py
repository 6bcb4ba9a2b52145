import pickle
import sys

import numpy as np

image = pickle.loads(pickle.dumps(np.arange(100.0).reshape(10, 10)))


def around(coord, width=1):
    r, c = np.round(np.sqrt(coord) * np.exp(coord / 100)).astype(np.intp)
    window = image[r - width : r + width + 1, c - width : c + width + 1]
    return float(window.sum())


def changed(coord):
    r, c = np.round(np.sqrt(coord) * np.exp(coord / 100)).astype(np.intp)
    image[r : r + 1, c:] = 1.5
    image[r - 1 :] = 2.5


found = []
for point in np.array([[4.0, 9.0], [16.0, 25.0], [9.0, 16.0]]):
    found.append(around(point))
    changed(point)
np.savez(sys.argv[1], np.array(found), image)
