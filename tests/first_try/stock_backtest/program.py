#!/usr/bin/env python3
"""Indicators for a basket of stocks and a backtest of a trend-and-reversal strategy on daily bars.

All price tables are (days, stocks).
"""
import sys
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

NDAY, NSTOCK = 260, 36
Bars = namedtuple("Bars", "open high low close volume")


def simulate_bars(seed: int) -> Bars:
    rng = np.random.default_rng(seed)
    market = rng.normal(0.0003, 0.008, NDAY)
    beta = rng.uniform(0.5, 1.5, NSTOCK)
    ret = market[:, None] * beta + rng.normal(0.0, 0.014, (NDAY, NSTOCK))
    ret += 0.004 * np.sin(2 * np.pi * np.arange(NDAY)[:, None] / rng.uniform(40, 90, NSTOCK))
    close = 50.0 * np.exp(np.cumsum(ret, axis=0)) * rng.uniform(0.5, 3.0, NSTOCK)
    gap = rng.normal(0.0, 0.004, (NDAY, NSTOCK))
    opened = np.vstack([close[:1], close[:-1]]) * np.exp(gap)
    wick = np.abs(rng.normal(0.0, 0.006, (2, NDAY, NSTOCK)))
    high = np.maximum(opened, close) * (1.0 + wick[0])
    low = np.minimum(opened, close) * (1.0 - wick[1])
    volume = rng.lognormal(13.0, 0.5, (NDAY, NSTOCK)) * (1.0 + 20.0 * np.abs(ret))
    return Bars(opened, high, low, close, volume)


def sma(x, n):
    """Simple moving average from running sums; NaN before n values."""
    c = np.cumsum(x, axis=0)
    out = np.full(x.shape, np.nan)
    out[n - 1] = c[n - 1] / n
    out[n:] = (c[n:] - c[:-n]) / n
    return out


def ema(x, n):
    a = 2.0 / (n + 1.0)
    out = np.empty_like(x)
    out[0] = x[0]
    for t in range(1, len(x)):
        out[t] = a * x[t] + (1.0 - a) * out[t - 1]
    return out


def macd(close, fast=12, slow=26, signal=9):
    line = ema(close, fast) - ema(close, slow)
    return line, line - ema(line, signal)


def bollinger(close, n=20, k=2.0):
    """Position within the bands, from moving first and second moments."""
    mean = sma(close, n)
    centred = close - close.mean(axis=0)
    var = sma(centred * centred, n) - sma(centred, n) ** 2
    sd = np.sqrt(np.maximum(var, 1e-12))
    return (close - mean) / (k * sd)


def rsi(close, n=14):
    """Wilder's relative strength index, one stock after the other."""
    days, stocks = close.shape
    out = np.full((days, stocks), np.nan)
    for s in range(stocks):
        up = 0.0
        down = 0.0
        for t in range(1, days):
            change = close[t, s] - close[t - 1, s]
            gain = change if change > 0.0 else 0.0
            loss = -change if change < 0.0 else 0.0
            if t <= n:
                up += gain / n
                down += loss / n
            else:
                up = (up * (n - 1) + gain) / n
                down = (down * (n - 1) + loss) / n
            if t >= n:
                out[t, s] = 100.0 - 100.0 / (1.0 + up / (down + 1e-12))
    return out


def average_true_range(bars, n=14):
    prev = np.empty_like(bars.close)
    prev[0] = bars.open[0]
    prev[1:] = bars.close[:-1]
    tr = np.maximum(bars.high - bars.low, np.maximum(np.abs(bars.high - prev), np.abs(bars.low - prev)))
    return sma(tr, n)


def donchian(high, low, n=20):
    """Highest high and lowest low of the n days before each day."""
    days, stocks = high.shape
    upper = np.full((days, stocks), np.nan)
    lower = np.full((days, stocks), np.nan)
    for t in range(n, days):
        upper[t] = high[t - n:t].max(axis=0)
        lower[t] = low[t - n:t].min(axis=0)
    return upper, lower


def on_balance_volume(close, volume):
    sign = np.sign(np.diff(close, axis=0))
    obv = np.zeros_like(volume)
    obv[1:] = np.cumsum(sign * volume[1:], axis=0)
    return obv


def max_drawdown(value):
    """Deepest fall from a running peak, its day and the longest time under water."""
    peak = value[0]
    worst, at, since, longest = 0.0, 0, 0, 0
    for t in range(len(value)):
        if value[t] > peak:
            peak = value[t]
            since = 0
        else:
            since += 1
            if since > longest:
                longest = since
        fall = 1.0 - value[t] / peak
        if fall > worst:
            worst, at = fall, t
    return worst, at, longest


@dataclass
class Account:
    cash: float = 1.0e6
    fee: float = 0.0008
    max_open: int = 8
    positions: dict = field(default_factory=dict)
    log: list = field(default_factory=list)

    def buy(self, day, stock, price, stop):
        budget = min(self.cash, 120000.0)
        shares = int(budget / (price * (1.0 + self.fee)))
        if shares < 1:
            return
        self.cash -= shares * price * (1.0 + self.fee)
        self.positions[stock] = [shares, price, stop]
        self.log.append((day, stock, shares, price))

    def sell(self, day, stock, price):
        shares, _, _ = self.positions.pop(stock)
        self.cash += shares * price * (1.0 - self.fee)
        self.log.append((day, stock, -shares, price))

    def value(self, close):
        return self.cash + sum(shares * close[s] for s, (shares, _, _) in self.positions.items())


def scores(close, hist, band, strength, upper):
    """Entry score of each stock and day; zero where an indicator is not defined yet."""
    ok = np.isfinite(band) & np.isfinite(strength) & np.isfinite(upper)
    trend = np.where(close > upper, 1.0, 0.0) + np.where(hist > 0.0, 0.5, -0.5)
    reversal = np.where((strength < 32.0) & (band < -0.9), 1.2, 0.0)
    score = trend + reversal + 0.011 * (50.0 - strength)
    return np.where(ok, score, 0.0)


def backtest(bars, score, atr, lower, account):
    """Day by day: stops first, then exits, then the best new entries at the next open."""
    opened, low, close = bars.open, bars.low, bars.close
    equity = np.zeros(NDAY)
    for day in range(NDAY):
        if day > 0:
            for s in list(account.positions):
                stop = account.positions[s][2]
                if low[day, s] < stop:
                    account.sell(day, s, min(opened[day, s], stop))
                elif close[day - 1, s] < lower[day - 1, s]:
                    account.sell(day, s, opened[day, s])
                else:
                    trail = close[day - 1, s] - 3.0 * atr[day - 1, s]
                    account.positions[s][2] = max(stop, trail)
            for s in np.argsort(-score[day - 1]):
                if score[day - 1, s] < 1.0 or len(account.positions) >= account.max_open:
                    break
                if s not in account.positions:
                    account.buy(day, int(s), opened[day, s], opened[day, s] - 2.5 * atr[day - 1, s])
        equity[day] = account.value(close[day])
    return equity


def correlation_clusters(close, level=0.3):
    """Correlation of daily log returns, market mode from its largest eigenvalue, count of close neighbours."""
    ret = np.diff(np.log(close), axis=0)
    z = (ret - ret.mean(axis=0)) / ret.std(axis=0)
    corr = z.T @ z / len(z)
    w, v = np.linalg.eigh(corr)
    mode = np.abs(v[:, -1])
    return corr, w, mode, (corr > level).sum(axis=1) - 1


def main():
    bars = simulate_bars(20080915)
    line, hist = macd(bars.close)
    band = bollinger(bars.close)
    strength = rsi(bars.close)
    atr = average_true_range(bars)
    upper, lower = donchian(bars.high, bars.low)
    obv = on_balance_volume(bars.close, bars.volume)
    score = scores(bars.close, hist, band, strength, upper)
    corr, eigen, mode, neighbours = correlation_clusters(bars.close)

    account = Account()
    equity = backtest(bars, score, atr, lower, account)
    worst, at, longest = max_drawdown(equity)
    daily = np.diff(equity) / equity[:-1]
    sharpe = np.sqrt(252.0) * daily.mean() / daily.std()

    print("trades: %d, open at the end: %d" % (len(account.log), len(account.positions)))
    print("final equity %.2f, Sharpe ratio %.4f" % (equity[-1], sharpe))
    print("drawdown %.5f on day %d, longest under water %d days" % (worst, at, longest))
    print("market mode explains %.4f of the variance" % (eigen[-1] / eigen.sum()))
    trades = np.array(account.log)
    np.savez(sys.argv[1], line=line, hist=hist, band=band, strength=strength, atr=atr, upper=upper, lower=lower,
             obv=obv, score=score, corr=corr, eigen=eigen, mode=mode, neighbours=neighbours, equity=equity,
             trades=trades)


if __name__ == "__main__":
    main()
