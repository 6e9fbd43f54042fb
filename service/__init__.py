"""Everything that touches the outside: the network, the database, the clock, files and processes."""
