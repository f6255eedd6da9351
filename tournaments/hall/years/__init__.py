"""Pages that look further back than one evening: people, clubs and unions over the years."""
