# Two-dimensional wave packet hitting a wall with two slits: split-operator FFT propagation.
# Atomic units, absorbing edges.
import sys
import numpy as np

NX, NY = 160, 96
LX, LY = 80.0, 48.0
DT = 0.1
STEPS = 50

x = (np.arange(NX) - NX // 2) * (LX / NX)
y = (np.arange(NY) - NY // 2) * (LY / NY)
dx, dy = x[1] - x[0], y[1] - y[0]
X, Y = np.meshgrid(x, y, indexing="ij")
kx = 2 * np.pi * np.fft.fftfreq(NX, dx)
ky = 2 * np.pi * np.fft.fftfreq(NY, dy)
K2 = kx[:, None] ** 2 + ky[None, :] ** 2


def slit_potential(height, thickness, slit, gap):
    v = np.zeros((NX, NY))
    for i, j in np.ndindex(NX, NY):
        if abs(x[i]) <= thickness / 2:
            d = min(abs(y[j] - gap / 2), abs(y[j] + gap / 2))
            if d > slit / 2:
                v[i, j] = height
            else:
                # soft edges so that the grid does not matter much
                v[i, j] = height * np.exp(-((slit / 2 - d) / 0.4) ** 2)
    return v


def absorber(width, strength):
    """Imaginary part, quadratic towards the edges."""
    def ramp(q, half):
        depth = np.maximum(np.abs(q) - (half - width), 0.0) / width
        return strength * depth ** 2

    return ramp(X, LX / 2) + ramp(Y, LY / 2)


def packet(x0, y0, sx, sy, px):
    psi = np.exp(-((X - x0) / (2 * sx)) ** 2 - ((Y - y0) / (2 * sy)) ** 2) * np.exp(1j * px * X)
    return psi / np.sqrt((np.abs(psi) ** 2).sum() * dx * dy)


def make_stepper(v, w, dt):
    half_v = np.exp(-0.5 * dt * (1j * v + w))
    kinetic = np.exp(-0.5j * dt * K2)

    def step(psi):
        psi = half_v * psi
        psi = np.fft.ifft2(kinetic * np.fft.fft2(psi))
        return half_v * psi

    return step


def energy(psi, v):
    phik = np.fft.fft2(psi)
    dens_k = np.abs(phik) ** 2
    t = 0.5 * (K2 * dens_k).sum() / dens_k.sum()
    dens = np.abs(psi) ** 2
    return t + (v * dens).sum() / dens.sum()


def current_x(psi, column):
    """Probability current through a grid column, central difference."""
    grad = (psi[column + 1] - psi[column - 1]) / (2 * dx)
    return np.sum(np.imag(np.conj(psi[column]) * grad)) * dy


def fringe_maxima(profile):
    """Positions of the local maxima above a tenth of the largest, refined by a parabola."""
    found = []
    top = profile.max()
    for j in range(1, len(profile) - 1):
        a, b, c = profile[j - 1], profile[j], profile[j + 1]
        if b > a and b >= c and b > 0.1 * top:
            found.append(y[j] + 0.5 * dy * (a - c) / (a - 2 * b + c))
    return np.array(found)


V = slit_potential(12.0, 2.0, 3.0, 8.0)
W = absorber(8.0, 1.2)
psi = packet(-9.0, 0.7, 3.0, 6.0, 4.0)
step = make_stepper(V, W, DT)

detector = NX // 2 + 24
norm = np.zeros(STEPS)
mean_x = np.zeros(STEPS)
spread = np.zeros(STEPS)
flux = np.zeros(STEPS)
screen = np.zeros(NY)
snapshots = []

e0 = energy(psi, V)
for n in range(STEPS):
    psi = step(psi)
    dens = np.abs(psi) ** 2
    total = dens.sum()
    norm[n] = total * dx * dy
    mean_x[n] = (X * dens).sum() / total
    spread[n] = np.sqrt(((X - mean_x[n]) ** 2 * dens).sum() / total)
    flux[n] = current_x(psi, detector)
    screen += dens[detector] * DT
    if (n + 1) % 10 == 0:
        snapshots.append(dens[::2, ::2].copy())

dens = np.abs(psi) ** 2
left = dens[X < -1.0].sum() * dx * dy
right = dens[X > 1.0].sum() * dx * dy
far_field = np.abs(np.fft.fftshift(np.fft.fft(psi[detector]))) ** 2
maxima = fringe_maxima(screen)
phase = np.angle(psi[NX // 2 + 8 : NX // 2 + 40 : 4, NY // 2])

print(f"energy {e0:.8f} Eh, left norm {norm[-1]:.8f}")
print(f"reflected {left:.8f} transmitted {right:.8f}")
print(f"through detector {flux.sum() * DT:.8e}, fringes at " + " ".join(f"{m:.5f}" for m in maxima))

np.savez(
    sys.argv[1],
    norm=norm,
    mean_x=mean_x,
    spread=spread,
    flux=flux,
    screen=screen,
    snapshots=np.stack(snapshots),
    far_field=far_field,
    maxima=maxima,
    coherence=np.cos(phase),
    potential=V,
)
