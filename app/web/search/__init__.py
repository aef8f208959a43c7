"""Searching the web: one protocol, several providers."""
