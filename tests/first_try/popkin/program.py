"""Population pharmacokinetics: oral one-compartment model, per-subject MAP fits inside an EM-like outer loop."""
import csv
import io
import sys
from dataclasses import dataclass

import numpy as np

DOSING = """arm,dose_mg,interval_h,doses
low,50,12,4
mid,100,24,3
high,200,24,2
"""
NPAR = 3
TIMES = np.array([0.5, 1.0, 2.0, 4.0, 8.0, 12.0, 18.0, 24.0, 30.0, 36.0, 48.0, 60.0])


@dataclass
class Subject:
    arm: str
    weight: float
    dose: float
    interval: float
    doses: int
    y: np.ndarray = None


def read_arms(text):
    return {r["arm"]: (float(r["dose_mg"]), float(r["interval_h"]), int(r["doses"]))
            for r in csv.DictReader(io.StringIO(text))}


def concentration(theta, subject, t):
    """Superposition of the doses; theta = log of absorption rate, clearance, volume."""
    ka, cl, v = np.exp(theta)
    cl = cl * (subject.weight / 70.0) ** 0.75
    v = v * subject.weight / 70.0
    ke = cl / v
    c = np.zeros_like(t)
    for n in range(subject.doses):
        tau = t - n * subject.interval
        live = tau > 0
        tau = np.where(live, tau, 0.0)
        c += np.where(live, subject.dose * ka / (v * (ka - ke)) * (np.exp(-ke * tau) - np.exp(-ka * tau)), 0.0)
    return c


def jacobian(theta, subject, t, step=1e-5):
    jac = np.empty((len(t), NPAR))
    for p in range(NPAR):
        up, down = theta.copy(), theta.copy()
        up[p] += step
        down[p] -= step
        jac[:, p] = (np.log(concentration(up, subject, t)) - np.log(concentration(down, subject, t))) / (2 * step)
    return jac


def map_fit(subject, mean, omega_inv, sigma2, start, iterations=8):
    """Gauss-Newton for one subject; returns the mode and its covariance."""
    theta = start.copy()
    for _ in range(iterations):
        r = np.log(subject.y) - np.log(concentration(theta, subject, TIMES))
        jac = jacobian(theta, subject, TIMES)
        hess = jac.T @ jac / sigma2 + omega_inv
        grad = jac.T @ r / sigma2 - omega_inv @ (theta - mean)
        theta = theta + np.clip(np.linalg.solve(hess, grad), -0.5, 0.5)
    return theta, np.linalg.inv(hess)


class Population:
    def __init__(self, subjects):
        self.subjects = subjects
        self.mean = np.log(np.array([1.0, 4.0, 40.0]))
        self.omega = np.diag([0.3, 0.2, 0.2])
        self.sigma2 = 0.05
        self.modes = np.tile(self.mean, (len(subjects), 1))

    def e_step(self):
        omega_inv = np.linalg.inv(self.omega)
        covs = np.empty((len(self.subjects), NPAR, NPAR))
        for i, s in enumerate(self.subjects):
            self.modes[i], covs[i] = map_fit(s, self.mean, omega_inv, self.sigma2, self.modes[i])
        return covs

    def m_step(self, covs):
        self.mean = self.modes.mean(axis=0)
        d = self.modes - self.mean
        self.omega = (d[:, :, None] * d[:, None, :] + covs).mean(axis=0)
        total, count = 0.0, 0
        for theta, cov, s in zip(self.modes, covs, self.subjects):
            r = np.log(s.y) - np.log(concentration(theta, s, TIMES))
            jac = jacobian(theta, s, TIMES)
            total += r @ r + np.trace(jac @ cov @ jac.T)
            count += len(r)
        self.sigma2 = total / count


def simulate_trial(arms, per_arm, rng):
    mean = np.log(np.array([1.4, 5.0, 32.0]))
    chol = np.linalg.cholesky(np.array([[0.09, 0.0, 0.0], [0.0, 0.06, 0.02], [0.0, 0.02, 0.04]]))
    subjects = []
    for arm, (dose, interval, doses) in arms.items():
        for _ in range(per_arm):
            s = Subject(arm, 70.0 * np.exp(0.15 * rng.normal()), dose, interval, doses)
            c = concentration(mean + chol @ rng.normal(size=NPAR), s, TIMES)
            s.y = c * np.exp(0.12 * rng.normal(size=len(c)))
            subjects.append(s)
    return subjects


def predictive_check(pop, arm, draws, grid):
    """Percentile bands of the concentration in an arm, from standard normal draws."""
    typical = Subject("vpc", 70.0, *arm)
    theta = pop.mean + draws @ np.linalg.cholesky(pop.omega).T
    curves = np.empty((len(theta), len(grid)))
    for i in range(len(theta)):
        curves[i] = concentration(theta[i], typical, grid)
    return np.percentile(curves, [5, 50, 95], axis=0)


def main():
    arms = read_arms(DOSING)
    rng = np.random.default_rng(77)
    pop = Population(simulate_trial(arms, 8, rng))
    history = []
    for _ in range(4):
        pop.m_step(pop.e_step())
        history.append(np.concatenate([pop.mean, [pop.sigma2]]))
    bands = predictive_check(pop, arms["mid"], rng.normal(size=(1500, NPAR)), np.linspace(0.25, 72.0, 96))
    ka, cl, v = np.exp(pop.mean)
    print(f"ka {ka:.3f} 1/h, CL {cl:.3f} L/h, V {v:.2f} L, residual sd {np.sqrt(pop.sigma2):.4f}")
    print(f"between-subject sd of CL {np.sqrt(pop.omega[1, 1]):.3f}, median peak {bands[1].max():.3f} mg/L")
    np.savez(sys.argv[1], modes=pop.modes, omega=pop.omega, history=np.array(history), bands=bands)


if __name__ == "__main__":
    main()
