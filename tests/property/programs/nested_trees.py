import numpy as np


def collect(n):
    out = {"u": [], "meta": []}
    u = np.linspace(0.0, 1.0, 1000)
    for k in range(n):
        u = u + 0.01 * np.sin(u)
        out["u"].append(u)
        out["meta"].append({"step": k, "max": u.max()})
    return out


def best(results):
    top = None
    for name, (array, score) in results.items():
        if top is None or score > top[1]:
            top = (array, score, name)
    return top


class Tree:
    def __init__(self, data, depth):
        self.data = data
        self.children = []
        if depth > 0:
            half = len(data) // 2
            self.children = [Tree(data[:half], depth - 1), Tree(data[half:], depth - 1)]

    def leaves(self):
        if not self.children:
            return [self.data]
        return [leaf for child in self.children for leaf in child.leaves()]

    def levels(self):
        found = [[self.data]]
        for child in self.children:
            for k, level in enumerate(child.levels()):
                while len(found) <= k + 1:
                    found.append([])
                found[k + 1].extend(level)
        return found


def main():
    out = collect(10)
    print(len(out["u"]), out["meta"][3]["step"], f"{out['meta'][3]['max']:.8f}", f"{out['u'][-1].sum():.8f}")
    results = {k: (np.sin(k * out["u"][k]), float(out["u"][k].mean())) for k in range(5)}
    a, s, name = best(results)
    print(f"{a.sum():.6f} {s:.8f} {name}")
    tree = Tree(out["u"][-1].copy(), 3)
    tree.leaves()[0][:] = 5.0
    print(f"{tree.data[:130].sum():.6f} {len(tree.leaves())} {[len(l) for l in tree.levels()]}")
    print([f"{sum(np.cos(v).sum() for v in level):.5f}" for level in tree.levels()])
    buffers = [(np.zeros(100), np.zeros(100)) for _ in range(2)]
    for step in range(5):
        src, dst = buffers[0], buffers[1]
        dst[0][:] = src[0] + 1.0
        dst[1][:] = src[1] + dst[0]
        buffers[0], buffers[1] = buffers[1], buffers[0]
    print(buffers[0][0].sum(), buffers[0][1].sum(), buffers[1][1].sum())


main()
