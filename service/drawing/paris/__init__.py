"""Paris as people see it."""
