"""A simulation as scripts are: state in globals, changed by functions, plotted by others."""
import numpy as np

n_particles = 300
box = 10.0
rng = np.random.default_rng(0)
pos = rng.random((n_particles, 2)) * box
vel = rng.standard_normal((n_particles, 2))
force = np.zeros_like(pos)
mass = np.ones(n_particles)
energies = []
step_count = 0


def compute_forces():
    global force
    d = pos[:, None, :] - pos[None, :, :]
    d -= box * np.round(d / box)
    r2 = (d ** 2).sum(axis=-1) + 0.1
    np.fill_diagonal(r2, np.inf)
    force = (d / r2[..., None] ** 2).sum(axis=1)
    return 0.5 * (1.0 / r2).sum()


def integrate(dt):
    global pos, vel, step_count
    vel = vel + dt * force / mass[:, None]
    pos = (pos + dt * vel) % box
    step_count += 1


def kinetic():
    return 0.5 * np.sum(mass[:, None] * vel ** 2)


def record(potential):
    energies.append(kinetic() + potential)


def main():
    for _ in range(15):
        potential = compute_forces()
        integrate(0.005)
        record(potential)
    e = np.array(energies)
    print(step_count, f"{e.mean():.8f} {e.std():.8f}")
    print(np.round(pos[:3], 6).tolist())
    hist, edges = np.histogram(pos[:, 0], bins=5, range=(0, box))
    print(hist.tolist(), edges.tolist())


if __name__ == "__main__":
    main()
