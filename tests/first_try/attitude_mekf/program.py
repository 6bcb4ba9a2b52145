"""Multiplicative extended Kalman filter for a small satellite: gyro, two vector sensors, error budget."""
import sys
from dataclasses import dataclass, field

import numpy as np

DT = 0.25
SIGMA_V = 4e-5
SIGMA_U = 2e-6


def skew(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def quat_mul(p, q):
    return np.array([
        p[3] * q[0] + p[0] * q[3] - p[1] * q[2] + p[2] * q[1],
        p[3] * q[1] + p[0] * q[2] + p[1] * q[3] - p[2] * q[0],
        p[3] * q[2] - p[0] * q[1] + p[1] * q[0] + p[2] * q[3],
        p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]])


def rotvec_quat(phi):
    angle = np.linalg.norm(phi)
    if angle < 1e-12:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return np.append(np.sin(angle / 2) * phi / angle, np.cos(angle / 2))


def dcm(q):
    v, s = q[:3], q[3]
    return (s * s - v @ v) * np.eye(3) + 2 * np.outer(v, v) - 2 * s * skew(v)


@dataclass
class Spacecraft:
    """Torque-free rigid body, Euler's equations by RK4."""
    inertia: np.ndarray = field(default_factory=lambda: np.array([2.1, 2.6, 3.2]))
    rate: np.ndarray = field(default_factory=lambda: np.array([0.012, -0.02, 0.031]))
    q: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 0.0, 1.0]))

    def accel(self, w):
        return -np.cross(w, self.inertia * w) / self.inertia

    def step(self, dt):
        w = self.rate
        k1 = self.accel(w)
        k2 = self.accel(w + dt / 2 * k1)
        k3 = self.accel(w + dt / 2 * k2)
        k4 = self.accel(w + dt * k3)
        middle = w + dt / 2 * k2
        self.rate = w + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        self.q = quat_mul(rotvec_quat(middle * dt), self.q)
        self.q = self.q / np.linalg.norm(self.q)


class Mekf:
    def __init__(self):
        self.q = rotvec_quat(np.array([0.06, -0.04, 0.05]))
        self.bias = np.zeros(3)
        self.P = np.diag([0.01] * 3 + [1e-6] * 3)

    def predict(self, gyro, dt):
        w = gyro - self.bias
        self.q = quat_mul(rotvec_quat(w * dt), self.q)
        phi = np.eye(6)
        phi[:3, :3] -= skew(w) * dt
        phi[:3, 3:] = -np.eye(3) * dt
        noise = np.zeros((6, 6))
        noise[:3, :3] = (SIGMA_V ** 2 * dt + SIGMA_U ** 2 * dt ** 3 / 3) * np.eye(3)
        noise[3:, 3:] = SIGMA_U ** 2 * dt * np.eye(3)
        self.P = phi @ self.P @ phi.T + noise

    def update(self, body, ref, sigma):
        expected = dcm(self.q) @ ref
        h = np.hstack([skew(expected), np.zeros((3, 3))])
        s = h @ self.P @ h.T + sigma ** 2 * np.eye(3)
        gain = np.linalg.solve(s, h @ self.P).T
        dx = gain @ (body - expected)
        j = np.eye(6) - gain @ h
        self.P = j @ self.P @ j.T + sigma ** 2 * gain @ gain.T
        self.q = quat_mul(rotvec_quat(dx[:3]), self.q)
        self.q /= np.linalg.norm(self.q)
        self.bias = self.bias + dx[3:]


def simulate(steps, rng):
    craft, filt = Spacecraft(), Mekf()
    sun = np.array([0.8, 0.6, 0.0])
    bias = np.array([3e-4, -2e-4, 1e-4])
    truth, estimate, sigma = np.empty((steps, 4)), np.empty((steps, 4)), np.empty((steps, 6))
    for n in range(steps):
        gyro = craft.rate + bias + SIGMA_V / np.sqrt(DT) * rng.normal(size=3)
        craft.step(DT)
        bias = bias + SIGMA_U * np.sqrt(DT) * rng.normal(size=3)
        filt.predict(gyro, DT)
        a = dcm(craft.q)
        arg = 2 * np.pi * n * DT / 900.0
        field_dir = np.array([np.cos(arg), 0.5 * np.sin(arg), 0.7 * np.cos(arg + 1.0)])
        field_dir /= np.linalg.norm(field_dir)
        if n % 4 == 0:
            filt.update(a @ sun + 1e-3 * rng.normal(size=3), sun, 1e-3)
        if n % 10 == 0:
            filt.update(a @ field_dir + 6e-3 * rng.normal(size=3), field_dir, 6e-3)
        truth[n], estimate[n], sigma[n] = craft.q, filt.q, np.sqrt(np.diag(filt.P))
    return truth, estimate, sigma


def pointing_error(truth, estimate):
    """Rotation vectors from estimate to truth, all epochs at once."""
    tv, ts = truth[:, :3], truth[:, 3:]
    ev, es = estimate[:, :3], estimate[:, 3:]
    v = es * tv - ts * ev + np.cross(tv, ev)
    s = ts * es + np.sum(tv * ev, axis=1, keepdims=True)
    return 2 * v * np.sign(s)


def allan_deviation(rate, dt, factors):
    """Overlapping Allan deviation of a long static gyro record."""
    theta = np.concatenate([np.zeros(1), np.cumsum(rate) * dt])
    out = np.empty(len(factors))
    for i, m in enumerate(factors):
        d = theta[2 * m:] - 2 * theta[m:-m] + theta[:-2 * m]
        out[i] = np.sqrt(np.mean(d ** 2) / (2 * (m * dt) ** 2))
    return out


def static_record(n, rng):
    white = SIGMA_V / np.sqrt(DT) * rng.normal(size=n)
    walk = np.cumsum(SIGMA_U * np.sqrt(DT) * rng.normal(size=n))
    return white + walk


def main():
    rng = np.random.default_rng(1969)
    truth, estimate, sigma = simulate(2000, rng)
    err = pointing_error(truth, estimate)
    late = err[len(err) // 2:]
    rms = np.sqrt(np.mean(late ** 2, axis=0))
    inside = np.mean(np.abs(late) < 3 * sigma[len(err) // 2:, :3])
    factors = [2 ** k for k in range(14)]
    adev = allan_deviation(static_record(400_000, rng), DT, factors)
    print("pointing error, mrad: " + ", ".join(f"{1e3 * r:.4f}" for r in rms))
    print(f"within 3 sigma: {100 * inside:.1f} %, bias sigma {1e6 * sigma[-1, 3]:.3f} urad/s")
    print(f"Allan deviation at {factors[0] * DT:.2f} s: {1e6 * adev[0]:.3f}, at {factors[-1] * DT:.0f} s: {1e6 * adev[-1]:.3f} urad/s")
    np.savez(sys.argv[1], truth=truth, estimate=estimate, sigma=sigma, error=err, adev=adev)


if __name__ == "__main__":
    main()
