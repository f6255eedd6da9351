"""Results to take away, and a tournament as one file to take in again; its recount."""
