# caller's array changed after handing a view; attr element stored; swap buffers
import sys
import numpy as np


class Wave:
    def __init__(self, nx, ny, c=0.4):
        self.cur = np.zeros((nx, ny))
        self.prev = np.zeros((nx, ny))
        self.nxt = np.zeros((nx, ny))
        self.cur[nx // 2, ny // 2] = 1.0
        self.c2 = c * c
        self.probe = []

    def step(self):
        lap = (
            self.cur[2:, 1:-1]
            + self.cur[:-2, 1:-1]
            + self.cur[1:-1, 2:]
            + self.cur[1:-1, :-2]
            - 4 * self.cur[1:-1, 1:-1]
        )
        self.nxt[1:-1, 1:-1] = (
            2 * self.cur[1:-1, 1:-1] - self.prev[1:-1, 1:-1] + self.c2 * lap
        )
        self.prev, self.cur, self.nxt = self.cur, self.nxt, self.prev
        self.probe.append(self.cur[5, 5])


def main(path):
    w = Wave(24, 20)
    for k in range(15):
        w.step()
        if k % 5 == 0:
            print(k, f"{np.abs(w.cur).max():.8f}")
    w.cur[0, 0] = w.probe[3]
    np.savez(path, cur=w.cur, prev=w.prev, probe=np.array(w.probe))


if __name__ == "__main__":
    main(sys.argv[1])
