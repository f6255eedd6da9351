"""Infrastructure that any Django program could use: nothing here knows a club, a card or a tournament."""
