"""Simulation of a support desk: Poisson arrivals, c parallel agents, first come first served.

Three views of the same system: an event-driven run with abandonment, the Kiefer-Wolfowitz recursion on
many independent replications, and Lindley's formula for the single-agent escalation desk behind it.
"""
import heapq
import math
import sys
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Desk:
    arrival_rate: float = 5.4      # per minute
    service_rate: float = 1.0
    agents: int = 6
    patience: float = 2.5          # mean minutes before a caller hangs up
    escalation: float = 0.15       # share of the served callers who go on to the specialist


class EventQueue:
    """Event-driven M/M/c+M queue; customers and events are kept in a heap."""

    def __init__(self, desk):
        self.desk = desk
        self.free_at = []
        self.left = 0

    def run(self, arrivals, services, patience):
        waits = np.full(len(arrivals), np.nan)
        departures = np.full(len(arrivals), np.nan)
        heap = [0.0] * self.desk.agents
        heapq.heapify(heap)
        for n in range(len(arrivals)):
            start = max(arrivals[n], heap[0])
            if start - arrivals[n] > patience[n]:
                self.left += 1
                continue
            heapq.heapreplace(heap, start + services[n])
            waits[n] = start - arrivals[n]
            departures[n] = start + services[n]
        self.free_at = sorted(heap)
        return waits, departures


class Replications:
    """R independent copies of the queue advanced customer by customer."""

    def __init__(self, desk, copies, seed):
        self.desk = desk
        self.copies = copies
        self.rng = np.random.default_rng(seed)
        self.work = np.zeros((copies, desk.agents))
        self.mean_wait = np.zeros(copies)
        self.served = 0

    def draw(self, customers):
        gaps = self.rng.exponential(1.0 / self.desk.arrival_rate, (customers, self.copies))
        services = self.rng.exponential(1.0 / self.desk.service_rate, (customers, self.copies))
        return gaps, services

    def advance(self, gaps, services):
        """Kiefer-Wolfowitz: the least loaded agent takes the call, then time passes."""
        waits = np.empty_like(gaps)
        for n in range(gaps.shape[0]):
            self.work = np.maximum(self.work - gaps[n][:, None], 0.0)
            self.work.sort(axis=1)
            waits[n] = self.work[:, 0]
            self.work[:, 0] += services[n]
        self.mean_wait = (self.mean_wait * self.served + waits.sum(axis=0)) / (self.served + len(waits))
        self.served += len(waits)
        return waits


def lindley(gaps, services):
    """Waiting times of a single server, W[n] = S[n] - min(S[0..n]) with S the random walk."""
    walk = np.concatenate([[0.0], np.cumsum(services[:-1] - gaps[1:])])
    return walk - np.minimum.accumulate(walk)


def longest_busy_period(waits, gaps, services):
    """Busy periods end where a customer finds the desk empty; returns the longest one and its size."""
    best_time, best_count = 0.0, 0
    time, count = services[0], 1
    for n in range(1, len(waits)):
        if waits[n] == 0.0:
            if time > best_time:
                best_time, best_count = time, count
            time, count = 0.0, 0
        time += services[n]
        count += 1
    if time > best_time:
        best_time, best_count = time, count
    return best_time, best_count


def queue_length(arrivals, departures, grid):
    """Number of callers in the system at the grid times, and its exact time average."""
    events = np.concatenate([arrivals, departures])
    change = np.concatenate([np.ones(len(arrivals)), -np.ones(len(departures))])
    order = np.argsort(events, kind="stable")
    times = events[order]
    level = np.cumsum(change[order])
    average = (level[:-1] * np.diff(times)).sum() / (times[-1] - times[0])
    at = np.searchsorted(times, grid, side="right") - 1
    return np.where(at >= 0, level[np.maximum(at, 0)], 0.0), average, level.max()


def autocorrelation(x, lags):
    """Sample autocorrelations, one sum per lag."""
    m = x.mean()
    var = 0.0
    for v in x:
        var += (v - m) ** 2
    out = np.empty(lags)
    for k in range(lags):
        acc = 0.0
        for n in range(len(x) - k):
            acc += (x[n] - m) * (x[n + k] - m)
        out[k] = acc / var
    return out


def wait_statistics(waits, width, bins):
    """Histogram, mean, second moment and largest wait in one pass over the customers."""
    counts = np.zeros(bins, dtype=np.int64)
    total = 0.0
    square = 0.0
    longest = 0.0
    delayed = 0
    for w in waits:
        b = int(w / width)
        if b >= bins:
            b = bins - 1
        counts[b] += 1
        total += w
        square += w * w
        if w > 1e-12:
            delayed += 1
        if w > longest:
            longest = w
    n = len(waits)
    return counts, np.array([total / n, square / n, longest, delayed / n])


def batch_means(x, batches):
    """Mean, and half width of the 95 % interval from batch means."""
    size = len(x) // batches
    means = x[: size * batches].reshape(batches, size).mean(axis=1)
    return means, 2.045 * means.std(ddof=1) / np.sqrt(batches)


def erlang_c(desk):
    a = desk.arrival_rate / desk.service_rate
    inv = 1.0
    for k in range(1, desk.agents + 1):
        inv = 1.0 + inv * k / a          # 1 / Erlang B
    b = 1.0 / inv
    rho = a / desk.agents
    c = b / (1.0 - rho * (1.0 - b))
    return c, c / (desk.agents * desk.service_rate - desk.arrival_rate)


def main(out):
    desk = Desk()
    rng = np.random.default_rng(2718)
    n = 6000
    gaps = rng.exponential(1.0 / desk.arrival_rate, n)
    services = rng.exponential(1.0 / desk.service_rate, n)
    patience = rng.exponential(desk.patience, n)
    arrivals = np.cumsum(gaps)

    line = EventQueue(desk)
    waits, departures = line.run(arrivals, services, patience)
    served = ~np.isnan(waits)
    counts, stats = wait_statistics(waits[served], 0.05, 60)
    length, average, most = queue_length(arrivals[served], departures[served], np.linspace(0.0, arrivals[-1], 500))

    copies = Replications(desk, 1500, seed=5)
    profile = []
    for block in range(3):
        w = copies.advance(*copies.draw(20))
        profile.append(w.mean(axis=1))
    profile = np.concatenate(profile)
    quantiles = np.percentile(copies.mean_wait, [5, 50, 95])

    onward = np.flatnonzero(served & (rng.random(n) < desk.escalation))
    handover = np.sort(departures[onward])
    special_gaps = np.diff(handover, prepend=0.0)
    special_services = rng.gamma(2.0, 0.55, len(onward))
    special = lindley(special_gaps, special_services)
    busy, size = longest_busy_period(special, special_gaps, special_services)
    acf = autocorrelation(special, 12)
    means, half = batch_means(special, 30)

    probability, theory = erlang_c(desk)
    print(f"served {int(served.sum())}, hung up {line.left}, mean wait {stats[0]:.5f}, delayed {stats[3]:.4f}")
    print(f"in system {average:.4f} on average, {int(most)} at most; Erlang C {probability:.5f}, wait {theory:.4f}")
    print(f"replications after {copies.served} calls: {copies.mean_wait.mean():.5f} min, 95 % {quantiles[2]:.5f}")
    print(f"specialist: wait {special.mean():.4f} +- {half:.4f}, longest busy period {busy:.3f} min with {size} callers")
    np.savez(out, waits=waits, counts=counts, stats=stats, length=length, profile=profile, quantiles=quantiles,
             mean_wait=copies.mean_wait, special=special, acf=acf, means=means)


if __name__ == "__main__":
    main(sys.argv[1])
