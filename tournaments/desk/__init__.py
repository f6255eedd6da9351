"""The organiser's pages, with their forms and what they tell."""
