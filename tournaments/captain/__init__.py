"""The captain's page, and what a phone sends and is sent."""
