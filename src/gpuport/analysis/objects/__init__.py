"""Classes of the program and their instances, whose attributes may be arrays of the device."""
