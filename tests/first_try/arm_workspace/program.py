#!/usr/bin/env python
"""Six-axis arm: kinematics from a DH table, reach map, manipulability and inverse
kinematics of a list of weld points, visited in a short order."""
import math
import sys

import numpy as np

DH_TEXT = """
joint,a,alpha,d,low,high
1,0.150,-90,0.450,-170,170
2,0.590,0,0.000,-90,130
3,0.130,-90,0.000,-190,60
4,0.000,90,0.647,-180,180
5,0.000,-90,0.000,-110,110
6,0.000,0,0.095,-180,180
"""


def parse_dh(text):
    rows = []
    header, *lines = text.strip().split("\n")
    for line in lines:
        rec = dict(zip(header.split(","), line.split(",")))
        rows.append([float(rec["a"]), math.radians(float(rec["alpha"])), float(rec["d"]),
                     math.radians(float(rec["low"])), math.radians(float(rec["high"]))])
    return np.array(rows)


class Arm:
    def __init__(self, table):
        self.a, self.alpha, self.d = table[:, 0], table[:, 1], table[:, 2]
        self.low, self.high = table[:, 3], table[:, 4]
        self.dof = len(table)

    def link(self, j, q):
        ca, sa = np.cos(self.alpha[j]), np.sin(self.alpha[j])
        c, s = np.cos(q), np.sin(q)
        return np.array([[c, -s * ca, s * sa, self.a[j] * c],
                         [s, c * ca, -c * sa, self.a[j] * s],
                         [0.0, sa, ca, self.d[j]],
                         [0.0, 0.0, 0.0, 1.0]])

    def frames(self, q):
        """Base to every joint frame, base frame first."""
        out = np.empty((self.dof + 1, 4, 4))
        out[0] = np.eye(4)
        for j in range(self.dof):
            out[j + 1] = out[j] @ self.link(j, q[j])
        return out

    def jacobian(self, frames):
        tip = frames[-1, :3, 3]
        jac = np.empty((6, self.dof))
        for j in range(self.dof):
            axis = frames[j, :3, 2]
            jac[:3, j] = np.cross(axis, tip - frames[j, :3, 3])
            jac[3:, j] = axis
        return jac

    def manipulability(self, frames):
        jac = self.jacobian(frames)[:3]
        return math.sqrt(max(np.linalg.det(jac @ jac.T), 0.0))


def sample_joints(arm, n, rng):
    return arm.low + (arm.high - arm.low) * rng.random((n, arm.dof))


def reach_survey(arm, joints):
    """Tool position and manipulability for each joint vector; bad where a joint dives under the floor."""
    tips = np.empty((len(joints), 3))
    score = np.empty(len(joints))
    clear = np.ones(len(joints), dtype=bool)
    for i, q in enumerate(joints):
        f = arm.frames(q)
        tips[i] = f[-1, :3, 3]
        score[i] = arm.manipulability(f)
        if (f[2:, 2, 3] < 0.05).any():
            clear[i] = False
    return tips, score, clear


def reach_map(tips, score, clear, shape=(14, 12), extent=(1.6, -0.6, 2.0)):
    """Count and mean manipulability on a radius-height raster."""
    r = np.hypot(tips[:, 0], tips[:, 1])
    i = np.floor(r / extent[0] * shape[0]).astype(int)
    k = np.floor((tips[:, 2] - extent[1]) / (extent[2] - extent[1]) * shape[1]).astype(int)
    ok = clear & (i < shape[0]) & (k >= 0) & (k < shape[1])
    count = np.zeros(shape)
    total = np.zeros(shape)
    np.add.at(count, (i[ok], k[ok]), 1)
    np.add.at(total, (i[ok], k[ok]), score[ok])
    return count, total / np.maximum(count, 1)


def weld_points(n):
    """Points along a helical seam on a tank, with tool directions facing the wall."""
    s = np.linspace(0.0, 1.0, n)
    ang = -0.8 + 1.6 * s
    centre = np.array([1.15, 0.0, 0.55])
    pos = centre + np.stack([-0.25 * np.cos(ang), 0.45 * np.sin(ang), 0.3 * (s - 0.5)], axis=1)
    aim = np.stack([np.cos(0.5 * ang), -np.sin(0.5 * ang), -0.3 + 0 * ang], axis=1)
    return pos, aim / np.linalg.norm(aim, axis=1, keepdims=True)


def solve_pose(arm, pos, aim, start, steps=40, damping=0.05):
    """Damped least squares on position and tool axis (five constraints)."""
    q = start.copy()
    for step in range(steps):
        f = arm.frames(q)
        err = np.concatenate([pos - f[-1, :3, 3], np.cross(f[-1, :3, 2], aim)])
        size = np.linalg.norm(err)
        if size < 1e-9:
            break
        jac = arm.jacobian(f)
        dq = jac.T @ np.linalg.solve(jac @ jac.T + damping**2 * min(size, 1.0) * np.eye(6), err)
        biggest = np.abs(dq).max()
        if biggest > 0.4:
            dq *= 0.4 / biggest
        q = np.clip(q + dq, arm.low, arm.high)
    return q, size


def solve_all(arm, pos, aim, starts):
    """Best of several starts for each point."""
    best = np.empty((len(pos), arm.dof))
    residual = np.full(len(pos), np.inf)
    for i in range(len(pos)):
        for start in starts:
            q, size = solve_pose(arm, pos[i], aim[i], start)
            if size < residual[i]:
                best[i], residual[i] = q, size
            if residual[i] < 1e-6:
                break
    return best, residual


def joint_distance(q):
    weight = np.array([3.0, 3.0, 2.0, 1.0, 1.0, 0.5])
    return (np.abs(q[:, None, :] - q[None, :, :]) * weight).max(axis=2)


def visit_order(dist):
    """Nearest neighbour tour, improved by 2-opt until no exchange helps."""
    todo = set(range(1, len(dist)))
    tour = [0]
    while todo:
        nxt = min(todo, key=lambda j: (dist[tour[-1], j], j))
        todo.remove(nxt)
        tour.append(nxt)
    improved = True
    while improved:
        improved = False
        for i in range(1, len(tour) - 1):
            for j in range(i + 1, len(tour) - 1):
                a, b, c, d = tour[i - 1], tour[i], tour[j], tour[j + 1]
                if dist[a, c] + dist[b, d] < dist[a, b] + dist[c, d] - 1e-9:
                    tour[i:j + 1] = reversed(tour[i:j + 1])
                    improved = True
    return tour


def main():
    rng = np.random.default_rng(66)
    arm = Arm(parse_dh(DH_TEXT))
    tips, score, clear = reach_survey(arm, sample_joints(arm, 3000, rng))
    count, quality = reach_map(tips, score, clear)
    pos, aim = weld_points(24)
    starts = np.array([[0.0, 0.3, -0.5, 0.1, 0.4, 0.0], [0.3, 0.8, -1.2, -0.4, -0.6, 0.0], [-0.3, 0.1, 0.2, 0.5, 0.9, 0.0]])
    q, residual = solve_all(arm, pos, aim, starts)
    dist = joint_distance(q)
    tour = visit_order(dist)
    travel = sum(dist[a, b] for a, b in zip(tour, tour[1:]))
    print(f"clear poses {clear.sum()} of {len(clear)}, farthest reach {np.linalg.norm(tips[clear], axis=1).max():.4f} m")
    print(f"mean manipulability {score[clear].mean():.4f}, raster cells reached {np.count_nonzero(count)}")
    print(f"weld points solved {np.count_nonzero(residual < 1e-4)} of {len(pos)}, travel {travel:.3f}")
    np.savez(sys.argv[1], tips=tips, score=score, count=count, quality=quality, tour=np.array(tour),
             solved=residual < 1e-4)


if __name__ == "__main__":
    main()
