"""One module per output format, all from the records and from nothing else."""
