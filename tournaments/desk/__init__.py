"""The organiser's pages: views, forms, tables and their texts."""
