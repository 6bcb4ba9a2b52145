"""Consecutive-competitive nitration in a bank of stirred tanks: kinetics, heat balance, phase equilibrium, yields."""
import sys

import numpy as np

R = 8.314462618

MECHANISM = """
A + B -> P : 2.5e6, 52000
P + B -> D : 9.0e6, 61000
A -> W : 4.0e9, 84000
2 W -> T : 1.2e4, 45000
D + A -> 2 P : 6.0e3, 48000
"""

HEAT = np.array([-120e3, -135e3, -20e3, -15e3, -8e3])


def parse(text):
    """Species list, stoichiometric matrices and Arrhenius constants from reaction strings."""
    species, rows = [], []
    for line in text.strip().splitlines():
        scheme, constants = line.split(":")
        left, right = scheme.split("->")
        sides = []
        for side in (left, right):
            count = {}
            for term in side.split("+"):
                words = term.split()
                name = words[-1]
                count[name] = count.get(name, 0) + (int(words[0]) if len(words) > 1 else 1)
                if name not in species:
                    species.append(name)
            sides.append(count)
        pre, act = (float(c) for c in constants.split(","))
        rows.append((sides[0], sides[1], pre, act))
    order = np.array([[r[0].get(s, 0) for s in species] for r in rows], dtype=float)
    made = np.array([[r[1].get(s, 0) for s in species] for r in rows], dtype=float)
    return species, order, made - order, np.array([r[2] for r in rows]), np.array([r[3] for r in rows])


def rate_constants(temp, pre, act):
    return pre * np.exp(-act / (R * temp[:, None]))


def rates(conc, temp, mech):
    k = rate_constants(temp, mech["pre"], mech["act"])
    powers = conc[:, None, :] ** mech["order"][None, :, :]
    return k * np.prod(powers, axis=2)


def derivative(state, bank, mech):
    conc, temp = state["conc"], state["temp"]
    r = rates(np.maximum(conc, 0.0), temp, mech)
    flow = (bank["feed"] - conc) / bank["tau"][:, None]
    cool = bank["ua"] * (temp - bank["jacket"])
    return {
        "conc": r @ mech["net"] + flow,
        "temp": (-(r @ mech["heat"]) - cool) / bank["rhocp"] + (bank["inlet"] - temp) / bank["tau"],
    }


def axpy(state, scale, slope):
    return {key: state[key] + scale * slope[key] for key in state}


def rk4(state, dt, bank, mech):
    k1 = derivative(state, bank, mech)
    k2 = derivative(axpy(state, 0.5 * dt, k1), bank, mech)
    k3 = derivative(axpy(state, 0.5 * dt, k2), bank, mech)
    k4 = derivative(axpy(state, dt, k3), bank, mech)
    for key in state:
        state[key] += dt / 6.0 * (k1[key] + 2.0 * (k2[key] + k3[key]) + k4[key])
    return state


def partition(total, volume_ratio, acidity):
    """Dissociated fraction of the acid spread over two phases; Newton with at most 40 steps for each tank."""
    n = total.size
    h = np.zeros(n)
    used = np.zeros(n, dtype=np.int32)
    for i in range(n):
        x = np.sqrt(acidity[i] * total[i])
        for it in range(40):
            f = x * x * (1.0 + volume_ratio[i] * x) + acidity[i] * x - acidity[i] * total[i]
            df = 2.0 * x + 3.0 * volume_ratio[i] * x * x + acidity[i]
            step = f / df
            x -= step
            used[i] = it + 1
            if abs(step) < 1e-10 * (x + 1e-30):
                break
        h[i] = x
    return h, used


def jacobian(conc, temp, mech):
    """d(net rate)/d(conc) for each tank."""
    k = rate_constants(temp, mech["pre"], mech["act"])
    nr, ns = mech["order"].shape
    slope = np.zeros((conc.shape[0], nr, ns))
    safe = np.maximum(conc, 1e-9)
    base = k * np.prod(safe[:, None, :] ** mech["order"], axis=2)
    for j in range(ns):
        slope[:, :, j] = base * mech["order"][:, j] / safe[:, j, None]
    return np.einsum("rs,nrj->nsj", mech["net"], slope)


def sensitivities(jac, tau, conc):
    """Linear response of each steady outlet to a change of 1/tau."""
    n, ns, _ = jac.shape
    out = np.zeros((n, ns))
    stiff = np.zeros(n)
    for i in range(n):
        m = np.eye(ns) / tau[i] - jac[i]
        out[i] = np.linalg.solve(m, conc[i])
        stiff[i] = np.linalg.norm(m) * np.linalg.norm(np.linalg.inv(m))
    return out, stiff


def warmest_run(history, limit):
    """For each tank the first step above the limit (-1: never), the peak and the step of the peak."""
    steps, n = history.shape
    first = np.full(n, -1)
    peak = np.zeros(n)
    at = np.zeros(n, dtype=int)
    for i in range(n):
        best = 0.0
        for s in range(steps):
            if history[s, i] > limit and first[i] < 0:
                first[i] = s
            if history[s, i] > best:
                best = history[s, i]
                at[i] = s
        peak[i] = best
    return first, peak, at


def main():
    rng = np.random.default_rng(6022)
    species, order, net, pre, act = parse(MECHANISM)
    mech = {"order": order, "net": net, "pre": pre, "act": act, "heat": HEAT}
    col = {s: c for c, s in enumerate(species)}
    n = 1500

    feed = np.zeros((n, len(species)))
    feed[:, col["A"]] = rng.uniform(0.8, 1.6, n)
    feed[:, col["B"]] = rng.uniform(0.6, 1.4, n)
    bank = {
        "feed": feed,
        "tau": rng.uniform(60.0, 240.0, n),
        "ua": rng.uniform(800.0, 1800.0, n),
        "jacket": rng.uniform(290.0, 305.0, n),
        "inlet": np.full(n, 298.0),
        "rhocp": np.full(n, 3.6e4),
    }
    state = {"conc": feed.copy(), "temp": bank["inlet"] + 4.0}

    log = []
    for step in range(40):
        state = rk4(state, 2.0, bank, mech)
        log.append(state["temp"].copy())
    history = np.array(log)

    conc, temp = state["conc"], state["temp"]
    first, peak, at = warmest_run(history, 302.5)
    acid, used = partition(conc[:, col["A"]] + 0.05, rng.uniform(0.2, 3.0, n), 10 ** rng.uniform(-4.0, -1.0, n))
    jac = jacobian(conc, temp, mech)
    sens, cond = sensitivities(jac[::5], bank["tau"][::5], conc[::5])

    made = conc[:, col["P"]] / (feed[:, col["B"]])
    order_by_yield = np.argsort(-made, kind="stable")
    print("species:", " ".join(species))
    for rank, i in enumerate(order_by_yield[:3]):
        print(f"{rank + 1}. tank {i:4d} yield {made[i]:.6f} at {temp[i]:.3f} K")
    print(f"mean outlet P {conc[:, col['P']].mean():.8f}, hottest {peak.max():.5f} K, hot tanks {np.sum(first >= 0)}")
    print(f"Newton steps {used.min()} to {used.max()}, worst condition {cond.max():.4f}")
    np.savez(sys.argv[1], conc=conc, temp=temp, first=first, peak=peak, at=at, acid=acid, used=used,
             sens=sens, cond=cond, made=made, ranking=order_by_yield)


if __name__ == "__main__":
    main()
