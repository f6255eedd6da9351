"""What a database is built like, as lines that can be compared: by whichever steps it came to be so."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

# What PostgreSQL itself, and what Django, calls a constraint that nobody gave a name.
UNNAMED = re.compile(r"\b(\w+)_(?:key|[0-9a-f]{8}_uniq)\b")
SETTINGS = ("--", "SET ", "SELECT ", "\\", "COMMENT ON SCHEMA", "REVOKE ", "GRANT ")


def of_sqlite(file: Path) -> list[str]:
    """Tables part by part, indexes and triggers.

    SQLite builds a table anew where a column is changed, which puts that one last: the order says nothing.
    """
    with closing(sqlite3.connect(file)) as database:
        found = database.execute("SELECT type, tbl_name, name, sql FROM sqlite_master").fetchall()
    lines = []
    for kind, table, name, sql in found:
        parts = _parts(sql) if kind == "table" else [sql]
        lines += [f"{kind} {name} of {table}: {' '.join(str(part).split())}" for part in parts]
    return sorted(lines)


def _parts(sql: str) -> list[str]:
    """The columns and constraints of a `CREATE TABLE`, and what stands around them."""
    head, _, inside = sql.partition("(")
    inside, _, tail = inside.rpartition(")")
    parts, depth = [""], 0
    for said in re.findall(r"'[^']*'|\"[^\"]*\"|[^'\"]", inside):
        depth += {"(": 1, ")": -1}.get(said, 0)
        if said == "," and not depth:
            parts.append("")
        else:
            parts[-1] += said
    return [head.strip(), tail.strip(), *(part.strip() for part in parts)]


def of_postgresql(dump: str) -> list[str]:
    """The statements of what `pg_dump --schema-only` writes."""
    lines = [line for line in dump.splitlines() if line and not line.startswith(SETTINGS)]
    return sorted(UNNAMED.sub(r"\1_unnamed", said) for said in re.split(r"(?<=;)\n", "\n".join(lines)))
