"""A loop over items, run once for all of them: each value in it stands for that of every iteration."""
