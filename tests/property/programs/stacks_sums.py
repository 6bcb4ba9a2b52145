import sys
import numpy as np


def total_logdet(mats):
    total = 0.0
    for m in mats:
        total += np.linalg.slogdet(m)[1]
    return total


def total_mean(mats, vecs):
    total = np.zeros((4, 4))
    loglik = 0.0
    for i in range(len(mats)):
        inv = np.linalg.inv(mats[i])
        total += inv
        loglik += vecs[i] @ inv @ vecs[i]
    return total / len(mats), loglik


def in_handler(mats):
    total = 0.0
    try:
        for m in mats:
            total += np.linalg.inv(m).sum()
    except np.linalg.LinAlgError:
        print("singular after", round(float(total), 6))
    return total


def count_big(mats):
    n = 0
    for m in mats:
        n += np.linalg.norm(m) > 4
    return n


def f32(mats, start):
    for m in mats:
        start += np.linalg.det(m)
    return start


def main(path):
    rng = np.random.default_rng(66)
    a = rng.normal(size=(80, 4, 4))
    spd = a @ a.transpose(0, 2, 1) + np.eye(4)
    v = rng.normal(size=(80, 4))
    t = total_logdet(spd)
    m, ll = total_mean(spd, v)
    bad = a.copy()
    bad[40] = 0
    np.savez(path, t=t, m=m, ll=ll, h=in_handler(bad), c=count_big(a), f=f32(a.astype(np.float32), np.float64(1.0)),
             g=f32(a.astype(np.float32), 1.0), t0=total_logdet(spd[:0]))
    print(type(total_logdet(spd[:0])), type(t))


main(sys.argv[1])
