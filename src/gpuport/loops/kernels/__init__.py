"""From plans to kernel objects and their launches."""
