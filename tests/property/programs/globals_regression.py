"""Linear regression script without any function but one."""
import numpy as np

np.random.seed(0)
X = np.random.rand(500, 8)
w_true = np.arange(8.0)
y = X @ w_true + 0.01 * np.random.randn(500)
X_b = np.c_[np.ones(500), X]
theta = np.zeros(9)
lr = 0.1


def loss(theta):
    e = X_b @ theta - y
    return (e ** 2).mean()


def grad(theta):
    return 2 / len(y) * X_b.T @ (X_b @ theta - y)


losses = []
for epoch in range(200):
    theta = theta - lr * grad(theta)
    losses.append(loss(theta))
    if epoch % 50 == 0:
        print(epoch, f"{losses[-1]:.8f}")

best = np.argmin(losses)
print(best, theta.round(4))
predict = lambda x: np.r_[1.0, x] @ theta
print(predict(X[0]).round(6), y[0].round(6))
