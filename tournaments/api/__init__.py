"""What other programs ask, and may do, under `/api/v1/`. Read by the first of them: see `urls`."""
