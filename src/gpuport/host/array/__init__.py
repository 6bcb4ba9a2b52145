"""The parts of the device array, by concept; :mod:`gpuport.host.ndarray` puts them together."""
