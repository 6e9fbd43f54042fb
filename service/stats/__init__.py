"""Statistics: what is kept of matches, how much that tells, ratings, and the routes that answer with it."""
