"""What we measure, and against what."""
