"""What work costs on the device and on the host, as far as it was measured."""
