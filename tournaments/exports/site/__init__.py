"""STATIC SITE: the hall's pages as files that need no server, rebuilt incrementally."""
