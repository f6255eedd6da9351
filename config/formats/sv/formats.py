# Django's own format for Swedish lacks the “kl.” before the hour: 12 december 2026 kl. 19:00.
DATETIME_FORMAT = r"j F Y \k\l. H:i"
