"""What the hall's pages draw and find."""
