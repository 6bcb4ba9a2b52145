import cupy as cp
from gpuport.runtime import batched, device


@device("designs", "targets", require="designs", containers=("designs", "targets"))
def fit(designs, targets):
    coefficients = []
    if batched.stackable(items={2: (designs,), 1: (targets,)}):
        coefficients_stacks = []
        for k, x, y in batched.stacks(designs, targets):
            q, r = cp.linalg.qr(x)
            coefficients_stacks.append((k, cp.linalg.solve(r, q.swapaxes(-1, -2) @ y[..., None])[..., 0]))
        coefficients.extend(batched.unstack(coefficients_stacks))
    else:
        for x, y in zip(designs, targets):
            q, r = cp.linalg.qr(x)
            coefficients.append(cp.linalg.solve(r, q.T @ y))
    return coefficients


@device("blocks", require="blocks", containers="blocks")
def factors(blocks):
    return batched.cholesky(blocks)


@device("lowers", require="lowers", containers="lowers")
def log_determinants(lowers):
    return cp.array(
        batched.array(
            (k, 2.0 * cp.log(cp.diagonal(f, axis1=-2, axis2=-1)).sum(axis=1))
            for k, f in batched.stacks(lowers)
        )
        if batched.stackable(items={2: (lowers,)})
        else [2.0 * cp.log(cp.diagonal(f)).sum() for f in lowers]
    )


xs = [cp.ones((3, 2)) + cp.eye(3, 2), cp.eye(4)]
ys = [cp.arange(3.0), cp.arange(4.0)]
solutions = fit(xs, ys)
lowers = factors(
    batched.unstack((k, x.swapaxes(-1, -2) @ x) for k, x in batched.stacks(xs))
    if batched.stackable(items={2: (xs,)})
    else [x.T @ x for x in xs]
)
print(cp.asnumpy(cp.concatenate(solutions).sum()), cp.asnumpy(log_determinants(lowers).sum()))
