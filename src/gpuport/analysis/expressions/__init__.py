"""What each kind of expression gives."""
