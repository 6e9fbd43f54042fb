"""What is kept in PostgreSQL: the only package that knows SQL."""
