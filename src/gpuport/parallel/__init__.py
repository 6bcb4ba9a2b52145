"""Which iterations may run in any order: dependences, exactly, on regions of the IR."""
