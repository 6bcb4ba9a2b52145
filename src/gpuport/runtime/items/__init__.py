"""A loop over items that runs once: each value in it stands for that of every iteration."""
