"""How a tournament is set up, said, and called off."""
