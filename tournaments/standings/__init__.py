"""Places of players, and what is counted of them."""
