"""Kinematics of a six-axis arm: reachable workspace, dexterity, inverse kinematics and a path among obstacles.

Denavit-Hartenberg parameters as in the data sheet (metres, radians).
"""
import sys

import numpy as np

DH = np.array([
    # a      alpha       d      offset
    [0.150, -np.pi / 2, 0.445, 0.0],
    [0.700, 0.0, 0.0, -np.pi / 2],
    [0.115, -np.pi / 2, 0.0, 0.0],
    [0.0, np.pi / 2, 0.795, 0.0],
    [0.0, -np.pi / 2, 0.0, 0.0],
    [0.0, 0.0, 0.085, np.pi],
])
LIMITS = np.radians([[-165, 165], [-105, 130], [-115, 70], [-200, 200], [-120, 120], [-350, 350]])
VOXEL = 0.25


class Arm:
    def __init__(self, dh, limits):
        self.dh = dh
        self.low = limits[:, 0]
        self.high = limits[:, 1]
        self.njoint = len(dh)

    def single_pose(self, q):
        """Flange pose for one joint vector (4 x 4)."""
        t = np.eye(4)
        for (a, alpha, d, off), angle in zip(self.dh, q):
            c, s = np.cos(angle + off), np.sin(angle + off)
            ca, sa = np.cos(alpha), np.sin(alpha)
            t = t @ np.array([[c, -s * ca, s * sa, a * c],
                              [s, c * ca, -c * sa, a * s],
                              [0.0, sa, ca, d],
                              [0.0, 0.0, 0.0, 1.0]])
        return t

    def chain(self, q):
        """Poses of all links for a stack of joint vectors: (n, joints + 1, 4, 4)."""
        n = q.shape[0]
        frames = np.zeros((n, self.njoint + 1, 4, 4))
        frames[:, 0] = np.eye(4)
        link = np.zeros((n, 4, 4))
        link[:, 3, 3] = 1.0
        for k in range(self.njoint):
            a, alpha, d, off = self.dh[k]
            c = np.cos(q[:, k] + off)
            s = np.sin(q[:, k] + off)
            ca, sa = np.cos(alpha), np.sin(alpha)
            link[:, 0, 0], link[:, 0, 1], link[:, 0, 2], link[:, 0, 3] = c, -s * ca, s * sa, a * c
            link[:, 1, 0], link[:, 1, 1], link[:, 1, 2], link[:, 1, 3] = s, c * ca, -c * sa, a * s
            link[:, 2, 1], link[:, 2, 2], link[:, 2, 3] = sa, ca, d
            frames[:, k + 1] = frames[:, k] @ link
        return frames

    def jacobian(self, frames):
        """Geometric Jacobians (n, 6, joints) from the link poses."""
        tip = frames[:, -1, :3, 3]
        jac = np.empty((len(frames), 6, self.njoint))
        for k in range(self.njoint):
            z = frames[:, k, :3, 2]
            jac[:, :3, k] = np.cross(z, tip - frames[:, k, :3, 3])
            jac[:, 3:, k] = z
        return jac


def halton(n, base):
    """Low-discrepancy numbers in (0, 1)."""
    out = np.zeros(n)
    for i in range(n):
        f, r, k = 1.0, 0.0, i + 1
        while k > 0:
            f /= base
            r += f * (k % base)
            k //= base
        out[i] = r
    return out


def joint_samples(arm, n):
    u = np.stack([halton(n, base) for base in (2, 3, 5, 7, 11, 13)], axis=1)
    return arm.low + u * (arm.high - arm.low)


def dexterity(jac, scale=0.6):
    """Manipulability and inverse condition number of the scaled Jacobians."""
    scaled = jac.copy()
    scaled[:, :3] /= scale
    manip = np.abs(np.linalg.det(scaled))
    s = np.linalg.svd(scaled, compute_uv=False)
    return manip, s[:, -1] / s[:, 0]


def force_ellipsoids(jac):
    """Semi-axes of the translational velocity ellipsoid, one sample at a time."""
    axes = np.zeros((len(jac), 3))
    lean = np.zeros(len(jac))
    for n in range(len(jac)):
        jv = jac[n, :3]
        w, v = np.linalg.eigh(jv @ jv.T)
        axes[n] = np.sqrt(np.maximum(w, 0.0))[::-1]
        lean[n] = abs(v[2, 2])
    return axes, lean


def voxel_workspace(points, value, reach):
    """Visits and the best value of every voxel of a cube around the base, plus a section by radius and height."""
    m = int(2 * reach / VOXEL)
    count = np.zeros((m, m, m), dtype=np.int64)
    cell = np.floor((points + reach) / VOXEL).astype(np.int64)
    inside = ((cell >= 0) & (cell < m)).all(axis=1)
    cell = cell[inside]
    np.add.at(count, (cell[:, 0], cell[:, 1], cell[:, 2]), 1)
    best = np.zeros((m, m, m))
    np.maximum.at(best, (cell[:, 0], cell[:, 1], cell[:, 2]), value[inside])
    radius = np.hypot(points[:, 0], points[:, 1])
    section = np.histogram2d(radius, points[:, 2], bins=(18, 24), range=((0.0, reach), (-reach, reach)))[0]
    return count, best, section


def boundary_voxels(count):
    """Reached voxels with an unreached face neighbour."""
    full = np.pad(count > 0, 1)
    core = full[1:-1, 1:-1, 1:-1]
    closed = (full[2:, 1:-1, 1:-1] & full[:-2, 1:-1, 1:-1] & full[1:-1, 2:, 1:-1]
              & full[1:-1, :-2, 1:-1] & full[1:-1, 1:-1, 2:] & full[1:-1, 1:-1, :-2])
    return core & ~closed


def pose_error(current, target):
    """Position and small-rotation error (n, 6)."""
    err = np.empty((len(current), 6))
    err[:, :3] = target[:, :3, 3] - current[:, :3, 3]
    rot = np.einsum("nik,njk->nij", target[:, :3, :3], current[:, :3, :3])
    err[:, 3] = 0.5 * (rot[:, 2, 1] - rot[:, 1, 2])
    err[:, 4] = 0.5 * (rot[:, 0, 2] - rot[:, 2, 0])
    err[:, 5] = 0.5 * (rot[:, 1, 0] - rot[:, 0, 1])
    return err


def inverse_kinematics(arm, target, q, damping=0.05, sweeps=30, tol=1e-9):
    """Damped least squares for many targets at once, each with its own 6 x 6 system."""
    q = q.copy()
    eye = damping ** 2 * np.eye(6)
    steps = 0
    while steps < sweeps:
        frames = arm.chain(q)
        err = pose_error(frames[:, -1], target)
        if np.abs(err).max() < tol:
            break
        jac = arm.jacobian(frames)
        for n in range(len(q)):
            j = jac[n]
            q[n] += j.T @ np.linalg.solve(j @ j.T + eye * min(1.0, 20.0 * np.abs(err[n]).max()), err[n])
        steps += 1
    return q, np.abs(err).max(axis=1), steps


def quintic(q0, q1, nstep):
    """Joint positions, speeds and accelerations of a rest-to-rest move in unit time."""
    s = np.linspace(0.0, 1.0, nstep)[:, None]
    move = q1 - q0
    pos = q0 + move * (10 * s ** 3 - 15 * s ** 4 + 6 * s ** 5)
    vel = move * (30 * s ** 2 - 60 * s ** 3 + 30 * s ** 4)
    acc = move * (60 * s - 180 * s ** 2 + 120 * s ** 3)
    return pos, vel, acc


def clearance(frames, spheres):
    """Smallest gap between the links (as segments) and spheres for every step of a path, and which sphere it is."""
    nstep, nframe = frames.shape[:2]
    gap = np.full(nstep, np.inf)
    which = np.full(nstep, -1)
    for t in range(nstep):
        for k in range(nframe - 1):
            ax, ay, az = frames[t, k, 0, 3], frames[t, k, 1, 3], frames[t, k, 2, 3]
            ux = frames[t, k + 1, 0, 3] - ax
            uy = frames[t, k + 1, 1, 3] - ay
            uz = frames[t, k + 1, 2, 3] - az
            uu = ux * ux + uy * uy + uz * uz
            for m in range(len(spheres)):
                px = spheres[m, 0] - ax
                py = spheres[m, 1] - ay
                pz = spheres[m, 2] - az
                f = 0.0
                if uu > 1e-12:
                    f = min(1.0, max(0.0, (px * ux + py * uy + pz * uz) / uu))
                d = np.sqrt((px - f * ux) ** 2 + (py - f * uy) ** 2 + (pz - f * uz) ** 2) - spheres[m, 3]
                if d < gap[t]:
                    gap[t] = d
                    which[t] = m
    return gap, which


def main(out):
    rng = np.random.default_rng(6)
    arm = Arm(DH, LIMITS)
    q = joint_samples(arm, 1600)
    frames = arm.chain(q)
    jac = arm.jacobian(frames)
    tip = frames[:, -1, :3, 3]
    manip, inv_cond = dexterity(jac)
    axes, lean = force_ellipsoids(jac[:250])
    count, best, section = voxel_workspace(tip, manip, 2.0)
    edge = boundary_voxels(count)

    picks = np.argsort(-manip)[:40]
    target = frames[picks, -1]
    start = q[picks] + rng.uniform(-0.12, 0.12, (40, 6))
    solved, error, steps = inverse_kinematics(arm, target, start)

    pos, vel, acc = quintic(solved[0], solved[7], 48)
    path = arm.chain(pos)
    spheres = np.column_stack([rng.uniform(-1.2, 1.2, (20, 3)), rng.uniform(0.05, 0.25, 20)])
    gap, which = clearance(path, spheres)
    speed = np.linalg.norm(np.diff(path[:, -1, :3, 3], axis=0), axis=1) * 47
    home = arm.single_pose(np.zeros(6))

    print("home position of the flange: %.4f %.4f %.4f" % tuple(home[:3, 3] + 0.0001))
    print("largest reach %.5f m, voxels reached %d, on the edge %d"
          % (np.linalg.norm(tip, axis=1).max(), (count > 0).sum(), edge.sum()))
    print("manipulability: median %.6f, largest %.6f" % (np.median(manip), manip.max()))
    print("inverse kinematics: %d of %d solved" % ((error < 1e-6).sum(), len(error)))
    print("smallest gap %.5f m at step %d, top speed %.5f" % (gap.min(), gap.argmin(), speed.max()))
    np.savez(out, tip=tip, manip=manip, inv_cond=inv_cond, axes=axes, lean=lean, count=count, best=best,
             section=section, edge=edge, solved=solved, vel=vel, acc=acc, gap=gap, which=which, speed=speed, home=home)


if __name__ == "__main__":
    main(sys.argv[1])
