"""Formats, amounts, prizes and results of tournaments, and their texts; nothing here needs a database."""
