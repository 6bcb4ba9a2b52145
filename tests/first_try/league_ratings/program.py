"""Team ratings and form curves for a double round-robin league, several seasons.

Usage: python program.py OUT.npz
"""
import sys
import numpy as np

TEAMS = 20
SEASONS = 4
HOME = 0.32


def schedule(teams):
    """Circle method: yields (round, home, away)."""
    ring = list(range(teams))
    for rnd in range(teams - 1):
        for k in range(teams // 2):
            a, b = ring[k], ring[teams - 1 - k]
            yield (rnd, a, b) if rnd % 2 == 0 else (rnd, b, a)
        ring = [ring[0]] + [ring[-1]] + ring[1:-1]


def play(seed):
    rng = np.random.default_rng(seed)
    attack = 0.28 * rng.standard_normal(TEAMS)
    defence = 0.22 * rng.standard_normal(TEAMS)
    first = np.array(list(schedule(TEAMS)))
    second = first[:, [0, 2, 1]].copy()
    second[:, 0] += TEAMS - 1
    season = np.concatenate([first, second])
    rows = []
    for s in range(SEASONS):
        block = season.copy()
        block[:, 0] += s * 2 * (TEAMS - 1)
        rows.append(block)
    games = np.concatenate(rows)
    home, away = games[:, 1], games[:, 2]
    mu_h = np.exp(0.15 + HOME + attack[home] - defence[away])
    mu_a = np.exp(0.15 + attack[away] - defence[home])
    goals = np.column_stack([rng.poisson(mu_h), rng.poisson(mu_a)])
    return games, goals


def elo(games, goals, k=22.0, edge=65.0):
    """Classical sequential update; every match uses the ratings left by the previous one."""
    rating = np.full(TEAMS, 1500.0)
    expected = np.zeros(len(games))
    for g in range(len(games)):
        h, a = games[g, 1], games[g, 2]
        e = 1.0 / (1.0 + 10.0 ** (-(rating[h] + edge - rating[a]) / 400.0))
        diff = goals[g, 0] - goals[g, 1]
        s = 1.0 if diff > 0 else (0.5 if diff == 0 else 0.0)
        step = k * (1.0 + 0.25 * min(abs(diff), 4)) * (s - e)
        rating[h] += step
        rating[a] -= step
        expected[g] = e
    return rating, expected


def poisson_strengths(games, goals, sweeps):
    """Maher's model by alternating multiplicative updates."""
    home, away = games[:, 1], games[:, 2]
    att = np.ones(TEAMS)
    dfc = np.ones(TEAMS)
    gamma = 1.3
    scored = np.zeros(TEAMS)
    conceded = np.zeros(TEAMS)
    np.add.at(scored, home, goals[:, 0])
    np.add.at(scored, away, goals[:, 1])
    np.add.at(conceded, home, goals[:, 1])
    np.add.at(conceded, away, goals[:, 0])
    for _ in range(sweeps):
        exposure = np.zeros(TEAMS)
        np.add.at(exposure, home, gamma * dfc[away])
        np.add.at(exposure, away, dfc[home])
        att = scored / exposure
        att /= att.mean()
        exposure[:] = 0.0
        np.add.at(exposure, away, gamma * att[home])
        np.add.at(exposure, home, att[away])
        dfc = conceded / exposure
        gamma = goals[:, 0].sum() / (att[home] * dfc[away]).sum()
    return att, dfc, gamma


def points_table(games, goals):
    """team x round matrix of points and of goal difference"""
    rounds = games[:, 0].max() + 1
    pts = np.zeros((TEAMS, rounds))
    gd = np.zeros((TEAMS, rounds))
    for (rnd, h, a), (gh, ga) in zip(games, goals):
        gd[h, rnd] = gh - ga
        gd[a, rnd] = ga - gh
        pts[h, rnd] = 3 if gh > ga else (1 if gh == ga else 0)
        pts[a, rnd] = 3 if ga > gh else (1 if gh == ga else 0)
    return pts, gd


def rolling_mean_std(x, w):
    c1 = np.cumsum(np.pad(x, ((0, 0), (1, 0))), axis=1)
    c2 = np.cumsum(np.pad(x * x, ((0, 0), (1, 0))), axis=1)
    s1 = c1[:, w:] - c1[:, :-w]
    s2 = c2[:, w:] - c2[:, :-w]
    mean = s1 / w
    var = np.maximum(s2 / w - mean ** 2, 0.0)
    return mean, np.sqrt(var)


def rolling_extremes(x, w):
    n_team, n_round = x.shape
    hi = np.full((n_team, n_round - w + 1), np.nan)
    lo = np.full((n_team, n_round - w + 1), np.nan)
    for team in range(n_team):
        for t in range(n_round - w + 1):
            top = bottom = x[team, t]
            for s in range(1, w):
                v = x[team, t + s]
                if v > top:
                    top = v
                if v < bottom:
                    bottom = v
            hi[team, t] = top
            lo[team, t] = bottom
    return hi, lo


def form_curve(pts, halflife):
    """Exponentially weighted points; one step per round, all teams together."""
    a = 1.0 - 0.5 ** (1.0 / halflife)
    out = np.empty_like(pts)
    out[:, 0] = pts[:, :5].mean(axis=1)
    for t in range(1, pts.shape[1]):
        out[:, t] = out[:, t - 1] + a * (pts[:, t] - out[:, t - 1])
    return out


def longest_unbeaten(pts):
    best = np.zeros(len(pts), dtype=np.int64)
    for team in range(len(pts)):
        run = 0
        for t in range(pts.shape[1]):
            if pts[team, t] > 0:
                run += 1
                if run > best[team]:
                    best[team] = run
            else:
                run = 0
    return best


def title_odds(att, dfc, gamma, n_sim, seed):
    """Simulate a season many times from the fitted strengths with normal scores for the goal difference."""
    rng = np.random.default_rng(seed)
    lam = gamma * np.outer(att, dfc)
    mu = np.outer(att, dfc).T
    noise = rng.standard_normal((n_sim, TEAMS, TEAMS))
    margin = np.rint((lam - mu)[None] + np.sqrt(lam + mu)[None] * noise)
    eye = np.eye(TEAMS, dtype=bool)
    home_pts = np.where(margin > 0, 3, np.where(margin == 0, 1, 0))
    away_pts = np.where(margin < 0, 3, np.where(margin == 0, 1, 0))
    home_pts[:, eye] = 0
    away_pts[:, eye] = 0
    total = home_pts.sum(axis=2) + away_pts.sum(axis=1)
    position = (-total).argsort(axis=1, kind="stable")
    champion = np.bincount(position[:, 0], minlength=TEAMS) / n_sim
    return champion, total.mean(axis=0), np.percentile(total, [5, 50, 95], axis=0)


def main():
    games, goals = play(1992)
    rating, expected = elo(games, goals)
    outcome = np.sign(goals[:, 0] - goals[:, 1]) * 0.5 + 0.5
    brier = np.mean((outcome - expected) ** 2)
    reliability = []
    for lo, hi in zip(np.arange(0.1, 0.9, 0.1), np.arange(0.2, 1.0, 0.1)):
        inside = (expected >= lo) & (expected < hi)
        reliability.append(outcome[inside].mean() if inside.sum() > 5 else 0.0)

    att, dfc, gamma = poisson_strengths(games, goals, 25)
    pts, gd = points_table(games, goals)
    mean, std = rolling_mean_std(gd, 10)
    hi, lo = rolling_extremes(gd, 6)
    form = form_curve(pts, 6.0)
    unbeaten = longest_unbeaten(pts)
    champion, expected_pts, bands = title_odds(att, dfc, gamma, 120, seed=7)

    order = np.argsort(-rating)
    print("brier %.6f, home factor %.4f" % (brier, gamma))
    for team in order[:4]:
        print("team %2d elo %.2f attack %.4f title %.3f unbeaten %d"
              % (team, rating[team], att[team], champion[team], unbeaten[team]))
    np.savez(sys.argv[1], rating=rating, expected=expected, reliability=np.array(reliability), attack=att,
             defence=dfc, points=pts, mean=mean, std=std, high=hi, low=lo, form=form, unbeaten=unbeaten,
             champion=champion, expected_pts=expected_pts, bands=bands)


if __name__ == "__main__":
    main()
