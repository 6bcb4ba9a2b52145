"""Dense motion between two frames of a particle-image sequence.

Block matching gives an integer first guess, Lucas-Kanade refines it on a grid of windows and
Horn-Schunck regularises the dense field on the warped second frame.
"""
import sys

import numpy as np
from scipy import ndimage


class FramePair:
    """Two grey frames and the derivatives that the estimators share."""

    def __init__(self, first, second, sigma=1.2):
        self.first = ndimage.gaussian_filter(first, sigma)
        self.second = ndimage.gaussian_filter(second, sigma)
        self.shape = first.shape
        self.ix = None
        self.iy = None
        self.it = None

    def derivatives(self, warped=None):
        other = self.second if warped is None else warped
        mean = 0.5 * (self.first + other)
        self.iy, self.ix = np.gradient(mean)
        self.it = other - self.first
        return self

    def warp(self, u, v):
        """Second frame sampled at (x + u, y + v), bilinear, clamped at the border."""
        rows, cols = self.shape
        out = np.empty(self.shape)
        for y, x in np.ndindex(rows, cols):
            fx = min(max(x + u[y, x], 0.0), cols - 1.001)
            fy = min(max(y + v[y, x], 0.0), rows - 1.001)
            x0 = int(fx)
            y0 = int(fy)
            ax = fx - x0
            ay = fy - y0
            top = (1 - ax) * self.second[y0, x0] + ax * self.second[y0, x0 + 1]
            low = (1 - ax) * self.second[y0 + 1, x0] + ax * self.second[y0 + 1, x0 + 1]
            out[y, x] = (1 - ay) * top + ay * low
        return out


class BlockMatcher:
    def __init__(self, block=12, reach=3):
        self.block = block
        self.reach = reach
        self.cost = None

    def match(self, pair):
        """Exhaustive search; the winner is the displacement with the least absolute difference."""
        nby = pair.shape[0] // self.block
        nbx = pair.shape[1] // self.block
        move = np.zeros((nby, nbx, 2), dtype=np.int64)
        self.cost = np.full((nby, nbx), np.inf)
        for by in range(nby):
            for bx in range(nbx):
                y0 = by * self.block
                x0 = bx * self.block
                ref = pair.first[y0:y0 + self.block, x0:x0 + self.block]
                for dy in range(-self.reach, self.reach + 1):
                    for dx in range(-self.reach, self.reach + 1):
                        ya, xa = y0 + dy, x0 + dx
                        if ya < 0 or xa < 0 or ya + self.block > pair.shape[0] or xa + self.block > pair.shape[1]:
                            continue
                        cand = pair.second[ya:ya + self.block, xa:xa + self.block]
                        sad = np.abs(ref - cand).sum()
                        if sad < self.cost[by, bx]:
                            self.cost[by, bx] = sad
                            move[by, bx, 0] = dx
                            move[by, bx, 1] = dy
        return move

    def dense(self, move):
        """Block field repeated to pixels and smoothed."""
        u = np.repeat(np.repeat(move[..., 0].astype(float), self.block, axis=0), self.block, axis=1)
        v = np.repeat(np.repeat(move[..., 1].astype(float), self.block, axis=0), self.block, axis=1)
        return ndimage.uniform_filter(u, self.block), ndimage.uniform_filter(v, self.block)


class LucasKanade:
    def __init__(self, half=6, stride=6, damping=1e-3):
        self.half, self.stride, self.damping = half, stride, damping

    @staticmethod
    def box_sums(a, centres_y, centres_x, half):
        """Window sums at the given centres from a summed-area table."""
        table = np.zeros((a.shape[0] + 1, a.shape[1] + 1))
        table[1:, 1:] = a.cumsum(axis=0).cumsum(axis=1)
        y0, y1 = centres_y - half, centres_y + half + 1
        x0, x1 = centres_x - half, centres_x + half + 1
        return table[y1, x1] - table[y0, x1] - table[y1, x0] + table[y0, x0]

    def solve(self, pair):
        ys = np.arange(self.half, pair.shape[0] - self.half, self.stride)
        xs = np.arange(self.half, pair.shape[1] - self.half, self.stride)
        cy, cx = (g.ravel() for g in np.meshgrid(ys, xs, indexing="ij"))
        sums = [self.box_sums(p, cy, cx, self.half) for p in
                (pair.ix * pair.ix, pair.ix * pair.iy, pair.iy * pair.iy, pair.ix * pair.it, pair.iy * pair.it)]
        flow = np.zeros((len(cy), 2))
        quality = np.zeros(len(cy))
        for n in range(len(cy)):
            a = np.array([[sums[0][n] + self.damping, sums[1][n]], [sums[1][n], sums[2][n] + self.damping]])
            b = np.array([-sums[3][n], -sums[4][n]])
            flow[n] = np.linalg.solve(a, b)
            quality[n] = np.linalg.eigvalsh(a)[0]
        return cy, cx, flow, quality


class HornSchunck:
    def __init__(self, alpha=0.08, iterations=40):
        self.alpha2 = alpha**2
        self.iterations = iterations
        self.energy = []

    @staticmethod
    def neighbour_mean(f):
        p = np.pad(f, 1, mode="edge")
        return ((p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 6.0
                + (p[:-2, :-2] + p[:-2, 2:] + p[2:, :-2] + p[2:, 2:]) / 12.0)

    def run(self, pair, u, v):
        u0, v0 = u.copy(), v.copy()
        du = np.zeros_like(u)
        dv = np.zeros_like(v)
        denom = self.alpha2 + pair.ix**2 + pair.iy**2
        for k in range(self.iterations):
            ub = self.neighbour_mean(u0 + du) - u0
            vb = self.neighbour_mean(v0 + dv) - v0
            residual = (pair.ix * ub + pair.iy * vb + pair.it) / denom
            du = ub - pair.ix * residual
            dv = vb - pair.iy * residual
            if k % 10 == 9:
                self.energy.append(float(np.mean((pair.ix * du + pair.iy * dv + pair.it) ** 2)))
        return u0 + du, v0 + dv


def particle_image(xp, yp, brightness, shape, radius=1.4):
    """Sum of Gaussian particle images."""
    yy, xx = np.mgrid[0:shape[0], 0:shape[1]]
    image = np.zeros(shape)
    for x, y, b in zip(xp, yp, brightness):
        image += b * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * radius**2))
    return image


def true_motion(x, y, shape):
    cx, cy = shape[1] / 2, shape[0] / 2
    return 1.3 - 0.016 * (y - cy), -0.7 + 0.016 * (x - cx)


def angular_error(u, v, ut, vt):
    """Barron's angular error in degrees."""
    dot = u * ut + v * vt + 1.0
    norm = np.sqrt((u * u + v * v + 1.0) * (ut * ut + vt * vt + 1.0))
    return np.degrees(np.arccos(np.clip(dot / norm, -1.0, 1.0)))


def main():
    shape = (72, 96)
    rng = np.random.default_rng(404)
    xp, yp = rng.uniform(-4, shape[1] + 4, 300), rng.uniform(-4, shape[0] + 4, 300)
    brightness = rng.uniform(0.4, 1.0, 300)
    mx, my = true_motion(xp, yp, shape)
    frame_a = particle_image(xp, yp, brightness, shape) + 0.01 * rng.standard_normal(shape)
    frame_b = particle_image(xp + mx, yp + my, brightness, shape) + 0.01 * rng.standard_normal(shape)

    pair = FramePair(frame_a, frame_b)
    matcher = BlockMatcher()
    move = matcher.match(pair)
    u, v = matcher.dense(move)
    warped = pair.warp(u, v)
    pair.derivatives(warped)
    cy, cx, flow, quality = LucasKanade().solve(pair)
    solver = HornSchunck()
    u, v = solver.run(pair, u, v)

    yy, xx = np.mgrid[0:shape[0], 0:shape[1]]
    ut, vt = true_motion(xx, yy, shape)
    error = angular_error(u, v, ut, vt)
    inner = error[10:-10, 10:-10]
    vorticity = np.gradient(v, axis=1) - np.gradient(u, axis=0)
    trusted = quality > np.median(quality) * 0.5
    print(f"block cost {matcher.cost.mean():.5f}, windows {len(cy)}, trusted {trusted.sum()}")
    print(f"LK correction {np.abs(flow[trusted]).mean():.5f} px, HS data term {solver.energy[-1]:.4e}")
    print(f"angular error {inner.mean():.4f} deg, 90th percentile {np.percentile(inner, 90):.4f}")
    print(f"mean vorticity {vorticity[10:-10, 10:-10].mean():.6f} (true 0.032)")
    np.savez(sys.argv[1], move=move, cost=matcher.cost, warped=warped, flow=flow, quality=quality,
             u=u, v=v, error=error, vorticity=vorticity, energy=np.array(solver.energy))


if __name__ == "__main__":
    main()
