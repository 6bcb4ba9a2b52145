"""What a port writes, laid out as the project's formatter would."""
