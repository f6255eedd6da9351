"""How deals come in: the captain's phone, the typed slip, photographed sheets."""
