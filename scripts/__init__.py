"""Tools: thin programs around the domain, each with --help and a progress bar."""
