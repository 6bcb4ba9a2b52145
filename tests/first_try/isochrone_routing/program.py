# Sailing route by isochrones: polar diagram of a boat, moving wind with a shear line, fan of headings from
# every point of the front, pruning by sector, and the route traced back from the finish.
import sys
from typing import NamedTuple

import numpy as np

POLAR = """
twa    6    10   14   20
 0   0.0  0.0  0.0  0.0
32   3.1  4.6  5.2  5.4
45   4.6  6.2  6.8  7.0
60   5.5  7.0  7.5  7.8
80   5.9  7.4  8.0  8.6
100  5.8  7.5  8.4  9.4
120  5.3  7.2  8.5  10.1
140  4.3  6.3  7.9  10.4
160  3.4  5.3  7.0  8.9
180  2.9  4.7  6.3  8.0
"""


class Stage(NamedTuple):
    x: np.ndarray
    y: np.ndarray
    parent: np.ndarray


class Polar:
    def __init__(self, text):
        lines = [line.split() for line in text.strip().splitlines()]
        self.tws = np.array([float(v) for v in lines[0][1:]])
        body = np.array([[float(v) for v in line] for line in lines[1:]])
        self.twa, self.table = body[:, 0], body[:, 1:]
        self.fine_twa = np.arange(0.0, 181.0)
        self.fine = self.refine()

    def refine(self):
        """Table at every degree of wind angle."""
        columns = [np.interp(self.fine_twa, self.twa, col) for col in self.table.T]
        return np.stack(columns, axis=1)

    def speed(self, twa, tws):
        """Bilinear lookup; calm below the first wind column is scaled down."""
        a = np.clip(np.abs((twa + 180.0) % 360.0 - 180.0), 0.0, 179.999)
        i = a.astype(np.int64)
        fa = a - i
        w = np.clip(tws, self.tws[0], self.tws[-1] - 1e-6)
        k = np.searchsorted(self.tws, w, side="right") - 1
        fw = (w - self.tws[k]) / (self.tws[k + 1] - self.tws[k])
        t = self.fine
        v = ((1 - fa) * ((1 - fw) * t[i, k] + fw * t[i, k + 1])
             + fa * ((1 - fw) * t[i + 1, k] + fw * t[i + 1, k + 1]))
        return v * np.minimum(tws / self.tws[0], 1.0)

    def best_vmg(self, tws):
        """Beat and run angles of best velocity made good, by golden section."""
        def vmg(angle, sign):
            return sign * float(self.speed(np.array([angle]), np.array([tws]))[0]) * np.cos(np.radians(angle))

        out = []
        for lo, hi, sign in ((30.0, 70.0, 1.0), (120.0, 179.0, -1.0)):
            ratio = (5**0.5 - 1) / 2
            c, d = hi - ratio * (hi - lo), lo + ratio * (hi - lo)
            fc, fd = vmg(c, sign), vmg(d, sign)
            for _ in range(40):
                if fc > fd:
                    hi, d, fd = d, c, fc
                    c = hi - ratio * (hi - lo)
                    fc = vmg(c, sign)
                else:
                    lo, c, fc = c, d, fd
                    d = lo + ratio * (hi - lo)
                    fd = vmg(d, sign)
            out.append((0.5 * (lo + hi), max(fc, fd)))
        return out


class Wind:
    """Wind from (degrees) and speed (knots): a trough that moves east, with gusty bands."""

    def at(self, x, y, hour):
        front = 18.0 + 5.5 * hour + 0.25 * y
        side = np.tanh((x - front) / 14.0)
        direction = 262.0 - 38.0 * side + 6.0 * np.sin(y / 17.0 + 0.2 * hour)
        speed = 12.0 + 4.5 * np.exp(-((x - front) / 22.0) ** 2) + 1.8 * np.sin(0.09 * x - 0.06 * y + 0.35 * hour)
        return direction, np.maximum(speed, 2.0)


class Router:
    def __init__(self, polar, wind, start, finish, step=0.5, sectors=240, headings=180):
        self.polar, self.wind = polar, wind
        self.start, self.finish = start, finish
        self.step, self.sectors = step, sectors
        self.headings = np.radians(np.arange(headings) * 360.0 / headings + 0.37)
        self.bearing = np.arctan2(finish[0] - start[0], finish[1] - start[1])

    def expand(self, stage, hour):
        """All candidate points after one step, sailing each heading from each point of the front."""
        direction, tws = self.wind.at(stage.x, stage.y, hour)
        twa = np.degrees(self.headings)[None, :] - direction[:, None]
        knots = self.polar.speed(twa, np.broadcast_to(tws[:, None], twa.shape))
        reach = knots * self.step
        x = stage.x[:, None] + reach * np.sin(self.headings)
        y = stage.y[:, None] + reach * np.cos(self.headings)
        parent = np.broadcast_to(np.arange(len(stage.x))[:, None], x.shape)
        return x.ravel(), y.ravel(), parent.ravel()

    def obstructed(self, x, y):
        """Two round islands."""
        first = (x - 38.0) ** 2 + (y - 27.0) ** 2 < 81.0
        second = (x - 71.0) ** 2 + (y - 36.0) ** 2 < 49.0
        return first | second

    def prune(self, x, y, parent):
        """Furthest candidate of every sector seen from the start, within a fan to the finish."""
        dx, dy = x - self.start[0], y - self.start[1]
        off = np.arctan2(dx, dy) - self.bearing
        off = (off + np.pi) % (2 * np.pi) - np.pi
        fan = np.radians(75.0)
        distance = np.hypot(dx, dy)
        keep = (np.abs(off) < fan) & ~self.obstructed(x, y) & (distance > 1e-6)
        x, y, parent, off, distance = x[keep], y[keep], parent[keep], off[keep], distance[keep]
        sector = ((off + fan) / (2 * fan) * self.sectors).astype(np.int64)
        order = np.lexsort((distance, sector))
        last = np.append(sector[order][1:] != sector[order][:-1], True)
        chosen = order[last]
        return Stage(x[chosen], y[chosen], parent[chosen])

    def remaining(self, stage):
        return np.hypot(stage.x - self.finish[0], stage.y - self.finish[1])

    def solve(self, limit=80):
        stages = [Stage(np.array([self.start[0]]), np.array([self.start[1]]), np.array([-1]))]
        spread = []
        for n in range(limit):
            stage = self.prune(*self.expand(stages[-1], n * self.step))
            stages.append(stage)
            gap = self.remaining(stage)
            spread.append((len(stage.x), gap.min(), stage.x.std()))
            if gap.min() < 2.0:
                break
        return stages, np.array(spread)

    def trace(self, stages):
        k = int(np.argmin(self.remaining(stages[-1])))
        points = []
        for stage in reversed(stages):
            points.append((stage.x[k], stage.y[k]))
            k = int(stage.parent[k])
        return np.array(points[::-1])


def leg_summary(route, step):
    """Speed over the ground of each leg and the number of manoeuvres above 50 degrees."""
    d = np.diff(route, axis=0)
    knots = np.hypot(d[:, 0], d[:, 1]) / step
    course = np.degrees(np.unwrap(np.arctan2(d[:, 0], d[:, 1])))
    turns = int(np.count_nonzero(np.abs(np.diff(course)) > 50.0))
    return knots, turns


def main():
    polar = Polar(POLAR)
    router = Router(polar, Wind(), (0.0, 0.0), (112.0, 47.0))
    stages, spread = router.solve()
    route = router.trace(stages)
    knots, turns = leg_summary(route, router.step)
    table = [(tws, *polar.best_vmg(tws)) for tws in (6.0, 10.0, 14.0, 18.0)]
    for tws, beat, run in table:
        print(f"tws {tws:4.1f}: beat {beat[0]:.1f} deg {beat[1]:.3f} kn, run {run[0]:.1f} deg {run[1]:.3f} kn")
    print(f"arrived in {len(route) - 1} steps, {spread[-1, 1]:.3f} nm left, mean {knots.mean():.3f} kn, {turns} turns")
    np.savez(sys.argv[1], route=route, spread=spread, knots=knots, front_x=stages[-1].x, front_y=stages[-1].y)


if __name__ == "__main__":
    main()
