"""From plans to kernels: their signatures, their texts, and what they ask."""
