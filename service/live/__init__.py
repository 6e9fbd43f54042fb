"""Live updates: the subscribers of a match and their event stream."""
