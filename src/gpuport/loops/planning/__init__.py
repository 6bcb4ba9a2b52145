"""From a loop nest to its plan, or to the reason why there is none."""
