import numpy as np


def main():
    a = np.linspace(0.0, 1.0, 3000)
    b = a

    def both():
        return (np.sin(a) + b).sum()

    print(f"{both():.8f}")
    b[:10] = 7.0
    print(f"{both():.8f}")
    b = np.cos(b)
    b[:10] = 9.0
    print(f"{both():.8f}")
    a, b = b, a
    print(f"{both():.8f}")
    out = np.empty_like(a)
    np.add(a, b, out=out)
    a = out
    out[0] = 100.0
    print(f"{both():.8f}")
    print(a[0], b[0])
    a.tofile("x.bin")
    a[3] = 5.0
    print(np.fromfile("x.bin")[3] == a[3], f"{both():.6f}")


main()
