"""What a refusal says of rows that a loop goes through: by the names that the user gave them.

In plain form ``for row in x`` reads ``x[i_, j]`` in the place of ``row[j]``, with a counter that
nobody wrote.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from gpuport.loops.heads.heads import Row
from gpuport.loops.reasons import Refused


def rows_in_own_names(refused: Refused, rows: Mapping[str, Row], loop: ast.stmt) -> Refused:
    """A refusal in the user's own names.

    Parameters
    ----------
    refused : Refused
    rows : mapping of str to Row
        By the names of rows, the arrays and their places in these.
    loop : ast.stmt
        The loop as the user wrote it.
    """
    text = ast.unparse(loop)
    for name, (array, places) in rows.items():
        row = f"{ast.unparse(array)}[{', '.join(map(ast.unparse, places))}"
        if row in text:
            continue
        part = rf"`{re.escape(row)}\]` has \d+ of \d+ indices: it is a part of the array"
        message = re.sub(part, f"`{name}` is a part of the array", refused.message)
        refused.message = message.replace(f"{row}]", name).replace(f"{row}, ", f"{name}[")
    return refused


__all__ = ["rows_in_own_names"]
