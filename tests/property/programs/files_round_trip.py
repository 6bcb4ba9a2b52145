import sys

import numpy as np

import os
import tempfile


def main(out):
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "a.npy")
    a = np.sin(np.linspace(0.0, 1.0, 6)).reshape(2, 3)
    np.save(path, a)
    b = np.load(path) * 2
    np.savetxt(os.path.join(folder, "t.txt"), b, fmt="%.8f", delimiter=",")
    c = np.loadtxt(os.path.join(folder, "t.txt"), delimiter=",") + np.exp(a)
    a.tofile(os.path.join(folder, "raw.bin"))
    d = np.fromfile(os.path.join(folder, "raw.bin")) * 3
    with open(os.path.join(folder, "x.csv"), "w") as file:
        for row in c:
            file.write(",".join(f"{v:.6f}" for v in row) + "\n")
    e = np.genfromtxt(os.path.join(folder, "x.csv"), delimiter=",")
    m = np.memmap(os.path.join(folder, "m.dat"), dtype=float, mode="w+", shape=(3,))
    m[:] = np.cos(d[:3])
    np.savez(out, a=a, b=b, c=c, d=d, e=e, m=np.array(m), f=np.fromstring("1 2 3", sep=" ") * 2)


main(sys.argv[1])
