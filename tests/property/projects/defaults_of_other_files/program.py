import sys

import numpy as np

from images import above, phantom, smoothed

if __name__ == "__main__":
    image = phantom(24)
    soft = smoothed(image)
    number, share = above(soft)
    print(number, f"{share:.6f} {np.sum(phantom(6)):.4f} {above(image)[0]}")
    np.savez(sys.argv[1], image=image, soft=soft)
