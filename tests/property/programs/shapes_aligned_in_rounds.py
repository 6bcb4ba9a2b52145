import numpy as np


def align(shape, reference):
    a = shape - shape.mean(axis=0)
    b = reference - reference.mean(axis=0)
    u, s, vt = np.linalg.svd(a.T @ b)
    if np.linalg.det(u @ vt) < 0:
        u[:, -1] *= -1
    rot = u @ vt
    scale = s.sum() / (a ** 2).sum()
    return scale * a @ rot


def generalised(shapes, rounds=5):
    mean = shapes[0] - shapes[0].mean(axis=0)
    for _ in range(rounds):
        aligned = [align(s, mean) for s in shapes]
        new = np.mean(aligned, axis=0)
        new /= np.linalg.norm(new)
        if np.linalg.norm(new - mean) < 1e-10:
            break
        mean = new
    return mean, np.stack(aligned)


rng = np.random.default_rng(11)
base = rng.normal(size=(9, 2))
shapes = []
for k in range(40):
    t = rng.uniform(0, 2 * np.pi)
    R = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    shapes.append(rng.uniform(0.5, 2) * base @ R + rng.normal(size=2) + 0.01 * rng.normal(size=base.shape))
mean, aligned = generalised(shapes)
print(np.round(np.linalg.norm(mean), 8), aligned.shape, np.round(aligned.var(axis=0).sum(), 8))
