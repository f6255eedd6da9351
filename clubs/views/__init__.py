"""Views of clubs: a page, its form and its address in one module."""
