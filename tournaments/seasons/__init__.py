"""Many evenings: a season's ladder, ratings."""
