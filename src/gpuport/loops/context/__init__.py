"""What the text around and in a loop tells of its names: axes, extents, purity."""
