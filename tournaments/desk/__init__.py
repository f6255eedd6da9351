"""What the desk's pages tell the organiser."""
