"""Change points in the mean of process records: Page's test, binary segmentation, optimal partitioning, and a
bootstrap of the CUSUM range."""
import sys
import numpy as np


def records(rng, count, length):
    """Yield (true changes, series); AR noise on a piecewise constant mean."""
    for r in range(count):
        cuts = np.sort(rng.choice(np.arange(60, length - 60), size=3, replace=False))
        level = np.cumsum(np.concatenate([[0.0], rng.choice([-1.0, 1.0], 3) * rng.uniform(0.8, 1.6, 3)]))
        mean = np.repeat(level, np.diff(np.concatenate([[0], cuts, [length]])))
        noise = rng.standard_normal(length)
        noise[1:] += 0.2 * noise[:-1]
        yield cuts, mean + 0.7 * noise


def robust_sigma(x):
    d = np.diff(x)
    return np.median(np.abs(d - np.median(d))) / 0.6745 / np.sqrt(2.0)


def cusum(x):
    s = np.zeros(len(x) + 1)
    for i in range(len(x)):
        s[i + 1] = s[i] + (x[i] - x.mean())
    return s


def page_alarms(x, reference, slack, threshold):
    """Two-sided tabular CUSUM, restarted after each alarm; the reference follows the process."""
    up = down = 0.0
    ref = reference
    alarms = []
    for t, value in enumerate(x):
        up = max(0.0, up + value - ref - slack)
        down = max(0.0, down - value + ref - slack)
        if up > threshold or down > threshold:
            alarms.append(t)
            ref = 0.5 * ref + 0.5 * value
            up = down = 0.0
    return np.array(alarms, dtype=np.int64)


def prefix_sums(x):
    """Sum and sum of squares of x[:i]."""
    s1 = np.zeros(len(x) + 1)
    s2 = np.zeros(len(x) + 1)
    a = b = 0.0
    for i in range(len(x)):
        a += x[i]
        b += x[i] * x[i]
        s1[i + 1] = a
        s2[i + 1] = b
    return s1, s2


def segment_cost(s1, s2, lo, hi):
    """Residual sum of squares of x[lo:hi]; lo or hi may be arrays."""
    n = hi - lo
    d = s1[hi] - s1[lo]
    return s2[hi] - s2[lo] - d * d / n


def best_split(s1, s2, lo, hi, margin):
    """Largest drop in cost when lo..hi is cut once."""
    k = np.arange(lo + margin, hi - margin)
    gain = segment_cost(s1, s2, lo, hi) - segment_cost(s1, s2, lo, k) - segment_cost(s1, s2, k, hi)
    i = int(np.argmax(gain))
    return int(k[i]), float(gain[i])


def binary_segmentation(s1, s2, lo, hi, penalty, margin=20):
    if hi - lo <= 2 * margin:
        return []
    cut, gain = best_split(s1, s2, lo, hi, margin)
    if gain <= penalty:
        return []
    return (binary_segmentation(s1, s2, lo, cut, penalty, margin) + [cut]
            + binary_segmentation(s1, s2, cut, hi, penalty, margin))


def optimal_partition(s1, s2, penalty):
    """Exact minimum of cost + penalty * changes, by dynamic programming over the last change."""
    n = len(s1) - 1
    best = np.empty(n + 1)
    best[0] = -penalty
    last = np.zeros(n + 1, dtype=np.int64)
    for t in range(1, n + 1):
        s = np.arange(t)
        total = best[:t] + segment_cost(s1, s2, s, t) + penalty
        last[t] = np.argmin(total)
        best[t] = total[last[t]]
    cuts = []
    t = last[n]
    while t > 0:
        cuts.append(int(t))
        t = last[t]
    return cuts[::-1], best[n]


def bootstrap_range(x, order):
    """Range of the CUSUM of the shuffled series, one for each row of order."""
    shuffled = x[order] - x.mean()
    walk = np.cumsum(shuffled, axis=1)
    return walk.max(axis=1) - walk.min(axis=1)


def scan_statistic(x, widths):
    """Difference of the means of two adjoining windows, for each width: the position and size of its largest."""
    peaks = []
    total = np.concatenate([[0.0], np.cumsum(x)])
    for w in widths:
        left = total[w:-w] - total[:-2 * w]
        right = total[2 * w:] - total[w:-w]
        z = np.abs(right - left) / np.sqrt(2.0 * w)
        i = z.argmax()
        peaks.append((i + w, z[i]))
    return peaks


def drawdown(x):
    """Largest fall from a running maximum, and where."""
    top = x[0]
    worst = 0.0
    at = 0
    level = np.empty_like(x)
    for i in range(len(x)):
        if x[i] > top:
            top = x[i]
        level[i] = top
        if top - x[i] > worst:
            worst = top - x[i]
            at = i
    return level, worst, at


def score(found, true, tolerance):
    return sum(any(abs(f - t) <= tolerance for f in found) for t in true)


rng = np.random.default_rng(606)
length = 700
series, truth = [], []
for cuts, x in records(rng, 4, length):
    series.append(x)
    truth.append(cuts)

out = {}
hits = {"page": 0, "binary": 0, "optimal": 0}
for r, (x, cuts) in enumerate(zip(series, truth)):
    sigma = robust_sigma(x)
    penalty = 4.0 * sigma ** 2 * np.log(length)
    s1, s2 = prefix_sums(x)
    alarms = page_alarms(x, x[:40].mean(), 0.5 * sigma, 8.0 * sigma)
    binary = binary_segmentation(s1, s2, 0, length, penalty)
    optimal, cost = optimal_partition(s1, s2, penalty)
    walk = cusum(x)
    order = np.argsort(rng.random((300, length)), axis=1)
    ranges = bootstrap_range(x, order)
    p_value = np.mean(ranges >= walk.max() - walk.min())
    level, fall, at = drawdown(x)
    peaks = scan_statistic(x, [20, 40, 80])
    hits["page"] += score(alarms, cuts, 15)
    hits["binary"] += score(binary, cuts, 10)
    hits["optimal"] += score(optimal, cuts, 10)
    out[f"walk{r}"] = walk
    out[f"alarms{r}"] = alarms
    out[f"binary{r}"] = np.array(binary, dtype=np.int64)
    out[f"optimal{r}"] = np.array(optimal, dtype=np.int64)
    out[f"ranges{r}"] = np.sort(ranges)
    out[f"level{r}"] = level
    out[f"stats{r}"] = np.array([sigma, cost, p_value, fall, at, peaks[0][1], peaks[1][1], peaks[2][1]])
    print(f"record {r}: sigma {sigma:.6f} cost {cost:.6f} p {p_value:.4f} fall {fall:.6f} at {at}")

print("found of 12:", " ".join(f"{name} {count}" for name, count in hits.items()))
np.savez(sys.argv[1], **out)
