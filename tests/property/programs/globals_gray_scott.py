"""Gray-Scott by globals with a class holding views of them, and a plot at the end."""
import os
import numpy as np

n = 128
Du, Dv, F, k = 0.16, 0.08, 0.035, 0.065
U = np.ones((n, n))
V = np.zeros((n, n))
U[50:70, 50:70] = 0.5
V[50:70, 50:70] = 0.25
snapshots = {}
PARAMS = dict(Du=Du, Dv=Dv)


def lap(Z):
    return (np.roll(Z, 1, 0) + np.roll(Z, -1, 0) + np.roll(Z, 1, 1) + np.roll(Z, -1, 1) - 4 * Z)


def update():
    uvv = U * V * V
    dU = PARAMS["Du"] * lap(U) - uvv + F * (1 - U)
    dV = PARAMS["Dv"] * lap(V) + uvv - (F + k) * V
    U[:] += dU
    V[:] += dV


def stats():
    return {"mean": U.mean(), "max": V.max(), "mass": float(np.sum(U) + np.sum(V))}


def save(i):
    snapshots[i] = (U.copy(), V[::16, ::16])


def main(steps=40):
    for i in range(steps):
        update()
        if i % 20 == 0:
            s = stats()
            save(i)
            print(i, {k: round(float(v), 8) for k, v in s.items()})
    try:
        import matplotlib.pyplot as plt
        plt.imshow(V)
    except ImportError:
        pass
    for i, (u, v) in snapshots.items():
        print(i, u.sum().round(6), v.shape, v.sum().round(6))
    np.save(os.devnull, V)


main()
