"""What a captain's phone sends and is sent."""
