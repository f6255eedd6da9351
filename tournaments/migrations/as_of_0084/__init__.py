"""The tables as migrations 0001 to 0084 leave them, for a database that is made anew."""
