"""What each kind of statement does to names, arrays and containers."""
