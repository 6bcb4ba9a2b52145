"""Where operations run and arrays live: the data-flow graph and its minimum cut."""
