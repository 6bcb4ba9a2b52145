import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 4000)
    shared = [np.sin(x)]
    tree = {"left": shared, "right": [shared, shared]}
    tree["left"].append(np.cos(x))
    print(len(tree["right"][0]), f"{tree['right'][1][1].sum():.6f}")
    shared[0][:10] = 100.0
    print(f"{tree['left'][0].sum():.6f}")
    a = []
    a.append(a)
    print(len(a), len(a[0][0]))
    mixed = [(0, [np.exp(x)], {"m": x}), (1, [np.exp(-x)], {"m": -x})]
    for k, arrays, named in mixed:
        arrays.append(named["m"] * k)
    print([f"{sum(v.sum() for v in arrays):.5f}" for _, arrays, _ in mixed])
    grid = [[np.zeros(100) for _ in range(3)] for _ in range(2)]
    grid[1][2] += 3.0
    grid[0][1][5] = 1.0
    grid[1][0] = np.ones(100)
    print([[float(c.sum()) for c in row] for row in grid])
    flat = [c for row in grid for c in row]
    print(f"{np.concatenate(flat).sum()} {np.array(grid).shape}")
    copy = [list(row) for row in grid]
    copy[0][0][:] = 9.0
    copy[1].append(x[:100])
    print(f"{grid[0][0].sum()} {len(grid[1])}")
    first, (second, third) = x[:5], (x[5:10], x[10:15])
    second[:] = first
    print(x[:12].tolist(), third.sum())
    stack = [(x, 0)]
    total = 0.0
    while stack:
        part, depth = stack.pop()
        if depth == 4:
            total += np.sqrt(part).sum() * depth
            continue
        half = len(part) // 2
        stack.append((part[:half], depth + 1))
        stack.append((part[half:], depth + 1))
    print(f"{total:.6f}")
    queue = [[x[:10], 1.0], [x[10:20], 2.0]]
    for q in queue:
        q[1] *= 2
        q[0] = q[0] * q[1]
    print([f"{q[0].sum():.6f} {q[1]}" for q in queue])


main()
