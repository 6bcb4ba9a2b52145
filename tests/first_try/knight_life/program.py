"""Cellular automata on a chess board with wrapped edges.

Cells look at the squares a knight's move away instead of their eight neighbours.
Black and white squares are updated in turns; afterwards the surviving pattern is
read as a position and the lines of sight of every square are counted.
"""
import sys
import numpy as np

SIZE = 64
GENERATIONS = 40
KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
QUEEN = np.array([[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]])


def knight_count(board):
    total = np.zeros(board.shape, dtype=np.int32)
    for dr, dc in KNIGHT:
        total += np.roll(board, (dr, dc), axis=(0, 1))
    return total


def colour_mask(size, colour):
    r, c = np.indices((size, size))
    return (r + c) % 2 == colour


def turn(board, age, squares, birth, keep):
    """One half move: only the squares of one colour change."""
    count = knight_count(board)
    alive = board == 1
    born = ~alive & np.isin(count, birth)
    stays = alive & np.isin(count, keep)
    nxt = np.where(squares, born | stays, alive)
    age[:] = np.where(nxt & alive, age + 1, 0)
    board[...] = nxt


def sight(board, reach):
    """Number of occupied squares a queen on each square would attack (no wrapping here)."""
    n, m = board.shape
    seen = np.zeros((n, m), dtype=np.int64)
    for r in range(n):
        for c in range(m):
            hits = 0
            for k in range(8):
                y = r + QUEEN[k, 0]
                x = c + QUEEN[k, 1]
                steps = 1
                while 0 <= y < n and 0 <= x < m and steps <= reach:
                    if board[y, x]:
                        hits += 1
                        break
                    y += QUEEN[k, 0]
                    x += QUEEN[k, 1]
                    steps += 1
            seen[r, c] = hits
    return seen


def block_entropy(board):
    """Entropy (bits) of the 2 x 2 blocks."""
    code = (board[:-1, :-1] + 2 * board[1:, :-1] + 4 * board[:-1, 1:] + 8 * board[1:, 1:]).ravel()
    p = np.bincount(code, minlength=16) / code.size
    p = p[p > 0]
    return -(p * np.log2(p)).sum()


def clusters(board):
    """Groups of cells connected by king's moves: sizes, largest first."""
    n, m = board.shape
    seen = board == 0
    sizes = []
    for start in np.ndindex(n, m):
        if seen[start]:
            continue
        stack = [start]
        seen[start] = True
        size = 0
        while stack:
            r, c = stack.pop()
            size += 1
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    q = ((r + dr) % n, (c + dc) % m)
                    if not seen[q]:
                        seen[q] = True
                        stack.append(q)
        sizes.append(size)
    return np.array(sorted(sizes, reverse=True))


def knight_tour_distance(size, start):
    """Moves a knight needs to each square (relaxation until nothing changes)."""
    dist = np.full((size, size), 999, dtype=np.int64)
    dist[start] = 0
    while True:
        best = dist.copy()
        for dr, dc in KNIGHT:
            best = np.minimum(best, np.roll(dist, (dr, dc), axis=(0, 1)) + 1)
        if np.array_equal(best, dist):
            return dist
        dist = best


rng = np.random.RandomState(8)
board = (rng.rand(SIZE, SIZE) < 0.38).astype(np.int64)
age = np.zeros((SIZE, SIZE), dtype=np.int64)
colours = colour_mask(SIZE, 0), colour_mask(SIZE, 1)
population = np.zeros(GENERATIONS, dtype=np.int64)
entropy = []
oldest = np.zeros_like(age)

g = 0
while g < GENERATIONS:
    turn(board, age, colours[g % 2], [3], [2, 3])
    population[g] = board.sum()
    if g % 8 == 7:
        entropy.append(block_entropy(board))
    np.maximum(oldest, age, out=oldest)
    if population[g] == 0:
        break
    g += 1

attacked = sight(board, 6)
groups = clusters(board)
moves = knight_tour_distance(SIZE, (10, 20))
quiet = np.flatnonzero((attacked <= 4) & (board == 0))

print("generations", g, "population", int(population[g - 1]), "oldest", int(oldest.max()))
print("clusters", len(groups), "largest", int(groups[0]), "quiet squares", quiet.size)
print("mean sight %.6f  entropy %.6f -> %.6f" % (attacked.mean(), entropy[0], entropy[-1]))
print("farthest knight square", int(moves.max()), "moves")
np.savez(sys.argv[1], board=board, age=age, oldest=oldest, population=population, entropy=np.array(entropy),
         attacked=attacked, groups=groups, moves=moves, quiet=quiet)
