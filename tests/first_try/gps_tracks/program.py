"""Clean-up of vehicle GPS tracks and products on a map grid.

Each track is a list entry of arrays (time, latitude, longitude); tracks have different lengths.
Steps: projection, outlier rejection, smoothing, resampling, road matching, elevation, density grid.
"""
import math
import sys

import numpy as np

WGS_A = 6378137.0
WGS_E2 = 6.69437999014e-3
LAT0, LON0 = 47.37, 8.54


def synthetic_tracks(count, seed):
    r = np.random.default_rng(seed)
    tracks = []
    for k in range(count):
        n = int(r.integers(220, 340))
        t = np.cumsum(r.uniform(0.8, 1.3, n))
        heading = np.cumsum(r.normal(0.0, 0.09, n)) + r.uniform(0, 2 * np.pi)
        speed = 11.0 + 4.0 * np.sin(t / 37.0 + k) + r.normal(0, 0.4, n)
        east = np.cumsum(speed * np.cos(heading)) + r.uniform(-1500, 1500)
        north = np.cumsum(speed * np.sin(heading)) + r.uniform(-1500, 1500)
        east += r.normal(0, 3.5, n)
        north += r.normal(0, 3.5, n)
        wild = r.random(n) < 0.02
        east[wild] += r.normal(0, 150, int(wild.sum()))
        lat = LAT0 + np.degrees(north / 6.37e6)
        lon = LON0 + np.degrees(east / (6.37e6 * math.cos(math.radians(LAT0))))
        tracks.append((t, lat, lon))
    return tracks


def to_local(lat, lon):
    """Local transverse Mercator (series in the longitude difference), metres from the map origin."""
    phi = np.radians(lat)
    dlam = np.radians(lon - LON0)
    s, c = np.sin(phi), np.cos(phi)
    nu = WGS_A / np.sqrt(1.0 - WGS_E2 * s * s)
    tan2 = (s / c) ** 2
    eta2 = WGS_E2 / (1.0 - WGS_E2) * c * c
    east = nu * c * dlam * (1.0 + (c * dlam) ** 2 / 6.0 * (1.0 - tan2 + eta2))
    arc = meridian_arc(phi) - meridian_arc(math.radians(LAT0))
    north = arc + nu * s * c * dlam**2 / 2.0 * (1.0 + (c * dlam) ** 2 / 12.0 * (5.0 - tan2))
    return east, north


def meridian_arc(phi):
    e2, e4 = WGS_E2, WGS_E2**2
    return WGS_A * ((1 - e2 / 4 - 3 * e4 / 64) * phi - (3 * e2 / 8 + 3 * e4 / 32) * np.sin(2 * phi)
                    + 15 * e4 / 256 * np.sin(4 * phi))


def haversine(lat, lon):
    """Distances between consecutive fixes."""
    p, q = np.radians(lat), np.radians(lon)
    h = np.sin(np.diff(p) / 2) ** 2 + np.cos(p[1:]) * np.cos(p[:-1]) * np.sin(np.diff(q) / 2) ** 2
    return 2 * 6371008.8 * np.arcsin(np.sqrt(h))


def hampel(x, half=4, limit=4.0):
    """Replaces values far from the running median by that median."""
    n = len(x)
    idx = np.clip(np.arange(n)[:, None] + np.arange(-half, half + 1)[None, :], 0, n - 1)
    windows = x[idx]
    med = np.median(windows, axis=1)
    spread = 1.4826 * np.median(np.abs(windows - med[:, None]), axis=1)
    bad = np.abs(x - med) > limit * np.maximum(spread, 4.0)
    return np.where(bad, med, x), int(bad.sum())


def kalman_smoother(t, z, noise=3.5, accel=0.6):
    """Constant-velocity Kalman filter and Rauch-Tung-Striebel smoother along one coordinate."""
    n = len(z)
    xs = np.zeros((n, 2))
    ps = np.zeros((n, 2, 2))
    xp = np.zeros((n, 2))
    pp = np.zeros((n, 2, 2))
    x = np.array([z[0], 0.0])
    p = np.diag([noise**2, 200.0])
    for k in range(n):
        dt = t[k] - t[k - 1] if k else 0.0
        f = np.array([[1.0, dt], [0.0, 1.0]])
        q = accel**2 * np.array([[dt**4 / 4, dt**3 / 2], [dt**3 / 2, dt**2]])
        x = f @ x
        p = f @ p @ f.T + q
        xp[k], pp[k] = x, p
        gain = p[:, 0] / (p[0, 0] + noise**2)
        x = x + gain * (z[k] - x[0])
        p = p - np.outer(gain, p[0])
        xs[k], ps[k] = x, p
    for k in range(n - 2, -1, -1):
        dt = t[k + 1] - t[k]
        f = np.array([[1.0, dt], [0.0, 1.0]])
        g = ps[k] @ f.T @ np.linalg.inv(pp[k + 1])
        xs[k] = xs[k] + g @ (xs[k + 1] - xp[k + 1])
    return xs


def turn_rate(vx, vy, t):
    heading = np.unwrap(np.arctan2(vy, vx))
    return heading, np.gradient(heading, t)


def resample(t, columns, step):
    grid = np.arange(t[0], t[-1], step)
    return grid, [np.interp(grid, t, c) for c in columns]


def douglas_peucker(x, y, tolerance):
    """Indices of the vertices kept by recursive line simplification."""
    def split(a, b):
        if b <= a + 1:
            return []
        dx, dy = x[b] - x[a], y[b] - y[a]
        length = math.hypot(dx, dy) or 1.0
        far, at = -1.0, a
        for k in range(a + 1, b):
            d = abs(dy * (x[k] - x[a]) - dx * (y[k] - y[a])) / length
            if d > far:
                far, at = d, k
        return split(a, at) + [at] + split(at, b) if far > tolerance else []
    return [0] + split(0, len(x) - 1) + [len(x) - 1]


def match_to_roads(x, y, roads):
    """Nearest road segment of every fix: index, distance and position along the segment."""
    which = np.zeros(len(x), dtype=np.int64)
    offset = np.zeros(len(x))
    along = np.zeros(len(x))
    for i in range(len(x)):
        best = 1.0e18
        s = 0
        while s < len(roads):
            ax, ay = roads[s, 0], roads[s, 1]
            ux, uy = roads[s, 2] - ax, roads[s, 3] - ay
            f = ((x[i] - ax) * ux + (y[i] - ay) * uy) / (ux * ux + uy * uy)
            f = min(1.0, max(0.0, f))
            d = (ax + f * ux - x[i]) ** 2 + (ay + f * uy - y[i]) ** 2
            if d < best:
                best = d
                which[i] = s
                along[i] = f
            s += 1
        offset[i] = math.sqrt(best)
    return which, offset, along


def sample_dem(dem, x, y, origin, cell):
    """Bilinear elevation under the fixes; outside the model the edge value counts."""
    rows, cols = dem.shape
    z = np.empty(len(x))
    for i, (px, py) in enumerate(zip(x, y)):
        c = min(max((px - origin) / cell, 0.0), cols - 1.0001)
        r = min(max((py - origin) / cell, 0.0), rows - 1.0001)
        c0, r0 = int(c), int(r)
        fc, fr = c - c0, r - r0
        z[i] = ((1 - fr) * ((1 - fc) * dem[r0, c0] + fc * dem[r0, c0 + 1])
                + fr * ((1 - fc) * dem[r0 + 1, c0] + fc * dem[r0 + 1, c0 + 1]))
    return z


def density_grid(x, y, weight, origin, cell, size):
    """Seconds spent and number of fixes per map cell."""
    col = np.floor((x - origin) / cell).astype(int)
    row = np.floor((y - origin) / cell).astype(int)
    ok = (col >= 0) & (col < size) & (row >= 0) & (row < size)
    seconds = np.zeros((size, size))
    np.add.at(seconds, (row[ok], col[ok]), weight[ok])
    fixes = np.bincount(row[ok] * size + col[ok], minlength=size * size).reshape(size, size)
    return seconds, fixes


def blur(grid, passes):
    """Repeated 3x3 binomial smoothing for the heat map."""
    g = grid.copy()
    for _ in range(passes):
        p = np.pad(g, 1)
        h = 0.25 * p[:, :-2] + 0.5 * p[:, 1:-1] + 0.25 * p[:, 2:]
        g = 0.25 * h[:-2] + 0.5 * h[1:-1] + 0.25 * h[2:]
    return g


def hillshade(dem, cell, azimuth=315.0, altitude=45.0):
    dy, dx = np.gradient(dem, cell)
    slope = np.arctan(np.hypot(dx, dy))
    aspect = np.arctan2(-dx, dy)
    az, alt = np.radians(azimuth), np.radians(altitude)
    shade = np.sin(alt) * np.cos(slope) + np.cos(alt) * np.sin(slope) * np.cos(az - aspect)
    return np.clip(shade, 0.0, 1.0)


def main(out):
    rng = np.random.default_rng(77)
    tracks = synthetic_tracks(5, seed=12)
    starts = rng.uniform(-2500, 2500, (30, 2))
    roads = np.hstack([starts, starts + rng.normal(0, 900, (30, 2))])
    gx = np.linspace(-4000, 4000, 161)
    dem = 420 + 60 * np.sin(gx[None, :] / 700) * np.cos(gx[:, None] / 900) + 0.01 * gx[None, :] + rng.normal(0, 0.5, (161, 161))

    smooth, speeds, lengths, rejected, kept = [], [], [], 0, []
    for t, lat, lon in tracks:
        east, north = to_local(lat, lon)
        lengths.append(haversine(lat, lon).sum())
        east, bad_e = hampel(east)
        north, bad_n = hampel(north)
        rejected += bad_e + bad_n
        sx, sy = kalman_smoother(t, east), kalman_smoother(t, north)
        heading, rate = turn_rate(sx[:, 1], sy[:, 1], t)
        grid, (px, py, vx, vy, w) = resample(t, [sx[:, 0], sy[:, 0], sx[:, 1], sy[:, 1], rate], 2.0)
        smooth.append(np.stack([px, py, w]))
        speeds.append(np.hypot(vx, vy))
        kept.append(len(douglas_peucker(px, py, 8.0)))

    px, py, rate = np.concatenate(smooth, axis=1)
    speed = np.concatenate(speeds)
    which, offset, along = match_to_roads(px, py, roads)
    elevation = sample_dem(dem, px, py, -4000.0, 50.0)
    climb = np.cumsum(np.maximum(np.diff(elevation), 0.0))
    seconds, fixes = density_grid(px, py, np.full(len(px), 2.0), -4000.0, 100.0, 80)
    heat = blur(seconds, 12)
    shade = hillshade(dem, 50.0)
    lateral = np.abs(speed * rate)

    print(f"{len(tracks)} tracks, {len(px)} points, {rejected} values replaced, {sum(kept)} vertices kept")
    print(f"raw length {sum(lengths):.3f} m, mean speed {speed.mean():.4f} m/s, 95 % lateral {np.percentile(lateral, 95):.4f}")
    print(f"median road offset {np.median(offset):.3f} m, climb {climb[-1]:.3f} m, busiest cell {int(fixes.max())}")
    np.savez(out, px=px, py=py, rate=rate, speed=speed, which=which, offset=offset, along=along, climb=climb,
             elevation=elevation, seconds=seconds, fixes=fixes, heat=heat, shade=shade, lengths=np.array(lengths))


if __name__ == "__main__":
    main(sys.argv[1])
