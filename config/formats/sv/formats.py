# Between the day and the hour stands what Swedes say: 12 december 2026 kl. 19:00.
DATETIME_FORMAT = r"j F Y \k\l. H:i"
