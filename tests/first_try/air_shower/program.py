# Toy Monte Carlo of an extensive air shower (Heitler-Matthews core, muons propagated one by one).
# usage: python program.py OUT.npz
import sys
import numpy as np

rnd = np.random.RandomState(19620222)

# ------------------------------------------------------------------ constants
E0 = 1.2e4            # primary energy, GeV
XGROUND = 870.0       # vertical depth of the array, g/cm2
LAMBDA_I = 85.0       # interaction length
X0 = 37.0             # radiation length
ECRIT_PI = 25.0       # charged-pion decay energy, GeV
ECRIT_EM = 0.085
NCH, NNEU = 6, 3
SCALE_H = 7.9e5       # cm
COS_ZEN = np.cos(np.radians(28.0))


def height(x):
    """Height (cm) above sea level for vertical depth x, isothermal atmosphere."""
    return -SCALE_H * np.log(x / 1035.0)


def greisen(e, x, xstart):
    """Number of electrons at depths x from a photon of energy e starting at xstart."""
    t = np.maximum((x - xstart) / X0, 1e-9)
    beta = np.log(e / ECRIT_EM)
    s = 3.0 * t / (t + 2.0 * beta)
    n = 0.31 / np.sqrt(beta) * np.exp(t * (1.0 - 1.5 * np.log(s)))
    return np.where(x > xstart, n, 0.0)


def hadron_core(e, x, photons, pions, depth=0):
    """Recursive pion cascade; appends photons and decaying charged pions to the lists."""
    xi = x + LAMBDA_I * rnd.exponential() * 0.8
    if xi > XGROUND / COS_ZEN:
        return
    share = rnd.dirichlet(np.full(NCH + NNEU, 3.0)) * e
    for k in range(NNEU):
        photons.append((0.5 * share[k], xi))
    for k in range(NNEU, NNEU + NCH):
        if share[k] < ECRIT_PI or depth > 4:
            pions.append((share[k], xi))
        elif depth < 2 or k == NNEU:
            hadron_core(share[k], xi, photons, pions, depth + 1)
        else:
            pions.append((share[k], xi))


def propagate_muons(energy, xprod, ustar, xend, step):
    """Energy at the ground for each muon (0 where it decayed or stopped on the way)."""
    eground = np.zeros(energy.size)
    xlast = np.zeros(energy.size)
    for m in range(energy.size):
        e = energy[m]
        x = xprod[m]
        survive = 1.0
        alive = True
        while x < xend and alive:
            dx = min(step, xend - x)
            e -= 0.0022 * dx + 4.0e-6 * e * dx
            if e < 0.106:
                alive = False
            else:
                path = SCALE_H * dx / x / COS_ZEN
                survive *= np.exp(-path * 0.1057 / (e * 6.5865e4))
                if survive < ustar[m]:
                    alive = False
            x += dx
        xlast[m] = x
        if alive:
            eground[m] = e
    return eground, xlast


def detector_signals(xm, ym, weight, xd, yd, radius):
    """Sum of muon weights that hit each detector disc, with the number of hits."""
    signal = np.zeros(xd.size)
    hits = np.zeros(xd.size, dtype=int)
    for d in range(xd.size):
        total = 0.0
        count = 0
        for m in range(xm.size):
            ddx = xm[m] - xd[d]
            ddy = ym[m] - yd[d]
            if ddx * ddx + ddy * ddy < radius * radius:
                total += weight[m]
                count += 1
        signal[d] = total
        hits[d] = count
    return signal, hits


# ------------------------------------------------------------------ hadronic core
photons, pions = [], []
hadron_core(E0, 0.0, photons, pions)
ph = np.array(photons)
pi = np.array(pions)

# ------------------------------------------------------------------ electromagnetic longitudinal profile
xgrid = np.linspace(20.0, XGROUND / COS_ZEN, 120)
ph = ph[ph[:, 0] > 1.0]
profile = greisen(ph[:, 0][:, None], xgrid[None, :], ph[:, 1][:, None]).sum(axis=0)
imax = int(profile.argmax())
c = np.polyfit(xgrid[imax - 3:imax + 4] - xgrid[imax], np.log(profile[imax - 3:imax + 4]), 2)
xmax = xgrid[imax] - c[1] / (2.0 * c[0])
cumulative = np.cumsum(0.5 * (profile[1:] + profile[:-1]) * np.diff(xgrid))
cumulative /= cumulative[-1]

# ------------------------------------------------------------------ muons
nmu = 2400
pick = rnd.choice(len(pi), nmu, p=pi[:, 0] / pi[:, 0].sum())
emu = pi[pick, 0] * rnd.uniform(0.57, 1.0, nmu)
emu = np.maximum(emu, 1.0)
xmu = pi[pick, 1]
eground, xlast = propagate_muons(emu, xmu, rnd.uniform(size=nmu), XGROUND / COS_ZEN, 35.0)
arrived = eground > 0.0

pt = rnd.gamma(2.0, 0.2, nmu)
phi = rnd.uniform(-np.pi, np.pi, nmu)
dist = (height(xmu * COS_ZEN) - height(XGROUND)) / COS_ZEN * 1e-2          # m
r = dist * pt / emu
xg, yg = r * np.cos(phi), r * np.sin(phi)

edges = np.logspace(0.5, 3.7, 25)
ldf, _ = np.histogram(r[arrived], bins=edges)
density = ldf / (np.pi * (edges[1:] ** 2 - edges[:-1] ** 2))
ring = np.digitize(r[arrived], edges)
esum = np.zeros(len(edges) + 1)
np.add.at(esum, ring, eground[arrived])

gx, gy = np.meshgrid(np.arange(-400.0, 401.0, 200.0), np.arange(-400.0, 401.0, 200.0))
sig, hits = detector_signals(xg[arrived], yg[arrived], np.sqrt(eground[arrived]), gx.ravel(), gy.ravel(), 90.0)
triggered = np.flatnonzero(hits >= 3)
order = np.argsort(-sig, kind="stable")[:3]
xcore = np.sum(sig * gx.ravel()) / np.sum(sig)
ycore = np.sum(sig * gy.ravel()) / np.sum(sig)

print("photons %d  decaying pions %d" % (len(ph), len(pi)))
print("Xmax %.3f g/cm2   Nmax %.6e" % (xmax, profile.max()))
print("muons at ground %d of %d, mean energy %.4f GeV" % (arrived.sum(), nmu, eground[arrived].mean()))
print("triggered stations %d, core at (%.3f, %.3f) m" % (triggered.size, xcore, ycore))
np.savez(sys.argv[1], profile=profile, cumulative=cumulative, eground=eground, xlast=xlast, ldf=ldf,
         density=density, esum=esum, signal=sig, hits=hits, order=order, core=np.array([xcore, ycore]), xmax=xmax)
