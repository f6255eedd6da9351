"""Many evenings together: seasons, ratings, championships."""
