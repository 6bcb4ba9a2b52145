# Limit order book with random order flow and one market maker that quotes around a reservation price;
# profit, inventory and spread statistics of the run.
import heapq
import itertools
import sys
from collections import deque
from dataclasses import dataclass

import numpy as np

TICK = 0.01


@dataclass
class Order:
    number: int
    side: int
    price: int
    size: int
    owner: str


class Book:
    """Price-time priority; prices in ticks. Cancelled orders leave the heaps lazily."""

    def __init__(self):
        self.levels = ({}, {})
        self.heaps = ([], [])
        self.orders = {}
        self.counter = itertools.count()

    def best(self, side):
        heap, levels = self.heaps[side], self.levels[side]
        while heap:
            price = heap[0] if side else -heap[0]
            queue = levels.get(price)
            while queue and queue[0].size == 0:
                queue.popleft()
            if queue:
                return price
            heapq.heappop(heap)
            levels.pop(price, None)
        return None

    def add(self, side, price, size, owner):
        order = Order(next(self.counter), side, price, size, owner)
        levels = self.levels[side]
        if price not in levels:
            levels[price] = deque()
            heapq.heappush(self.heaps[side], price if side else -price)
        levels[price].append(order)
        self.orders[order.number] = order
        return order.number

    def cancel(self, number):
        if number in self.orders:
            self.orders.pop(number).size = 0

    def take(self, side, size, limit=None):
        """Executes against the given side; yields (owner, price, quantity)."""
        while size > 0:
            price = self.best(side)
            if price is None:
                return
            if limit is not None and (price > limit if side else price < limit):
                return
            order = self.levels[side][price][0]
            done = min(size, order.size)
            order.size -= done
            size -= done
            if order.size == 0:
                self.orders.pop(order.number, None)
            yield order.owner, price, done

    def depth(self, side, n=5):
        prices = sorted(self.levels[side], reverse=not side)
        sizes = (sum(o.size for o in self.levels[side][p]) for p in prices)
        return sum(itertools.islice(filter(None, sizes), n))


class Maker:
    """Avellaneda-Stoikov style quotes with an inventory cap."""

    def __init__(self, gamma, kappa, cap):
        self.gamma, self.kappa, self.cap = gamma, kappa, cap
        self.cash, self.stock = 0.0, 0
        self.live = [None, None]
        self.recent = deque(maxlen=60)
        self.fills = 0

    def volatility(self):
        return max(float(np.std(np.diff(self.recent))), 0.4) if len(self.recent) > 9 else 1.0

    def quote(self, book, mid):
        self.recent.append(mid)
        sigma = self.volatility()
        reserve = mid - self.stock * self.gamma * sigma**2
        half = 0.5 * self.gamma * sigma**2 + np.log(1.0 + self.gamma / self.kappa) / self.gamma
        wanted = [int(np.floor(reserve - half)), int(np.ceil(reserve + half))]
        for side in (0, 1):
            if self.live[side] is not None:
                book.cancel(self.live[side])
                self.live[side] = None
            blocked = self.stock >= self.cap if side == 0 else self.stock <= -self.cap
            if not blocked:
                other = book.best(1 - side)
                price = wanted[side]
                if other is not None:
                    price = min(price, other - 1) if side == 0 else max(price, other + 1)
                self.live[side] = book.add(side, price, 3, "maker")

    def fill(self, side, price, quantity):
        sign = 1 if side == 0 else -1
        self.stock += sign * quantity
        self.cash -= sign * quantity * price * TICK
        self.fills += quantity


class Market:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.book = Book()
        self.maker = Maker(0.03, 0.9, 25)
        self.fair = 10000.0
        self.open_orders = []
        self.trades = []
        for offset in range(1, 25):
            self.open_orders.append(self.book.add(0, 10000 - offset, 5, "crowd"))
            self.open_orders.append(self.book.add(1, 10000 + offset, 5, "crowd"))

    def mid(self):
        bid, ask = self.book.best(0), self.book.best(1)
        return self.fair if bid is None or ask is None else 0.5 * (bid + ask)

    def crowd(self):
        """One batch of limit orders, market orders and cancellations around the fair price."""
        rng = self.rng
        self.fair += 0.6 * rng.standard_normal()
        for kind, side, size, u in zip(rng.choice(3, 6, p=[0.55, 0.15, 0.30]), rng.integers(0, 2, 6),
                                       rng.integers(1, 6, 6), rng.random(6)):
            if kind == 0:
                away = 1 + int(-6.0 * np.log(1.0 - u))
                price = int(round(self.fair)) + (away if side else -away)
                for fill in self.book.take(1 - int(side), int(size), price):
                    self.execute(1 - int(side), *fill)
                    size -= fill[2]
                if size > 0:
                    self.open_orders.append(self.book.add(int(side), price, int(size), "crowd"))
            elif kind == 1:
                for fill in self.book.take(int(side), int(size)):
                    self.execute(int(side), *fill)
            elif self.open_orders:
                k = int(u * len(self.open_orders))
                self.open_orders[k], self.open_orders[-1] = self.open_orders[-1], self.open_orders[k]
                self.book.cancel(self.open_orders.pop())

    def execute(self, side, owner, price, size):
        self.trades.append((price, size, side))
        if owner == "maker":
            self.maker.fill(side, price, size)

    def run(self, steps):
        rows = []
        for _ in range(steps):
            self.maker.quote(self.book, self.mid())
            self.crowd()
            bid, ask = self.book.best(0), self.book.best(1)
            mid = self.mid()
            worth = self.maker.cash + self.maker.stock * mid * TICK
            imbalance = self.book.depth(0) - self.book.depth(1)
            rows.append((mid, (ask or mid) - (bid or mid), self.maker.stock, worth, imbalance))
        return np.array(rows)


def autocorrelation(x, lags):
    x = x - x.mean()
    return np.array([np.dot(x[k:], x[:-k]) for k in lags]) / np.dot(x, x)


def drawdown(worth):
    return float(np.max(np.maximum.accumulate(worth) - worth))


def main():
    market = Market(2008)
    rows = market.run(3000)
    mid, spread, stock, worth, imbalance = rows.T
    returns = np.diff(mid)
    lead = np.corrcoef(imbalance[:-1], returns)[0, 1]
    trades = np.array(market.trades)
    vwap = (trades[:, 0] * trades[:, 1]).sum() / trades[:, 1].sum()
    print(f"{len(trades)} trades, maker filled {market.maker.fills}, final worth {worth[-1]:.2f}")
    print(f"mean spread {spread.mean():.3f} ticks, stock between {stock.min():.0f} and {stock.max():.0f}")
    print(f"drawdown {drawdown(worth):.2f}, imbalance lead {lead:.4f}, vwap {vwap * TICK:.2f}")
    np.savez(sys.argv[1], rows=rows, acf=autocorrelation(returns, range(1, 11)), volume=np.bincount(trades[:, 1]))


if __name__ == "__main__":
    main()
