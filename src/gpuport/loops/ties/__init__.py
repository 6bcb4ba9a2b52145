"""Numbers that one iteration hands to the next: sums, extremes, scans, tallies."""
