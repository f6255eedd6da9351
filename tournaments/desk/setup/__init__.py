"""Setting a tournament up."""
