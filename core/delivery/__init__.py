"""Delivery to other machines: HTTP requests with guards, encryption of push messages."""
