"""Results to take away: files, calendars, recounts, the published site."""
