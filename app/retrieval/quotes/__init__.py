"""Quotes: the sentences that answer best, byte-exact."""
