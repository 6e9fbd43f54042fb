"""The process: gunicorn and its worker, logging, metrics, periodic work, and the embedded PostgreSQL."""
