"""What the pages of every audience need."""
