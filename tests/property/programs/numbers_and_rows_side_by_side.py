import numpy as np

angles = np.linspace(0, 3, 24, endpoint=False)


def radon(img):
    return np.array([np.cos(t) * img.sum(axis=0) for t in angles])


def backproject(sino):
    acc = np.zeros((8, 8))
    for t, row in zip(angles, sino):
        acc = acc + np.tile(row, (8, 1)) * np.cos(t)
    return acc


def backproject1(sino):
    acc = np.zeros((8, 8))
    for i, row in enumerate(sino):
        acc = acc + np.tile(row, (8, 1)) * i
    return acc


def backproject2(sino):
    acc = np.zeros((8, 8))
    for row in sino:
        acc = acc + np.tile(row, (8, 1))
    return acc


def main():
    ph = np.exp(-np.arange(64.0).reshape(8, 8))
    sino = radon(ph)
    for it in range(5):
        ph += backproject(sino) + backproject2(sino) + backproject1(sino)
    print(ph.sum())


main()
