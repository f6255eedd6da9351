"""Input of deals: the captain's phone, the typed slip, photographed sheets."""
