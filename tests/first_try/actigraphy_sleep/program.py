"""Sleep and rest-activity measures from a week of wrist accelerometry."""
import sys

import numpy as np

EPOCH = 60.0


class Recording:
    """Seven days of a simulated wrist accelerometer, delivered in blocks of one day."""

    def __init__(self, seed, days=7, rate=0.2):
        self.rng = np.random.default_rng(seed)
        self.days = days
        self.rate = rate
        self.per_day = int(86400 * rate)

    def blocks(self):
        for day in range(self.days):
            n = self.per_day
            hour = np.arange(n) / (3600 * self.rate)
            bed = 23.0 + 0.7 * self.rng.standard_normal()
            rise = 7.0 + 0.5 * self.rng.standard_normal()
            awake = (hour > rise) & (hour < bed)
            level = np.where(awake, 0.16 + 0.1 * np.sin(np.pi * (hour - 5) / 14), 0.012)
            stir = np.repeat(self.rng.random(n // 60) < 0.06, 60)
            level = np.where(~awake & stir, 0.09, level)
            posture = np.repeat(self.rng.uniform(-1.2, 1.2, n // 180), 180)
            posture = np.where(awake, posture + 0.5 * self.rng.standard_normal(n), posture)
            g = np.stack([np.cos(posture) * 0.8, np.cos(posture) * 0.6, np.sin(posture)], axis=1)
            noise = self.rng.standard_normal((n, 3)) * level[:, None]
            yield day, (g + noise) * np.array([1.02, 0.99, 1.01]) + np.array([0.01, -0.015, 0.005])


class Calibration:
    """Gain and offset per axis that bring still samples to the unit sphere."""

    def __init__(self):
        self.gain = np.ones(3)
        self.offset = np.zeros(3)
        self.residual = []

    def fit(self, still, rounds=30):
        for _ in range(rounds):
            cal = still * self.gain + self.offset
            length = np.sqrt((cal ** 2).sum(axis=1))
            target = cal / length[:, None]
            for axis in range(3):
                x = still[:, axis]
                y = target[:, axis]
                mx, my = x.mean(), y.mean()
                slope = ((x - mx) * (y - my)).sum() / ((x - mx) ** 2).sum()
                self.gain[axis] = slope
                self.offset[axis] = my - slope * mx
            self.residual.append(np.abs(length - 1.0).mean())

    def apply(self, xyz):
        return xyz * self.gain + self.offset


class SleepScorer:
    def __init__(self, recording):
        self.rec = recording
        self.per_epoch = int(EPOCH * recording.rate)
        self.calibration = Calibration()
        self.counts = None
        self.angle = None
        self.sleep = None

    def load(self):
        raw = [xyz for _, xyz in self.rec.blocks()]
        xyz = np.concatenate(raw)
        win = xyz[: len(xyz) // 60 * 60].reshape(-1, 60, 3)
        sd = win.std(axis=1).max(axis=1)
        self.calibration.fit(win.mean(axis=1)[sd < 0.02])
        xyz = self.calibration.apply(xyz)
        enmo = np.maximum(np.sqrt((xyz * xyz).sum(axis=1)) - 1.0, 0.0)
        z = np.degrees(np.arctan2(xyz[:, 2], np.hypot(xyz[:, 0], xyz[:, 1])))
        n = len(enmo) // self.per_epoch
        self.enmo = enmo[: n * self.per_epoch].reshape(n, -1).mean(axis=1)
        self.angle = self.rolling_median(z[: n * self.per_epoch].reshape(n, -1).mean(axis=1), 5)
        step = np.abs(np.diff(xyz, axis=0)).sum(axis=1)
        step = np.append(step, 0.0)
        self.counts = 100.0 * step[: n * self.per_epoch].reshape(n, -1).sum(axis=1)
        return self

    @staticmethod
    def rolling_median(a, width):
        half = width // 2
        out = a.copy()
        buf = np.empty(width)
        for i in range(half, a.size - half):
            for k in range(width):
                v = a[i - half + k]
                j = k
                while j > 0 and buf[j - 1] > v:
                    buf[j] = buf[j - 1]
                    j -= 1
                buf[j] = v
            out[i] = buf[half]
        return out

    def cole_kripke(self, threshold=1.0):
        weights = np.array([106.0, 54.0, 58.0, 76.0, 230.0, 74.0, 67.0])
        c = np.minimum(self.counts / 100.0, 300.0)
        padded = np.concatenate([np.zeros(4), c, np.zeros(2)])
        index = np.zeros(c.size)
        for i in range(c.size):
            s = 0.0
            for k in range(7):
                s += weights[k] * padded[i + k]
            index[i] = 1e-3 * s
        return index, index < threshold

    def sadeh(self):
        """Mean, number of moderate epochs, spread of the last and log of the current epoch."""
        c = np.minimum(self.counts / 2.0, 300.0)
        w = np.lib.stride_tricks.sliding_window_view(np.pad(c, 5), 11)
        mean = w.mean(axis=1)
        nat = ((w >= 50) & (w < 100)).sum(axis=1)
        spread = w[:, :6].std(axis=1)
        ps = 7.601 - 0.065 * mean - 1.08 * nat - 0.056 * spread - 0.703 * np.log(c + 1.0)
        return ps > -4.0

    def webster(self, asleep):
        """Rescoring: sleep after long wake stays wake for a while; islands of sleep vanish."""
        out = asleep.copy()
        wake_run = 0
        hold = 0
        for i in range(out.size):
            if not asleep[i]:
                wake_run += 1
                hold = 0
                continue
            if wake_run:
                hold = 4 if wake_run >= 15 else (3 if wake_run >= 10 else (1 if wake_run >= 4 else 0))
                wake_run = 0
            if hold > 0:
                out[i] = False
                hold -= 1
        return out

    def sustained_inactivity(self, limit=5.0, minutes=10):
        """Stretches in which the arm angle changes less than the limit for long enough."""
        change = np.abs(np.diff(self.angle))
        still = np.zeros(self.angle.size, dtype=bool)
        start = 0
        for i, d in enumerate(change):
            if d > limit:
                if i - start >= minutes:
                    still[start:i] = True
                start = i + 1
        if change.size - start >= minutes:
            still[start:] = True
        return still

    def score(self):
        self.index, ck = self.cole_kripke()
        sd = self.sadeh()
        self.votes = ck.astype(int) + sd + self.sustained_inactivity()
        self.sleep = self.webster(self.votes >= 2)
        return self.sleep


def nights(sleep, per_day):
    """Onset, offset, total sleep, wake after onset and awakenings from noon to noon."""
    rows = []
    half = per_day // 2
    for d in range(sleep.size // per_day - 1):
        s = sleep[d * per_day + half:(d + 1) * per_day + half]
        run = np.convolve(s, np.ones(10), mode="valid")
        where = np.flatnonzero(run >= 10)
        first, last = where[0], where[-1] + 10
        inside = s[first:last]
        wakes = np.count_nonzero(np.diff(inside.astype(int)) == -1)
        rows.append([first, last, inside.sum(), (~inside).sum(), wakes])
    return np.array(rows)


def rest_activity(x, per_day):
    """Interdaily stability, intradaily variability, L5, M10 and relative amplitude."""
    hourly = x.reshape(-1, 60).mean(axis=1)
    grand = hourly.mean()
    profile = hourly.reshape(-1, 24).mean(axis=0)
    var = ((hourly - grand) ** 2).mean()
    stability = ((profile - grand) ** 2).mean() / var
    variability = (np.diff(hourly) ** 2).mean() / var
    minute = x.reshape(-1, per_day).mean(axis=0)
    total = np.concatenate([[0.0], np.cumsum(np.concatenate([minute, minute]))])

    def window(hours):
        w = hours * 60
        return (total[w:w + per_day] - total[:per_day]) / w

    low, high = window(5), window(10)
    l5, m10 = low.min(), high.max()
    return np.array([stability, variability, l5, m10, (m10 - l5) / (m10 + l5)]), low.argmin(), high.argmax(), profile


def cosinor(x, per_day):
    t = np.arange(x.size) / per_day * 2 * np.pi
    A = np.column_stack([np.ones_like(t), np.cos(t), np.sin(t), np.cos(2 * t), np.sin(2 * t)])
    coef = np.linalg.solve(A.T @ A, A.T @ x)
    fit = A @ coef
    r2 = 1.0 - np.sum((x - fit) ** 2) / np.sum((x - x.mean()) ** 2)
    return coef, np.hypot(coef[1], coef[2]), np.arctan2(coef[2], coef[1]), r2


if __name__ == "__main__":
    scorer = SleepScorer(Recording(seed=42)).load()
    sleep = scorer.score()
    per_day = int(86400 / EPOCH)
    table = nights(sleep, per_day)
    measures, l5_at, m10_at, profile = rest_activity(scorer.counts, per_day)
    coef, amplitude, phase, r2 = cosinor(np.log1p(scorer.counts), per_day)
    cal = scorer.calibration
    np.savez(sys.argv[1], enmo=scorer.enmo, angle=scorer.angle, counts=scorer.counts, index=scorer.index,
             votes=scorer.votes, sleep=sleep, nights=table, measures=measures, profile=profile, coef=coef,
             gain=cal.gain, offset=cal.offset, residual=np.array(cal.residual))
    print("gain", cal.gain.round(5), "offset", cal.offset.round(5))
    for row in table:
        print("night: onset %4d offset %4d sleep %4d waso %3d wakes %2d" % tuple(int(v) for v in row))
    print("IS %.4f IV %.4f L5 %.4f M10 %.4f RA %.4f" % tuple(measures), "at", int(l5_at), int(m10_at))
    print(f"cosinor amplitude {amplitude:.4f} phase {phase:.4f} r2 {r2:.4f}")
