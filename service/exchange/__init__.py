"""Matches that leave and arrive: exports, imports, and the formats of other programs."""
