"""Long polling: a response that makes the server wait for a new version, or for the database, without a thread.

The server holds the request (`core.serving.asgi`), and calls the program again then.
"""

# Response header: hold the response back, for so many seconds at most, while this is the current version.
HOLD_BACK = "X-Hold-Back"
# The longest wait in seconds: a server that is stopped cuts requests off that need longer
# (`core.serving.options`), and the client retries.
LONGEST = 6.0
# Response header: the database does not respond, and the same request may be retried: it changes nothing, or
# nothing twice. So long it is (seconds), with a pause between two tries: a PostgreSQL that is restarted takes two.
DATABASE_AWAY = "X-Database-Away"
AWAY_WITHIN, AWAY_PAUSE = 3.0, 0.3
