import cupy as cp
import numpy as np
from gpuport.runtime import device, put_last


@device("u", "v", writes="u", from_size=1_000_000)
def edge(u: np.ndarray, v: np.ndarray):
    u[[3, 6, 7], -1] = v * 2
    return u


@device("u", "v", writes="u")
def of_a_name(u: np.ndarray, v: np.ndarray):
    places = cp.array([0, 2, 5])
    u[places] = v * 2
    u[places + 1] = v * 3
    return u


@device("u", "v", writes="u", from_size=1_000_000)
def columns(u: np.ndarray, v: np.ndarray, j: list[int]):
    u[:, (4, 0)] = v * 2
    u[[0, 1], [1, 1]] = v[0] * 2
    return u


@device("u", "v", writes="u", from_size=1_000_000)
def repeated(u: np.ndarray, v: np.ndarray):
    put_last(u, ([3, 6, 3], 0), v * 2)
    return u


@device("u", "v", writes="u", from_size=1_000_000)
def perhaps_the_same(u: np.ndarray, v: np.ndarray):
    put_last(u, [0, -1], v * 2)
    return u


@device("u", "v", "j", writes="u", from_size=1_000_000)
def longer_than_written(u: np.ndarray, v: np.ndarray, j: np.ndarray):
    put_last(u, ([0], j), v * 2)
    return u


@device("u", "v", writes="u", from_size=1_000_000)
def in_rows(u: np.ndarray, v: np.ndarray):
    put_last(u, ([0, 1], [[2, 2], [2, 2]]), v * 2)
    return u
