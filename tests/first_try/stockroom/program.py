"""Inventory simulation of a spare-parts warehouse.

Demand of every article is drawn once; reorder-point and order-up-to policies run over
the same demand, followed by ABC classes, Croston forecasts and picking distances.
"""
import sys
from collections import deque

import numpy as np
from scipy.special import ndtr, ndtri

SEED = 5077


class Catalogue:
    """Article master data."""

    def __init__(self, n, rng):
        self.n = n
        self.rate = rng.gamma(1.2, 4.0, n) + 0.2
        self.price = np.round(rng.lognormal(2.5, 0.9, n), 2)
        self.lead = rng.integers(2, 8, n)
        self.fixed_cost = 18.0
        self.holding = 0.22 / 365.0
        self.aisle = rng.integers(0, 12, n)
        self.slot = rng.uniform(0.5, 24.5, n)

    def order_quantity(self):
        q = np.sqrt(2.0 * self.fixed_cost * self.rate / (self.holding * self.price))
        return np.maximum(np.ceil(np.minimum(q, 12.0 * self.rate)), 1.0)

    def reorder_point(self, service):
        mean = self.rate * self.lead
        sd = np.sqrt(mean)
        return np.ceil(mean + ndtri(service) * sd)


class Warehouse:
    """State of all articles: stock on hand, backlog and the pipeline of open orders."""

    def __init__(self, catalogue, start):
        self.cat = catalogue
        self.stock = start.astype(float)
        self.backlog = np.zeros(catalogue.n)
        self.pipeline = np.zeros((catalogue.lead.max() + 1, catalogue.n))
        self.log = {"stock": [], "short": [], "orders": []}

    def receive(self):
        arriving = self.pipeline[0].copy()
        self.pipeline[:-1] = self.pipeline[1:]
        self.pipeline[-1] = 0.0
        self.stock += arriving
        served = np.minimum(self.stock, self.backlog)
        self.stock -= served
        self.backlog -= served

    def issue(self, demand):
        sold = np.minimum(self.stock, demand)
        self.stock -= sold
        short = demand - sold
        self.backlog += short
        return short

    def replenish(self, rule):
        position = self.stock - self.backlog + self.pipeline.sum(axis=0)
        qty = rule(position)
        self.pipeline[self.cat.lead, np.arange(self.cat.n)] += qty
        return np.count_nonzero(qty)

    def run(self, demand, rule):
        for day in range(len(demand)):
            self.receive()
            short = self.issue(demand[day])
            n = self.replenish(rule)
            self.log["stock"].append(self.stock @ self.cat.price)
            self.log["short"].append(short.sum())
            self.log["orders"].append(n)
        return {k: np.array(v) for k, v in self.log.items()}


def fixed_quantity(point, qty):
    def rule(position):
        return np.where(position <= point, qty, 0.0)
    return rule


def up_to(level):
    return lambda position: np.where(position < 0.8 * level, level - position, 0.0)


def croston(demand, alpha):
    """Intermittent-demand forecast per article, and its mean absolute error over the days."""
    days, n = demand.shape
    forecast = np.zeros(n)
    mae = np.zeros(n)
    for k in range(n):
        size = 1.0
        interval = 1.0
        since = 1
        err = 0.0
        for d in range(days):
            x = demand[d, k]
            err += abs(x - size / interval)
            if x > 0:
                size += alpha * (x - size)
                interval += alpha * (since - interval)
                since = 1
            else:
                since += 1
        forecast[k] = size / interval
        mae[k] = err / days
    return forecast, mae


def demand_extremes(demand, window):
    """Largest rolling sum per article with the day it ends, and the longest spell without sales."""
    days, n = demand.shape
    peak = np.zeros(n)
    when = np.zeros(n, dtype=np.int64)
    spell = np.zeros(n, dtype=np.int64)
    for k in range(n):
        rolling = 0.0
        quiet = 0
        for d in range(days):
            rolling += demand[d, k]
            if d >= window:
                rolling -= demand[d - window, k]
            if rolling > peak[k]:
                peak[k] = rolling
                when[k] = d
            quiet = 0 if demand[d, k] > 0 else quiet + 1
            spell[k] = max(spell[k], quiet)
    return peak, when, spell


def abc_classes(turnover, limits=(0.8, 0.95)):
    order = np.argsort(-turnover, kind="stable")
    share = np.cumsum(turnover[order]) / turnover.sum()
    classes = np.empty(len(turnover), dtype=np.int64)
    classes[order] = np.searchsorted(limits, share)
    return classes, share


def picking_distance(order_id, aisle, slot, norders):
    """S-shape tour lengths from first to last aisle of each order (aisle pitch 5 m, length 25 m)."""
    far = np.zeros(norders)
    np.maximum.at(far, order_id, aisle * 5.0)
    visited = np.zeros((norders, 12))
    visited[order_id, aisle] = 1.0
    deepest = np.zeros(norders)
    np.maximum.at(deepest, order_id, slot)
    aisles = visited.sum(axis=1)
    return 2.0 * far + 25.0 * (aisles - aisles % 2) + (aisles % 2) * 2.0 * deepest


def fifo_age(receipts, demand):
    """Mean age of the pieces issued when the oldest batch always goes first (one article)."""
    batches = deque()
    pieces = age = 0.0
    for day, (got, want) in enumerate(zip(receipts, demand)):
        if got > 0:
            batches.append([day, got])
        while want > 0 and batches:
            take = min(want, batches[0][1])
            batches[0][1] -= take
            want -= take
            pieces += take
            age += take * (day - batches[0][0])
            if batches[0][1] <= 0:
                batches.popleft()
    return age / max(pieces, 1.0)


def service_table(cat, levels):
    """Expected units short per cycle (normal loss function) by service level and article."""
    z = ndtri(levels)[:, None]
    sd = np.sqrt(cat.rate * cat.lead)[None, :]
    loss = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi) - z * (1.0 - ndtr(z))
    return sd * loss


rng = np.random.default_rng(SEED)
cat = Catalogue(240, rng)
DAYS = 45
demand = rng.poisson(cat.rate / 0.7, (DAYS, cat.n)) * (rng.uniform(size=(DAYS, cat.n)) < 0.7)
demand = demand.astype(float)
point, qty = cat.reorder_point(0.96), cat.order_quantity()

results = {}
for name, rule in [("sQ", fixed_quantity(point, qty)), ("RS", up_to(point + 0.5 * qty))]:
    log = Warehouse(cat, np.floor(0.6 * point)).run(demand, rule)
    fill = 1.0 - log["short"].sum() / demand.sum()
    print(f"policy {name}: fill rate {fill:.6f}, mean stock value {log['stock'].mean():.2f}, orders {log['orders'].sum()}")
    results.update({f"{name}_{key}": value for key, value in log.items()})

forecast, mae = croston(demand, 0.15)
peak, when, spell = demand_extremes(demand, 7)
classes, share = abc_classes(cat.price * demand.sum(axis=0))
lines = rng.integers(0, cat.n, 3000)
order_id = rng.integers(0, 500, 3000)
tour = picking_distance(order_id, cat.aisle[lines], cat.slot[lines], 500)
top = int(np.argmax(demand.sum(axis=0)))
receipts = np.zeros(DAYS)
receipts[::5] = np.ceil(demand[:, top].mean() * 5.0)
age = fifo_age(receipts, demand[:, top])
loss = service_table(cat, np.array([0.9, 0.95, 0.98, 0.995]))

print("articles per class", np.bincount(classes, minlength=3), f"forecast error {mae.mean():.5f}")
print(f"busiest article {top}: mean age {age:.4f} days, weekly peak {peak[top]:.0f} on day {when[top]}")
print(f"mean tour {tour.mean():.3f} m, expected shortage {loss[1].sum():.4f}, longest quiet spell {spell.max()}")
np.savez(sys.argv[1], forecast=forecast, mae=mae, peak=peak, when=when, spell=spell, classes=classes,
         share=share, tour=tour, loss=loss, age=age, **results)
