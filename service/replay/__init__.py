"""Replay: the frames of a match with their annotations, pictures and explained scores."""
