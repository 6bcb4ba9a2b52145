"""What each value is, what each statement does to it, and where it should live."""
