# A full stop between hours and minutes: so Danes write it, and so browsers write it for them.
TIME_FORMAT = "H.i"
DATETIME_FORMAT = r"j. F Y \k\l. H.i"
SHORT_DATETIME_FORMAT = "d.m.Y H.i"
