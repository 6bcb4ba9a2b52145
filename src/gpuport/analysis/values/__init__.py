"""What can be known of a value: its kind, dtype, axes, what it holds, how large it is."""
