"""Black-Derman-Toy tree: calibrate to a par curve, then price a book of callable and putable bonds."""
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Book:
    coupon: np.ndarray
    maturity: np.ndarray          # in tree periods
    call: np.ndarray              # strike per 100, inf when not callable
    put: np.ndarray               # strike per 100, 0 when not putable
    first_exercise: np.ndarray
    notional: np.ndarray
    names: list = field(default_factory=list)


def nelson_siegel(t, b0, b1, b2, tau):
    x = t / tau
    g = (1.0 - np.exp(-x)) / x
    return b0 + b1 * g + b2 * (g - np.exp(-x))


def bootstrap(par, dt):
    """Discount factors from par coupons, one maturity after the other."""
    df = np.zeros(len(par))
    annuity = 0.0
    for i in range(len(par)):
        df[i] = (1.0 - par[i] * dt * annuity) / (1.0 + par[i] * dt)
        annuity += df[i]
    return df


def calibrate(df, vol, dt):
    """Short rates r[i, j] = u[i] * exp(2 j vol sqrt(dt)), by forward induction of state prices."""
    n = len(df)
    rates = np.zeros((n, n))
    q = np.ones(1)
    guess = -np.log(df[0]) / dt
    for i in range(n):
        spread = np.exp(2.0 * vol * np.sqrt(dt) * np.arange(i + 1))
        u = guess
        for _ in range(30):
            d = 1.0 / (1.0 + u * spread * dt)
            f = np.dot(q, d) - df[i]
            slope = -np.dot(q * spread * dt, d * d)
            step = f / slope
            u -= step
            if abs(step) < 1e-14:
                break
        rates[i, :i + 1] = u * spread
        flow = 0.5 * q / (1.0 + rates[i, :i + 1] * dt)
        q = np.zeros(i + 2)
        q[:-1] += flow
        q[1:] += flow
        guess = u
    return rates


def make_pricer(rates, dt):
    n = rates.shape[0]
    disc = 1.0 / (1.0 + rates * dt)

    def price(book, shift=None):
        """Backward induction of the whole book: one row per bond, one column per node."""
        d_all = disc if shift is None else 1.0 / (1.0 + (rates + shift) * dt)
        m = len(book.coupon)
        v = np.zeros((m, n + 1))
        cpn = 100.0 * book.coupon * dt
        for i in range(n - 1, -1, -1):
            alive = book.maturity > i
            last = book.maturity == i + 1
            v[last, :i + 2] = 100.0
            v[:, :i + 2] += np.where(alive, cpn, 0.0)[:, None]
            cont = 0.5 * (v[:, :i + 1] + v[:, 1:i + 2]) * d_all[i, :i + 1]
            free = alive & (i >= book.first_exercise) & (i > 0)
            hi = np.where(free, book.call, np.inf)
            lo = np.where(free, book.put, 0.0)
            v[:, :i + 1] = np.maximum(np.minimum(cont, hi[:, None]), lo[:, None])
        return v[:, 0].copy()

    return price


def spread_to_price(price, book, market, iterations=12):
    """Option-adjusted spread of every bond by linear interpolation on a grid of parallel shifts."""
    lo = np.full(len(market), -0.03)
    hi = np.full(len(market), 0.05)
    grid = np.linspace(-0.03, 0.05, iterations)
    values = np.stack([price(book, s) for s in grid])
    for b in range(len(market)):
        for k in range(iterations - 1):
            if values[k, b] >= market[b] and values[k + 1, b] < market[b]:
                lo[b] = grid[k]
                hi[b] = grid[k + 1]
                w = (values[k, b] - market[b]) / (values[k, b] - values[k + 1, b])
                lo[b] = lo[b] + w * (hi[b] - lo[b])
                break
    return lo


def ladder(book, pv, width):
    """Present value per maturity bucket."""
    nb = int(book.maturity.max()) // width + 1
    out = np.zeros(nb)
    np.add.at(out, book.maturity // width, pv * book.notional / 100.0)
    return out


def draw_book(m, n, rng):
    maturity = rng.integers(8, n + 1, m)
    kind = rng.integers(0, 3, m)
    return Book(coupon=np.round(rng.uniform(0.015, 0.06, m), 4), maturity=maturity,
                call=np.where(kind == 1, 101.0, np.inf), put=np.where(kind == 2, 98.0, 0.0),
                first_exercise=maturity // 3, notional=rng.uniform(1e5, 5e6, m),
                names=["%s-%03d" % ("SCP"[k], i) for i, k in enumerate(kind)])


if __name__ == "__main__":
    dt, n = 0.5, 40
    rng = np.random.default_rng(1987)
    t = dt * np.arange(1, n + 1)
    par = nelson_siegel(t, 0.042, -0.02, 0.012, 2.5)
    df = bootstrap(par, dt)
    rates = calibrate(df, 0.16, dt)
    price = make_pricer(rates, dt)

    book = draw_book(250, n, rng)
    pv = price(book)
    bump = 1e-3
    up, down = price(book, bump), price(book, -bump)
    duration = (down - up) / (2.0 * bump * pv)
    convexity = (up + down - 2.0 * pv) / (bump * bump * pv)
    market = pv + rng.normal(0.0, 0.8, len(pv)) - 0.5
    oas = spread_to_price(price, book, market)
    buckets = ladder(book, pv, 8)

    for i in np.argsort(-duration, kind="stable")[:4]:
        print(f"{book.names[i]}  pv {pv[i]:.6f}  duration {duration[i]:.5f}  oas {1e4 * oas[i]:.3f} bp")
    print(f"book value {np.sum(pv * book.notional) / 100:.2f}, mean oas {1e4 * oas.mean():.4f} bp")
    np.savez(sys.argv[1], df=df, rates=rates, pv=pv, duration=duration, convexity=convexity, oas=oas, buckets=buckets)
