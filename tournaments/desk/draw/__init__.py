"""The draw, its wishes and swaps."""
