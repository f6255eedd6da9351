"""Fees, prizes, and who pays whom."""
