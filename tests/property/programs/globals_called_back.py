"""Animation style: functions are called back by other code, and read globals."""
import threading
import numpy as np

x = np.linspace(0, 1, 300)
u = np.exp(-100 * (x - 0.5) ** 2)
frames = []


def step(frame):
    global u
    u = np.roll(u, 1) * 0.99
    frames.append(u.copy())
    return u


def run(callback, n):
    for i in range(n):
        callback(i)


worker = threading.Thread(target=step, args=(0,))
worker.start()
worker.join()
run(step, 5)
print(len(frames), u.sum().round(8), frames[-1][:3])
table = list(map(step, range(3)))
print(np.array(table).sum().round(8), max(frames, key=lambda f: f.sum())[:2])
