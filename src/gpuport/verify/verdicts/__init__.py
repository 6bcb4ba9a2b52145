"""From trials to the verdict on a function, and verdicts as people and programs read them."""
