"""Attacks on a service of one's own: the service, those who attack it, those who must not notice, and the figures."""
