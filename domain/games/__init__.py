"""The games, each in a package of its own; none knows another."""
