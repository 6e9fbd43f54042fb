"""Matches that leave and arrive."""
