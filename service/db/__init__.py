"""PostgreSQL: the only package with SQL."""
