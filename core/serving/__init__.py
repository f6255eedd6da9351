"""Serving the program: its processes, its connections, its lanes and its events."""
