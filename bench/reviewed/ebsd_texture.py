"""Crystal orientations as unit quaternions: symmetry, misorientation, texture.

Quaternions are arrays of shape (..., 4) with the scalar part first.
"""

from __future__ import annotations

import itertools
import sys

import numpy as np
from numpy.typing import NDArray

__all__ = ["cubic_symmetry", "disorientation", "from_euler", "kam", "multiply", "pole_figure"]

Array = NDArray[np.float64]


def multiply(p: Array, q: Array) -> Array:
    """Hamilton product with broadcasting."""
    p0, p1, p2, p3 = np.moveaxis(p, -1, 0)
    q0, q1, q2, q3 = np.moveaxis(q, -1, 0)
    return np.stack(
        [
            p0 * q0 - p1 * q1 - p2 * q2 - p3 * q3,
            p0 * q1 + p1 * q0 + p2 * q3 - p3 * q2,
            p0 * q2 - p1 * q3 + p2 * q0 + p3 * q1,
            p0 * q3 + p1 * q2 - p2 * q1 + p3 * q0,
        ],
        axis=-1,
    )


def conjugate(q: Array) -> Array:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def normalise(q: Array) -> Array:
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def from_euler(euler: Array) -> Array:
    """Bunge angles (phi1, Phi, phi2) in radians to quaternions."""
    half_sum = 0.5 * (euler[..., 0] + euler[..., 2])
    half_diff = 0.5 * (euler[..., 0] - euler[..., 2])
    c, s = np.cos(0.5 * euler[..., 1]), np.sin(0.5 * euler[..., 1])
    q = np.empty(euler.shape[:-1] + (4,))
    q[..., 0] = c * np.cos(half_sum)
    q[..., 1] = -s * np.cos(half_diff)
    q[..., 2] = -s * np.sin(half_diff)
    q[..., 3] = -c * np.sin(half_sum)
    q[q[..., 0] < 0.0] *= -1.0
    return q


def cubic_symmetry() -> Array:
    """The 24 proper rotations of the cube."""
    ops = []
    for perm in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            m = np.zeros((3, 3))
            m[range(3), perm] = signs
            if np.linalg.det(m) > 0.5:
                ops.append(_matrix_to_quaternion(m))
    return np.array(ops)


def _matrix_to_quaternion(m: Array) -> Array:
    k = np.empty((4, 4))
    k[0] = [m.trace(), m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]
    k[1:, 1:] = m + m.T - np.eye(3) * m.trace()
    k[1:, 0] = k[0, 1:]
    values, vectors = np.linalg.eigh(k)
    q = vectors[:, np.argmax(values)]
    return q if q[np.flatnonzero(np.abs(q) > 1e-8)[0]] > 0 else -q


def disorientation(p: Array, q: Array, symmetry: Array) -> Array:
    """Smallest misorientation angle in radians between p and q."""
    delta = multiply(conjugate(p), q)
    best = np.zeros(delta.shape[:-1])
    for op in symmetry:
        w = np.abs(np.sum(delta * op, axis=-1))
        np.maximum(best, w, out=best)
    return 2.0 * np.arccos(np.clip(best, -1.0, 1.0))


def rotate(q: Array, v: Array) -> Array:
    """Rotate vectors v (..., 3) by q (..., 4)."""
    u = q[..., 1:]
    t = 2.0 * np.cross(u, v)
    return v + q[..., :1] * t + np.cross(u, t)


def kam(orientations: Array, symmetry: Array, cutoff: float = np.deg2rad(5.0)) -> Array:
    """Kernel average misorientation of a map over its four neighbours."""
    total = np.zeros(orientations.shape[:2])
    count = np.zeros(orientations.shape[:2], dtype=np.int64)
    right = disorientation(orientations[:, :-1], orientations[:, 1:], symmetry)
    down = disorientation(orientations[:-1], orientations[1:], symmetry)
    for angle, a, b in (
        (right, np.s_[:, :-1], np.s_[:, 1:]),
        (down, np.s_[:-1], np.s_[1:]),
    ):
        inside = angle < cutoff
        for part in (a, b):
            total[part] += np.where(inside, angle, 0.0)
            count[part] += inside
    return np.divide(total, count, out=np.zeros_like(total), where=count > 0)


def pole_figure(orientations: Array, direction: Array, symmetry: Array, bins: int = 36) -> Array:
    """Equal-area density of the poles of a direction in multiples of random."""
    image = np.zeros((bins, bins))
    edges = np.linspace(-1.0, 1.0, bins + 1)
    flat = orientations.reshape(-1, 4)
    for pole in np.unique(np.round(rotate(symmetry, direction), 9), axis=0):
        v = rotate(conjugate(flat), pole)
        v[v[:, 2] < 0.0] *= -1.0
        scale = np.sqrt(1.0 / (1.0 + v[:, 2]))
        hist, _, _ = np.histogram2d(v[:, 0] * scale, v[:, 1] * scale, bins=(edges, edges))
        image += hist
    inside = np.hypot(*np.meshgrid(edges[:-1] + 1 / bins, edges[:-1] + 1 / bins)) < 1.0
    return np.where(inside, image / image[inside].mean(), 0.0)


def synthetic_map(shape, n_grains, rng):
    """Voronoi grains with a slow orientation gradient and measurement noise."""
    seeds = rng.uniform(0.0, 1.0, (n_grains, 2)) * shape
    yy, xx = np.indices(shape)
    distance = (yy[..., None] - seeds[:, 0]) ** 2 + (xx[..., None] - seeds[:, 1]) ** 2
    grain = distance.argmin(axis=-1)
    euler = rng.uniform(0.0, 1.0, (n_grains, 3)) * [2 * np.pi, 0.6, 2 * np.pi]
    wobble = rng.normal(0.0, 0.004, shape + (4,))
    wobble[..., 0] = 1.0
    return normalise(multiply(from_euler(euler)[grain], wobble)), grain


def main() -> None:
    rng = np.random.default_rng(405)
    symmetry = cubic_symmetry()
    orientations, grain = synthetic_map((220, 240), 80, rng)
    kernel = kam(orientations, symmetry)
    edge = np.zeros(grain.shape, dtype=bool)
    edge[:, 1:] |= grain[:, 1:] != grain[:, :-1]
    edge[1:] |= grain[1:] != grain[:-1]
    figure = pole_figure(orientations, np.array([0.0, 0.0, 1.0]), symmetry)
    sizes = np.bincount(grain.ravel(), minlength=80)
    print(f"{len(symmetry)} symmetry operators, {sizes.size} grains, largest {sizes.max()}")
    print(f"mean KAM {np.rad2deg(kernel.mean()):.4f} deg, boundary fraction {edge.mean():.4f}")
    print(f"strongest pole {figure.max():.3f} mrd")
    np.savez(sys.argv[1], kernel=kernel, figure=figure, sizes=sizes, orientations=orientations)


if __name__ == "__main__":
    main()
