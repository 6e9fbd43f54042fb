"""The API document (OpenAPI 3.1): built from the routes, served, and shown as a page."""
