"""Where the project's data (rules, API tables) lies: in the wheel, or in a source checkout."""

from pathlib import Path


def rules_folder() -> Path:
    """Folder that holds ``rules/`` of the project.

    Returns
    -------
    pathlib.Path
        ``gpuport/_rules`` of an installed wheel, else ``rules`` at the root of the checkout.
    """
    package = Path(__file__).resolve().parent
    installed = package / "_rules"
    return installed if installed.is_dir() else package.parents[1] / "rules"
