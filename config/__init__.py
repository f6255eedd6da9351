"""The only place that knows the environment Spadille runs in."""

import sys

try:
    import pysqlite3
except ImportError:  # other processors than x86-64: the system's SQLite serves
    pass
else:
    # Before any import of sqlite3: the newer SQLite, free of the write-ahead log's reset race.
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
