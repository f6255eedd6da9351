"""Hints for a damaged database or a lack of memory, in English for the terminal."""

from __future__ import annotations

import shlex

from core.database_errors import has_no_memory, is_damaged


def what_to_do(error: BaseException) -> str:
    """Instructions for the terminal, in English; "" where the error is neither of these."""
    if is_damaged(error):
        return _restore(str(error).strip().partition("\n")[0])
    if has_no_memory(error):
        return (
            "There is too little memory: Spadille takes 200 MB, and 400 MB while it brings data up to date. Close other"
            " programs, or give the machine or its container more; then start again. Nothing is changed by halves."
        )
    return ""


def _restore(said: str) -> str:
    # Imported only where there is a hint: each start would import it.
    from core.backup.folder import newest  # noqa: PLC0415
    from core.text import shell_command  # noqa: PLC0415

    try:
        backup = newest()
    except OSError:
        backup = None
    file = shlex.quote(str(backup.path)) if backup else "FILE"
    return (
        f"The database is damaged ({said}). Stop Spadille, copy the data folder somewhere else, then put the newest"
        f" backup in its place:\n    {shell_command(f'restore {file}')}\n"
        "What the database holds now is kept beside it. With a journal, add --journal PLACE: it brings back what came"
        " after the backup."
        + ("" if backup else "\nThere is no backup in the data folder: name one that lies elsewhere.")
    )
