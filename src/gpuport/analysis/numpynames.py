"""Names of CuPy read as the NumPy names that they stand for."""


def as_numpy(path: str) -> str:
    """The NumPy name behind a name of CuPy: code that is ported already is read as it was."""
    head, _, tail = path.partition(".")
    return f"numpy.{tail}" if head == "cupy" and tail != "asnumpy" else path
