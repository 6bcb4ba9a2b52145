import sys
import numpy as np


def spectra(blocks):
    return {name: np.linalg.eigvalsh(b) for name, b in blocks.items()}


def summary(blocks):
    found = {}
    dets = []
    total = 0.0
    for name, b in blocks.items():
        i = np.linalg.inv(b)
        found[name] = i @ i.T
        dets.append(float(np.linalg.det(b)))
        total += np.trace(i)
    return found, dets, total


def pairs(mats, rights):
    return [(np.linalg.solve(m, r), float(np.linalg.det(m))) for m, r in zip(mats, rights)]


def logdet(mats):
    return sum(np.linalg.slogdet(m)[1] for m in mats)


def worst(mats):
    return max(np.linalg.cond(m) for m in mats)


def inverses(mats):
    return list(map(np.linalg.inv, mats))


def numbered(mats):
    return {i: np.linalg.inv(m) for i, m in enumerate(mats)}


def tiles(image, size):
    return [image[i:i + size, j:j + size]
            for i in range(0, image.shape[0], size) for j in range(0, image.shape[1], size)]


def main(path):
    rng = np.random.default_rng(0)
    raw = rng.normal(size=(12, 3, 3))
    spd = raw @ raw.transpose(0, 2, 1) + np.eye(3)
    rights = np.sin(raw[:, 0]) + 1
    image = np.cos(rng.normal(size=(8, 12))) + np.tile(np.eye(4), (2, 3)) * 3
    blocks = {"a": spd[0], "b": spd[1], "c": spd[2][:2, :2] * 2}
    spec = spectra(blocks)
    found, dets, total = summary(blocks)
    solved = pairs(spd, rights)
    inner = inverses(tiles(image, 4))
    inner[0][:] = 7
    table = numbered(spd)
    print(sorted(spec), list(found), len(solved), type(dets[0]).__name__, sorted(table))
    try:
        inverses(np.zeros((3, 2, 2)))
    except np.linalg.LinAlgError:
        print("singular")
    np.savez(path, total=total, logdet=logdet(spd), worst=worst(spd), none=logdet(spd[:0]),
             a=spec["a"], c=found["c"], x=solved[3][0], d=solved[3][1], tile=inner[5],
             first=inner[0], t=table[4])


if __name__ == "__main__":
    main(sys.argv[1])
