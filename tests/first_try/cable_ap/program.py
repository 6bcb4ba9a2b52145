"""Propagation of the cardiac action potential along parallel fibres (monodomain cable, Mitchell-Schaeffer kinetics).

Each fibre is one row.  Reaction and diffusion are split (Strang); the reaction is integrated with substeps cell by cell,
the diffusion explicitly with sealed ends.  A premature stimulus tests the vulnerable window.
"""
from __future__ import annotations

import sys
from typing import Callable, NamedTuple

import numpy as np


class Kinetics(NamedTuple):
    tau_in: float = 0.3
    tau_out: float = 6.0
    tau_open: float = 120.0
    tau_close: float = 150.0
    v_gate: float = 0.13


class Protocol(NamedTuple):
    dt: float = 0.8
    steps: int = 50
    dx: float = 0.025
    s1: float = 0.0
    s2: float = 26.0
    width: float = 2.4
    strength: float = 0.25


def make_reaction(kin: Kinetics, substeps: int) -> Callable:
    """Reaction step for all cells; gate closes above v_gate and opens below it."""

    def rates(v: float, h: float) -> tuple[float, float]:
        dv = h * v * v * (1.0 - v) / kin.tau_in - v / kin.tau_out
        if v < kin.v_gate:
            dh = (1.0 - h) / kin.tau_open
        else:
            dh = -h / kin.tau_close
        return dv, dh

    def react(v: np.ndarray, h: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
        v_new = np.empty_like(v)
        h_new = np.empty_like(h)
        sub = dt / substeps
        for i in range(v.shape[0]):
            for j in range(v.shape[1]):
                a = v[i, j]
                b = h[i, j]
                for _ in range(substeps):
                    da, db = rates(a, b)
                    a += sub * da
                    b += sub * db
                v_new[i, j] = a
                h_new[i, j] = b
        return v_new, h_new

    return react


def make_stimulus(prot: Protocol, cells: int, sites: np.ndarray) -> Callable:
    """S1 at the left end, S2 around the site of each fibre."""
    position = np.arange(cells)
    left = (position < 4)[None, :]
    around = np.abs(position[None, :] - sites[:, None]) <= 3

    def stimulus(t: float) -> np.ndarray | None:
        if prot.s1 <= t < prot.s1 + prot.width:
            return np.broadcast_to(left, around.shape)
        if prot.s2 <= t < prot.s2 + prot.width:
            return around
        return None

    return stimulus


def diffuse(v: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Explicit step with zero flux at the ends; number is D dt / dx^2 for each fibre."""
    out = v.copy()
    k = number[:, None]
    out[:, 1:-1] += k * (v[:, 2:] - 2.0 * v[:, 1:-1] + v[:, :-2])
    out[:, 0] += number * (v[:, 1] - v[:, 0])
    out[:, -1] += number * (v[:, -2] - v[:, -1])
    return out


def activation_times(trace: np.ndarray, level: float, dt: float) -> np.ndarray:
    """First upward crossing of the level in each cell, linearly interpolated; -1 where there is none."""
    steps, fibres, cells = trace.shape
    out = np.full((fibres, cells), -1.0)
    for i in range(fibres):
        for j in range(cells):
            t = 1
            while t < steps:
                if trace[t - 1, i, j] < level <= trace[t, i, j]:
                    frac = (level - trace[t - 1, i, j]) / (trace[t, i, j] - trace[t - 1, i, j])
                    out[i, j] = (t - 1 + frac) * dt
                    break
                t += 1
    return out


def conduction_velocity(times: np.ndarray, dx: float, lo: int, hi: int) -> np.ndarray:
    """Least-squares slope of distance over time, fibre by fibre."""
    x = np.arange(lo, hi) * dx
    velocity = np.zeros(len(times))
    for i, row in enumerate(times):
        t = row[lo:hi]
        ok = t >= 0.0
        if ok.sum() < 5:
            continue
        tc = t[ok] - t[ok].mean()
        xc = x[ok] - x[ok].mean()
        velocity[i] = (tc * xc).sum() / (tc * tc).sum()
    return velocity


def electrotonic(resistance: np.ndarray, leak: float, inject: int) -> np.ndarray:
    """Steady voltage for unit current into a passive cable (Thomas algorithm)."""
    n = len(resistance)
    g = 1.0 / resistance
    diag = np.full(n, leak)
    diag[:-1] += g[:-1]
    diag[1:] += g[:-1]
    rhs = np.zeros(n)
    rhs[inject] = 1.0
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = -g[0] / diag[0]
    d[0] = rhs[0] / diag[0]
    for i in range(1, n):
        m = diag[i] + g[i - 1] * c[i - 1]
        c[i] = -g[i] / m
        d[i] = (rhs[i] + g[i - 1] * d[i - 1]) / m
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return x


def pseudo_ecg(v: np.ndarray, dx: float, height: float) -> np.ndarray:
    """Far-field potential of each fibre at an electrode above its middle."""
    x = (np.arange(v.shape[1]) - 0.5 * v.shape[1]) * dx
    weight = x / (x ** 2 + height ** 2) ** 1.5
    return (np.gradient(v, dx, axis=1) * weight).sum(axis=1) * dx


def main(path: str) -> None:
    rng = np.random.default_rng(1952)
    kin, prot = Kinetics(), Protocol()
    fibres, cells, substeps = 8, 90, 4
    conductivity = 0.00018 * np.linspace(0.7, 1.3, fibres)
    number = conductivity * prot.dt / prot.dx ** 2
    v = np.zeros((fibres, cells))
    h = np.clip(0.95 + 0.02 * rng.standard_normal((fibres, cells)), 0.0, 1.0)
    react = make_reaction(kin, substeps)
    stimulus = make_stimulus(prot, cells, np.linspace(30, 70, fibres).astype(int))
    trace = np.empty((prot.steps + 1, fibres, cells))
    trace[0] = v
    ecg = np.zeros((prot.steps, fibres))
    for n in range(prot.steps):
        where = stimulus(n * prot.dt)
        if where is not None:
            v = v + prot.dt * prot.strength * where
        v = diffuse(v, 0.5 * number)
        v, h = react(v, h, prot.dt)
        v = diffuse(v, 0.5 * number)
        trace[n + 1] = v
        ecg[n] = pseudo_ecg(v, prot.dx, 0.4)
    times = activation_times(trace, 0.5, prot.dt)
    velocity = conduction_velocity(times, prot.dx, 6, 60)
    passive = electrotonic(1.0 + 0.3 * rng.random(2000), 0.002, 700)
    lam = np.log(passive[800] / passive[900])
    print(f"activated {int((times >= 0).sum())} of {times.size} cells, peak {trace.max():.8f}")
    print("velocity (cm/ms)", " ".join(f"{u:.6f}" for u in velocity))
    print(f"decay over 100 cells {lam:.8f}, ECG range {np.ptp(ecg):.8f}")
    np.savez(path, v=v, h=h, times=times, velocity=velocity, ecg=ecg, passive=passive)


if __name__ == "__main__":
    main(sys.argv[1])
