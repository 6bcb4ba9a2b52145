"""Source files: finding, reading, parsing, suppressing, and writing them back whole."""
