"""Anchors: signed digests over the heads of all logs, which others keep, so that a rewritten log is found."""
