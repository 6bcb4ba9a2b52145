"""Ensemble Kalman filter with a Lorenz-96 model, inflation and localisation schemes."""
from __future__ import annotations

import argparse
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Config:
    n: int = 40
    members: int = 24
    steps: int = 60
    dt: float = 0.05
    forcing: float = 8.0
    obs_every: int = 2
    noise: float = 1.0
    seed: int = 7


class Lorenz96:
    def __init__(self, forcing):
        self.forcing = forcing

    def tendency(self, x):
        return (np.roll(x, -1, axis=-1) - np.roll(x, 2, axis=-1)) * np.roll(x, 1, axis=-1) - x + self.forcing

    def step(self, x, dt):
        k1 = self.tendency(x)
        k2 = self.tendency(x + 0.5 * dt * k1)
        k3 = self.tendency(x + 0.5 * dt * k2)
        k4 = self.tendency(x + dt * k3)
        return x + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


class Inflation:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, ens):
        mean = ens.mean(axis=0)
        return mean + self.factor * (ens - mean)


class NoInflation(Inflation):
    def __call__(self, ens):
        return ens


def gaspari_cohn(d, c):
    r = np.abs(d) / c
    out = np.zeros_like(r)
    a = r <= 1
    b = (r > 1) & (r <= 2)
    out[a] = -0.25 * r[a] ** 5 + 0.5 * r[a] ** 4 + 0.625 * r[a] ** 3 - 5 / 3 * r[a] ** 2 + 1
    out[b] = r[b] ** 5 / 12 - 0.5 * r[b] ** 4 + 0.625 * r[b] ** 3 + 5 / 3 * r[b] ** 2 - 5 * r[b] + 4 - 2 / (3 * r[b])
    return out


def localisation(n, c):
    i = np.arange(n)
    d = np.abs(i[:, None] - i[None, :])
    d = np.minimum(d, n - d)
    return gaspari_cohn(d.astype(float), c)


def analysis(ens, obs, h, noise, rho, rng):
    m = ens.shape[0]
    a = ens - ens.mean(axis=0)
    p = rho * (a.T @ a) / (m - 1)
    s = h @ p @ h.T + noise ** 2 * np.eye(h.shape[0])
    k = np.linalg.solve(s, h @ p).T
    perturbed = obs + noise * rng.normal(size=(m, h.shape[0]))
    return ens + (perturbed - ens @ h.T) @ k.T


SCHEMES = {"plain": (NoInflation, 1.0), "inflated": (Inflation, 1.05)}


def run(cfg: Config, scheme: str):
    rng = np.random.default_rng(cfg.seed)
    model = Lorenz96(cfg.forcing)
    make, factor = SCHEMES[scheme]
    inflate = make(factor)
    truth = cfg.forcing + 0.01 * np.sin(np.arange(cfg.n))
    for _ in range(30):
        truth = model.step(truth, cfg.dt)
    ens = truth + rng.normal(size=(cfg.members, cfg.n))
    h = np.eye(cfg.n)[:: cfg.obs_every]
    rho = localisation(cfg.n, 4.0)
    errors, spread = [], []
    for t in range(cfg.steps):
        truth = model.step(truth, cfg.dt)
        ens = model.step(ens, cfg.dt)
        obs = h @ truth + cfg.noise * rng.normal(size=h.shape[0])
        ens = analysis(inflate(ens), obs, h, cfg.noise, rho, rng)
        errors.append(np.sqrt(np.mean((ens.mean(axis=0) - truth) ** 2)))
        spread.append(ens.std(axis=0, ddof=1).mean())
    return np.array(errors), np.array(spread)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=15)
    args = parser.parse_args([])
    cfg = Config(steps=args.steps)
    for scheme in SCHEMES:
        errors, spread = run(cfg, scheme)
        print(f"{scheme}: rmse {errors[10:].mean():.6f} spread {spread[10:].mean():.6f} worst {errors.max():.6f}")


if __name__ == "__main__":
    main()
