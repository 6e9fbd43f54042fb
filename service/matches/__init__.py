"""Matches: creating, recording, correcting, replaying."""
