import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Config:
    weights: np.ndarray = field(default_factory=lambda: np.array([0.5, 1.0]))


def boids(pos, vel, w):
    d = pos[None] - pos[:, None]
    dist = np.linalg.norm(d, axis=-1)
    near = dist < 1.5
    cnt = np.maximum(near.sum(1), 1)[:, None]
    coh = (near[..., None] * d).sum(1) / cnt
    ali = (near[..., None] * vel[None]).sum(1) / cnt - vel
    return w[0] * coh + w[1] * ali


def main():
    cfg = Config()
    rng = np.random.default_rng(0)
    pos, vel = rng.random((12, 2)), rng.random((12, 2))
    for _ in range(6):
        vel = vel + 0.1 * boids(pos, vel, cfg.weights)
        pos = pos + 0.1 * vel
    np.savez(sys.argv[1], pos=pos)


if __name__ == "__main__":
    main()
