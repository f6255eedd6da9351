"""Plain numbers and how they are compared and written."""
