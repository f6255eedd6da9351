"""The models in their state after migrations 0001 to 0084, for a new database."""
