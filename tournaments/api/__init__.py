"""The API of other programs, under `/api/v1/`. Imported by the first request: see `urls`."""
