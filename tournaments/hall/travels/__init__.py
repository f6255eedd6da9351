"""What others take along: calendars, feeds, standings on a club's own site, files, a sheet for its wall."""
