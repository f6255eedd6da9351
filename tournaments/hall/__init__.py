"""The pages for everybody, with their forms and what they tell."""
