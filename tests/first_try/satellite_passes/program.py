import sys

import numpy as np

MU = 398600.4418
RE = 6378.137
J2 = 1.08262668e-3
OMEGA_E = 7.2921158553e-5
C_LIGHT = 299792.458


class Constellation:
    """Walker shell propagated with secular J2 drift of node, perigee and mean anomaly."""

    def __init__(self, planes, per_plane, altitude, inc_deg, ecc=0.001, phasing=1):
        n = planes * per_plane
        k = np.arange(n)
        plane = k // per_plane
        slot = k % per_plane
        self.a = np.full(n, RE + altitude)
        self.e = np.full(n, ecc) * (1.0 + 0.5 * plane)
        self.inc = np.full(n, np.radians(inc_deg))
        self.raan0 = 2 * np.pi * plane / planes
        self.argp0 = np.full(n, 0.3)
        self.m0 = 2 * np.pi * (slot / per_plane + phasing * plane / n)
        self.mean_motion = np.sqrt(MU / self.a ** 3)
        p = self.a * (1.0 - self.e ** 2)
        fac = 1.5 * J2 * (RE / p) ** 2 * self.mean_motion
        ci = np.cos(self.inc)
        self.raan_dot = -fac * ci
        self.argp_dot = fac * (2.0 - 2.5 * np.sin(self.inc) ** 2)
        self.m_dot = self.mean_motion + 0.5 * fac * np.sqrt(1 - self.e ** 2) * (3 * ci ** 2 - 1)
        self.size = n
        self.iterations = 0

    def solve_kepler(self, mean_anom, ecc):
        E = mean_anom + ecc * np.sin(mean_anom)
        for it in range(20):
            delta = (E - ecc * np.sin(E) - mean_anom) / (1.0 - ecc * np.cos(E))
            E -= delta
            self.iterations += 1
            if np.max(np.abs(delta)) < 1e-10:
                break
        return E

    def state(self, t):
        """Inertial position and velocity, arrays of shape (sat, time, 3)."""
        e = self.e[:, None]
        M = self.m0[:, None] + self.m_dot[:, None] * t
        E = self.solve_kepler(np.mod(M, 2 * np.pi), e)
        cE, sE = np.cos(E), np.sin(E)
        root = np.sqrt(1 - e * e)
        a = self.a[:, None]
        x = a * (cE - e)
        y = a * root * sE
        edot = self.mean_motion[:, None] / (1 - e * cE)
        vx = -a * sE * edot
        vy = a * root * cE * edot
        node = self.raan0[:, None] + self.raan_dot[:, None] * t
        w = self.argp0[:, None] + self.argp_dot[:, None] * t
        cO, sO, cw, sw = np.cos(node), np.sin(node), np.cos(w), np.sin(w)
        ci = np.cos(self.inc)[:, None]
        si = np.sin(self.inc)[:, None]
        P = np.stack([cO * cw - sO * sw * ci, sO * cw + cO * sw * ci, sw * si], axis=-1)
        Q = np.stack([-cO * sw - sO * cw * ci, -sO * sw + cO * cw * ci, cw * si], axis=-1)
        r = x[..., None] * P + y[..., None] * Q
        v = vx[..., None] * P + vy[..., None] * Q
        return r, v


class Station:
    def __init__(self, name, lat, lon, height=0.0, mask=10.0):
        self.name = name
        self.lat = np.radians(lat)
        self.lon = np.radians(lon)
        self.mask = mask
        f = 1 / 298.257223563
        e2 = f * (2 - f)
        sl, cl = np.sin(self.lat), np.cos(self.lat)
        so, co = np.sin(self.lon), np.cos(self.lon)
        n = RE / np.sqrt(1 - e2 * sl ** 2)
        self.ecef = np.array([(n + height) * cl * co, (n + height) * cl * so,
                              (n * (1 - e2) + height) * sl])
        self.enu = np.array([[-so, co, 0.0],
                             [-sl * co, -sl * so, cl],
                             [cl * co, cl * so, sl]])

    def look(self, r_ecef, v_ecef):
        """Azimuth and elevation in degrees, slant range and its rate."""
        rho = r_ecef - self.ecef
        rng = np.sqrt(np.einsum("stk,stk->st", rho, rho))
        local = np.einsum("ij,stj->sti", self.enu, rho)
        el = np.degrees(np.arcsin(local[..., 2] / rng))
        az = np.degrees(np.arctan2(local[..., 0], local[..., 1])) % 360.0
        rate = np.einsum("stk,stk->st", rho, v_ecef) / rng
        return az, el, rng, rate

    def passes(self, times, elevation):
        """(sat, rise, set, culmination) of every pass above the mask, in order of the satellites."""
        found = []
        for s, el in enumerate(elevation):
            up = False
            rise = top = 0.0
            for t, value in zip(times, el):
                if value >= self.mask:
                    if not up:
                        up, rise, top = True, t, value
                    elif value > top:
                        top = value
                elif up:
                    found.append((s, rise, t, top))
                    up = False
            if up:
                found.append((s, rise, times[-1], top))
        return found


def to_ecef(r, v, t, gst0=1.2):
    theta = gst0 + OMEGA_E * t
    c, s = np.cos(theta), np.sin(theta)
    re = np.empty_like(r)
    ve = np.empty_like(v)
    re[..., 0] = c * r[..., 0] + s * r[..., 1]
    re[..., 1] = -s * r[..., 0] + c * r[..., 1]
    re[..., 2] = r[..., 2]
    ve[..., 0] = c * v[..., 0] + s * v[..., 1] + OMEGA_E * re[..., 1]
    ve[..., 1] = -s * v[..., 0] + c * v[..., 1] - OMEGA_E * re[..., 0]
    ve[..., 2] = v[..., 2]
    return re, ve


def ground_track(re):
    lat = np.degrees(np.arctan2(re[..., 2], np.hypot(re[..., 0], re[..., 1])))
    lon = np.degrees(np.arctan2(re[..., 1], re[..., 0]))
    return lat, lon


def coverage_gaps(unit, half_angle, lats, lons):
    """Longest run of epochs without any satellite in view, and visible count, per grid cell."""
    nsat, nt = unit.shape[:2]
    limit = np.cos(half_angle)
    gap = np.zeros((lats.size, lons.size), dtype=np.int64)
    seen = np.zeros((lats.size, lons.size), dtype=np.int64)
    for i, j in np.ndindex(lats.size, lons.size):
        gx = np.cos(lats[i]) * np.cos(lons[j])
        gy = np.cos(lats[i]) * np.sin(lons[j])
        gz = np.sin(lats[i])
        run = 0
        longest = 0
        count = 0
        for k in range(nt):
            visible = False
            for s in range(nsat):
                if gx * unit[s, k, 0] + gy * unit[s, k, 1] + gz * unit[s, k, 2] > limit:
                    visible = True
                    break
            if visible:
                count += 1
                run = 0
            else:
                run += 1
                if run > longest:
                    longest = run
        gap[i, j] = longest
        seen[i, j] = count
    return gap, seen


def main(out):
    shell = Constellation(planes=4, per_plane=3, altitude=780.0, inc_deg=86.4)
    t = np.arange(0.0, 21600.0, 30.0)
    r, v = shell.state(t)
    re, ve = to_ecef(r, v, t)
    lat, lon = ground_track(re)

    stations = [Station("Svalbard", 78.23, 15.39, 0.46, 5.0),
                Station("Weilheim", 47.88, 11.08, 0.6),
                Station("Hartebeesthoek", -25.89, 27.69, 1.5),
                Station("Troll", -72.01, 2.53, 1.3, 5.0)]
    best_el = np.zeros((len(stations), t.size))
    visible_time = np.zeros(len(stations))
    doppler = []
    table = []
    for n, st in enumerate(stations):
        az, el, rng, rate = st.look(re, ve)
        best_el[n] = el.max(axis=0)
        up = el >= st.mask
        visible_time[n] = up.any(axis=0).sum() * (t[1] - t[0])
        shift = np.where(up, -rate / C_LIGHT * 2.2e9, 0.0)
        doppler.append(np.array([shift.max(), shift.min(), np.abs(shift).sum()]))
        for p in st.passes(t, el):
            table.append((n,) + p)
    table = np.array(table)

    sub = re[:, ::12]
    unit = sub / np.linalg.norm(sub, axis=-1, keepdims=True)
    lats = np.radians(np.arange(-84.0, 85.0, 14.0))
    lons = np.radians(np.arange(-180.0, 180.0, 20.0))
    half = np.arccos(RE * np.cos(np.radians(10.0)) / (RE + 780.0)) - np.radians(10.0)
    gap, seen = coverage_gaps(unit, half, lats, lons)
    energy = 0.5 * np.sum(v * v, axis=-1) - MU / np.sqrt(np.sum(r * r, axis=-1))

    np.savez(out, lat=lat, lon=lon, best_el=best_el, visible_time=visible_time,
             doppler=np.array(doppler), passes=table, gap=gap, seen=seen, energy=energy)
    print("kepler iterations", shell.iterations)
    for n, st in enumerate(stations):
        mine = table[table[:, 0] == n]
        print(f"{st.name:15s} {len(mine):3d} passes, {visible_time[n] / 60:7.1f} min in view, "
              f"highest {mine[:, 4].max():.3f} deg")
    print("longest gap", gap.max() * 360.0 / 60, "min; mean coverage", round(seen.mean() / sub.shape[1], 5))


if __name__ == "__main__":
    main(sys.argv[1])
