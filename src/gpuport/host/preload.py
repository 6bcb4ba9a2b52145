"""Importing this installs the host backend."""

from gpuport.host.install import install

install()
