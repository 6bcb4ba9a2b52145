# Daily market-risk run: historical-simulation VaR and expected shortfall for the trading book,
# plain and volatility-filtered, with component VaR and a backtest of the last year.
import sys

import numpy as np

rng = np.random.default_rng(20240628)
ndays, nassets, nbooks = 900, 48, 6
conf = 0.99
lam = 0.94

# ---- market data: factor model with a volatility cluster
factors = rng.standard_t(5, size=(ndays, 4)) * 0.006
regime = 1.0 + 1.4 * np.exp(-0.5 * ((np.arange(ndays) - 520) / 35.0) ** 2)
factors *= regime[:, None]
beta = rng.normal(0.6, 0.4, size=(4, nassets))
ret = factors @ beta + rng.normal(0, 0.008, size=(ndays, nassets)) * regime[:, None]
spot = np.exp(rng.normal(3.5, 0.6, nassets))
prices = spot * np.exp(np.cumsum(ret, axis=0))

# ---- positions per book; a book is a row of holdings
names = ["rates", "equity_eu", "equity_us", "credit", "fx", "energy"]
holdings = rng.integers(-400, 900, size=(nbooks, nassets)).astype(float)
holdings[:, ::5] = 0.0
books = {name: row for name, row in zip(names, holdings)}
option_gamma = rng.uniform(-12.0, 30.0, size=(nbooks, nassets)) * (rng.random((nbooks, nassets)) < 0.3)

logret = np.diff(np.log(prices), axis=0)
last = prices[-1]


def ewma_variance(r, lam):
    var = np.empty_like(r)
    var[0] = np.mean(r[:30] ** 2, axis=0)
    for t in range(1, r.shape[0]):
        var[t] = lam * var[t - 1] + (1.0 - lam) * r[t - 1] ** 2
    return var


def filtered(r, var):
    """Hull-White: returns rescaled to today's volatility."""
    today = lam * var[-1] + (1.0 - lam) * r[-1] ** 2
    return r * np.sqrt(today / var)


def revalue(shocks, qty, gamma):
    move = last * np.expm1(shocks)
    return move @ qty + 0.5 * (move / last * 10.0) ** 2 @ gamma


def make_tail(level):
    def tail(pnl):
        losses = np.sort(-pnl)
        k = int(np.ceil(level * losses.size)) - 1
        return losses[k], losses[k:].mean()
    return tail


def component_var(shocks, qty, var_level, width):
    """Average asset contribution over scenarios whose loss is near the VaR."""
    by_asset = last * np.expm1(shocks) * qty
    loss = -by_asset.sum(axis=1)
    near = np.abs(loss - var_level) < width
    comp = -by_asset[near].mean(axis=0)
    return comp * (var_level / comp.sum()), np.count_nonzero(near)


def rolling_var(pnl, window, level):
    """One-day-ahead VaR from the previous `window` days, by rank counting."""
    n = pnl.shape[0] - window
    rank = int(np.ceil(level * window)) - 1
    out = np.zeros(n)
    for d in range(n):
        for i in range(window):
            x = pnl[d + i]
            below = 0
            for j in range(window):
                if pnl[d + j] > x or (pnl[d + j] == x and j < i):
                    below += 1
            if below == rank:
                out[d] = -x
                break
    return out


def traffic_light(pnl, var):
    """Basel zone day by day: the multiplier sticks once raised until 40 calm days have passed."""
    zone = np.zeros(len(var), dtype=np.int64)
    level, calm = 0, 0
    for d in range(len(var)):
        if -pnl[d] > var[d]:
            level = min(level + 1, 4)
            calm = 0
        else:
            calm += 1
            if calm == 40 and level > 0:
                level -= 1
                calm = 0
        zone[d] = level
    return zone


def drawdown(pnl):
    equity = np.cumsum(pnl)
    return np.maximum.accumulate(equity) - equity


tail99 = make_tail(conf)
tail975 = make_tail(0.975)
variance = ewma_variance(logret, lam)
fhs = filtered(logret, variance)

var_hs = np.zeros(nbooks)
var_fhs = np.zeros(nbooks)
es = np.zeros(nbooks)
pnl_by_book = {}
for b, (name, qty) in enumerate(books.items()):
    pnl = revalue(logret, qty, option_gamma[b])
    pnl_by_book[name] = pnl
    var_hs[b], _ = tail99(pnl)
    var_fhs[b], _ = tail99(revalue(fhs, qty, option_gamma[b]))
    es[b] = tail975(pnl)[1]

total = np.zeros(logret.shape[0])
for name in names:
    total += pnl_by_book[name]
firm_var, firm_es = tail99(total)
corr = np.corrcoef(np.array([pnl_by_book[k] for k in names]))
comp, nearby = component_var(logret, holdings.sum(axis=0), firm_var, 0.35 * firm_var)

rolled = rolling_var(total[-330:], 250, 0.99)
zones = traffic_light(total[-80:], rolled)
dd = drawdown(total)

print(f"firm VaR {firm_var:.2f}  ES {firm_es:.2f}  diversification {var_hs.sum() / firm_var:.6f}")
for name, a, c in zip(names, var_hs, var_fhs):
    print(f"  {name:10s} {a:14.3f} {c:14.3f}")
print(f"{nearby} scenarios near the VaR, worst drawdown {dd.max():.2f}, zone {zones[-1]}")
np.savez(sys.argv[1], var_hs=var_hs, var_fhs=var_fhs, es=es, corr=corr, comp=comp,
         rolled=rolled, zones=zones, dd=dd, variance=variance[::30], total=total)
