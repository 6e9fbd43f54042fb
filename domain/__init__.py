"""The rules of the games and the history of a match: pure functions over immutable data."""
