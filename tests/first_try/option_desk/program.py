"""Option desk: Monte Carlo Asian and barrier prices, an American tree and a small order book."""
import sys
import heapq

import numpy as np

MARKET = {"spot": 100.0, "rate": 0.03, "vol": 0.25, "expiry": 1.0}


def normal_paths(seed, paths, steps):
    z = np.random.default_rng(seed).standard_normal((paths // 2, steps))
    return np.vstack([z, -z])


def simulate(market, z):
    dt = market["expiry"] / z.shape[1]
    drift = (market["rate"] - 0.5 * market["vol"] ** 2) * dt
    steps = drift + market["vol"] * np.sqrt(dt) * z
    return market["spot"] * np.exp(np.cumsum(steps, axis=1))


def asian(paths, strike, discount):
    payoff = np.maximum(paths.mean(axis=1) - strike, 0.0)
    return discount * payoff.mean(), discount * payoff.std(ddof=1) / np.sqrt(payoff.size)


def barrier_payoffs(paths, strike, barrier):
    """Up-and-out call; a path stops counting at the first touch."""
    n, m = paths.shape
    out = np.zeros(n)
    for i in range(n):
        alive = True
        for j in range(m):
            if paths[i, j] >= barrier:
                alive = False
                break
        if alive and paths[i, m - 1] > strike:
            out[i] = paths[i, m - 1] - strike
    return out


def drawdowns(paths):
    """Largest relative fall from the running maximum."""
    worst = np.zeros(len(paths))
    for i, path in enumerate(paths):
        peak = path[0]
        w = 0.0
        for price in path:
            if price > peak:
                peak = price
            fall = 1.0 - price / peak
            if fall > w:
                w = fall
        worst[i] = w
    return worst


def american_put(market, strike, steps):
    dt = market["expiry"] / steps
    up = np.exp(market["vol"] * np.sqrt(dt))
    prob = (np.exp(market["rate"] * dt) - 1.0 / up) / (up - 1.0 / up)
    disc = np.exp(-market["rate"] * dt)
    spot = market["spot"] * up ** (2.0 * np.arange(steps + 1) - steps)
    value = np.maximum(strike - spot, 0.0)
    for level in range(steps - 1, -1, -1):
        spot = spot[1:] / up
        value = disc * (prob * value[1:] + (1.0 - prob) * value[:-1])
        value = np.maximum(value, strike - spot)
    return value[0]


def match_orders(orders):
    """Price-time priority; returns the traded prices."""
    bids, asks, trades = [], [], []
    for t, (side, price, size) in enumerate(orders):
        book, other, sign = (bids, asks, -1) if side == "buy" else (asks, bids, 1)
        while size > 0 and other and sign * price <= sign * abs(other[0][0]):
            best = other[0]
            traded = min(size, best[2])
            trades.append((abs(best[0]), traded))
            size -= traded
            best[2] -= traded
            if best[2] == 0:
                heapq.heappop(other)
        if size > 0:
            heapq.heappush(book, [sign * price, t, size])
    return trades


def random_orders(seed, n):
    rng = np.random.default_rng(seed)
    prices = np.round(rng.normal(100.0, 0.5, n), 1)
    sizes = rng.integers(1, 10, n)
    sides = np.where(rng.random(n) < 0.5, "buy", "sell")
    return [(str(s), float(p), int(q)) for s, p, q in zip(sides, prices, sizes)]


def value_at_risk(returns, levels):
    ordered = np.sort(returns)
    return ordered[(levels * returns.size).astype(int)]


def main():
    paths = simulate(MARKET, normal_paths(3, 1000, 25))
    discount = np.exp(-MARKET["rate"] * MARKET["expiry"])
    price, error = asian(paths, 100.0, discount)
    knocked = barrier_payoffs(paths, 95.0, 130.0)
    falls = drawdowns(paths)
    tree = american_put(MARKET, 105.0, 150)
    trades = np.array(match_orders(random_orders(8, 400)))
    risk = value_at_risk(paths[:, -1] / MARKET["spot"] - 1.0, np.array([0.01, 0.05, 0.1]))
    print(f"asian {price:.6f} +- {error:.6f}, barrier {discount * knocked.mean():.6f}")
    print(f"american put {tree:.6f}, trades {len(trades)}")
    np.savez(sys.argv[1], asian=np.array([price, error]), knocked=knocked, falls=falls,
             tree=np.array([tree]), trades=trades, risk=risk)


if __name__ == "__main__":
    main()
