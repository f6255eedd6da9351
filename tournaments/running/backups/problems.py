class BackupProblem(Exception):  # noqa: N818 - says what it is
    """Why there is no backup, or why one cannot be restored; in English, for the command line."""
