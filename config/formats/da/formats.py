# A full stop between hours and minutes: so Danes write it, and so browsers write it for them.
TIME_FORMAT = "H.i"
DATETIME_FORMAT = "j. F Y H.i"
SHORT_DATETIME_FORMAT = "d.m.Y H.i"
